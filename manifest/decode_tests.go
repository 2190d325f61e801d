package manifest

import (
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"

	"github.com/seif-dev/seifc/digest/canonical"
)

// MaxTimes bounds how often one line of a test repeats its call.
const MaxTimes = 1000

// DecodeTests reads a file of Context Tests. The result is nil when the file is no such file at all.
func DecodeTests(file *document.File) (*Tests, []diag.Diagnostic) {
	return read(file, TestsSchema, func(r *reader, o *document.Object, at Origin) *Tests {
		t := &Tests{Origin: at}
		if defaults := o.Optional("defaults"); defaults.Present() {
			t.Defaults = r.defaults(defaults)
		}
		o.Required("tests").Map(func(id string, f document.Field) {
			t.Tests = append(t.Tests, Entry[TestBody]{Origin: r.at(f), ID: id, Value: r.test(f)})
		})
		return t
	})
}

// defaults are what a test would repeat; expectations, calls and incidents belong to one test.
func (r *reader) defaults(f document.Field) TestBody {
	o := f.Object()
	out := r.body(o)
	o.Done()
	return out
}

func (r *reader) body(o *document.Object) TestBody {
	return TestBody{
		Profile:   r.text(o.Optional("profile")),
		Objective: r.text(o.Optional("objective")),
		Inputs:    entries(r, o.Optional("inputs"), "input", func(f document.Field) canonical.Value { return f.Value() }),
		Executors: r.executors(o.Optional("executors")),
	}
}

func (r *reader) test(f document.Field) TestBody {
	o := f.Object()
	t := r.body(o)
	if expect := o.Optional("expect"); expect.Present() {
		t.Expect = r.expectation(expect)
	}
	o.Optional("calls").Each(func(item document.Field) { t.Calls = append(t.Calls, r.call(item)) })
	if incident := o.Optional("incident"); incident.Present() {
		i := incident.Object()
		t.Incident = &Incident{Origin: r.at(incident), ID: r.text(i.Required("id")).Value}
		i.Done()
	}
	o.Done()
	return t
}

func (r *reader) executors(f document.Field) []Entry[Executor] {
	return entries(r, f, "tool", r.executor)
}

func (r *reader) executor(f document.Field) Executor {
	if f.Node.Kind != document.Mapping {
		return Executor{State: f.Word("ready", "unavailable")}
	}
	o := f.Object()
	out := Executor{Version: r.text(o.Optional("version")).Value, Fingerprint: r.text(o.Optional("fingerprint")).Value}
	o.Done()
	return out
}

func (r *reader) expectation(f document.Field) *Expectation {
	o := f.Object()
	e := &Expectation{
		Origin:    r.at(f),
		Disclosed: r.texts(o.Optional("disclosed")),
		Withheld:  r.reasons(o.Optional("withheld")),
		Segments:  r.texts(o.Optional("segments")),
		Blocked:   r.reasons(o.Optional("blocked")),
	}
	text := o.Optional("text").Object()
	e.Contains = r.texts(text.Optional("contains"))
	e.Excludes = r.texts(text.Optional("excludes"))
	text.Done()
	tokens := o.Optional("tokens").Object()
	if most := tokens.Optional("max"); most.Present() {
		n := most.Int(0, MaxBudgetTokens)
		e.MaxTokens = &n
	}
	tokens.Done()
	o.Done()
	return e
}

// reasons reads a map from tool to reason. One that was written, empty or not, is not nil.
func (r *reader) reasons(f document.Field) []Entry[string] {
	if !f.Present() {
		return nil
	}
	out := []Entry[string]{}
	return append(out, entries(r, f, "tool", func(value document.Field) string { return r.text(value).Value })...)
}

func (r *reader) call(f document.Field) CallStep {
	o := f.Object()
	c := CallStep{
		Origin:    r.at(f),
		Tool:      r.text(o.Required("tool")),
		CallID:    r.text(o.Optional("call_id")).Value,
		Arguments: o.Required("arguments").Value(),
		Approval:  o.Optional("approval").Word("valid", "expired", "other_call", "other_arguments"),
		At:        r.text(o.Optional("at")).Value,
		Times:     o.Optional("times").Int(1, MaxTimes),
		Expect:    r.text(o.Required("expect")).Value,
		Policy:    r.text(o.Optional("policy")),
	}
	if pointer := o.Optional("pointer"); pointer.Present() {
		c.Pointer = &Text{Origin: r.at(pointer), Value: pointer.String()}
	}
	if executor := o.Optional("executor"); executor.Present() {
		c.Executor = &Entry[Executor]{Origin: r.at(executor), ID: c.Tool.Value, Value: r.executor(executor)}
	}
	o.Done()
	return c
}
