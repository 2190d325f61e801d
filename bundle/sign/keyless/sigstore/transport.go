package sigstore

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/seif-dev/seifc/diag"
)

const (
	// patience is how long one service may take, attempts included.
	patience = 30 * time.Second
	// attempts is how often a service is asked that answers that it cannot now.
	attempts = 3
	// longestWords bounds what is read of an error that a service explains.
	longestWords = 2 << 10
)

// transport asks a service, again if it says that it cannot now. It ends with its context, and it takes a redirect for
// a failure: a request with an identity token goes to the address that was given and to no other.
type transport struct {
	ctx   context.Context
	inner http.RoundTripper
	at    *progress
	code  diag.Code
	wait  time.Duration
}

func newTransport(ctx context.Context, at *progress, code diag.Code) *transport {
	return &transport{ctx: ctx, inner: http.DefaultTransport, at: at, code: code, wait: 500 * time.Millisecond}
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	t.at.code = t.code
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	response, err := t.ask(ctx, request)
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = &ending{ReadCloser: response.Body, cancel: cancel}
	return response, nil
}

func (t *transport) ask(ctx context.Context, request *http.Request) (*http.Response, error) {
	wait := t.wait
	for n := 1; ; n++ {
		again := request.Clone(ctx)
		if request.GetBody != nil {
			body, err := request.GetBody()
			if err != nil {
				return nil, err
			}
			again.Body = body
		}
		response, err := t.inner.RoundTrip(again)
		if err != nil {
			return nil, err
		}
		busy := response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests
		moved := response.StatusCode >= http.StatusMultipleChoices && response.StatusCode < http.StatusBadRequest
		if !busy && !moved {
			return response, nil
		}
		words, _ := io.ReadAll(io.LimitReader(response.Body, longestWords))
		response.Body.Close()
		if moved {
			return nil, fmt.Errorf("it redirects (%d), which is not followed", response.StatusCode)
		}
		if n >= attempts {
			return nil, fmt.Errorf("it answered %d: %s", response.StatusCode, words)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// ending ends the context of a request with the body of its response.
type ending struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close implements [io.Closer].
func (e *ending) Close() error {
	defer e.cancel()
	return e.ReadCloser.Close()
}
