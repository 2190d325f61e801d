package keyless_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
)

// fakePrefix begins the names under which the test binary plays the program: what follows is what it does.
const fakePrefix = "fake-"

const good = `{"issuer":"https://issuer.example.test","outcome":"done","protocol":"seif.keyless.v1","subject":"a@example.test","time":"2026-01-02T03:04:05Z"}`

// answers are the messages of fakes that answer each request with one.
var answers = map[string]string{
	"good":                good,
	"other-bundle":        strings.Replace(good, `{"issuer"`, `{"bundle":"e30=","issuer"`, 1),
	"empty-bundle":        strings.Replace(good, `{"issuer"`, `{"bundle":"","issuer"`, 1),
	"no-json":             "hello",
	"other-form":          strings.Replace(good, ":", ": ", 1),
	"other-version":       strings.Replace(good, "keyless.v1", "keyless.v2", 1),
	"other-subject":       strings.Replace(good, "a@", "b@", 1),
	"other-issuer":        strings.Replace(good, "issuer.example", "other.example", 1),
	"no-identity":         strings.Replace(good, "a@example.test", "", 1),
	"one-member-more":     strings.Replace(good, `"outcome"`, `"more":1,"outcome"`, 1),
	"one-member-less":     strings.Replace(good, `,"time":"2026-01-02T03:04:05Z"`, "", 1),
	"no-time":             strings.Replace(good, "2026-01-02T03:04:05Z", "0001-01-01T00:00:00Z", 1),
	"twice":               strings.Replace(good, `"outcome":"done"`, `"outcome":"done","outcome":"done"`, 1),
	"unknown-outcome":     strings.Replace(good, "done", "fine", 1),
	"refused-for-nothing": `{"outcome":"refused","problems":[],"protocol":"seif.keyless.v1"}`,
	"refused-and-done":    strings.Replace(good, "done", "refused", 1),
	"unknown-code":        `{"outcome":"refused","problems":[{"code":"fine","data":{},"pointer":""}],"protocol":"seif.keyless.v1"}`,
	"code-of-others":      `{"outcome":"refused","problems":[{"code":"build_too_large","data":{},"pointer":""}],"protocol":"seif.keyless.v1"}`,
	"refused":             `{"outcome":"refused","problems":[{"code":"keyless_other_root","data":{"issuer":"x"},"pointer":""}],"protocol":"seif.keyless.v1"}`,
	"failed":              `{"outcome":"failed","problems":[{"code":"keyless_program_failed","data":{"why":"tired"},"pointer":""}],"protocol":"seif.keyless.v1"}`,
}

// raw are the bytes of fakes that answer with no message.
var raw = map[string][]byte{
	"garbage":    []byte("<html>this is no answer</html>"),
	"huge":       {0xff, 0xff, 0xff, 0xff, '{'},
	"empty":      {0, 0, 0, 0},
	"cut-off":    append(binary.BigEndian.AppendUint32(nil, uint32(len(good))), good[:20]...),
	"cut-length": {0, 0},
}

func TestMain(m *testing.M) {
	if mode, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), fakePrefix); ok {
		play(mode)
		return
	}
	os.Exit(m.Run())
}

// play is the whole of a fake.
func play(mode string) {
	switch mode {
	case "silent":
		return
	case "talks":
		fmt.Fprintln(os.Stderr, "no such thing\x1b[31m")
		os.Exit(3)
	case "deaf":
		time.Sleep(time.Minute)
	case "flood":
		for _, err := os.Stdout.Write(bytes.Repeat([]byte{1}, 1<<16)); err == nil; _, err = os.Stdout.Write(bytes.Repeat([]byte{1}, 1<<16)) {
		}
	case "environment":
		fmt.Fprint(os.Stderr, os.Environ())
		os.Exit(3)
	}
	for n := 0; ; n++ {
		if _, err := keyless.ReadMessage(os.Stdin); err != nil {
			return
		}
		if answer, ok := answers[mode]; ok {
			_ = keyless.WriteMessage(os.Stdout, []byte(answer))
			continue
		}
		switch mode {
		case "dies-later":
			if n > 0 {
				os.Exit(1)
			}
			_ = keyless.WriteMessage(os.Stdout, []byte(good))
		case "killed":
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			time.Sleep(time.Minute)
		case "hangs":
			time.Sleep(time.Minute)
		case "trickle":
			for {
				_, _ = os.Stdout.Write([]byte{0})
				time.Sleep(time.Hour)
			}
		default:
			_, _ = os.Stdout.Write(raw[mode])
			return
		}
	}
}

// fake gives the path of a fake program.
func fake(t testing.TB, mode string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), fakePrefix+mode)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	copyProgram(t, self, path)
	return path
}

func copyProgram(t testing.TB, from, to string) {
	t.Helper()
	if os.Symlink(from, to) == nil {
		return
	}
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}
