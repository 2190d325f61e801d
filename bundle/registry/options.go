package registry

import (
	"context"
	"crypto/x509"
	"time"

	"github.com/seif-dev/seifc/digest"
)

// Options says how a registry is spoken to. The zero value is anonymous, over TLS but to this machine, and silent.
type Options struct {
	// Credentials is asked when the registry wants to know who is there; nil stands for nobody.
	Credentials Credentials
	// PlainHTTP allows HTTP without TLS to any host, credentials included. Without it, only this machine is spoken to
	// in plain HTTP.
	PlainHTTP bool
	// TLS speaks TLS to this machine too. It counts for nothing beside PlainHTTP.
	TLS bool
	// Roots are the certificate authorities for TLS; nil stands for those of the system.
	Roots *x509.CertPool
	// Proxy takes the proxy from the environment of the process, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY name it. This
	// machine is never reached through one.
	Proxy bool
	// Progress, unless nil, is told about every piece that was moved, one call at a time.
	Progress func(Progress)
	// UserAgent is what the registry is told about the client; empty stands for "seifc".
	UserAgent string
	// Patience is how long one request may take beyond the time that its bytes need at [slowest]; zero stands for one
	// minute.
	Patience time.Duration

	pause func(context.Context, time.Duration) error // waits between two tries
}

// Progress is how far an operation is.
type Progress struct {
	// Digest is the blob that moves.
	Digest digest.Digest
	// Done and Total are bytes of the whole operation, what is there already included.
	Done, Total int64
}

// slowest is the rate in bytes per second below which a transfer is given up.
const slowest = 16 << 10

// budget is the time limit of a request that moves a number of bytes.
func (o Options) budget(bytes int64) time.Duration {
	patience := o.Patience
	if patience <= 0 {
		patience = time.Minute
	}
	return patience + time.Duration(bytes)*time.Second/slowest
}

// wait passes the time between two tries of a request.
func (o Options) wait(ctx context.Context, d time.Duration) error {
	if o.pause != nil {
		return o.pause(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
