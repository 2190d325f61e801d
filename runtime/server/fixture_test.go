package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

const emptyTests = `{"schema":"seif.tests.v1"}`

// The tokens of the fixtures, one for each kind of caller.
const (
	webToken    = "web-0123456789abcdef0123456789abcdef"
	tenantToken = "ten-0123456789abcdef0123456789abcdef"
	opsToken    = "ops-0123456789abcdef0123456789abcdef"
)

func blobOf(text string) definition.Blob {
	return definition.Blob{Digest: digest.Of([]byte(text)), Size: int64(len(text))}
}

var fixtureTexts = map[string]string{"returns": "Returns are free for 30 days.\n", "greeting": "You serve {{inputs.tenant}}.\n"}

func parsed(t testing.TB, text string) canonical.Value {
	t.Helper()
	value, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// textsOnly is a definition without tools, with inputs, objectives and two profiles.
func textsOnly(t testing.TB) *definition.Definition {
	return &definition.Definition{
		Version: definition.V1, Project: "shop", Estimator: definition.Estimator, ToolSchemaProfile: definition.ToolSchemaProfile,
		Inputs: parsed(t, `{"type":"object","required":["tenant"],"properties":{
			"tenant":{"type":"string","minLength":1,"maxLength":20},"question":{"type":"string","maxLength":400}}}`),
		Objectives: map[string]string{"refund": "Give money back.", "advise": "Answer questions."},
		Sources: map[string]definition.Source{
			"returns": {Blob: blobOf(fixtureTexts["returns"])}, "greeting": {Blob: blobOf(fixtureTexts["greeting"])},
			"question": {Input: "question"},
		},
		Profiles: map[string]definition.Profile{
			"customer": {BudgetTokens: 2000, Objectives: []string{"advise", "refund"}, Context: []definition.ContextEntry{
				{Source: "greeting"}, {Source: "returns", Objectives: []string{"refund"}}, {Source: "question"},
			}},
			"staff": {BudgetTokens: 2000, Context: []definition.ContextEntry{{Source: "returns"}}},
		},
		Tests: blobOf(emptyTests),
	}
}

// withTool is a definition with one tool.
func withTool(t testing.TB) *definition.Definition {
	t.Helper()
	contract := definition.Contract{
		ID: "orders.find", Version: "1.0.0", Description: "Find orders.", Effect: definition.Read,
		Schema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer", "maximum": json.Number("9")}}},
	}.Normalized()
	fingerprint, err := contract.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	return &definition.Definition{
		Version: definition.V2, Project: "shop", Estimator: definition.Estimator, ToolSchemaProfile: definition.ToolSchemaProfile,
		Tools:    map[string]definition.Tool{"orders.find": {Contract: contract, Fingerprint: fingerprint}},
		Profiles: map[string]definition.Profile{"customer": {BudgetTokens: 1000, Include: map[string]definition.Inclusion{"orders.find": {}}}},
		Tests:    blobOf(emptyTests),
	}
}

// written puts the Build of a definition into a file.
func written(t testing.TB, def *definition.Definition) (string, *bundle.Build) {
	t.Helper()
	data, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for id := range def.Sources {
		if def.Sources[id].Input == "" {
			texts[id] = fixtureTexts[id]
		}
	}
	build, problems := bundle.Assemble(data, texts, []byte(emptyTests), nil)
	if len(problems) > 0 {
		t.Fatalf("not a Build: %v", problems)
	}
	path := filepath.Join(t.TempDir(), "shop.seif")
	if _, err := bundle.WriteFile(t.Context(), path, build); err != nil {
		t.Fatal(err)
	}
	return path, build
}

// bound writes Bindings for a Build.
func bound(t testing.TB, build digest.Digest, more string) string {
	t.Helper()
	hash := func(token string) string { return digest.Of([]byte(token)).String() }
	text := fmt.Sprintf(`schema: seif.bindings.v1
build: %s
listen: 127.0.0.1:0
allow_unsigned: true
credentials:
  web: {class: app, token_digest: %s, principal: web, profiles: [customer]}
  ops: {class: ops, token_digest: %s, principal: oncall}
%s`, build, hash(webToken), hash(opsToken), more)
	path := filepath.Join(t.TempDir(), "bindings.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tenantCredential is one whose tenant is fixed.
func tenantCredential() string {
	return fmt.Sprintf("  tenant: {class: app, token_digest: %s, principal: acme, profiles: [customer, staff], inputs: {tenant: acme}}\n",
		digest.Of([]byte(tenantToken)))
}

func loaded(t testing.TB, more string) *Service {
	t.Helper()
	path, build := written(t, textsOnly(t))
	s, findings, err := Load(t.Context(), Options{Build: path, Bindings: bound(t, build.Digest(), more), AllowUnsigned: true})
	if err != nil || s == nil || len(findings) > 0 {
		t.Fatalf("Load: %v, %v", findings, err)
	}
	return s
}

// logbook collects log lines of several goroutines.
type logbook struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.data.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.data.String()
}

// find waits for a line with the message and gives its members.
func (l *logbook) find(t testing.TB, message string) map[string]any {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for line := range strings.Lines(l.String()) {
			var members map[string]any
			if json.Unmarshal([]byte(line), &members) == nil && members["msg"] == message {
				return members
			}
		}
	}
	t.Fatalf("no log line %q in:\n%s", message, l)
	return nil
}

// running is a server on a port of its own.
type running struct {
	url  string
	log  *logbook
	stop func() error
}

func start(t testing.TB, s *Service, patience time.Duration) *running {
	t.Helper()
	r := &running{log: &logbook{}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, slog.New(slog.NewJSONHandler(r.log, nil)), patience) }()
	r.url = "http://" + r.log.find(t, "listening")["address"].(string)
	r.stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(30 * time.Second):
			return errors.New("the server did not stop")
		}
	})
	t.Cleanup(func() { _ = r.stop() })
	return r
}

// reply is an answer as a client sees it.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) members(t testing.TB) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(r.body, &out); err != nil {
		t.Fatalf("%d, no JSON object: %v\n%s", r.status, err, r.body)
	}
	return out
}

// code is `code` of a problem, and empty for any other answer.
func (r reply) code(t testing.TB) diag.Code {
	t.Helper()
	if r.header.Get("Content-Type") != "application/problem+json" {
		return ""
	}
	code, _ := r.members(t)["code"].(string)
	return diag.Code(code)
}

func (r *running) send(t testing.TB, method, path, token string, body io.Reader, change func(*http.Request)) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, r.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(request)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, data}
}

func (r *running) get(t testing.TB, path, token string) reply {
	t.Helper()
	return r.send(t, http.MethodGet, path, token, nil, nil)
}

func (r *running) post(t testing.TB, token, body string) reply {
	t.Helper()
	return r.send(t, http.MethodPost, "/v1/contexts", token, strings.NewReader(body), nil)
}
