package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/tools/virtualsigstore"
)

// installed is a folder with seifc and this program beside each other, as a user has them.
type installed struct {
	t    *testing.T
	bin  string
	room string
}

func install(t *testing.T, programs ...string) installed {
	t.Helper()
	if testing.Short() {
		t.Skip("it links two programs")
	}
	i := installed{t: t, bin: t.TempDir(), room: t.TempDir()}
	for _, name := range programs {
		build := exec.Command("go", "build", "-o", i.bin+string(filepath.Separator), "../"+name)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return i
}

// run runs seifc and wants an exit code of it.
func (i installed) run(exit int, args ...string) string {
	i.t.Helper()
	name := "seifc"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command(filepath.Join(i.bin, name), args...)
	cmd.Dir = i.room
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		i.t.Fatalf("seifc %s: exit %d, want %d\n%s", strings.Join(args, " "), got, exit, out)
	}
	return string(out)
}

func (i installed) file(name string, data []byte) {
	i.t.Helper()
	if err := os.WriteFile(filepath.Join(i.room, name), data, 0o600); err != nil {
		i.t.Fatal(err)
	}
}

const (
	workflow = "https://ci.example/shop/release.yml"
	issuer   = "https://ci.example"
)

const identityPolicy = `schema: seif.trust-policy.v1
project: shop
channels: [stable]
identities:
  pipeline:
    issuer: ` + issuer + `
    subject: ` + workflow + `
    trusted_root: root.json
    roles: [release, tests]
require:
  - role: release
  - role: tests
`

// sigstore starts an instance and gives the flags to sign with it.
func (i installed) sigstore(subject string) []string {
	i.t.Helper()
	instance, err := virtualsigstore.New()
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(instance.Close)
	root, err := instance.TrustedRoot(virtualsigstore.Everything())
	if err != nil {
		i.t.Fatal(err)
	}
	token, err := instance.Token(issuer, subject)
	if err != nil {
		i.t.Fatal(err)
	}
	i.file("root.json", root)
	i.file("token", []byte(token+"\n"))
	return []string{
		"sign", "--keyless", "--identity-token", "token", "--trusted-root", "root.json", "--fulcio", instance.FulcioURL(),
		"--rekor", instance.RekorURL(), "--timestamp", instance.TimestampURL(),
	}
}

// A pipeline signs by its identity, and whoever has the policy and the trusted root verifies: the right identity passes,
// another one, another root and a changed subject do not.
func TestSeifcSignsByIdentity(t *testing.T) {
	i := install(t, "seifc", "seifc-keyless")
	sign := i.sigstore(workflow)
	i.run(0, "init", "shop")
	i.run(0, "build", "shop", "-o", "a.seif")
	i.file("trust.yaml", []byte(identityPolicy))

	said := i.run(0, append(sign, "--issuer", issuer, "--subject", workflow, "--sequence", "3", "a.seif")...)
	if !strings.Contains(said, "signer      "+workflow+" of "+issuer) {
		t.Errorf("it says %s", said)
	}
	i.run(0, append(sign, "--role", "tests", "a.seif")...)
	report := i.run(0, "verify", "--trust", "trust.yaml", "a.seif")
	if !strings.Contains(report, "VERIFIED sha256:") || !strings.Contains(report, "by pipeline ("+workflow+" of "+issuer+")") {
		t.Errorf("it says %s", report)
	}

	// Signing again replaces what the same identity said.
	var answer struct{ Replaced int }
	if err := json.Unmarshal([]byte(i.run(0, append(sign, "--sequence", "4", "--format", "json", "a.seif")...)), &answer); err != nil || answer.Replaced != 2 {
		t.Errorf("%v, %d were replaced", err, answer.Replaced)
	}
	i.run(0, "verify", "--trust", "trust.yaml", "a.seif")

	// What does not fit is refused, by a code of its own where it is found, and nothing is written.
	before, err := os.ReadFile(filepath.Join(i.room, "a.seif"))
	if err != nil {
		t.Fatal(err)
	}
	if said := i.run(4, append(sign, "--issuer", issuer, "--subject", "https://ci.example/other", "a.seif")...); !strings.Contains(said, "keyless_subject") {
		t.Errorf("another subject: %s", said)
	}
	i.file("other.yaml", []byte(strings.ReplaceAll(identityPolicy, workflow, "https://ci.example/other")))
	if said := i.run(4, "verify", "--trust", "other.yaml", "a.seif"); !strings.Contains(said, "trust_signer_unknown") {
		t.Errorf("another identity: %s", said)
	}
	i.file("key.yaml", []byte(strings.ReplaceAll(identityPolicy, "https://ci.example\n", "https://other.example\n")))
	if said := i.run(4, "verify", "--trust", "key.yaml", "a.seif"); !strings.Contains(said, "trust_signer_unknown") {
		t.Errorf("another issuer: %s", said)
	}
	i.sigstore(workflow) // another root, and another token
	if said := i.run(4, "verify", "--trust", "trust.yaml", "a.seif"); !strings.Contains(said, "keyless_") {
		t.Errorf("another root: %s", said)
	}
	after, err := os.ReadFile(filepath.Join(i.room, "a.seif"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the Build changed, %v", err)
	}
}

// Without the program, or without the services, nothing is signed and the reason is told.
func TestSeifcWithoutTheProgram(t *testing.T) {
	i := install(t, "seifc")
	sign := i.sigstore(workflow)
	i.run(0, "init", "shop")
	i.run(0, "build", "shop", "-o", "a.seif")
	if said := i.run(3, append(sign, "a.seif")...); !strings.Contains(said, "error[keyless_program_missing]") {
		t.Errorf("it says %s", said)
	}
	i.run(0, "build", "shop", "-o", "b.seif")
	whole := install(t, "seifc", "seifc-keyless")
	whole.room = i.room
	whole.run(0, append(sign, "b.seif")...)
	i.file("trust.yaml", []byte(strings.Replace(identityPolicy, "  - role: tests\n", "", 1)))
	whole.run(0, "verify", "--trust", "trust.yaml", "b.seif")
	said := i.run(4, "verify", "--trust", "trust.yaml", "b.seif")
	if !strings.Contains(said, "error[keyless_program_missing]") || !strings.Contains(said, "help: ") || !strings.Contains(said, "NOT VERIFIED") {
		t.Errorf("it says %s", said)
	}

	// A program of that name elsewhere is not the program, however near it is.
	if runtime.GOOS == "windows" {
		t.Skip("the planted program is a shell script")
	}
	planted := filepath.Join(i.room, "planted")
	if err := os.Mkdir(planted, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{i.room, planted} {
		script := "#!/bin/sh\ntouch '" + filepath.Join(i.room, "ran") + "'\n"
		if err := os.WriteFile(filepath.Join(folder, "seifc-keyless"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "."+string(os.PathListSeparator)+planted+string(os.PathListSeparator)+os.Getenv("PATH"))
	i.run(4, "verify", "--trust", "trust.yaml", "b.seif")
	i.run(3, append(sign, "a.seif")...)
	// A link to seifc is seifc where that is, and not where the link is.
	if err := os.Symlink(filepath.Join(i.bin, "seifc"), filepath.Join(planted, "seifc")); err != nil {
		t.Fatal(err)
	}
	linked := i
	linked.bin = planted
	linked.run(4, "verify", "--trust", "trust.yaml", "b.seif")
	if _, err := os.Stat(filepath.Join(i.room, "ran")); err == nil {
		t.Error("a planted program ran")
	}
}
