package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds of connections and requests.
const (
	maxConnections    = 1024
	maxHeaderBytes    = 16 << 10
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	// drainTime is how long requests that were begun may take when the server stops.
	drainTime = 10 * time.Second
)

// ErrCut says that requests were still running when the time for draining was over.
var ErrCut = errors.New("requests were cut off: they took longer than a stop may take")

// Serve listens, raises the release floor to what it serves, and answers until ctx ends. Then it takes no new connection, finishes the requests that were begun,
// and returns nil; or [ErrCut] if it could not wait for them. The error is [*Refused] if the floor has come to stand above
// the Build; every other one is why it could not listen or had to stop.
func (s *Service) Serve(ctx context.Context, log *slog.Logger) error {
	return s.serve(ctx, log, drainTime)
}

func (s *Service) serve(ctx context.Context, log *slog.Logger, patience time.Duration) error {
	network := "tcp6"
	if s.bindings.Listen.Addr().Is4() {
		network = "tcp4" // and not also on IPv6, as "tcp" would for 0.0.0.0
	}
	listener, err := new(net.ListenConfig).Listen(ctx, network, s.bindings.Listen.String())
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	if err := s.raiseFloor(ctx, log); err != nil {
		return errors.Join(err, listener.Close())
	}
	handler := newHandler(s, log)
	server := &http.Server{
		Handler: handler, DisableGeneralOptionsHandler: true, MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	s.announce(log, listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limit(listener, maxConnections)) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	handler.draining.Store(true)
	log.Info("draining", "requests_in_flight", handler.quota.inFlight())
	return drain(ctx, server, log, patience)
}

// announce says what is served, where, and who vouches for it.
func (s *Service) announce(log *slog.Logger, at net.Addr) {
	summary := s.Summary()
	if summary.Signature == Verified {
		log.Info("the Build is "+Verified, "build", summary.Build, "channel", summary.Channel, "sequence", summary.Sequence, "signers", summary.Signers)
	} else {
		log.Warn("the Build is "+Unsigned+": nobody vouches for it but who started this", "build", summary.Build)
	}
	log.Info("listening", "address", at.String(), "build", summary.Build, "definition", summary.Definition,
		"runtime", summary.Runtime, "signature", summary.Signature)
}

// drain waits for the requests that were begun, but not for ever.
func drain(ctx context.Context, server *http.Server, log *slog.Logger, patience time.Duration) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := server.Shutdown(waiting); err != nil {
		log.Error("stopped", "drained", false)
		return errors.Join(ErrCut, server.Close())
	}
	log.Info("stopped", "drained", true)
	return nil
}

// limited is a listener with at most so many open connections; those that come then wait to be accepted.
type limited struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, most int) *limited {
	return &limited{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// placed is a connection that gives its place back when it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}

// CloseWrite ends the answer and lets the client read it, where net/http closes a connection that still sends.
func (p *placed) CloseWrite() error {
	if half, ok := p.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
