package compiler

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/manifest"
)

// contract is a catalogue entry in its normal form: defaults written out, references inlined, annotations
// stripped.
type contract struct {
	definition.Contract
	// fingerprint is recomputed; fingerprinted is false for a contract that has none (undecided, unsound).
	fingerprint   digest.Fingerprint
	fingerprinted bool
	status        string
	revision      bool
	catalogue     string // the shown path of the file it stands in
	at            manifest.Origin
	// origins leads from members of the contract to where they were written.
	origins *origins
	// used says that a pin names the contract; the definition's checks then cover it.
	used bool
}

// sharedSchema is an entry with a schema alone.
type sharedSchema struct {
	id          string
	fingerprint digest.Fingerprint
	value       canonical.Value
	origins     *origins
}

// table is every contract and shared schema that the Project and its catalogues define.
type table struct {
	// contracts and shared hold the current entry first and then the revisions, by id.
	contracts map[string][]*contract
	shared    map[string][]*sharedSchema
	// broken holds ids whose entry exists and is not sound, so that a pin to it is not called unknown.
	broken map[string]bool
	// undecided holds, by id, the entries that nobody has decided about.
	undecided map[string]manifest.Origin
}

// normaliser builds a table.
type normaliser struct {
	table  table
	folded map[string]manifest.Entry[manifest.Contract]
	report *[]diag.Diagnostic
	hasher digest.Hasher
}

// normalise turns every entry of the Project's and the catalogues' tables into its normal form.
func normalise(in *loaded, report *[]diag.Diagnostic) *table {
	n := &normaliser{
		table: table{
			contracts: map[string][]*contract{},
			shared:    map[string][]*sharedSchema{},
			broken:    map[string]bool{},
			undecided: map[string]manifest.Origin{},
		},
		folded: map[string]manifest.Entry[manifest.Contract]{},
		report: report,
	}
	if in.project == nil {
		return &n.table
	}
	current, revisions := slices.Clone(in.project.Contracts), slices.Clone(in.project.Revisions)
	for _, catalogue := range in.catalogues {
		current = append(current, catalogue.Contracts...)
		revisions = append(revisions, catalogue.Revisions...)
	}
	current = n.unique(current)
	// Shared schemas come first: tools refer to them, and they refer to nothing.
	n.eachRevision(current, revisions, func(id string, c manifest.Contract, revision bool) {
		if c.Shared() {
			n.addShared(id, c)
		}
	})
	n.eachRevision(current, revisions, func(id string, c manifest.Contract, revision bool) {
		if !c.Shared() {
			n.addContract(id, c, revision)
		}
	})
	return &n.table
}

func (n *normaliser) eachRevision(current []manifest.Entry[manifest.Contract], revisions []manifest.Entry[[]manifest.Contract], use func(string, manifest.Contract, bool)) {
	for _, entry := range current {
		use(entry.ID, entry.Value, false)
	}
	for _, entry := range revisions {
		for _, c := range entry.Value {
			use(entry.ID, c, true)
		}
	}
}

// unique drops entries whose id, with `.`, `-` and `_` folded, an earlier file already has.
func (n *normaliser) unique(entries []manifest.Entry[manifest.Contract]) []manifest.Entry[manifest.Contract] {
	kept := entries[:0:0]
	for _, entry := range entries {
		key := foldID(entry.ID)
		first, clash := n.folded[key]
		if !clash {
			n.folded[key] = entry
			kept = append(kept, entry)
			continue
		}
		problem := diag.New(diag.CodeContractDuplicate, entry.Pointer, "id", entry.ID, "other", first.ID).AtKey()
		place := first.File.Locate(diag.Target{Pointer: first.Pointer, Part: diag.PartKey})
		problem.Notes = append(problem.Notes, diag.Note{Kind: diag.NoteFirstHere, Place: &place})
		n.finding(entry.Origin, problem)
	}
	return kept
}

func foldID(id string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(id)
}

func (n *normaliser) addShared(id string, c manifest.Contract) {
	if !c.Schema.HasInline {
		n.finding(c.Schema.Origin, diag.New(diag.CodeReferenceNested, c.Schema.Pointer, "id", id))
		n.table.broken[id] = true
		return
	}
	stripped, problems := schema.Strip(c.Schema.Inline)
	_, compiled := schema.Compile(stripped, schema.Result)
	at := schemaOrigins(c.Schema.Origin, c.Schema.Inline)
	*n.report = append(*n.report, diag.At(newOrigins(c.Schema.Origin), problems...)...)
	*n.report = append(*n.report, diag.At(at, compiled...)...)
	if diag.Failed(problems) || diag.Failed(compiled) {
		n.table.broken[id] = true
		return
	}
	fingerprint, err := definition.SharedFingerprint(id, stripped)
	if err != nil {
		n.table.broken[id] = true
		return
	}
	if !n.checkStated(id, c, fingerprint) {
		n.table.broken[id] = true
		return
	}
	n.table.shared[id] = append(n.table.shared[id], &sharedSchema{id: id, fingerprint: fingerprint, value: stripped, origins: at})
}

