package server

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
)

// Row 31, R67: what was served once raises the floor, and an older release that is signed just as validly is not served
// afterwards, pinned or not.
func TestAttack31(t *testing.T) {
	e := newEnvironment(t)
	e.withFloor(t, 0)
	e.seal(t, e.release(t, e.ann, "stable", 7))
	if e.load(t); e.floor(t) != 0 {
		t.Errorf("loading alone raises the floor to %d", e.floor(t))
	}
	r := start(t, e.load(t), time.Second)
	if e.floor(t) != 7 || r.log.find(t, "the release floor stands")["sequence"] != 7.0 {
		t.Errorf("the floor is %d while sequence 7 is served", e.floor(t))
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	e.seal(t, e.release(t, e.ann, "stable", 6))
	_, _, err := Load(t.Context(), e.options())
	var refused *Refused
	if !errors.As(err, &refused) || !slices.Equal(failedChecks(refused.Report), []string{"floor trust_below_floor"}) {
		t.Errorf("an older release: %v", err)
	}
	if e.floor(t) != 7 {
		t.Errorf("the floor is %d after it", e.floor(t))
	}
	e.seal(t, e.release(t, e.ann, "stable", 7))
	if err := start(t, e.load(t), time.Second).stop(); err != nil {
		t.Errorf("the same release again: %v", err)
	}
}

// What was loaded before another runtime or a promotion raised the floor is not served after it: no request is answered.
func TestFloorThatWasRaisedMeanwhile(t *testing.T) {
	changes := map[diag.Code]func(*environment) error{
		diag.CodeTrustBelowFloor: func(e *environment) error {
			state, err := trust.OpenFloorState(e.path("state/floor.json"))
			if err == nil {
				_, err = state.Advance(t.Context(), "stable", 8)
			}
			return err
		},
		diag.CodeFloorStateMalformed: func(e *environment) error { return os.WriteFile(e.path("state/floor.json"), nil, 0o600) },
		diag.CodeFloorStateMissing:   func(e *environment) error { return os.Remove(e.path("state/floor.json")) },
	}
	for code, change := range changes {
		t.Run(string(code), func(t *testing.T) {
			e := newEnvironment(t)
			e.withFloor(t, 3)
			e.seal(t, e.release(t, e.ann, "stable", 7))
			s := e.load(t)
			if err := change(e); err != nil {
				t.Fatal(err)
			}
			book := &logbook{}
			err := s.Serve(t.Context(), logTo(book))
			var refused *Refused
			if !errors.As(err, &refused) || refused.Report.Verdict != trust.NotVerified || !slices.Equal(failedChecks(refused.Report), []string{"floor " + string(code)}) {
				t.Errorf("%v", err)
			}
			if strings.Contains(book.String(), "listening") {
				t.Errorf("it was served: %s", book)
			}
			if s.Report().Verdict != trust.Verified || s.Report().Check("floor").Status != trust.Passed {
				t.Error("the report of the Service has changed")
			}
		})
	}
}

// A floor is not raised by a start that cannot listen, nor by an unsigned Build.
func TestFloorStaysWhereNothingIsServed(t *testing.T) {
	e := newEnvironment(t)
	e.withFloor(t, 3)
	e.seal(t, e.release(t, e.ann, "stable", 7))
	taken := start(t, loaded(t, ""), time.Second)
	s := *e.load(t)
	b := *s.bindings
	b.Listen = netip.MustParseAddrPort(strings.TrimPrefix(taken.url, "http://"))
	s.bindings = &b
	if err := s.Serve(t.Context(), discard()); err == nil || e.floor(t) != 3 {
		t.Errorf("%v, and the floor is %d", err, e.floor(t))
	}
	e.bind(t, "trust_policy: trust.yaml\nchannel: stable\nallow_unsigned: true\n")
	e.seal(t)
	options := e.options()
	options.AllowUnsigned = true
	unsigned, _, err := Load(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if err := start(t, unsigned, time.Second).stop(); err != nil || e.floor(t) != 3 {
		t.Errorf("%v, and the floor is %d", err, e.floor(t))
	}
}

// Two starts at once: the same release twice is served twice, and of two releases the floor ends at the newer one,
// whichever came first. The older one is served only if it came first.
func TestTwoStartsAtOnce(t *testing.T) {
	for range 5 {
		e := newEnvironment(t)
		e.withFloor(t, 0)
		var services []*Service
		for _, sequence := range []int64{7, 7, 8} {
			e.seal(t, e.release(t, e.ann, "stable", sequence))
			services = append(services, e.load(t))
		}
		ctx, cancel := context.WithCancel(t.Context())
		errs := make([]error, len(services))
		books := make([]*logbook, len(services))
		var group sync.WaitGroup
		for i, s := range services {
			books[i] = &logbook{}
			group.Go(func() { errs[i] = s.Serve(ctx, logTo(books[i])) })
		}
		books[2].find(t, "listening")
		cancel()
		group.Wait()
		if errs[2] != nil || e.floor(t) != 8 {
			t.Errorf("the newer release: %v, and the floor is %d", errs[2], e.floor(t))
		}
		for i, err := range errs[:2] {
			var refused *Refused
			served := strings.Contains(books[i].String(), "listening")
			if served && err != nil || !served && !errors.As(err, &refused) && !errors.Is(err, context.Canceled) {
				t.Errorf("an older release, served %v: %v", served, err)
			}
		}
	}
}
