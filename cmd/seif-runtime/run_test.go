package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest"
)

const testsBlob = `{"schema":"seif.tests.v1"}`

// files are a Build without tools, one with a tool, and Bindings for both.
type files struct {
	plain, tools, plainBindings, toolsBindings, wrongBindings, missing string
}

func prepare(t *testing.T) files {
	t.Helper()
	dir := t.TempDir()
	blob := definition.Blob{Digest: digest.Of([]byte(testsBlob)), Size: int64(len(testsBlob))}
	const text = "Be kind.\n"
	plain := &definition.Definition{
		Version: definition.V1, Project: "shop", Estimator: definition.Estimator, Tests: blob,
		Sources:  map[string]definition.Source{"tone": {Blob: definition.Blob{Digest: digest.Of([]byte(text)), Size: int64(len(text))}}},
		Profiles: map[string]definition.Profile{"customer": {BudgetTokens: 100, Context: []definition.ContextEntry{{Source: "tone"}}}},
	}
	contract := definition.Contract{
		ID: "orders.find", Version: "1.0.0", Description: "Find orders.", Effect: definition.Read, Schema: map[string]any{"type": "object"},
	}.Normalized()
	fingerprint, err := contract.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	tools := &definition.Definition{
		Version: definition.V2, Project: "shop", Estimator: definition.Estimator, ToolSchemaProfile: definition.ToolSchemaProfile, Tests: blob,
		Tools:    map[string]definition.Tool{"orders.find": {Contract: contract, Fingerprint: fingerprint}},
		Profiles: map[string]definition.Profile{"customer": {BudgetTokens: 1000, Include: map[string]definition.Inclusion{"orders.find": {}}}},
	}
	f := files{missing: filepath.Join(dir, "none")}
	f.plain, f.plainBindings = put(t, dir, "plain", plain, map[string]string{"tone": text})
	f.tools, f.toolsBindings = put(t, dir, "tools", tools, nil)
	f.wrongBindings = filepath.Join(dir, "wrong.yaml")
	write(t, f.wrongBindings, "schema: seif.bindings.v1\n")
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(t *testing.T, dir, name string, def *definition.Definition, texts map[string]string) (build, bound string) {
	t.Helper()
	data, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	assembled, problems := bundle.Assemble(data, texts, []byte(testsBlob), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	build, bound = filepath.Join(dir, name+".seif"), filepath.Join(dir, name+".yaml")
	if _, err := bundle.WriteFile(t.Context(), build, assembled); err != nil {
		t.Fatal(err)
	}
	write(t, bound, fmt.Sprintf("schema: seif.bindings.v1\nbuild: %s\nlisten: 127.0.0.1:0\nallow_unsigned: true\ncredentials:\n  web: {class: app, token_digest: %s, principal: web, profiles: [customer]}\n",
		assembled.Digest(), digest.Of([]byte("a token"))))
	return build, bound
}

// R79: every outcome has its exit code and, in JSON, one document; in text, errors go to stderr alone.
func TestExitCodes(t *testing.T) {
	f := prepare(t)
	serve := func(more ...string) []string {
		return append([]string{"serve", "--build", f.plain, "--bindings", f.plainBindings}, more...)
	}
	tests := []struct {
		name string
		args []string
		exit int
		want string // in the JSON document
	}{
		{"check", serve("--check", "--allow-unsigned"), 0, `"signature": "UNSIGNED"`},
		{"check of the first contract", serve("--check", "--allow-unsigned", "--contract-max=v1"), 0, `"runtime": "seif.context-runtime.v1"`},
		{"version", []string{"version"}, 0, `"seif.context-runtime.v2"`},
		{"wrong Bindings", []string{"serve", "--build", f.plain, "--bindings", f.wrongBindings, "--allow-unsigned"}, 1, "trust_missing"},
		{"no command", nil, 2, "there is no command"},
		{"misspelled command", []string{"serv"}, 2, "did you mean `seif-runtime serve`?"},
		{"later command", []string{"doctor"}, 2, "unknown command"},
		{"approvals", []string{"approvals", "list"}, 2, "unknown command"},
		{"misspelled flag", serve("--chek"), 2, "did you mean --check?"},
		{"no Bindings named", []string{"serve", "--build", f.plain}, 2, "needs --bindings"},
		{"value missing", []string{"serve", "--build", "--bindings", f.plainBindings}, 2, "needs a value"},
		{"flag twice", serve("--check", "--check"), 2, "given twice"},
		{"flag with a needless value", serve("--check=yes"), 2, "takes no value"},
		{"argument", serve("more"), 2, "does not know what to do"},
		{"unknown contract", serve("--contract-max", "v3"), 2, "does not take"},
		{"missing Bindings", []string{"serve", "--build", f.plain, "--bindings", f.missing, "--allow-unsigned"}, 3, `"missing"`},
		{"missing Build", []string{"serve", "--build", f.missing, "--bindings", f.plainBindings, "--allow-unsigned"}, 3, `"missing"`},
		{"unsigned", serve("--check"), 4, "build_unsigned"},
		{"another Build", []string{"serve", "--build", f.plain, "--bindings", f.toolsBindings, "--allow-unsigned"}, 4, "build_digest"},
		{"tools", []string{"serve", "--build", f.tools, "--bindings", f.toolsBindings, "--allow-unsigned"}, 4, "executors_not_supported"},
		{"a later contract", []string{"serve", "--build", f.tools, "--bindings", f.toolsBindings, "--allow-unsigned", "--contract-max", "v1"}, 4, "unknown_runtime_contract"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out, talk bytes.Buffer
			exit := run(t.Context(), streams{&out, &talk}, append(test.args, "--format", "json"))
			var document struct {
				Version int
				Exit    int
				OK      bool
			}
			if err := json.Unmarshal(out.Bytes(), &document); err != nil {
				t.Fatalf("not one JSON document: %v\n%s", err, &out)
			}
			if exit != test.exit || document.Exit != exit || document.OK != (exit == 0) || document.Version != 1 || talk.Len() > 0 {
				t.Errorf("exit %d, want %d: %+v\n%s", exit, test.exit, document, &talk)
			}
			if !strings.Contains(out.String(), test.want) {
				t.Errorf("%q is not in\n%s", test.want, &out)
			}
			out.Reset()
			exit = run(t.Context(), streams{&out, &talk}, test.args)
			// What is not served has its report on stdout, as what could be served has.
			if exit != test.exit || (out.Len() > 0) != (exit == 0 || exit == exitUnverified) || (talk.Len() > 0) != (exit != 0) {
				t.Errorf("as text: exit %d\nstdout:\n%s\nstderr:\n%s", exit, &out, &talk)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}} {
		var out, talk bytes.Buffer
		if exit := run(t.Context(), streams{&out, &talk}, args); exit != 0 || !strings.Contains(out.String(), "--allow-unsigned") || talk.Len() > 0 {
			t.Errorf("%v: exit %d\n%s%s", args, exit, &out, &talk)
		}
	}
}

// notice is a writer that says when a text was written.
type notice struct {
	mu   sync.Mutex
	data bytes.Buffer
	text string
	seen chan struct{}
}

func (n *notice) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := strings.Contains(n.data.String(), n.text)
	n.data.Write(p)
	if !before && strings.Contains(n.data.String(), n.text) {
		close(n.seen)
	}
	return len(p), nil
}

// A stop by a signal is told by the exit code, also when nothing was cut off.
func TestStop(t *testing.T) {
	f := prepare(t)
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(signal.String(), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var out bytes.Buffer
			talk := &notice{text: `"msg":"listening"`, seen: make(chan struct{})}
			exited := make(chan int, 1)
			go func() {
				exited <- run(ctx, streams{&out, talk}, []string{"serve", "--build", f.plain, "--bindings", f.plainBindings, "--allow-unsigned", "--format=json"})
			}()
			select {
			case <-talk.seen:
			case exit := <-exited:
				t.Fatalf("exit %d\n%s", exit, &out)
			case <-time.After(20 * time.Second):
				t.Fatal("it does not listen")
			}
			cancel(interrupted{signal})
			if exit := <-exited; exit != want {
				t.Errorf("exit %d, want %d", exit, want)
			}
			if !strings.Contains(out.String(), `"interrupted"`) || !strings.Contains(talk.data.String(), `"drained":true`) || !strings.Contains(talk.data.String(), "UNSIGNED") {
				t.Errorf("%s\n%s", &out, talk.data.String())
			}
		})
	}
}

// The first signal to the process ends the context, with the signal as its cause.
func TestSignal(t *testing.T) {
	ctx, stop := interruptible(t.Context())
	defer stop()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(syscall.SIGTERM); err != nil {
		t.Skipf("this system cannot send the signal: %v", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the signal did not end the context")
	}
	if exit, _, _ := describe(ctx, ctx.Err()); exit != exitTerminated {
		t.Errorf("exit %d", exit)
	}
}
