package definition

import (
	"encoding/json"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

func (d *decoder) source(at string, value canonical.Value) Source {
	members, ok := value.(map[string]any)
	if !ok {
		d.wrong(at, "an object")
		return Source{}
	}
	if _, isInput := members["input"]; isInput {
		d.known(at, members, "input")
		return Source{Input: d.text(at, members, "input")}
	}
	d.known(at, members, "digest", "size", "trust", "placeholders", "allow_characters")
	out := Source{Blob: d.blob(at, members)}
	out.Untrusted = d.only(at, members, "trust", "untrusted")
	out.NoPlaceholders = d.only(at, members, "placeholders", false)
	for i, item := range d.list(at, members, "allow_characters") {
		itemAt := at + "/allow_characters/" + strconv.Itoa(i)
		allowed := d.object(itemAt, item, "characters", "reason")
		if allowed == nil {
			continue
		}
		entry := AllowedCharacters{Characters: d.text(itemAt, allowed, "characters"), Reason: d.text(itemAt, allowed, "reason")}
		if n := len(out.AllowCharacters); n > 0 && compareAllowed(out.AllowCharacters[n-1], entry) >= 0 {
			d.add(diag.New(diag.CodeDefinitionOrder, itemAt, "name", entry.Characters, "other", out.AllowCharacters[n-1].Characters))
		}
		out.AllowCharacters = append(out.AllowCharacters, entry)
	}
	return out
}

// blob reads digest and size. Both are claims about a blob, and whoever has the blob holds them against it.
func (d *decoder) blob(at string, members map[string]any) Blob {
	var out Blob
	if members == nil {
		return out
	}
	if text := d.text(at, members, "digest"); text != "" {
		parsed, err := digest.Parse(text)
		if err != nil {
			d.add(diag.New(diag.CodeDefinitionDigest, at+"/digest", "what", "digest", "found", text, "why", err.Error()))
		}
		out.Digest = parsed
	}
	if d.required(at, members, "size") {
		n, ok := whole(members["size"], 0, maxSize)
		if !ok {
			d.wrong(at+"/size", "a whole number of bytes")
		}
		out.Size = int64(n)
	}
	return out
}

func (d *decoder) tool(at string, value canonical.Value) Tool {
	members := d.object(at, value, "contract", "fingerprint")
	if members == nil {
		return Tool{}
	}
	before := len(d.problems)
	var out Tool
	if d.required(at, members, "contract") {
		out.Contract = d.contract(at+"/contract", members["contract"], false)
	}
	text := d.text(at, members, "fingerprint")
	if len(d.problems) > before {
		return out
	}
	stated, err := digest.ParseFingerprint(text)
	if err != nil {
		d.add(diag.New(diag.CodeDefinitionDigest, at+"/fingerprint", "what", "fingerprint", "found", text, "why", err.Error()))
		return out
	}
	out.Fingerprint = stated
	actual, err := d.fingerprint(at, members["contract"])
	if err != nil || actual != stated {
		d.add(diag.New(diag.CodeDefinitionFingerprint, at+"/fingerprint",
			"id", out.Contract.ID, "stated", stated.String(), "actual", actual.String()))
	}
	return out
}

// fingerprint computes the fingerprint of the contract of the tool at a pointer.
func (d *decoder) fingerprint(at string, contract canonical.Value) (digest.Fingerprint, error) {
	if form, ok := d.forms[at]; ok {
		return digest.FingerprintOfForm(form), nil
	}
	return digest.FingerprintOf(contract)
}

// ContractFromValue reads a contract as [Contract.Value] writes it: every default written out, no other member. An
// undecided contract lacks the members that follow from the effect. The contract is only as good as its
// [Contract.Check]; it is zero if there is any problem. Pointers are into the value.
func ContractFromValue(value canonical.Value) (Contract, []diag.Problem) {
	d := &decoder{}
	out := d.contract("", value, true)
	if len(d.problems) > 0 {
		return Contract{}, d.sorted()
	}
	return out, nil
}

func (d *decoder) contract(at string, value canonical.Value, undecided bool) Contract {
	members := d.object(at, value,
		"id", "name", "version", "description", "effect", "approval", "timeout_ms", "call_limit", "schema", "result")
	if members == nil {
		return Contract{}
	}
	out := Contract{
		ID: d.text(at, members, "id"), Name: d.text(at, members, "name"), Version: d.text(at, members, "version"),
		Description: d.text(at, members, "description"), Effect: Effect(d.text(at, members, "effect")),
		TimeoutMS: d.number(at, members, "timeout_ms", MaxTimeoutMS),
		Schema:    members["schema"], Result: members["result"],
	}
	switch {
	case out.Effect == Read, out.Effect == Write:
		out.Approval = Approval(d.text(at, members, "approval"))
		out.CallLimit = d.number(at, members, "call_limit", MaxCallLimit)
	case out.Effect == Undecided && undecided:
		out.Approval = Approval(d.optional(at, members, "approval"))
		if _, ok := members["call_limit"]; ok {
			out.CallLimit = d.number(at, members, "call_limit", MaxCallLimit)
		}
	case out.Effect != "":
		d.wrong(at+"/effect", "read or write")
	}
	if a := out.Approval; a != "" && a != NoApproval && a != OperatorApproval {
		d.wrong(at+"/approval", "none or operator")
	}
	d.required(at, members, "schema")
	if result, ok := members["result"]; ok && result == nil {
		d.wrong(at+"/result", "a schema")
	}
	return out
}

func (d *decoder) policy(at string, value canonical.Value) Policy {
	members := d.object(at, value, "profiles", "objectives", "tools", "deny", "message")
	if members == nil {
		return Policy{}
	}
	out := Policy{
		Profiles: d.set(at, members, "profiles"), Objectives: d.set(at, members, "objectives"),
		Deny: d.text(at, members, "deny"), Message: d.optional(at, members, "message"),
	}
	if members["tools"] == "all" {
		out.AllTools = true
	} else if d.required(at, members, "tools") {
		out.Tools = d.set(at, members, "tools")
	}
	return out
}

func (d *decoder) profile(at string, value canonical.Value, version Version) Profile {
	names := []string{"budget", "objectives", "requires", "context"}
	if version == V2 {
		names = append(names, "tools")
	}
	members := d.object(at, value, names...)
	if members == nil {
		return Profile{}
	}
	out := Profile{Objectives: d.set(at, members, "objectives"), Requires: d.set(at, members, "requires")}
	if d.required(at, members, "budget") {
		if budget := d.object(at+"/budget", members["budget"], "tokens"); budget != nil {
			out.BudgetTokens = d.number(at+"/budget", budget, "tokens", MaxBudgetTokens)
		}
	}
	for i, item := range d.list(at, members, "context") {
		out.Context = append(out.Context, d.contextEntry(at+"/context/"+strconv.Itoa(i), item))
	}
	if tools, ok := members["tools"]; ok {
		d.profileTools(at+"/tools", tools, &out)
	}
	return out
}

func (d *decoder) profileTools(at string, value canonical.Value, out *Profile) {
	members := d.object(at, value, "include", "exclude")
	if members == nil {
		return
	}
	if len(members) == 0 {
		d.wrong(at, "include or exclude")
	}
	out.Include = readMap(d, at, members, "include", d.inclusion)
	out.Exclude = readMap(d, at, members, "exclude", d.string)
}

func (d *decoder) contextEntry(at string, value canonical.Value) ContextEntry {
	members := d.object(at, value, "source", "objectives", "when")
	if members == nil {
		return ContextEntry{}
	}
	return ContextEntry{
		Source: d.text(at, members, "source"), Objectives: d.set(at, members, "objectives"), When: d.optional(at, members, "when"),
	}
}

func (d *decoder) inclusion(at string, value canonical.Value) Inclusion {
	members := d.object(at, value, "objectives", "required", "call_limit", "when")
	if members == nil {
		return Inclusion{}
	}
	out := Inclusion{Objectives: d.set(at, members, "objectives"), When: d.optional(at, members, "when")}
	out.Required = d.only(at, members, "required", true)
	if _, ok := members["call_limit"]; ok {
		out.CallLimit = d.number(at, members, "call_limit", MaxCallLimit)
	}
	return out
}

// maxSize is the greatest number of bytes that JSON carries exactly.
const maxSize = 1<<53 - 1

// whole reads a number from least to most.
func whole(value canonical.Value, least, most int) (int, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(string(number))
	return n, err == nil && n >= least && n <= most
}
