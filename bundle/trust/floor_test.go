package trust_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
)

func newState(t *testing.T, project string) (*trust.FloorState, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "floor.json")
	s, err := trust.CreateFloorState(path, project)
	if err != nil {
		t.Fatal(err)
	}
	return s, path
}

func advance(t *testing.T, s *trust.FloorState, channel string, sequence int64) *trust.FloorState {
	t.Helper()
	next, err := s.Advance(t.Context(), channel, sequence)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func floorCode(err error) diag.Code {
	var fault *trust.FloorError
	if !errors.As(err, &fault) {
		return ""
	}
	return fault.Problem.Code
}

// The state is created in words, is read as it was written, and only rises.
func TestFloorState(t *testing.T) {
	s, path := newState(t, "shop")
	if _, err := trust.CreateFloorState(path, "shop"); floorCode(err) != diag.CodeFloorStateExists {
		t.Errorf("created again: %v", err)
	}
	if s.Sequence("stable") != 0 || s.Project() != "shop" || s.Path() != path {
		t.Errorf("got %+v", s)
	}
	next := advance(t, s, "stable", 3)
	next = advance(t, next, "stable", 3)
	if s.Sequence("stable") != 0 || next.Sequence("stable") != 3 {
		t.Error("a state that was read has changed")
	}
	if _, err := next.Advance(t.Context(), "stable", 2); floorCode(err) != diag.CodeTrustBelowFloor {
		t.Errorf("the floor went down: %v", err)
	}
	advance(t, next, "beta", 9)
	read, err := trust.OpenFloorState(path)
	if err != nil || read.Sequence("stable") != 3 || read.Sequence("beta") != 9 {
		t.Errorf("got %+v, %v", read, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"channels":{"beta":9,"stable":3},"project":"shop","schema":"seif.floor-state.v1"}` + "\n"
	if string(data) != want {
		t.Errorf("the file is %s", data)
	}
	for _, bad := range []int64{0, -1, 1 << 53} {
		if _, err := next.Advance(t.Context(), "stable", bad); floorCode(err) == "" {
			t.Errorf("the sequence %d was taken", bad)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".floor-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

func TestFloorStateIsReadStrictly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "floor.json")
	if _, err := trust.OpenFloorState(path); floorCode(err) != diag.CodeFloorStateMissing {
		t.Errorf("a state that is missing: %v", err)
	}
	good := `{"channels":{"stable":3},"project":"shop","schema":"seif.floor-state.v1"}` + "\n"
	for _, text := range []string{
		"", "{}\n", strings.TrimSpace(good), " " + good, good + good, strings.Replace(good, "3", "0", 1), strings.Replace(good, "3", "3.0", 1),
		strings.Replace(good, "3", "9007199254740992", 1), strings.Replace(good, "3", `"3"`, 1), strings.Replace(good, "stable", "Stable", 1),
		strings.Replace(good, "v1", "v2", 1), strings.Replace(good, `"project"`, `"more":1,"project"`, 1), strings.Replace(good, `{"stable":3}`, "null", 1),
		strings.Replace(good, `"stable":3`, `"stable":3,"stable":2`, 1),
	} {
		write(t, path, []byte(text))
		if _, err := trust.OpenFloorState(path); floorCode(err) != diag.CodeFloorStateMalformed {
			t.Errorf("%q: %v", text, err)
		}
	}
	write(t, path, []byte(good))
	s, err := trust.OpenFloorState(path)
	if err != nil {
		t.Fatal(err)
	}
	// A state that is taken away or exchanged while it is in use is noticed.
	write(t, path, []byte(strings.Replace(good, "shop", "other", 1)))
	if _, err := s.Advance(t.Context(), "stable", 9); floorCode(err) != diag.CodeFloorStateProject {
		t.Errorf("exchanged: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Advance(t.Context(), "stable", 9); floorCode(err) != diag.CodeFloorStateMissing {
		t.Errorf("taken away: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the state was created because it was missing")
	}
}

// Of many who advance at once none is lost: the floor is the highest.
func TestFloorStateAdvancesAtOnce(t *testing.T) {
	s, path := newState(t, "shop")
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			_, err := s.Advance(t.Context(), "stable", int64(i+1))
			if err != nil && floorCode(err) != diag.CodeTrustBelowFloor {
				t.Error(err)
			}
			if _, err := s.Advance(t.Context(), []string{"a", "b"}[i%2], 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	read, err := trust.OpenFloorState(path)
	if err != nil || read.Sequence("stable") != 16 || read.Sequence("a") != 1 || read.Sequence("b") != 1 {
		t.Errorf("got %+v, %v", read, err)
	}
}

// Row 31 with a state: verification reads it and leaves it alone; without it the policy is not satisfied.
func TestFloorStateInVerify(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	p := policy(t, releaseByAnn+"floor_state: floor.json\n", keys)
	l := layout(t, b, release(t, keys["ann"], b, "stable", 4))
	s, path := newState(t, "shop")
	with := func(s *trust.FloorState) func(*trust.Request) { return func(req *trust.Request) { req.Floor = s } }

	refused(t, verify(l, p), "floor", string(diag.CodeTrustFloorNotGiven))
	refused(t, verify(l, p, func(req *trust.Request) { req.AllowUnsigned = true }), "floor", string(diag.CodeTrustFloorNotGiven))
	accepted(t, verify(l, p, with(s)))
	accepted(t, verify(l, p, with(advance(t, s, "stable", 4))))
	accepted(t, verify(l, p, with(advance(t, s, "beta", 99))))
	refused(t, verify(l, p, with(advance(t, s, "stable", 5))), "floor", string(diag.CodeTrustBelowFloor))
	other, _ := newState(t, "other")
	refused(t, verify(l, p, with(other)), "floor", string(diag.CodeFloorStateProject))
	// Of a floor in the policy and one of the caller the higher one counts.
	both := policy(t, releaseByAnn+"floor: {stable: 5}\n", keys)
	low, _ := newState(t, "shop")
	refused(t, verify(l, both, with(low)), "floor", string(diag.CodeTrustBelowFloor))

	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), `"stable":5`) {
		t.Errorf("the file is %s, %v", data, err)
	}
}
