package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of one request.
const (
	maxTries     = 4
	firstPause   = 200 * time.Millisecond
	maxPause     = 10 * time.Second
	maxErrorBody = 8 << 10
)

// session speaks to one repository.
type session struct {
	ref       Reference
	opts      Options
	target    registry.Reference
	scheme    string
	transport *transport
	client    *auth.Client
	repo      *remote.Repository
	meter     *meter
	secrets   *secrets
}

// open prepares a session; it sends nothing.
func open(ref Reference, opts Options) *session {
	s := &session{
		ref: ref, opts: opts,
		target:    registry.Reference{Registry: ref.Host, Repository: ref.Repository},
		scheme:    "https",
		transport: newTransport(opts),
		meter:     &meter{report: opts.Progress},
		secrets:   &secrets{},
	}
	s.transport.secrets = s.secrets
	local := isLoopback(hostname(ref.Host))
	if opts.PlainHTTP || local && !opts.TLS {
		s.scheme = "http"
	}
	agent := opts.UserAgent
	if agent == "" {
		agent = "seifc"
	}
	s.client = &auth.Client{
		Client:     &http.Client{Transport: s.transport, CheckRedirect: checkRedirect},
		Header:     http.Header{"User-Agent": {agent}},
		Credential: opts.Credentials.forClient(s.secrets),
		Cache:      auth.NewCache(),
		ClientID:   "seifc",
	}
	if local {
		// The token server of a registry on this machine is on this machine too.
		s.client.BlockedRealmPrefixes = slices.DeleteFunc(auth.DefaultBlockedRealmPrefixes(),
			func(p netip.Prefix) bool { return p.Addr().IsLoopback() })
	}
	s.repo = &remote.Repository{Client: s.client, Reference: s.target, PlainHTTP: s.scheme == "http"}
	return s
}

func (s *session) close() { s.transport.CloseIdleConnections() }

// hostname is a host without its port.
func hostname(host string) string {
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		host = host[:colon]
	}
	return strings.Trim(host, "[]")
}

// forClient is the function that the client for requests asks.
func (c Credentials) forClient(known *secrets) auth.CredentialFunc {
	if c == nil {
		return nil
	}
	return func(ctx context.Context, host string) (auth.Credential, error) {
		found, err := c(ctx, host)
		known.add(found.Password, found.IdentityToken, found.RegistryToken)
		return auth.Credential{
			Username: found.Username, Password: found.Password,
			RefreshToken: found.IdentityToken, AccessToken: found.RegistryToken,
		}, err
	}
}

// call is one request to the repository. Sending it twice is the same as sending it once.
type call struct {
	method string
	path   string // below the repository
	accept string
	kind   string // the media type of body
	body   []byte
	limit  int64 // of the answer's body
	watch  func(n int)
}

// answer is what the registry said, its body being no longer than the limit and one byte.
type answer struct {
	status int
	header http.Header
	length int64 // as it was stated; -1 if it was not
	body   []byte
	next   string // the path of the next page, empty if there is none
}

func (a answer) found() bool { return a.status/100 == 2 }

// do sends a request, again if that may help, and gives an answer of any status but those that mean "later".
func (s *session) do(ctx context.Context, c call) (answer, error) {
	var got answer
	err := s.persist(ctx, int64(len(c.body)), func(ctx context.Context) (time.Duration, error) {
		var err error
		if got, err = s.send(ctx, c); err != nil {
			return 0, err
		}
		if isBusy(got.status) {
			return retryAfter(got.header), s.refuse(c, got)
		}
		return 0, nil
	})
	return got, err
}