func (n *normaliser) addContract(id string, c manifest.Contract, revision bool) {
	before := len(*n.report)
	n.normalForm(id, c, revision)
	if definition.Effect(c.Effect) == definition.Undecided {
		n.table.undecided[id] = c.Origin
		found := slices.Clone((*n.report)[before:])
		*n.report = append((*n.report)[:before], undecidedFindings(id, c.Origin, found)...)
	}
}

// undecidedFindings keeps what is wrong with an entry that nobody has decided about from failing a Project that does
// not use it: a published catalogue of a hundred tools may have one that the schema profile refuses. Its errors
// become one warning; pinning it is an error of its own. Everything else stays an error.
func undecidedFindings(id string, at manifest.Origin, found []diag.Diagnostic) []diag.Diagnostic {
	var kept, dropped []diag.Diagnostic
	for _, d := range found {
		if d.Severity == diag.Error && unusable(d.Code) {
			dropped = append(dropped, d)
		} else {
			kept = append(kept, d)
		}
	}
	if len(dropped) == 0 {
		return found
	}
	more := ""
	if len(dropped) > 1 {
		more = strconv.Itoa(len(dropped) - 1)
	}
	problem := diag.New(diag.CodeContractUnusable, at.Pointer, "id", id, "code", string(dropped[0].Code), "why", dropped[0].Message(), "more", more).AtKey()
	return append(kept, diag.At(at.File, problem)...)
}

// unusable tells the codes of what a publisher may offer and a Project cannot take: what the schema profile refuses,
// and members that are missing or out of bounds.
func unusable(code diag.Code) bool {
	switch code {
	case diag.CodeHiddenCharacter:
		return false
	case diag.CodeContractIncomplete, diag.CodeContractBounds, diag.CodeModelName:
		return true
	}
	entry, _ := diag.Lookup(string(code))
	return entry.Room == "decide/schema"
}

// normalForm makes the normal form of an entry, as far as it is sound.
func (n *normaliser) normalForm(id string, c manifest.Contract, revision bool) {
	before := len(*n.report)
	out := &contract{
		status: c.Status, revision: revision, catalogue: c.File.Path, at: c.Origin, origins: newOrigins(c.Origin),
		Contract: definition.Contract{
			ID: id, Name: c.Name, Version: c.Version, Description: c.Description,
			Effect: definition.Effect(c.Effect), Approval: definition.Approval(c.Approval),
			TimeoutMS: c.TimeoutMS, CallLimit: c.CallLimit,
		},
	}
	if !n.requireMembers(id, c) {
		n.table.broken[id] = true
		return
	}
	out.Schema = n.schemaOf(out, "/schema", c.Schema)
	if c.Result.Present() {
		out.Result = n.schemaOf(out, "/result", c.Result)
	}
	if errorsSince(*n.report, before) {
		n.table.broken[id] = true
		return
	}
	out.Contract = out.Normalized()
	n.checkClaims(c, out)
	if out.Effect != definition.Undecided {
		fingerprint, err := out.FingerprintBy(&n.hasher)
		if err != nil {
			n.table.broken[id] = true
			*n.report = append(*n.report, diag.At(out.origins, out.Check()...)...)
			return
		}
		out.fingerprint, out.fingerprinted = fingerprint, true
		if !n.checkStated(id, c, fingerprint) {
			n.table.broken[id] = true
			return
		}
	} else if c.Fingerprint != "" {
		n.finding(c.Origin, diag.New(diag.CodeFingerprintOfUndecided, c.Pointer+"/fingerprint", "id", id))
	}
	n.table.contracts[id] = append(n.table.contracts[id], out)
}

// requireMembers reports what a tool contract lacks, and tells whether all is there. The manifest cannot: without its
// other members an entry is a shared schema.
func (n *normaliser) requireMembers(id string, c manifest.Contract) bool {
	var missing []string
	complete := true
	for name, present := range map[string]bool{
		"version": c.Version != "", "description": c.Description != "", "effect": c.Effect != "", "schema": c.Schema.Present(),
	} {
		complete = complete && present
		// A member that is there and could not be read was reported where it stands.
		if !present && c.File.At(canonical.JoinPointer(c.Pointer, name)) == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		n.finding(c.Origin, diag.New(diag.CodeContractIncomplete, c.Pointer, "id", id, "members", strings.Join(missing, ", ")).AtKey())
	}
	return complete
}

