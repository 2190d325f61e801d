package registry

import (
	"context"
	"net/http"
	"time"
)

// Paused gives options with a function in the place of the clock that waits between two tries.
func (o Options) Paused(pause func(context.Context, time.Duration) error) Options {
	o.pause = pause
	return o
}

// RoundTripper is the transport of a session.
func RoundTripper(o Options) http.RoundTripper { return newTransport(o) }

// OnlyLoopback judges an address before it is connected to.
var OnlyLoopback = onlyLoopback

// CheckRedirect judges one step of a redirect.
var CheckRedirect = checkRedirect
