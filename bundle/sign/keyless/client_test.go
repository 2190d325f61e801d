package keyless_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

var demand = keyless.Demand{
	TrustedRoot: []byte("{}"), Bundle: []byte("{}"), Artifact: digest.Of(nil), Issuer: "https://issuer.example.test", Subject: "a@example.test",
}

func order() keyless.Order {
	return keyless.Order{
		Payload: []byte("{}"), Artifact: digest.Of(nil), TrustedRoot: []byte("{}"), Token: "a.b.c",
		Services: keyless.Services{Fulcio: "https://f.example.test", Rekor: "https://r.example.test", RekorVersion: 1},
	}
}

func newClient(t *testing.T, mode string) *keyless.Client {
	t.Helper()
	c := &keyless.Client{Program: fake(t, mode)}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// codeOf is the code of the first finding of an error.
func codeOf(err error) diag.Code {
	var found interface{ Findings() []diag.Problem }
	if errors.As(err, &found) && len(found.Findings()) > 0 {
		return found.Findings()[0].Code
	}
	return ""
}

func TestAnswerIsTaken(t *testing.T) {
	client := newClient(t, "good")
	for range 3 {
		found, err := client.Verify(t.Context(), demand)
		want := sign.Identity{Issuer: demand.Issuer, Subject: demand.Subject, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
		if err != nil || found != want {
			t.Fatalf("got %v, %v", found, err)
		}
	}
}

// TestProgramThatMisbehaves holds that nothing that a program does is taken for a verified identity or a signature but
// one well-formed answer.
func TestProgramThatMisbehaves(t *testing.T) {
	const (
		answer = diag.CodeKeylessProgramAnswer
		failed = diag.CodeKeylessProgramFailed
	)
	for mode, want := range map[string]diag.Code{
		"garbage": answer, "huge": answer, "empty": answer, "cut-off": answer, "cut-length": answer, "flood": answer,
		"no-json": answer, "other-form": answer, "one-member-more": answer, "one-member-less": answer, "no-identity": answer,
		"no-time": answer, "twice": answer, "unknown-outcome": answer, "refused-for-nothing": answer, "refused-and-done": answer,
		"unknown-code": answer, "code-of-others": answer,
		"other-version": diag.CodeKeylessProgramVersion,
		"silent":        failed, "talks": failed, "killed": failed, "failed": failed,
		"refused": diag.CodeKeylessOtherRoot, "other-subject": diag.CodeKeylessSubject, "other-issuer": diag.CodeKeylessIssuer,
	} {
		t.Run(mode, func(t *testing.T) {
			client := newClient(t, mode)
			found, err := client.Verify(t.Context(), demand)
			if codeOf(err) != want || found != (sign.Identity{}) {
				t.Errorf("verifying gives %v and %v, not %s", found, err, want)
			}
			if mode == "other-subject" || mode == "other-issuer" {
				return
			}
			made, err := client.Sign(t.Context(), order())
			if codeOf(err) != want || made.Bundle != nil {
				t.Errorf("signing gives %v, not %s", err, want)
			}
		})
	}
}

// TestSignatureIsWhatWasOrdered has a program that answers an order as if it were a demand, or with another bundle.
func TestSignatureIsWhatWasOrdered(t *testing.T) {
	for _, mode := range []string{"good", "other-bundle", "empty-bundle"} {
		made, err := newClient(t, mode).Sign(t.Context(), order())
		if codeOf(err) != diag.CodeKeylessProgramAnswer || made.Bundle != nil {
			t.Errorf("%s: the error is %v", mode, err)
		}
	}
}

func TestProgramThatHangsIsEnded(t *testing.T) {
	for _, mode := range []string{"hangs", "deaf", "trickle"} {
		t.Run(mode, func(t *testing.T) {
			client := newClient(t, mode)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			begun := time.Now()
			large := demand
			large.Bundle = make([]byte, sign.MaxBundle)
			found, err := client.Verify(ctx, large)
			if codeOf(err) != diag.CodeKeylessProgramFailed || !errors.Is(err, context.DeadlineExceeded) || found != (sign.Identity{}) {
				t.Errorf("got %v, %v", found, err)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestInterruptedQuestionIsNotAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newClient(t, "good").Verify(ctx, demand); codeOf(err) != diag.CodeKeylessProgramFailed || !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestProgramThatDiesIsStartedAnew has one that answers one question and dies at the next.
func TestProgramThatDiesIsStartedAnew(t *testing.T) {
	client := newClient(t, "dies-later")
	for i, want := range []diag.Code{"", diag.CodeKeylessProgramFailed, "", diag.CodeKeylessProgramFailed} {
		if _, err := client.Verify(t.Context(), demand); codeOf(err) != want || (err == nil) != (want == "") {
			t.Errorf("question %d: %v, not %q", i+1, err, want)
		}
	}
}

func TestWhatTheProgramSaysIsTold(t *testing.T) {
	_, err := newClient(t, "talks").Verify(t.Context(), demand)
	var failed *keyless.Failure
	if !errors.As(err, &failed) || !strings.Contains(failed.Problem.Data["why"], "no such thing") {
		t.Errorf("the error is %v", err)
	}
}

// TestProgramGetsNoSecrets holds that only what reaches servers is passed on.
func TestProgramGetsNoSecrets(t *testing.T) {
	t.Setenv("SEIFC_PASSWORD", "hunter2")
	t.Setenv("GODEBUG", "x509sha1=1")
	t.Setenv("NO_PROXY", "intranet.example.test")
	_, err := newClient(t, "environment").Verify(t.Context(), demand)
	var failed *keyless.Failure
	if !errors.As(err, &failed) {
		t.Fatalf("the error is %v", err)
	}
	told := failed.Problem.Data["why"]
	if !strings.Contains(told, "NO_PROXY=intranet.example.test") || strings.Contains(told, "hunter2") {
		t.Errorf("the environment is %s", told)
	}
	for variable := range strings.FieldsSeq(strings.Trim(told, "[]")) {
		name, _, _ := strings.Cut(variable, "=")
		if lower := strings.ToLower(name); !strings.HasSuffix(lower, "_proxy") && !strings.HasPrefix(lower, "ssl_cert_") && lower != "systemroot" {
			t.Errorf("the program gets %s", name)
		}
	}
}

// TestProgramIsFoundBesideTheExecutableOnly has programs of that name where a search would find them.
func TestProgramIsFoundBesideTheExecutableOnly(t *testing.T) {
	decoys := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copyProgram(t, self, filepath.Join(decoys, keyless.ProgramName))
	t.Chdir(decoys)
	t.Setenv("PATH", decoys+string(os.PathListSeparator)+".")

	path, err := keyless.Beside()
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := filepath.EvalSymlinks(self)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(path) != filepath.Dir(resolved) {
		t.Errorf("it is looked for at %s", path)
	}
	client := &keyless.Client{}
	if _, err := client.Verify(t.Context(), demand); codeOf(err) != diag.CodeKeylessProgramMissing {
		t.Errorf("the error is %v", err)
	}
	if _, err := client.Sign(t.Context(), order()); codeOf(err) != diag.CodeKeylessProgramMissing {
		t.Errorf("the error is %v", err)
	}
}

func TestFolderIsNoProgram(t *testing.T) {
	client := &keyless.Client{Program: t.TempDir()}
	if _, err := client.Verify(t.Context(), demand); codeOf(err) != diag.CodeKeylessProgramMissing {
		t.Errorf("the error is %v", err)
	}
}

func TestQuestionsOfSeveralGoroutines(t *testing.T) {
	client := newClient(t, "good")
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := client.Verify(t.Context(), demand)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