// persist runs an attempt until it succeeds, fails for good, or has failed too often. Each has its time limit; one that
// was too slow is not repeated.
func (s *session) persist(ctx context.Context, moves int64, attempt func(context.Context) (time.Duration, error)) error {
	pause := firstPause
	for try := 1; ; try++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		limited, cancel := context.WithTimeoutCause(ctx, s.opts.budget(moves), errTooSlow)
		after, err := attempt(limited)
		if err != nil {
			err = explain(limited, s.target.Host(), err)
		}
		cancel()
		if err == nil || try == maxTries || !mayPass(err) {
			return err
		}
		wait := max(after, pause/2+rand.N(pause))
		if err := s.opts.wait(ctx, min(wait, maxPause)); err != nil {
			return err
		}
		pause *= 3
	}
}

// mayPass tells faults that may be gone at the next try.
func mayPass(err error) bool {
	f, ok := err.(*Fault)
	return ok && (f.Problem.Code == diag.CodeRegistryBusy || f.Problem.Code == diag.CodeRegistryUnreachable && isCut(f.Err))
}

// retryAfter is the pause that a registry asks for, in seconds (RFC 9110 section 10.2.3).
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 16)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// send sends a request once.
func (s *session) send(ctx context.Context, c call) (answer, error) {
	actions := []string{auth.ActionPull}
	if c.method == http.MethodPut {
		actions = append(actions, auth.ActionPush)
	}
	ctx = auth.AppendRepositoryScope(ctx, s.target, actions...)
	url := s.scheme + "://" + s.target.Host() + "/v2/" + s.target.Repository + c.path
	var body io.Reader
	if c.body != nil {
		body = bytes.NewReader(c.body)
	}
	req, err := http.NewRequestWithContext(ctx, c.method, url, body)
	if err != nil {
		return answer{}, err
	}
	if c.accept != "" {
		req.Header.Set("Accept", c.accept)
	}
	if c.kind != "" {
		req.Header.Set("Content-Type", c.kind)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	got := answer{status: resp.StatusCode, header: resp.Header, length: resp.ContentLength, next: nextPage(req, resp)}
	limit := c.limit
	if !got.found() {
		limit = maxErrorBody
	}
	if got.found() && resp.ContentLength > limit {
		return got, nil // its stated length says it all
	}
	var in io.Reader = io.LimitReader(resp.Body, limit+1)
	if c.watch != nil && got.found() {
		in = &watched{in, c.watch}
	}
	if got.body, err = io.ReadAll(in); err != nil && got.found() {
		return answer{}, err
	}
	return got, nil
}

// refuse is the fault of an answer that is no success.
func (s *session) refuse(c call, got answer) *Fault {
	return refusal(s.target.Host(), c.method, got.status, errorCode(got.body))
}

// errorCode is the first code in the body of an error (OCI distribution specification, "Error Codes"); empty if there is
// none.
func errorCode(body []byte) string {
	value, err := canonical.Parse(body, canonical.Limits{Bytes: maxErrorBody})
	if err != nil {
		return ""
	}
	root, _ := value.(map[string]any)
	list, _ := root["errors"].([]any)
	if len(list) == 0 {
		return ""
	}
	first, _ := list[0].(map[string]any)
	code, _ := first["code"].(string)
	return code
}

// nextPage is where a listing goes on. A link that leads out of the repository's own listing leads nowhere.
func nextPage(req *http.Request, resp *http.Response) string {
	link, ok := strings.CutPrefix(resp.Header.Get("Link"), "<")
	target, rest, closed := strings.Cut(link, ">")
	if !ok || !closed || !strings.Contains(rest, `rel="next"`) {
		return ""
	}
	next, err := req.URL.Parse(target)
	if err != nil || next.Scheme != req.URL.Scheme || next.Host != req.URL.Host || next.Path != req.URL.Path || next.User != nil {
		return ""
	}
	return "?" + next.RawQuery
}

// number is the whole number that a JSON value is.
func number(value canonical.Value) (int64, bool) {
	text, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text.String(), 10, 64)
	return n, err == nil
}

// watched counts what is read.
type watched struct {
	in    io.Reader
	watch func(n int)
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if n > 0 {
		w.watch(n)
	}
	return n, err
}
