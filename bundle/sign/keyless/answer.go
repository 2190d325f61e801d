package keyless

import (
	"errors"
	"strings"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

const (
	outcomeDone    = "done"
	outcomeRefused = "refused"
	outcomeFailed  = "failed"

	maxProblems = 50
	maxDatum    = 4 << 10
	maxData     = 16
)

// EncodeAnswer writes what came of a request: the program's side.
func EncodeAnswer(s Signed, err error) []byte {
	var (
		refused *Refused
		failed  *Failure
	)
	switch {
	case errors.As(err, &refused) && len(refused.Problems) > 0:
		return build(map[string]any{"outcome": outcomeRefused, "problems": problemList(refused.Problems)})
	case errors.As(err, &failed):
		return EncodeFailure(failed)
	case err != nil:
		return EncodeFailure(NewFailure(nil, diag.CodeKeylessProgramFailed, "why", shown(err.Error())))
	}
	object := map[string]any{
		"outcome": outcomeDone, "issuer": s.Identity.Issuer, "subject": s.Identity.Subject,
		"time": s.Identity.Time.UTC().Format(time.RFC3339Nano),
	}
	if s.Bundle != nil {
		object["bundle"] = encode(s.Bundle)
	}
	return build(object)
}

// EncodeFailure writes that a request could not be answered.
func EncodeFailure(f *Failure) []byte {
	return build(map[string]any{"outcome": outcomeFailed, "problems": problemList([]diag.Problem{f.Problem})})
}

func problemList(problems []diag.Problem) []any {
	var list []any
	for _, p := range problems[:min(len(problems), maxProblems)] {
		data := map[string]any{}
		for name, value := range p.Data {
			data[name] = strings.ToValidUTF8(shown(value), "\ufffd")
		}
		list = append(list, map[string]any{"code": string(p.Code), "pointer": p.Target.Pointer, "data": data})
	}
	return list
}

// decodeAnswer reads an answer: the client's side. Anything but a well-formed success is an error.
func decodeAnswer(body []byte, wantBundle bool) (Signed, error) {
	m, protocol, err := parse(body)
	if err != nil {
		return Signed{}, NewFailure(err, diag.CodeKeylessProgramAnswer, "why", err.Error())
	}
	if protocol != Protocol {
		return Signed{}, NewFailure(nil, diag.CodeKeylessProgramVersion, "expected", Protocol, "found", protocol)
	}
	var s Signed
	switch m.text("outcome", 16) {
	case outcomeDone:
		s.Identity = sign.Identity{Issuer: m.text("issuer", MaxText), Subject: m.text("subject", MaxText), Time: m.time("time")}
		if s.Identity.Issuer == "" || s.Identity.Subject == "" {
			m.fail("the identity is empty")
		}
		if wantBundle {
			if s.Bundle = m.bytes("bundle", sign.MaxBundle); len(s.Bundle) == 0 {
				m.fail("the bundle is empty")
			}
		}
	case outcomeRefused:
		err = &Refused{Problems: m.problems(maxProblems)}
	case outcomeFailed:
		if problems := m.problems(1); len(problems) == 1 {
			err = &Failure{Problem: problems[0]}
		}
	default:
		m.fail("its outcome is unknown")
	}
	if fault := m.done(); fault != nil {
		return Signed{}, NewFailure(fault, diag.CodeKeylessProgramAnswer, "why", fault.Error())
	}
	return s, err
}

// time takes a point in time as this package writes it.
func (m *members) time(name string) time.Time {
	text := m.text(name, 64)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.IsZero() || t.UTC().Format(time.RFC3339Nano) != text {
		m.fail("%s is no time", name)
		return time.Time{}
	}
	return t.UTC()
}

// problems takes at least one problem, each with an error's code of the rooms that may find one.
func (m *members) problems(most int) []diag.Problem {
	var found []diag.Problem
	for _, item := range m.list("problems", most) {
		inner := newMembers(item)
		p := diag.New(diag.Code(inner.text("code", 64)), inner.text("pointer", maxDatum))
		data := newMembers(inner.take("data"))
		if len(data.left) > maxData {
			data.fail("a problem has too many data")
		} else if len(data.left) > 0 {
			p.Data = diag.Data{}
			for name := range data.left {
				p.Data[shown(name)] = data.text(name, maxDatum)
			}
		}
		entry, known := diag.Lookup(string(p.Code))
		if !known || entry.Code != p.Code || entry.Severity != diag.Error || !strings.HasPrefix(entry.Room, "bundle/sign") {
			inner.fail("a code is unknown")
		}
		for _, part := range []*members{data, inner} {
			if err := part.done(); err != nil && m.err == nil {
				m.err = err
			}
		}
		found = append(found, p)
	}
	if len(found) == 0 {
		m.fail("no problem is named")
	}
	return found
}
