package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/diag"
)

// slowRequest is a request whose body does not arrive until it is finished.
type slowRequest struct {
	conn net.Conn
	rest string
}

func (r *running) begin(t *testing.T, token string) *slowRequest {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	body := `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`
	_, err = fmt.Fprintf(conn, "POST /v1/contexts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		token, len(body), body[:10])
	if err != nil {
		t.Fatal(err)
	}
	return &slowRequest{conn, body[10:]}
}

func (s *slowRequest) finish(t *testing.T) int {
	t.Helper()
	if _, err := io.WriteString(s.conn, s.rest); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(s.conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// busy waits until so many requests are in flight.
func (r *running) busy(t *testing.T, count int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r.get(t, "/v1/ready", opsToken).members(t)["requests_in_flight"] == float64(count) {
			return
		}
	}
	t.Fatalf("there are never %d requests in flight", count)
}

// Too many requests at once are refused, and one application does not stop another.
func TestQuotas(t *testing.T) {
	r := start(t, loaded(t, tenantCredential()+"quotas: {requests_in_flight: 2, per_credential: 1}\n"), time.Second)
	body := `{"profile":"customer","objective":"refund","inputs":{"tenant":"acme"}}`
	first := r.begin(t, webToken)
	r.busy(t, 1)
	got := r.post(t, webToken, body)
	if got.status != http.StatusTooManyRequests || got.code(t) != diag.CodeTooManyInFlight || got.header.Get("Retry-After") == "" || got.members(t)["retryable"] != true {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
	if got := r.post(t, tenantToken, `{"profile":"staff"}`); got.status != http.StatusCreated {
		t.Errorf("another application: %d %s", got.status, got.body)
	}
	if status := first.finish(t); status != http.StatusCreated {
		t.Errorf("the first request: %d", status)
	}
	r.busy(t, 0)
	if got := r.post(t, webToken, body); got.status != http.StatusCreated {
		t.Errorf("after it: %d %s", got.status, got.body)
	}
}

// A stop finishes what was begun and takes nothing new.
func TestGracefulStop(t *testing.T) {
	r := start(t, loaded(t, ""), 20*time.Second)
	begun := r.begin(t, webToken)
	r.busy(t, 1)
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	r.log.find(t, "draining")
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("a stopping server takes new connections")
		}
	}
	select {
	case err := <-stopped:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	if status := begun.finish(t); status != http.StatusCreated {
		t.Errorf("the request that was begun: %d", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if line := r.log.find(t, "stopped"); line["drained"] != true {
		t.Errorf("%v", line)
	}
}

// A stop does not wait for ever, and says so.
func TestStopWithoutPatience(t *testing.T) {
	r := start(t, loaded(t, ""), 50*time.Millisecond)
	r.begin(t, webToken)
	r.busy(t, 1)
	if err := r.stop(); err == nil || !strings.Contains(err.Error(), ErrCut.Error()) {
		t.Errorf("%v", err)
	}
}

// While the server stops, kept connections are told so.
func TestDraining(t *testing.T) {
	h := newHandler(loaded(t, ""), discard())
	h.draining.Store(true)
	for path, want := range map[string]int{"/v1/health": 200, "/v1/ready": 503, "/v1/build": 503} {
		if got := direct(h, http.MethodGet, path, ""); got.Code != want {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
}

// R66: a defect of the server is told without its inside.
func TestDefect(t *testing.T) {
	s := *loaded(t, "")
	s.plan = nil
	book := &logbook{}
	h := newHandler(&s, logTo(book))
	got := direct(h, http.MethodPost, "/v1/contexts", `{"profile":"customer"}`)
	if got.Code != http.StatusInternalServerError || !strings.Contains(got.Body.String(), string(diag.CodeServerDefect)) || strings.Contains(got.Body.String(), "goroutine") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if id := got.Header().Get(RequestIDHeader); !strings.Contains(book.String(), id) || !strings.Contains(book.String(), "goroutine") {
		t.Errorf("the log does not tell what happened:\n%s", book)
	}
	if h.quota.inFlight() != 0 {
		t.Error("the failed request still holds its place")
	}
}

// Connections are bounded: the next one waits for a place.
func TestConnectionLimit(t *testing.T) {
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit(inner, 1)
	dial := func() net.Conn {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	dial()
	dial()
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		second <- err
	}()
	select {
	case err := <-second:
		t.Fatalf("a second connection was accepted: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // gives back one place, not two
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := l.Accept()
		second <- err
	}()
	l.Close()
	if err := <-second; err == nil {
		t.Error("a closed listener accepts")
	}
}
