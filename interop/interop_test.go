// Package interop_test holds our Builds and signatures against clients that are not ours, as their authors publish
// them, on registries on this machine. A client that is not installed skips its tests, which says so and is counted;
// `make interop` installs all of them and forbids skips.
package interop_test

import (
	"bytes"
	"context"
	"debug/buildinfo"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

//go:embed tools.txt
var toolsTable string

// tool is one row of tools.txt.
type tool struct{ program, source, version string }

func tools(t testing.TB) map[string]tool {
	t.Helper()
	all := map[string]tool{}
	for line := range strings.Lines(toolsTable) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 3 {
			t.Fatalf("tools.txt: %q has not three words", line)
		}
		all[fields[0]] = tool{fields[0], fields[1], fields[2]}
	}
	return all
}

// client gives the path of an installed client, of exactly the version in tools.txt. Without it the test is skipped.
func client(t testing.TB, program string) string {
	t.Helper()
	want, known := tools(t)[program]
	if !known {
		t.Fatalf("tools.txt has no %s", program)
	}
	if _, fromDebian := strings.CutPrefix(want.source, "debian:"); fromDebian {
		return debianClient(t, want)
	}
	path := filepath.Join(installed(t), program)
	info, err := buildinfo.ReadFile(path)
	switch {
	case err != nil:
		t.Skipf("interop: %s %s is not installed (make interop): nothing was held against it", program, want.version)
	case info.Path != want.source || info.Main.Version != want.version || info.Main.Replace != nil:
		t.Skipf("interop: %s is %s %s and not %s (make interop): nothing was held against it", path, info.Path, info.Main.Version, want.version)
	}
	return path
}

// debianClient holds the version too: another one may behave in another way, and what the pages say is about this one.
func debianClient(t testing.TB, want tool) string {
	t.Helper()
	path, err := exec.LookPath(want.program)
	if err != nil {
		t.Skipf("interop: Debian's %s is not installed: nothing was held against it", want.program)
	}
	said, err := exec.CommandContext(t.Context(), path, "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(said), want.version) {
		t.Skipf("interop: %s says %q and is not %s: nothing was held against it", path, bytes.TrimSpace(said), want.version)
	}
	return path
}

// installed is the folder that interop/install fills.
func installed(t testing.TB) string {
	t.Helper()
	if folder := os.Getenv("INTEROP_BIN"); folder != "" {
		return folder
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("interop: there is no cache folder to look for clients in: %v", err)
	}
	return filepath.Join(cache, "seif-interop")
}

// shared is where the programs, the keys and the Builds of all tests are.
var shared = filepath.Join(os.TempDir(), fmt.Sprintf("seif-interop-%d", os.Getpid()))

func TestMain(m *testing.M) { os.Exit(inFolder(m)) }

func inFolder(m *testing.M) int {
	defer func() { os.RemoveAll(shared) }()
	return m.Run()
}

const password = "only for tests"

// prepare makes the programs, a Build in both forms, the keys, a trust policy and a signed Build, once.
var prepare = sync.OnceValue(func() error {
	if err := os.Mkdir(shared, 0o700); err != nil {
		return err
	}
	seifc := filepath.Join(shared, "bin", "seifc")
	steps := [][]string{
		{"go", "build", "-trimpath", "-o", filepath.Dir(seifc) + string(filepath.Separator), "../cmd/seifc"},
		{seifc, "build", "../examples/estuda", "-o", filepath.Join(shared, "unsigned.seif")},
		{seifc, "build", "../examples/estuda", "-o", filepath.Join(shared, "unsigned") + "/"},
		{seifc, "keygen", "-o", filepath.Join(shared, "release")},
		{seifc, "keygen", "-o", filepath.Join(shared, "other")},
		{"cp", filepath.Join(shared, "unsigned.seif"), filepath.Join(shared, "signed.seif")},
		{"cp", "-R", filepath.Join(shared, "unsigned"), filepath.Join(shared, "signed")},
	}
	for _, signed := range []string{"signed.seif", "signed"} {
		steps = append(steps, []string{
			seifc, "sign", "--key", filepath.Join(shared, "release.key"), "--role", "release", "--channel", "stable", "--sequence", "1",
			filepath.Join(shared, signed),
		})
	}
	for _, step := range steps {
		cmd := exec.Command(step[0], step[1:]...)
		cmd.Env = append(os.Environ(), "SEIFC_PASSWORD="+password)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(step, " "), err, out)
		}
	}
	policy := "schema: seif.trust-policy.v1\nproject: estuda-side-panel\nchannels: [stable]\n" +
		"keys:\n  release: {file: release.pub, roles: [release]}\nrequire: [{role: release}]\n"
	return os.WriteFile(filepath.Join(shared, "trust.yaml"), []byte(policy), 0o600)
})

