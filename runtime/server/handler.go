package server

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// RequestIDHeader names each request in answers and in the log.
const RequestIDHeader = "Seif-Request-Id"

// handler answers requests.
type handler struct {
	*Service
	log      *slog.Logger
	now      func() time.Time
	quota    *quota
	draining atomic.Bool
}

func newHandler(s *Service, log *slog.Logger) *handler {
	return &handler{Service: s, log: log, now: time.Now, quota: newQuota(s.bindings)}
}

// access is who may use a route.
type access int

const (
	anybody    access = iota // credentials are not looked at
	anybodyOps               // a credential may be presented; then it has to be known
	appOnly
)

// route is one path with its one method.
type route struct {
	path, method string
	access       access
	run          func(*handler, *exchange) (answer, *refusal)
}

var routes = [...]route{
	{"/v1/health", http.MethodGet, anybody, (*handler).health},
	{"/v1/ready", http.MethodGet, anybodyOps, (*handler).ready},
	{"/v1/build", http.MethodGet, appOnly, (*handler).describeBuild},
	{"/v1/contexts", http.MethodPost, appOnly, (*handler).createContext},
}

// answer is what a route says when it is what was asked for.
type answer struct {
	status int
	body   any
}

// exchange is one request and what is known of it.
type exchange struct {
	id         string
	writer     http.ResponseWriter
	request    *http.Request
	credential *bindings.Credential
	begun      time.Time
	// notes go to the log. They hold no token, no input and nothing that was not checked before.
	notes []any
}

func (x *exchange) note(name string, value any) { x.notes = append(x.notes, name, value) }

// ServeHTTP answers one request, whatever happens, and writes one line of log about it.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{id: newID(), writer: w, request: r, begun: h.now()}
	header := w.Header()
	header.Set(RequestIDHeader, x.id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	defer func() {
		if reason := recover(); reason != nil {
			h.log.Error("a request failed", "request_id", x.id, "reason", diag.Escape(asText(reason)), "stack", string(debug.Stack()))
			h.refuse(x, refused(diag.CodeServerDefect))
		}
	}()
	result, refusal := h.dispatch(x)
	if refusal != nil {
		h.refuse(x, refusal)
		return
	}
	h.send(x, result.status, "", "application/json", result.body)
}

// dispatch finds the route of a request, checks who asks, and runs it within the quotas.
func (h *handler) dispatch(x *exchange) (answer, *refusal) {
	found := routeOf(x.request)
	if found == nil {
		return answer{}, refused(diag.CodeRouteUnknown)
	}
	x.note("route", found.path)
	switch {
	case x.request.Method != found.method:
		refusal := refused(diag.CodeMethodNotAllowed, "allowed", found.method)
		refusal.allowed = found.method
		return answer{}, refusal
	case x.request.URL.RawQuery != "" || x.request.URL.ForceQuery:
		return answer{}, refused(diag.CodeQueryUnknown)
	}
	if refusal := h.authorize(x, found.access); refusal != nil {
		return answer{}, refusal
	}
	if found.access != appOnly {
		return found.run(h, x)
	}
	if h.draining.Load() {
		return answer{}, refused(diag.CodeDraining)
	}
	leave, full := h.quota.enter(x.credential.ID)
	if full != "" {
		return answer{}, refused(diag.CodeTooManyInFlight, "whose", full)
	}
	defer leave()
	return found.run(h, x)
}

// routeOf compares the path as it was sent.
func routeOf(r *http.Request) *route {
	for i := range routes {
		if r.URL.EscapedPath() == routes[i].path && r.URL.Host == "" {
			return &routes[i]
		}
	}
	return nil
}

// authorize checks the credential of a request: 401 if it is not known, 403 if it is of another class.
func (h *handler) authorize(x *exchange, needed access) *refusal {
	if needed == anybody || needed == anybodyOps && len(x.request.Header.Values("Authorization")) == 0 {
		return nil
	}
	x.credential = authenticate(h.bindings.Credentials, x.request.Header)
	if x.credential == nil {
		return refused(diag.CodeUnauthenticated)
	}
	x.note("credential", x.credential.ID)
	x.note("principal", x.credential.Principal)
	if needed == appOnly && x.credential.Class != bindings.App {
		return refused(diag.CodeCredentialForbidden, "class", string(x.credential.Class))
	}
	return nil
}

// refuse sends a refusal as problem+json.
func (h *handler) refuse(x *exchange, r *refusal) {
	document, err := r.document(x.id)
	if err != nil {
		h.log.Error("an answer could not be written", "request_id", x.id, "reason", err.Error())
		document, _ = refused(diag.CodeServerDefect).document(x.id)
	}
	header := x.writer.Header()
	switch document.Status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case http.StatusMethodNotAllowed:
		header.Set("Allow", r.allowed)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	}
	h.send(x, document.Status, document.Code, "application/problem+json", document)
}

// send writes a whole answer and the line of log about it.
func (h *handler) send(x *exchange, status int, code diag.Code, mediaType string, body any) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(err) // our own types; ServeHTTP answers with a defect
	}
	header := x.writer.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Content-Length", strconv.Itoa(out.Len()))
	x.writer.WriteHeader(status)
	_, err := x.writer.Write(out.Bytes())
	line := append([]any{"request_id", x.id, "status", status}, x.notes...)
	if code != "" {
		line = append(line, "code", string(code))
	}
	if err != nil {
		line = append(line, "cut", true)
	}
	h.log.Info("answered", append(line, "bytes", out.Len(), "milliseconds", h.now().Sub(x.begun).Milliseconds())...)
}

// newID makes a name for a request that no client chose.
func newID() string {
	var id [12]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(id[:])
}

func asText(reason any) string {
	switch v := reason.(type) {
	case error:
		return v.Error()
	case string:
		return v
	default:
		return "a panic of another type"
	}
}
