package trust

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Verdict is the answer to whether a Build may be used.
type Verdict string

const (
	// Verified: every check that applies has passed and what the policy requires is signed.
	Verified Verdict = "verified"
	// Unsigned: the content is sound, nobody vouches for it, and the caller allowed that in words.
	Unsigned Verdict = "unsigned"
	// NotVerified: at least one check has failed.
	NotVerified Verdict = "not_verified"
)

// Status is how a check came out.
type Status string

const (
	Passed Status = "passed"
	Failed Status = "failed"
	// Skipped: the check does not apply, and Found says why.
	Skipped Status = "skipped"
)

// Check is one thing that was looked at.
type Check struct {
	// Name is stable. Those of a report are, in this order: contents, digest, definition, runtime, project, channel,
	// signatures, roles (without a policy that requires any) or `role ROLE` for each requirement in authored order,
	// tests, revoked, floor, source, rerun.
	Name   string
	Status Status
	// Expected and Found say what was compared, for people. They may hold hostile text: only printers make it safe.
	Expected, Found string
	// Problem says why a check failed; set exactly for those.
	Problem *diag.Problem
	// Next is a command that leads on; only failed checks have one. BUILD in it stands for what was verified.
	Next string
}

// SignatureReport is what was found out about one signature.
type SignatureReport struct {
	// Digest is that of the Sigstore bundle's bytes.
	Digest digest.Digest
	// Referrer is the manifest that attaches it; zero for a detached one.
	Referrer digest.Digest
	// Status is passed if the signature counts, skipped if it is valid and counts for nothing, and failed otherwise.
	Status Status
	// Predicate is what the payload says it is, and Role the role of that; empty for none, or if it cannot be read.
	Predicate, Role string
	// Signer is the policy's name of the key or identity that made it, and Key the key's ID or the identity's issuer and
	// subject; both are empty as long as that is not proven.
	Signer, Key string
	// Release is what a release statement that counts says; zero for all others.
	Release Release
	// Note says why a valid signature counts for nothing.
	Note string
	// Problem says why it does not count; set exactly if it failed.
	Problem *diag.Problem
}

// Release is where a Build is released and how far that channel has come with it.
type Release struct {
	Channel  string
	Sequence int64
}

// Report is all that verification found out. Equal requests give equal reports.
type Report struct {
	Verdict           Verdict
	Build, Definition digest.Digest
	// Release is the one that counts, by all who signed it; zero if none does.
	Release Release
	Checks  []Check
	// Signatures are the attached ones by the digest of their manifest, and then the detached ones as they were given.
	Signatures []SignatureReport
}

// Check gives the check of a name; a failed one without a name if there is none.
func (r Report) Check(name string) Check {
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	return Check{Status: Failed}
}

// Problems are why the Build is not verified: those of the failed checks, in their order.
func (r Report) Problems() []diag.Problem {
	var out []diag.Problem
	for _, c := range r.Checks {
		if c.Problem != nil {
			out = append(out, *c.Problem)
		}
	}
	return out
}

// Value is the report as a JSON value, version 1. Its texts are escaped as all output is.
func (r Report) Value() map[string]any {
	checks := make([]any, len(r.Checks))
	for i, c := range r.Checks {
		m := map[string]any{"name": c.Name, "status": string(c.Status)}
		put(m, "expected", c.Expected)
		put(m, "found", c.Found)
		put(m, "next", c.Next)
		putProblem(m, c.Problem)
		checks[i] = m
	}
	signatures := make([]any, len(r.Signatures))
	for i, s := range r.Signatures {
		m := map[string]any{"digest": s.Digest.String(), "status": string(s.Status)}
		if !s.Referrer.IsZero() {
			m["referrer"] = s.Referrer.String()
		}
		put(m, "predicate", s.Predicate)
		put(m, "role", s.Role)
		put(m, "signer", s.Signer)
		put(m, "key", s.Key)
		put(m, "note", s.Note)
		putProblem(m, s.Problem)
		signatures[i] = m
	}
	out := map[string]any{"version": json.Number("1"), "verdict": string(r.Verdict), "checks": checks, "signatures": signatures}
	if !r.Build.IsZero() {
		out["build"], out["definition"] = r.Build.String(), r.Definition.String()
	}
	return out
}

func put(m map[string]any, name, text string) {
	if text != "" {
		m[name] = diag.Escape(text)
	}
}

func putProblem(m map[string]any, p *diag.Problem) {
	if p == nil {
		return
	}
	m["code"] = string(p.Code)
	d := placed(*p)
	put(m, "message", d.Message())
	put(m, "help", d.Help())
}

// placed is a problem without a place, for its sentences.
func placed(p diag.Problem) diag.Diagnostic {
	return diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return diag.Place{} }), p)[0]
}

// WriteText prints the report for people: a line for each check and each signature, with what was expected and found,
// why it failed and the command that leads on. The verdict is the last line. The error is that of w.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%-8s%s", c.Status, c.Name)
		writeDetail(&b, c.Found, c.Expected, c.Problem)
		if c.Next != "" {
			fmt.Fprintf(&b, "        next: %s\n", diag.Escape(c.Next))
		}
		if c.Name == "signatures" {
			r.writeSignatures(&b)
		}
	}
	b.WriteString(r.verdictLine())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) writeSignatures(b *strings.Builder) {
	for _, s := range r.Signatures {
		what, from := s.Role, "detached"
		if what == "" {
			what = s.Predicate
		}
		if what == "" {
			what = "unreadable"
		}
		if !s.Referrer.IsZero() {
			from = "attached"
		}
		fmt.Fprintf(b, "  %-8s%s, %s %s", s.Status, diag.Escape(what), from, s.Digest)
		found := ""
		if s.Signer != "" {
			found = "by " + s.Signer
			if s.Signer != s.Key {
				found += " (" + s.Key + ")"
			}
		}
		if s.Note != "" {
			found = strings.TrimPrefix(found+"; "+s.Note, "; ")
		}
		writeDetail(b, found, "", s.Problem)
	}
}

func writeDetail(b *strings.Builder, found, expected string, p *diag.Problem) {
	if found != "" {
		b.WriteString(": " + diag.Escape(found))
	}
	b.WriteByte('\n')
	if p == nil {
		return
	}
	if expected != "" {
		b.WriteString("        expected: " + diag.Escape(expected) + "\n")
	}
	d := placed(*p)
	fmt.Fprintf(b, "        error[%s]: %s\n", p.Code, diag.Escape(d.Message()))
	if help := d.Help(); help != "" {
		fmt.Fprintf(b, "        help: %s\n", diag.Escape(help))
	}
}

func (r Report) verdictLine() string {
	switch r.Verdict {
	case Verified:
		return fmt.Sprintf("VERIFIED %s\n", r.Build)
	case Unsigned:
		return fmt.Sprintf("UNSIGNED %s: nobody vouches for it; --allow-unsigned lets it pass\n", r.Build)
	default:
		if r.Build.IsZero() {
			return "NOT VERIFIED\n"
		}
		return fmt.Sprintf("NOT VERIFIED %s\n", r.Build)
	}
}