// desk is a folder with a copy of everything that prepare made. Clients run in it with a home of their own, and reach
// nothing but this machine: whatever is elsewhere is behind a proxy that is not there.
type desk struct {
	*testing.T
	folder string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	if testing.Short() {
		t.Skip("everything here happens in programs, which are built without the race detector")
	}
	if err := prepare(); err != nil {
		t.Fatal(err)
	}
	d := desk{t, t.TempDir()}
	for _, name := range []string{"unsigned.seif", "signed.seif", "unsigned", "signed", "release.key", "release.pub", "other.key", "other.pub", "trust.yaml"} {
		d.run(0, "cp", "-R", filepath.Join(shared, name), d.path(name))
	}
	if err := os.Mkdir(d.path("home"), 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d desk) path(name string) string { return filepath.Join(d.folder, name) }

// run runs a program that has to end with the given code, and gives what it said.
func (d desk) run(exit int, program string, args ...string) string {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = d.folder
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + d.path("home"), "TMPDIR=" + d.folder, "LC_ALL=C", "NO_COLOR=1",
		"SEIFC_PASSWORD=" + password, "COSIGN_PASSWORD=" + password, "DOCKER_CONFIG=" + d.path("home"),
		"HTTP_PROXY=http://127.0.0.1:1", "HTTPS_PROXY=http://127.0.0.1:1", "NO_PROXY=127.0.0.1,localhost",
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit {
		d.Fatalf("%s %s: %v, want exit %d\n%s", filepath.Base(program), strings.Join(args, " "), err, exit, out)
	}
	return string(out)
}

func (d desk) seifc(exit int, args ...string) string {
	d.Helper()
	return d.run(exit, filepath.Join(shared, "bin", "seifc"), args...)
}

// digest is the digest of a Build by our own reader.
func (d desk) digest(path string) string {
	d.Helper()
	var shown struct{ Build string }
	if err := json.Unmarshal([]byte(d.seifc(0, "show", path, "--format", "json")), &shown); err != nil || shown.Build == "" {
		d.Fatalf("show %s: %v", path, err)
	}
	return shown.Build
}

// verified holds that a Build is verified by the trust policy and is the one that was signed.
func (d desk) verified(path string) {
	d.Helper()
	d.seifc(0, "verify", "--trust", "trust.yaml", "--digest", d.digest("signed.seif"), path)
}

// unsigned holds that a Build is the same one, that it is not verified, and that it is said why.
func (d desk) unsigned(path string) {
	d.Helper()
	if got, want := d.digest(path), d.digest("signed.seif"); got != want {
		d.Fatalf("%s is %s and not %s", path, got, want)
	}
	d.says(d.seifc(4, "verify", "--trust", "trust.yaml", path), "UNSIGNED")
}

// says holds that a text has all of the given parts.
func (d desk) says(text string, parts ...string) {
	d.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			d.Errorf("%q is not in\n%s", part, text)
		}
	}
}

func (d desk) write(name, content string) {
	d.Helper()
	if err := os.WriteFile(d.path(name), []byte(content), 0o600); err != nil {
		d.Fatal(err)
	}
}

func (d desk) read(name string) string {
	d.Helper()
	data, err := os.ReadFile(d.path(name))
	if err != nil {
		d.Fatal(err)
	}
	return string(data)
}

// Every row of tools.txt is used, and every client that is used has a row: client fails for another.
func TestToolsAreNamedOnce(t *testing.T) {
	all := tools(t)
	if len(all) != 5 || strings.Count(toolsTable, "\n") != len(all)+2 {
		t.Errorf("tools.txt has %d rows in %d lines", len(all), strings.Count(toolsTable, "\n"))
	}
}
