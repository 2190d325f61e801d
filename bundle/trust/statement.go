package trust

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// fits says what is untrue in a statement about the Build, nil if nothing is. The release is that of a release
// statement.
func (v *verification) fits(role sign.Role, st sign.Statement) (*sign.Release, *diag.Problem) {
	f := &fit{role: role}
	var release *sign.Release
	switch role {
	case sign.RoleRelease:
		r, problems := sign.ParseRelease(st)
		release = &r
		f.parsed(problems, func() { v.fitRelease(f, r) })
	case sign.RoleTests:
		t, problems := sign.ParseTests(st)
		f.parsed(problems, func() { v.fitTests(f, t) })
	case sign.RoleAcknowledgement:
		a, problems := sign.ParseAcknowledgement(st)
		f.parsed(problems, func() {
			v.fitScope(f, a.Project, a.Channel)
			if a.Expires.Before(v.Now) {
				f.differs("that it holds until", instant(a.Expires), "a time after "+instant(v.Now))
			}
		})
	case sign.RolePromotion:
		p, problems := sign.ParsePromotion(st)
		f.parsed(problems, func() {
			v.fitScope(f, p.Project, p.Channel)
			f.same("the definition", p.Definition, v.build.DefinitionDigest())
		})
	default:
		f.parsed(st.Check(), func() {})
	}
	if f.problem != nil {
		return nil, f.problem
	}
	return release, nil
}

func (v *verification) fitRelease(f *fit, r sign.Release) {
	def := v.build.Definition()
	v.fitScope(f, r.Project, r.Channel)
	f.same("the definition", r.Definition, v.build.DefinitionDigest())
	f.equal("the runtime contract", r.Runtime, def.Version.Runtime())
	f.same("the set of tools", r.Tools, v.tools())
}

// fitScope holds what a statement is for against the Build and the policy.
func (v *verification) fitScope(f *fit, project, channel string) {
	f.equal("the Project", project, v.build.Definition().Project)
	if v.Policy.integrity {
		return
	}
	f.equal("the Project", project, v.Policy.project)
	if !slices.Contains(v.Policy.channels, channel) {
		f.differs("the channel", channel, strings.Join(v.Policy.channels, ", "))
	}
}

// fitTests binds a test result to what the Build carries: the very tests, the very corpus, and no number that differs.
func (v *verification) fitTests(f *fit, t sign.Tests) {
	def := v.build.Definition()
	f.same("the tests", t.Tests, def.Tests.Digest)
	f.equal("the token estimator", t.Estimator, def.Estimator)
	switch corpus := v.corpus(); {
	case corpus == t.Corpus:
	case corpus.IsZero():
		f.differs("the corpus", t.Corpus.String(), "none")
	case t.Corpus.IsZero():
		f.differs("the corpus", "none", corpus.String())
	default:
		f.same("the corpus", t.Corpus, corpus)
	}
}

// tests says whether a test result is bound to the Build.
func (v *verification) tests() Check {
	const name = "tests"
	valid, bound := 0, 0
	var first *diag.Problem
	for _, j := range v.judged {
		if j.Role != string(sign.RoleTests) || j.signer == nil {
			continue
		}
		valid++
		if j.Status == Passed {
			bound++
		} else if first == nil {
			first = j.Problem
		}
	}
	expected := "a test result of tests.json " + v.build.Definition().Tests.Digest.String()
	switch {
	case bound > 0:
		return passed(name, strconv.Itoa(bound)+" signed results: all passed, for the tests and the corpus that the Build carries")
	case v.unsigned():
		return skipped(name, "UNSIGNED: nobody attests that they passed")
	case v.Policy == nil || v.Policy.integrity && valid == 0:
		return skipped(name, "no signed result was asked for")
	case v.threshold(sign.RoleTests) == 0 && valid == 0:
		return skipped(name, "the policy requires no signed result")
	case v.threshold(sign.RoleTests) == 0:
		return skipped(name, "the policy requires no signed result; none of those found counts")
	case first != nil:
		return failed(name, expected, "none that counts", "seifc test BUILD", *first)
	}
	return failed(name, expected, "none", "seifc sign --key KEY --role tests BUILD", v.unmet(sign.RoleTests))
}

// unmet says that a role has too few signers.
func (v *verification) unmet(role sign.Role) diag.Problem {
	need := 1
	if v.Policy != nil {
		need = max(1, v.threshold(role))
	}
	return diag.New(diag.CodeTrustRoleUnmet, "", "role", string(role), "expected", count(need), "found", count(v.counting(role)))
}

// fit collects the first thing in a statement that is not so.
type fit struct {
	role    sign.Role
	problem *diag.Problem
}

func (f *fit) parsed(problems []diag.Problem, then func()) {
	if len(problems) > 0 {
		f.problem = &problems[0]
		return
	}
	then()
}

func (f *fit) differs(what, found, expected string) {
	if f.problem == nil {
		p := diag.New(diag.CodeTrustStatementDiffers, "", "role", string(f.role), "what", what, "found", found, "expected", expected)
		f.problem = &p
	}
}

func (f *fit) equal(what, found, expected string) {
	if found != expected {
		f.differs(what, found, expected)
	}
}

func (f *fit) same(what string, found, expected digest.Digest) {
	if found != expected {
		f.differs(what, found.String(), expected.String())
	}
}
