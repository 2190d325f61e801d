package sigstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// programDir is where the program is built, for the time of the tests.
var programDir = filepath.Join(os.TempDir(), fmt.Sprintf("seifc-keyless-%d", os.Getpid()))

var buildProgram = sync.OnceValue(func() error {
	if err := os.Mkdir(programDir, 0o700); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-o", programDir+string(filepath.Separator),
		"github.com/seif-dev/seifc/cmd/seifc-keyless")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programDir)
	os.Exit(code)
}

func programPath(t testing.TB) string {
	t.Helper()
	if err := buildProgram(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(programDir, keyless.ProgramName)
}

func newClient(t testing.TB) *keyless.Client {
	t.Helper()
	c := &keyless.Client{Program: programPath(t)}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("the program ends with: %v", err)
		}
	})
	return c
}

// TestProgramSignsAndVerifies runs the program from end to end, and asks one running program many times.
func TestProgramSignsAndVerifies(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	client := newClient(t)
	for _, k := range kinds {
		o := order(t, instance, k, workload)
		s, err := client.Sign(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %s", k.name, describe(err))
		}
		if b, err := sign.Decode(s.Bundle); err != nil || b.Statement().Subject != artifact {
			t.Errorf("%s: the bundle is none: %v", k.name, err)
		}
		good := keyless.Demand{TrustedRoot: o.TrustedRoot, Bundle: s.Bundle, Artifact: artifact, Issuer: issuer, Subject: workload}
		found, err := client.Verify(t.Context(), good)
		if err != nil || found != s.Identity {
			t.Errorf("%s: verified as %v, %v", k.name, found, err)
		}
		if same, err := client.VerifyIdentity(t.Context(), o.TrustedRoot, s.Bundle, artifact); err != nil || same != found {
			t.Errorf("%s: found as %v, %v", k.name, same, err)
		}
		for _, c := range []struct {
			change func(*keyless.Demand)
			want   diag.Code
		}{
			{func(d *keyless.Demand) { d.Subject = person }, diag.CodeKeylessSubject},
			{func(d *keyless.Demand) { d.Issuer += "x" }, diag.CodeKeylessIssuer},
			{func(d *keyless.Demand) { d.TrustedRoot = rootOf(t, other, everything) }, diag.CodeKeylessOtherRoot},
			{func(d *keyless.Demand) { d.Artifact = digest.Of(nil) }, diag.CodeKeylessArtifact},
			{func(d *keyless.Demand) { d.Bundle = []byte("{}") }, diag.CodeBundleMemberMissing},
		} {
			d := good
			c.change(&d)
			if _, err := client.Verify(t.Context(), d); len(problemsOf(err)) == 0 || problemsOf(err)[0].Code != c.want {
				t.Errorf("%s: refused with %v, not with %s", k.name, err, c.want)
			}
		}
	}
}

func TestProgramSaysWhichServiceFailed(t *testing.T) {
	instance := newInstance(t)
	o := order(t, instance, kinds[0], workload)
	o.Services.Timestamp = instance.TimestampURL() + "/nowhere"
	_, err := newClient(t).Sign(t.Context(), o)
	wantCode(t, err, diag.CodeKeylessStamp)
}

// TestProgramIsStartedAnew has a program that was killed between two questions.
func TestProgramIsStartedAnew(t *testing.T) {
	instance := newInstance(t)
	d := signed(t, instance, kinds[0], person)
	client := newClient(t)
	if _, err := client.Verify(t.Context(), d); err != nil {
		t.Fatal(describe(err))
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Verify(t.Context(), d); err != nil {
		t.Errorf("after it was closed: %s", describe(err))
	}
}

func TestProgramTakesNoFlags(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), programPath(t), "version").Output()
	if err != nil || len(out) == 0 {
		t.Errorf("version: %q, %v", out, err)
	}
	err = exec.CommandContext(t.Context(), programPath(t), "--trusted-root=x").Run()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Errorf("an unknown flag: %v", err)
	}
}
