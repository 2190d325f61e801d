package compiler

import (
	"slices"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// check judges the definition, its texts and its tests, with the same code that judges a Build, and the contracts
// that nobody pins. The texts are judged where the plan is prepared.
func (r *Result) check(report *[]diag.Diagnostic) {
	*report = append(*report, r.checkUnpinned()...)
	*report = append(*report, r.checkSecrets()...)
	tests, err := r.Suite.Encode()
	if err != nil {
		// A value that cannot be written was reported where it was read; the tests then have no digest.
		*report = append(*report, diag.At(r.testsAt, diag.New(diag.CodeTestsUnreadable, "", "why", err.Error()))...)
		return
	}
	r.tests = tests
	r.Definition.Tests = definition.Blob{Digest: digest.Of(tests), Size: int64(len(tests))}
	*report = append(*report, r.place(r.Definition.Check())...)
	*report = append(*report, diag.At(r.testsAt, r.withoutUnlinked(r.Suite.Check(r.Definition))...)...)
	if diag.HasErrors(*report) {
		// Expressions, placeholders and the budget are judged on what is sound so far, for their findings alone.
		_, problems := resolve.Prepare(r.Definition, r.Texts)
		*report = append(*report, r.place(problems)...)
		return
	}
	plan, problems := resolve.Prepare(r.Definition, r.Texts)
	*report = append(*report, r.place(problems)...)
	r.Plan = plan
	if len(r.Suite.Tests) == 0 {
		*report = append(*report, diag.At(r.in.project.File, diag.New(diag.CodeZeroTests, ""))...)
	}
}

func (r *Result) place(problems []diag.Problem) []diag.Diagnostic {
	return diag.At(r.defOrigins, r.withoutUnlinked(problems)...)
}

// withoutUnlinked drops findings that only follow from a pin which did not resolve: the tool is named rightly, and
// the pin's own finding says what is wrong. Likewise for a source whose file could not be read.
func (r *Result) withoutUnlinked(problems []diag.Problem) []diag.Problem {
	unlinked := map[string]bool{}
	for _, entry := range r.in.project.Tools {
		if r.linked[entry.ID] == nil {
			unlinked[entry.ID] = true
		}
	}
	unread := map[string]bool{}
	for _, entry := range r.in.project.Sources {
		if _, ok := r.in.texts[entry.ID]; !ok && entry.Value.Input == "" {
			unread[canonical.JoinPointer("/sources", entry.ID)] = true
		}
	}
	kept := problems[:0:0]
	for _, p := range problems {
		followsTool := (p.Code == diag.CodeUnknownTool || p.Code == diag.CodeTestNamesUnknown) && unlinked[p.Data["name"]]
		if !followsTool && !(p.Code == diag.CodeSourceTextMissing && unread[p.Target.Pointer]) {
			kept = append(kept, p)
		}
	}
	return kept
}

// checkUnpinned checks the contracts that no pin names. Those that are pinned are checked as part of the
// definition.
func (r *Result) checkUnpinned() []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, id := range keys(r.table.contracts) {
		for _, c := range r.table.contracts[id] {
			if c.used {
				continue
			}
			found := diag.At(c.origins, withoutOpenWrites(c.Contract.Check())...)
			if c.Effect == definition.Undecided {
				found = undecidedFindings(id, c.at, found)
			}
			out = append(out, found...)
		}
	}
	return out
}

// withoutOpenWrites drops the advice about what callers of a write may add: nobody calls a tool that the Project does
// not use, and a published catalogue of a hundred tools has a hundred of these warnings.
func withoutOpenWrites(problems []diag.Problem) []diag.Problem {
	return slices.DeleteFunc(problems, func(p diag.Problem) bool { return p.Code == diag.CodeWriteOpen })
}

// checkSecrets looks for credentials in what does not become part of the definition as it is: shared schemas, and what
// a catalogue notes beside a contract.
func (r *Result) checkSecrets() []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, entry := range r.in.entries() {
		notes := map[string]any{"claims": entry.Claims, "effect_reason": entry.EffectReason}
		if entry.Shared() {
			notes["schema"] = entry.Schema.Inline
		}
		for _, p := range definition.CheckSecrets(notes) {
			out = append(out, diag.At(entry.File, p.Under(entry.Pointer))...)
		}
	}
	return out
}
