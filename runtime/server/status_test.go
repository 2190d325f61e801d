package server

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }
func discard() *slog.Logger          { return logTo(io.Discard) }

// direct asks the handler without a connection.
func direct(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.URL.Host = ""
	request.Header.Set("Authorization", "Bearer "+webToken)
	request.Header.Set("Content-Type", "application/json")
	out := httptest.NewRecorder()
	h.ServeHTTP(out, request)
	return out
}

// findingCodes are codes that only stand among the findings of an answer, or keep the server from starting.
var findingCodes = []diag.Code{diag.CodeRequestMemberUnknown, diag.CodeRequestMemberMissing, diag.CodeRequestMemberType, diag.CodeBuildUnsigned}

// R88: every code has one status, which the page about the runtime tells as well, and no code without a row is sent.
func TestStatuses(t *testing.T) {
	page, err := os.ReadFile("../../docs/runtime.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[diag.Code]bool{}
	for _, code := range findingCodes {
		seen[code] = true
	}
	for _, r := range statuses {
		if seen[r.code] {
			t.Errorf("%s has two rows", r.code)
		}
		seen[r.code] = true
		if http.StatusText(r.status) == "" || r.status < 400 {
			t.Errorf("%s: the status %d", r.code, r.status)
		}
		retry := "no"
		if r.retryable {
			retry = "yes"
		}
		if line := fmt.Sprintf("| %d | `%s` | %s |", r.status, r.code, retry); !strings.Contains(string(page), line) {
			t.Errorf("docs/runtime.md has no line %s", line)
		}
	}
	for _, e := range diag.Entries() {
		if e.Room == "runtime/server" && !seen[e.Code] {
			t.Errorf("%s has no row", e.Code)
		}
	}
	if got := rowOf("of_a_later_version"); got.status != http.StatusInternalServerError || got.code != diag.CodeServerDefect {
		t.Errorf("%+v", got)
	}
}
