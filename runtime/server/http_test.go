package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
)

// What is served is the resolution itself, byte for byte.
func TestContexts(t *testing.T) {
	s := loaded(t, tenantCredential())
	r := start(t, s, time.Second)
	got := r.post(t, webToken, `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme","question":"Can I?"},"disclosure":"full"}`)
	if got.status != http.StatusCreated {
		t.Fatalf("%d %s", got.status, got.body)
	}
	want, problems := s.plan.Resolve(resolve.Request{
		Profile: "customer", Objective: "refund", Inputs: map[string]any{"tenant": "acme", "question": "Can I?"},
	}, resolve.Observations{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var answer contextAnswer
	if err := json.Unmarshal(got.body, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Text != want.Text() || !strings.Contains(answer.Text, "Returns are free") || !strings.Contains(answer.Text, "You serve acme.") {
		t.Errorf("text:\n%s", answer.Text)
	}
	if answer.TokenEstimate != want.Tokens || answer.ToolsDigest != want.ToolsDigest.String() || len(answer.Segments) != 3 {
		t.Errorf("%+v", answer)
	}
	if !answer.Segments[2].Untrusted || answer.Segments[0].Untrusted {
		t.Error("segments do not say whom they come from")
	}
	if answer.Build != s.build.Digest().String() || answer.Definition != s.build.DefinitionDigest().String() {
		t.Error("the digests are not those of the Build")
	}
	members := got.members(t)
	if tools, ok := members["tools"].([]any); !ok || len(tools) != 0 || members["context_id"] != nil {
		t.Errorf("a context without tools: %s", got.body)
	}
	if got.header.Get("Cache-Control") != "no-store" || got.header.Get(RequestIDHeader) == "" {
		t.Errorf("headers: %v", got.header)
	}
}

// R5: an application hears of a tool only if it would have it but for its executor.
func TestWhatIsToldOfWithheldTools(t *testing.T) {
	got := told(map[string]resolve.Reason{
		"a": resolve.Excluded, "b": resolve.OffObjective, "c": resolve.Condition, "d": resolve.Unavailable, "e": resolve.Incompatible,
	})
	want := map[string]resolve.Reason{"d": resolve.Unavailable, "e": resolve.Incompatible}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R36, R88: who asks without a known token gets 401, who asks for what is not for him gets 403.
func TestAuthorization(t *testing.T) {
	r := start(t, loaded(t, tenantCredential()), time.Second)
	request := `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`
	long := strings.Repeat("x", maxToken+1)
	tokens := []struct{ name, token string }{
		{"none", ""}, {"unknown", strings.Repeat("x", 40)}, {"short", "x"}, {"long", long}, {"digest", strings.Repeat("0", 64)},
		{"app", webToken}, {"app, cut", webToken[:len(webToken)-1]}, {"app, longer", webToken + "="}, {"ops", opsToken},
	}
	want := map[string][]string{ // health, ready, build, contexts
		"none": {"200", "200", "401", "401"}, "app": {"200", "200", "200", "201"}, "ops": {"200", "200", "403", "403"},
	}
	for _, caller := range tokens {
		t.Run(caller.name, func(t *testing.T) {
			got := []string{}
			for _, answer := range []reply{
				r.get(t, "/v1/health", caller.token), r.get(t, "/v1/ready", caller.token), r.get(t, "/v1/build", caller.token), r.post(t, caller.token, request),
			} {
				got = append(got, fmt.Sprint(answer.status))
				switch code := answer.code(t); {
				case answer.status == http.StatusUnauthorized && (code != diag.CodeUnauthenticated || answer.header.Get("WWW-Authenticate") != "Bearer"),
					answer.status == http.StatusForbidden && code != diag.CodeCredentialForbidden:
					t.Errorf("%d with %s and %v", answer.status, code, answer.header)
				}
			}
			expected, ok := want[caller.name]
			if !ok {
				expected = []string{"200", "401", "401", "401"}
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	headers := map[string]func(*http.Request){
		"two headers": func(q *http.Request) {
			q.Header["Authorization"] = []string{"Bearer " + webToken, "Bearer " + webToken}
		},
		"another scheme": func(q *http.Request) { q.Header.Set("Authorization", "Basic "+webToken) },
		"no scheme":      func(q *http.Request) { q.Header.Set("Authorization", webToken) },
		"two tokens":     func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+webToken+" "+webToken) },
	}
	for name, change := range headers {
		if got := r.send(t, http.MethodGet, "/v1/build", "", nil, change); got.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	lower := func(q *http.Request) { q.Header.Set("Authorization", "bearer "+webToken) }
	if got := r.send(t, http.MethodGet, "/v1/build", "", nil, lower); got.status != http.StatusOK {
		t.Errorf("the scheme has no case: %d", got.status)
	}
}

// A credential has its profiles and its fixed inputs, and no request changes that.
func TestCredentials(t *testing.T) {
	r := start(t, loaded(t, tenantCredential()), time.Second)
	tests := []struct {
		name, token, body string
		status            int
		code              diag.Code
		findings          []string
	}{
		{"fixed input", tenantToken, `{"profile":"customer","objective":"refund"}`, 201, "", nil},
		{"fixed and own input", tenantToken, `{"profile":"customer","objective":"refund","inputs":{"question":"?"}}`, 201, "", nil},
		{"override", tenantToken, `{"profile":"customer","objective":"refund","inputs":{"tenant":"other"}}`, 403, diag.CodeRequestInputFixed, []string{"request_input_fixed /inputs/tenant"}},
		{"same value", tenantToken, `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`, 403, diag.CodeRequestInputFixed, []string{"request_input_fixed /inputs/tenant"}},
		{"another's input is not shared", webToken, `{"profile":"customer","objective":"refund"}`, 422, diag.CodeRequestRefused, []string{"request_input_invalid /inputs/tenant"}},
		{"own profile", tenantToken, `{"profile":"staff"}`, 201, "", nil},
		{"nobody's profile", webToken, `{"profile":"stafff","inputs":{"tenant":"acme"}}`, 403, diag.CodeProfileForbidden, nil},
		{"another's profile", webToken, `{"profile":"staff","inputs":{"tenant":"acme"}}`, 403, diag.CodeProfileForbidden, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := r.post(t, test.token, test.body)
			if got.status != test.status || got.code(t) != test.code || !slices.Equal(findingsOf(t, got), test.findings) {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	got := r.post(t, tenantToken, `{"profile":"customer","objective":"refund"}`)
	if text := got.members(t)["text"].(string); !strings.Contains(text, "You serve acme.") {
		t.Errorf("the fixed input is not in the text: %s", text)
	}
	// The answers about another's profile and about nobody's differ in the name alone, which the application sent.
	others, nobodys := r.post(t, webToken, `{"profile":"staff"}`), r.post(t, webToken, `{"profile":"stafX"}`)
	if said, wanted := others.members(t)["detail"], nobodys.members(t)["detail"]; said != strings.Replace(wanted.(string), "stafX", "staff", 1) || others.members(t)["help"] != nobodys.members(t)["help"] {
		t.Errorf("%s, %s", others.body, nobodys.body)
	}
	// A suggestion names the credential's own profiles only.
	if got := r.post(t, webToken, `{"profile":"custmer"}`); got.status != 403 || !strings.Contains(string(got.body), "did you mean customer?") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := r.post(t, webToken, `{"profile":"stafff","inputs":{"tenant":"acme"}}`); got.status != 403 || strings.Contains(string(got.body), `staff"`) || strings.Contains(string(got.body), "staff?") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := r.get(t, "/v1/build", webToken); strings.Contains(string(got.body), "staff") || !strings.Contains(string(got.body), `"signature":"UNSIGNED"`) {
		t.Errorf("the answer about the Build: %s", got.body)
	}
}

// findingsOf are the findings of a problem as CODE POINTER.
func findingsOf(t *testing.T, r reply) []string {
	t.Helper()
	var out []string
	all, _ := r.members(t)["findings"].([]any)
	for _, one := range all {
		finding := one.(map[string]any)
		out = append(out, fmt.Sprint(finding["code"], " ", finding["pointer"]))
	}
	return out
}

// R89: what is wrong with a request is told in the findings of the resolution, which preview tells as well.
func TestFindingsAreThoseOfTheResolution(t *testing.T) {
	s := loaded(t, "")
	r := start(t, s, time.Second)
	for _, request := range []resolve.Request{
		{Profile: "customer"},
		{Profile: "customer", Inputs: map[string]any{"tenant": "acme"}},
		{Profile: "customer", Objective: "refnd", Inputs: map[string]any{"tenant": "acme"}},
		{Profile: "customer", Objective: "refund"},
		{Profile: "customer", Objective: "refund", Inputs: map[string]any{"tenant": "", "question": true, "more": nil}},
		{Profile: "customer", Objective: "refund", Inputs: map[string]any{"tenant": "acme", "question": strings.Repeat("long ", 100)}},
	} {
		_, problems := s.plan.Resolve(request, resolve.Observations{})
		if len(problems) == 0 {
			t.Fatalf("%+v is not wrong", request)
		}
		members, err := diag.JSONMembers(diag.At(inRequest, problems...), diag.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(members["diagnostics"], &want); err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"profile": request.Profile}
		if request.Objective != "" {
			body["objective"] = request.Objective
		}
		if request.Inputs != nil {
			body["inputs"] = request.Inputs
		}
		sent, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		got := r.post(t, webToken, string(sent))
		if got.status != http.StatusUnprocessableEntity || got.code(t) != diag.CodeRequestRefused {
			t.Errorf("%s: %d %s", sent, got.status, got.body)
		}
		if diff := cmp.Diff(want, got.members(t)["findings"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sent, diff)
		}
	}
}

// hostileBodies are requests that are not what they should be. R66.
func hostileBodies() map[string]struct {
	body   string
	status int
	code   diag.Code
} {
	type want = struct {
		body   string
		status int
		code   diag.Code
	}
	deep := func(n int) string {
		return `{"profile":"customer","inputs":` + strings.Repeat(`{"a":`, n) + `1` + strings.Repeat("}", n) + "}"
	}
	return map[string]want{
		"nothing":            {"", 400, diag.CodeMalformedJSON},
		"no JSON":            {"profile=customer", 400, diag.CodeMalformedJSON},
		"cut":                {`{"profile":"cust`, 400, diag.CodeMalformedJSON},
		"two values":         {`{"profile":"customer"}{}`, 400, diag.CodeMalformedJSON},
		"comment":            {`{"profile":"customer"/**/}`, 400, diag.CodeMalformedJSON},
		"mark":               {"\ufeff{}", 400, diag.CodeMalformedJSON},
		"NaN":                {`{"profile":"customer","inputs":{"n":NaN}}`, 400, diag.CodeMalformedJSON},
		"too deep":           {deep(33), 400, diag.CodeMalformedJSON},
		"deep":               {deep(32), 422, diag.CodeRequestRefused},
		"very deep":          {strings.Repeat("[", 200_000), 400, diag.CodeMalformedJSON},
		"member twice":       {`{"profile":"customer","profile":"staff"}`, 400, diag.CodeNotIJSON},
		"twice by an escape": {`{"profile":"customer","\u0070rofile":"staff"}`, 400, diag.CodeNotIJSON},
		"input twice":        {`{"profile":"customer","inputs":{"tenant":"a","tenant":"b"}}`, 400, diag.CodeNotIJSON},
		"broken UTF-8":       {"{\"profile\":\"\xff\"}", 400, diag.CodeNotIJSON},
		"lone surrogate":     {`{"profile":"\ud800"}`, 400, diag.CodeNotIJSON},
		"inexact number":     {`{"profile":"customer","inputs":{"n":9007199254740993}}`, 400, diag.CodeNotIJSON},
		"a list":             {`[]`, 400, diag.CodeRequestMalformed},
		"null":               {`null`, 400, diag.CodeRequestMalformed},
		"no member":          {`{}`, 400, diag.CodeRequestMalformed},
		"unknown member":     {`{"profile":"customer","input":{}}`, 400, diag.CodeRequestMalformed},
		"member in capitals": {`{"Profile":"customer"}`, 400, diag.CodeRequestMalformed},
		"profile as number":  {`{"profile":1}`, 400, diag.CodeRequestMalformed},
		"empty profile":      {`{"profile":""}`, 400, diag.CodeRequestMalformed},
		"null objective":     {`{"profile":"customer","objective":null}`, 400, diag.CodeRequestMalformed},
		"inputs as text":     {`{"profile":"customer","inputs":"{}"}`, 400, diag.CodeRequestMalformed},
		"null inputs":        {`{"profile":"customer","inputs":null}`, 400, diag.CodeRequestMalformed},
		"cards":              {`{"profile":"customer","disclosure":"cards"}`, 422, diag.CodeDisclosureNotSupported},
		"too large":          {`{"profile":"` + strings.Repeat("x", 256<<10) + `"}`, 413, diag.CodeBodyTooLarge},
		"control characters": {`{"profile":"a\u001b[31m\u202e"}`, 403, diag.CodeProfileForbidden},
	}
}

func TestHostileBodies(t *testing.T) {
	r := start(t, loaded(t, ""), time.Second)
	for name, c := range hostileBodies() {
		t.Run(name, func(t *testing.T) {
			for _, chunked := range []bool{false, true} {
				body := io.Reader(strings.NewReader(c.body))
				if chunked {
					body = io.MultiReader(body) // its length is not known before
				}
				got := r.send(t, http.MethodPost, "/v1/contexts", webToken, body, nil)
				if got.status != c.status || got.code(t) != c.code {
					t.Fatalf("chunked %v: %d %s", chunked, got.status, got.body)
				}
				members := got.members(t)
				if members["status"] != float64(c.status) || members["detail"] == "" || members["help"] == "" || members["type"] != "about:blank" {
					t.Errorf("%s", got.body)
				}
				text := string(got.body)
				if strings.Contains(text, "goroutine") || strings.ContainsAny(text, "\x1b\u202e") || len(text) > 8<<10 {
					t.Errorf("%s", text)
				}
			}
		})
	}
	if log := r.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "a request failed") {
		t.Errorf("the log tells of a defect:\n%s", log)
	}
}

// Findings are bounded, and what is left out is counted.
func TestManyFindings(t *testing.T) {
	r := start(t, loaded(t, ""), time.Second)
	body := `{"profile":"customer"`
	for i := range 250 {
		body += fmt.Sprintf(`,"m%d":1`, i)
	}
	got := r.post(t, webToken, body+"}")
	members := got.members(t)
	if found := len(findingsOf(t, got)); got.status != http.StatusBadRequest || found != 100 || members["omitted"] != 150.0 {
		t.Errorf("%d: %d findings, %v omitted", got.status, found, members["omitted"])
	}
}

// What is not one of the endpoints, exactly, is refused with its code.
func TestEndpointsAreExact(t *testing.T) {
	r := start(t, loaded(t, ""), time.Second)
	tests := []struct {
		method, path string
		change       func(*http.Request)
		status       int
		code         diag.Code
	}{
		{"GET", "/", nil, 404, diag.CodeRouteUnknown},
		{"GET", "/v1/build/", nil, 404, diag.CodeRouteUnknown},
		{"GET", "//v1/build", nil, 404, diag.CodeRouteUnknown},
		{"GET", "/v1/x/../build", nil, 404, diag.CodeRouteUnknown},
		{"GET", "/v1/%62uild", nil, 404, diag.CodeRouteUnknown},
		{"GET", "/V1/build", nil, 404, diag.CodeRouteUnknown},
		{"POST", "/v1/approvals/a/grant", nil, 404, diag.CodeRouteUnknown},
		{"GET", "/v1/build?verbose", nil, 400, diag.CodeQueryUnknown},
		{"GET", "/v1/build?", nil, 400, diag.CodeQueryUnknown},
		{"POST", "/v1/build", nil, 405, diag.CodeMethodNotAllowed},
		{"OPTIONS", "/v1/contexts", nil, 405, diag.CodeMethodNotAllowed},
		{"GET", "/v1/contexts", nil, 405, diag.CodeMethodNotAllowed},
		{"POST", "/v1/contexts", func(q *http.Request) { q.Header.Del("Content-Type") }, 400, diag.CodeUnsupportedMedia},
		{"POST", "/v1/contexts", func(q *http.Request) { q.Header.Set("Content-Type", "text/plain") }, 400, diag.CodeUnsupportedMedia},
		{"POST", "/v1/contexts", func(q *http.Request) { q.Header.Set("Content-Type", "application/json; charset=latin1") }, 400, diag.CodeUnsupportedMedia},
		{"POST", "/v1/contexts", func(q *http.Request) { q.Header.Set("Content-Encoding", "gzip") }, 400, diag.CodeUnsupportedMedia},
		{"POST", "/v1/contexts", func(q *http.Request) { q.Header.Set("Content-Type", "application/json; charset=UTF-8") }, 201, ""},
	}
	for _, test := range tests {
		var body io.Reader
		if test.method == "POST" {
			body = strings.NewReader(`{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`)
		}
		got := r.send(t, test.method, test.path, webToken, body, test.change)
		if got.status != test.status || got.code(t) != test.code {
			t.Errorf("%s %s: %d %s", test.method, test.path, got.status, got.body)
		}
		if got.status == http.StatusMethodNotAllowed && got.header.Get("Allow") == "" {
			t.Errorf("%s %s: no header Allow", test.method, test.path)
		}
	}
}

// R7: many requests at once give what one alone gives.
func TestConcurrentRequests(t *testing.T) {
	s := loaded(t, tenantCredential()+"quotas: {per_credential: 64}\n")
	r := start(t, s, time.Second)
	body := `{"profile":"customer","objective":"refund","inputs":{"question":"Can I?"}}`
	want := r.post(t, tenantToken, body)
	if want.status != http.StatusCreated {
		t.Fatalf("%d %s", want.status, want.body)
	}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 10 {
				if got := r.post(t, tenantToken, body); got.status != want.status || string(got.body) != string(want.body) {
					t.Errorf("%d %s", got.status, got.body)
				}
			}
		})
	}
	group.Wait()
}

// The log tells what happened and holds neither tokens nor values of inputs.
func TestTheLogHoldsNoSecrets(t *testing.T) {
	r := start(t, loaded(t, tenantCredential()), time.Second)
	const secret = "my-very-private-question"
	for _, body := range []string{
		`{"profile":"customer","objective":"refund","inputs":{"tenant":"acme-private","question":"` + secret + `"}}`,
		`{"profile":"customer","objective":"` + secret + `","inputs":{"tenant":"acme-private"}}`,
		`{"profile":"` + secret + `"}`, `{"` + secret + `":1}`, secret,
	} {
		r.post(t, webToken, body)
	}
	r.get(t, "/"+secret, secret+webToken)
	id := r.get(t, "/v1/build", webToken).header.Get(RequestIDHeader)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	log := r.log.String()
	for _, hidden := range []string{secret, "acme-private", webToken, "You serve"} {
		if strings.Contains(log, hidden) {
			t.Errorf("%q is in the log:\n%s", hidden, log)
		}
	}
	for _, told := range []string{id, `"credential":"web"`, `"principal":"web"`, `"status":201`, `"code":"request_refused"`, "UNSIGNED", `"profile":"customer"`} {
		if !strings.Contains(log, told) {
			t.Errorf("%q is not in the log:\n%s", told, log)
		}
	}
}

// Only operators see the details of readiness.
func TestReadiness(t *testing.T) {
	r := start(t, loaded(t, ""), time.Second)
	if got := r.get(t, "/v1/ready", "").members(t); len(got) != 1 || got["ready"] != true {
		t.Errorf("%v", got)
	}
	if got := r.get(t, "/v1/ready", webToken).members(t); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if got := r.get(t, "/v1/ready", opsToken).members(t); got["signature"] != "UNSIGNED" || got["requests_in_flight_max"] != 64.0 {
		t.Errorf("%v", got)
	}
}
