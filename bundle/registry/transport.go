package registry

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/seif-dev/seifc/diag"
)

// Bounds of a connection.
const (
	connectTimeout = 10 * time.Second
	maxHeaders     = 64 << 10
	maxRedirects   = 5
)

// transport carries requests. Whatever made a request (the registry's own address, a redirect, the place of an upload,
// a token server), plain HTTP leads to this machine only, unless it was asked for.
type transport struct {
	plain, secure *http.Transport
	anywhere      bool // plain HTTP is allowed to every host
	secrets       *secrets
}

func newTransport(opts Options) *transport {
	t := &transport{plain: connections(), secure: connections(), anywhere: opts.PlainHTTP, secrets: &secrets{}}
	t.secure.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: opts.Roots}
	if opts.Proxy {
		t.secure.Proxy = http.ProxyFromEnvironment
	}
	if !opts.PlainHTTP {
		t.plain.DialContext = (&net.Dialer{Timeout: connectTimeout, Control: onlyLoopback}).DialContext
	} else if opts.Proxy {
		t.plain.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// connections is a transport that leaves bodies as they are sent: a size that a registry states is that of the content.
func connections() *http.Transport {
	return &http.Transport{
		DialContext:            (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout:    connectTimeout,
		IdleConnTimeout:        time.Minute,
		MaxIdleConnsPerHost:    workers,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// onlyLoopback refuses addresses that a name such as localhost has no business to stand for.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !peer.Addr().Unmap().IsLoopback() {
		return errNotLoopback
	}
	return nil
}

var errNotLoopback = errors.New("plain HTTP leads to this machine only, and the name stands for another")

// RoundTrip sends one request.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.secrets.addHeader(req.Header.Get("Authorization"))
	switch {
	case req.URL.Scheme == "https":
		return t.secure.RoundTrip(req)
	case req.URL.Scheme == "http" && (t.anywhere || isLoopback(req.URL.Hostname())):
		return t.plain.RoundTrip(req)
	}
	if req.Body != nil {
		req.Body.Close()
	}
	if req.URL.Scheme != "http" {
		return nil, fmt.Errorf("unknown scheme %q", req.URL.Scheme)
	}
	return nil, unable(nil, diag.CodeRegistryPlainHTTP, "host", req.URL.Host)
}

// CloseIdleConnections ends the connections that nothing is using.
func (t *transport) CloseIdleConnections() {
	t.plain.CloseIdleConnections()
	t.secure.CloseIdleConnections()
}

// checkRedirect judges one step of a redirect, before it is taken. Credentials are the business of the client around
// it, which drops them as soon as a chain leaves the scheme, host and port that they are for.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first, last := via[0], via[len(via)-1]
	why := ""
	switch {
	case len(via) > maxRedirects:
		why = "it goes on and on"
	case first.Method != http.MethodGet && first.Method != http.MethodHead:
		why = "a request that changes something is not sent elsewhere"
	case last.URL.Scheme == "https" && req.URL.Scheme != "https":
		why = "it leaves TLS"
	case req.URL.User != nil:
		why = "it brings credentials"
	case isLoopback(req.URL.Hostname()) && !isLoopback(first.URL.Hostname()):
		why = "it leads from elsewhere to this machine"
	default:
		return nil
	}
	return unable(nil, diag.CodeRegistryRedirect, "host", strings.ToLower(first.URL.Host), "why", why)
}