// schemaOf gives a contract's schema in normal form, with references inlined, and binds where it was written.
func (n *normaliser) schemaOf(c *contract, pointer string, ref manifest.SchemaRef) canonical.Value {
	if ref.Ref != "" {
		return n.inline(c, pointer, ref)
	}
	if !ref.HasInline {
		return nil
	}
	stripped, problems := schema.Strip(ref.Inline)
	*n.report = append(*n.report, diag.At(newOrigins(ref.Origin), problems...)...)
	c.origins.graft(pointer, schemaOrigins(ref.Origin, ref.Inline))
	return stripped
}

func (n *normaliser) inline(c *contract, pointer string, ref manifest.SchemaRef) canonical.Value {
	candidates := n.table.shared[ref.Ref]
	wanted, err := digest.ParseFingerprint(ref.Fingerprint)
	switch {
	case ref.Fingerprint == "":
		current := ""
		if len(candidates) > 0 {
			current = candidates[0].fingerprint.String()
		}
		n.finding(ref.Origin, diag.New(diag.CodePinMissing, ref.Pointer, "id", ref.Ref, "remedy", pinRemedy(ref.Ref, true, current)))
		return nil
	case err != nil:
		n.finding(ref.Origin, diag.New(diag.CodePinMalformed, ref.Pointer+"/fingerprint", "id", ref.Ref, "pinned", ref.Fingerprint, "why", err.Error()))
		return nil
	}
	for _, s := range candidates {
		if s.fingerprint == wanted {
			c.origins.graft(pointer, s.origins)
			return s.value
		}
	}
	switch {
	case len(candidates) > 0:
		n.finding(ref.Origin, diag.New(diag.CodeUnknownFingerprint, ref.Pointer+"/fingerprint",
			"id", ref.Ref, "pinned", ref.Fingerprint, "current", candidates[0].fingerprint.String()))
	case n.isTool(ref.Ref):
		n.finding(ref.Origin, diag.New(diag.CodeReferenceToTool, ref.Pointer+"/$ref", "id", ref.Ref))
	case n.table.broken[ref.Ref]:
		n.finding(ref.Origin, diag.New(diag.CodeReferenceBroken, ref.Pointer+"/$ref", "id", ref.Ref))
	default:
		n.finding(ref.Origin, diag.New(diag.CodeUnknownName, ref.Pointer+"/$ref", "id", ref.Ref, "nearest", diag.Nearest(ref.Ref, keys(n.table.shared))))
	}
	return nil
}

func (n *normaliser) isTool(id string) bool {
	entry, ok := n.folded[foldID(id)]
	return ok && entry.ID == id && !entry.Value.Shared()
}

// checkStated compares a stated fingerprint with the content.
func (n *normaliser) checkStated(id string, c manifest.Contract, actual digest.Fingerprint) bool {
	if c.Fingerprint == "" {
		return true
	}
	stated, err := digest.ParseFingerprint(c.Fingerprint)
	if err != nil {
		n.finding(c.Origin, diag.New(diag.CodePinMalformed, c.Pointer+"/fingerprint", "id", id, "pinned", c.Fingerprint, "why", err.Error()))
		return false
	}
	if stated != actual {
		n.finding(c.Origin, diag.New(diag.CodeFingerprintMismatch, c.Pointer+"/fingerprint", "id", id, "stated", stated.String(), "actual", actual.String()))
		return false
	}
	return true
}

// checkClaims holds that an effect which contradicts what the server claims about itself is explained. What a
// server claims never decides anything.
func (n *normaliser) checkClaims(c manifest.Contract, out *contract) {
	claims, _ := c.Claims.(map[string]any)
	if c.EffectReason != "" || len(claims) == 0 {
		return
	}
	readOnly, _ := claims["readOnlyHint"].(bool)
	destructive, _ := claims["destructiveHint"].(bool)
	claim := ""
	switch {
	case out.Effect == definition.Write && readOnly:
		claim = "readOnlyHint: true"
	case out.Effect == definition.Read && !readOnly && destructive:
		claim = "destructiveHint: true"
	case out.Effect == definition.Read && claims["readOnlyHint"] == false:
		claim = "readOnlyHint: false"
	default:
		return
	}
	n.finding(c.Origin, diag.New(diag.CodeEffectContradictsClaim, c.Pointer+"/effect", "id", out.ID, "effect", string(out.Effect), "claim", claim))
}

func (n *normaliser) finding(at manifest.Origin, problem diag.Problem) {
	*n.report = append(*n.report, diag.At(at.File, problem)...)
}

// schemaOrigins leads from a stripped schema to where it was written; stripping renames `definitions`.
func schemaOrigins(at manifest.Origin, written canonical.Value) *origins {
	o := newOrigins(at)
	if members, ok := written.(map[string]any); ok {
		if _, old := members["definitions"]; old {
			o.bind("/$defs", manifest.Origin{File: at.File, Pointer: at.Pointer + "/definitions"})
		}
	}
	return o
}

func errorsSince(report []diag.Diagnostic, start int) bool { return diag.HasErrors(report[start:]) }

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
