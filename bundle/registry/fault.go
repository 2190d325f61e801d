package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/seif-dev/seifc/diag"
)

// Kind says what a [Fault] means to the caller of a command.
type Kind int

const (
	// Malformed: the reference means nothing; wrong usage.
	Malformed Kind = iota + 1
	// Unable: the registry could not be reached, refused, or does not have it; nothing is said about content.
	Unable
	// Unverified: what the registry has or gave is not what was named.
	Unverified
)

// Fault is why an operation on a registry did not do what was asked.
type Fault struct {
	Kind Kind
	// Reference is the argument that it is about; empty for one that could not be read.
	Reference string
	Problem   diag.Problem
	// Err is the cause, if there is one. Its text may hold what a registry sent.
	Err error
}

// Error is the finding by its code and its sentence, for logs. What lies behind is not repeated: it may hold the place
// that a redirect leads to, and who knows a signed one has access.
func (f *Fault) Error() string {
	out := "registry: " + string(f.Problem.Code)
	for _, d := range f.Diagnostics() {
		out += ": " + d.Message()
	}
	return out
}

// Unwrap is the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Diagnostics is the problem with the reference as its place.
func (f *Fault) Diagnostics() []diag.Diagnostic {
	return diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{Path: f.Reference} }), f.Problem)
}

func unable(err error, code diag.Code, pairs ...string) *Fault {
	return &Fault{Kind: Unable, Problem: diag.New(code, "", pairs...), Err: err}
}

func unverified(code diag.Code, pairs ...string) *Fault {
	return &Fault{Kind: Unverified, Problem: diag.New(code, "", pairs...)}
}

// named gives a fault the reference that it is about, and takes out of it what nobody should read.
func (s *session) named(err error) error {
	s.secrets.hideInError(err)
	var f *Fault
	if errors.As(err, &f) && f.Reference == "" {
		f.Reference = s.ref.String()
	}
	return err
}

// errTooSlow is why a request ends that does not get through in its time.
var errTooSlow = errors.New("the time limit of the request has passed")

// explain makes a fault of an error of a request. ctx is the context of the request.
func explain(ctx context.Context, host string, err error) error {
	var (
		f       *Fault
		refused *errcode.ErrorResponse
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(context.Cause(ctx), errTooSlow):
		return unable(err, diag.CodeRegistryTimeout, "host", host)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		code := ""
		if len(refused.Errors) > 0 {
			code = refused.Errors[0].Code
		}
		return refusal(host, refused.Method, refused.StatusCode, code)
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return unable(err, diag.CodeRegistryDenied, "host", host, "status", strconv.Itoa(http.StatusUnauthorized))
	case isTransport(err):
		return unable(err, diag.CodeRegistryUnreachable, "host", host, "why", reason(err))
	default:
		return unable(err, diag.CodeRegistryAnswer, "host", host, "why", shown(err.Error()))
	}
}

// refusal is the fault of an HTTP status that is no success.
func refusal(host, method string, status int, code string) *Fault {
	name := diag.CodeRegistryAnswer
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		name = diag.CodeRegistryDenied
	case status == http.StatusNotFound:
		name = diag.CodeRegistryNotFound
	case isBusy(status):
		name = diag.CodeRegistryBusy
	}
	why := fmt.Sprintf("status %d to %s", status, method)
	if isErrorCode(code) {
		why += " (" + code + ")"
	}
	return unable(nil, name, "host", host, "status", strconv.Itoa(status), "why", why)
}

// isErrorCode tells codes of the form that the OCI distribution specification gives them ("Error Codes"). Any other text
// is the registry's own, and may be anything.
func isErrorCode(text string) bool {
	const most = 64
	return text != "" && len(text) <= most && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// isBusy tells statuses after which the same request may succeed.
func isBusy(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// isTransport tells errors of the connection from those of what was said over it.
func isTransport(err error) bool {
	var (
		request *url.Error
		network net.Error
	)
	return errors.As(err, &request) || errors.As(err, &network) || isCut(err)
}

// isCut tells errors of a connection that ended or did not come about in time.
func isCut(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.As(err, &network) && network.Timeout()
}

// reason is the innermost sentence of a connection's error: without the URL, which may hold a signature.
func reason(err error) string {
	var request *url.Error
	for errors.As(err, &request) {
		err = request.Err
	}
	return shown(err.Error())
}

// shown is a hostile text, bounded.
func shown(text string) string {
	const limit = 300
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return text
}
