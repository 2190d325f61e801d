package testsuite_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/testsuite"
)

// flip is one wrong expectation in a copy of a test, and the pointer below the test at which the run must fail.
type flip struct {
	test testsuite.Test
	at   string
}

// flips gives, for each member of Expectation and Call, every way to make it wrong in a test. Members that assume
// something and expect nothing have none; they are listed with nil so that a new member must be placed.
var flips = map[string]func(test testsuite.Test) []flip{
	"Expectation.Disclosed": expectation(func(e *testsuite.Expectation) []func() string {
		if e.Disclosed == nil {
			return nil
		}
		return []func() string{
			func() string { e.Disclosed = append(slices.Clone(e.Disclosed), "note"); return "/disclosed" },
			func() string { e.Disclosed = []string{"note"}; return "/disclosed" },
		}
	}),
	"Expectation.Withheld": expectation(func(e *testsuite.Expectation) []func() string {
		return flipReasons(&e.Withheld, func(id string) string { return "/withheld/" + id })
	}),
	"Expectation.Segments": expectation(func(e *testsuite.Expectation) []func() string {
		if len(e.Segments) == 0 {
			return nil
		}
		all := []func() string{
			func() string { e.Segments = e.Segments[:len(e.Segments)-1]; return "/segments" },
			func() string { e.Segments = append(slices.Clone(e.Segments), "tone"); return "/segments" },
		}
		if turned := slices.Clone(e.Segments); len(turned) > 1 {
			slices.Reverse(turned)
			all = append(all, func() string { e.Segments = turned; return "/segments" })
		}
		return all
	}),
	"Expectation.Contains": expectation(func(e *testsuite.Expectation) []func() string {
		return flipTexts(&e.Contains, "/text/contains/", "this text stands nowhere")
	}),
	"Expectation.Excludes": expectation(func(e *testsuite.Expectation) []func() string {
		return flipTexts(&e.Excludes, "/text/excludes/", "Answer")
	}),
	"Expectation.MaxTokens": expectation(func(e *testsuite.Expectation) []func() string {
		if e.MaxTokens == nil {
			return nil
		}
		return []func() string{func() string { none := 0; e.MaxTokens = &none; return "/tokens/max" }}
	}),
	"Expectation.Blocked": expectation(func(e *testsuite.Expectation) []func() string {
		all := flipReasons(&e.Blocked, func(string) string { return "/blocked" })
		switch {
		case e.Blocked == nil:
		case len(e.Blocked) == 0:
			*e = testsuite.Expectation{Blocked: e.Blocked}
			all = append(all, func() string {
				e.Blocked = map[string]resolve.Reason{"find": resolve.Unavailable}
				return "/blocked"
			})
		default:
			all = append(all, func() string { e.Blocked = map[string]resolve.Reason{}; return "/blocked" })
		}
		return all
	}),
	"Call.Expect": func(test testsuite.Test) []flip {
		var all []flip
		for i, call := range test.Calls {
			for _, outcome := range testsuite.Outcomes() {
				if outcome != call.Expect {
					all = append(all, flipCall(test, i, "/expect", func(c *testsuite.Call) { c.Expect, c.Policy, c.Pointer = outcome, "", nil }))
				}
			}
		}
		return all
	},
	"Call.Policy": func(test testsuite.Test) []flip {
		var all []flip
		for i, call := range test.Calls {
			if call.Policy == "own-orders" {
				all = append(all, flipCall(test, i, "/policy", func(c *testsuite.Call) { c.Policy = "refund-cap" }))
			}
		}
		return all
	},
	"Call.Pointer": func(test testsuite.Test) []flip {
		var all []flip
		for i, call := range test.Calls {
			if call.Pointer != nil {
				all = append(all, flipCall(test, i, "/pointer", func(c *testsuite.Call) { other := *call.Pointer + "/elsewhere"; c.Pointer = &other }))
			}
		}
		return all
	},
	"Call.Tool": nil, "Call.ID": nil, "Call.Arguments": nil, "Call.Approval": nil, "Call.Executor": nil, "Call.AtMS": nil, "Call.Times": nil,
}

// expectation makes one flip of each change that all gives, each on a copy of its own.
func expectation(all func(e *testsuite.Expectation) []func() string) func(testsuite.Test) []flip {
	return func(test testsuite.Test) []flip {
		if test.Expect == nil {
			return nil
		}
		var out []flip
		count := len(all(copyOf(test.Expect)))
		for i := range count {
			changed := test
			changed.Expect = copyOf(test.Expect)
			at := all(changed.Expect)[i]()
			out = append(out, flip{changed, "/expect" + at})
		}
		return out
	}
}

func copyOf(e *testsuite.Expectation) *testsuite.Expectation {
	out := *e
	return &out
}

func flipReasons(reasons *map[string]resolve.Reason, at func(id string) string) []func() string {
	var all []func() string
	before := *reasons
	for id, reason := range before {
		for _, other := range []resolve.Reason{resolve.Unavailable, resolve.Incompatible} {
			if other == reason {
				continue
			}
			all = append(all, func() string {
				*reasons = map[string]resolve.Reason{}
				for k, v := range before {
					(*reasons)[k] = v
				}
				(*reasons)[id] = other
				return at(id)
			})
		}
	}
	return all
}

func flipTexts(texts *[]string, at, wrong string) []func() string {
	var all []func() string
	for i := range *texts {
		all = append(all, func() string {
			*texts = slices.Clone(*texts)
			(*texts)[i] = wrong
			return at + strconv.Itoa(i)
		})
	}
	return all
}

func flipCall(test testsuite.Test, i int, at string, change func(*testsuite.Call)) flip {
	test.Calls = slices.Clone(test.Calls)
	change(&test.Calls[i])
	return flip{test, "/calls/" + strconv.Itoa(i) + at}
}

// R84: a wrong expected value fails, of whatever kind, and at its own place.
func TestEveryFlippedExpectationFails(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[testsuite.Expectation](), reflect.TypeFor[testsuite.Call]()} {
		for i := range of.NumField() {
			kind := of.Name() + "." + of.Field(i).Name
			if _, placed := flips[kind]; !placed {
				t.Errorf("%s has no flip", kind)
			}
		}
	}
	p := shopPlan(t)
	for kind, of := range flips {
		if of == nil {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			tried := 0
			for id, test := range passing(t).Tests {
				for _, wrong := range of(test) {
					tried++
					report := run(t, p, &testsuite.Suite{Tests: map[string]testsuite.Test{id: wrong.test}})
					at := canonical.JoinPointer("/tests", id) + wrong.at
					failed := slices.ContainsFunc(report.Problems(), func(p diag.Problem) bool {
						return p.Code == diag.CodeExpectationFailed && p.Target.Pointer == at
					})
					if report.Failed() != 1 || !failed {
						t.Errorf("%s: no failure at %s: %v", id, at, told(report.Problems()))
					}
				}
			}
			if tried == 0 {
				t.Error("no test of the passing suite has it")
			}
		})
	}
}
