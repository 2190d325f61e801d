package definition

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// MaxBytes bounds a definition (formats.md, rule 28).
const MaxBytes = 64 << 20

// Decode reads the bytes of a definition. It accepts only what [Definition.Encode] gives: canonical bytes, known
// members alone, id sets sorted, defaults left out where they are to be left out. Every fingerprint is recomputed.
// Whether the definition makes sense is for [Definition.Check].
func Decode(data []byte) (*Definition, []diag.Problem) {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBytes})
	if err != nil {
		return nil, []diag.Problem{diag.New(diag.CodeDefinitionUnreadable, "", "why", err.Error())}
	}
	d := &decoder{}
	def := d.definition(value)
	if len(d.problems) > 0 {
		return nil, d.problems
	}
	again, err := def.Encode()
	if err != nil {
		return nil, []diag.Problem{diag.New(diag.CodeDefinitionUnreadable, "", "why", err.Error())}
	}
	if !bytes.Equal(again, data) {
		return nil, []diag.Problem{diag.New(diag.CodeDefinitionNotCanonical, "")}
	}
	return def, nil
}

// decoder reads canonical values and collects what does not fit.
type decoder struct{ problems []diag.Problem }

func (d *decoder) wrong(at, want string) {
	d.problems = append(d.problems, diag.New(diag.CodeDefinitionMalformed, at, "want", want))
}

func (d *decoder) definition(value canonical.Value) *Definition {
	members := d.object("", value, "schema", "runtime", "project", "description", "estimator", "tool_schema_profile",
		"expressions", "inputs", "forward", "objectives", "sources", "tools", "policies", "profiles", "tests")
	if members == nil {
		return nil
	}
	version := d.version(members)
	if len(d.problems) > 0 {
		return nil
	}
	def := &Definition{
		Version:           version,
		Project:           d.text("/project", members["project"]),
		Description:       d.optional("", members, "description"),
		Estimator:         d.text("/estimator", members["estimator"]),
		ToolSchemaProfile: d.optional("", members, "tool_schema_profile"),
		Expressions:       d.optional("", members, "expressions"),
		Forward:           d.set("", members, "forward"),
		Objectives:        readMap(d, "", members, "objectives", d.text),
		Sources:           readMap(d, "", members, "sources", d.source),
		Tools:             readMap(d, "", members, "tools", d.tool),
		Policies:          readMap(d, "", members, "policies", d.policy),
		Profiles:          readMap(d, "", members, "profiles", d.profile),
		Tests:             d.blob("/tests", members["tests"]),
	}
	if inputs, ok := members["inputs"]; ok {
		def.Inputs = inputs
		if _, isObject := inputs.(map[string]any); !isObject {
			d.wrong("/inputs", "an object")
		}
	}
	d.members(def)
	return def
}

// version reads the document's version and holds that its runtime contract is the one that belongs to it.
func (d *decoder) version(members map[string]any) Version {
	for _, v := range []Version{V1, V2} {
		if members["schema"] != v.Schema() {
			continue
		}
		if members["runtime"] != v.Runtime() {
			runtime, _ := members["runtime"].(string)
			d.problems = append(d.problems, diag.New(diag.CodeDefinitionContract, "/runtime", "found", runtime, "want", v.Runtime()))
		}
		return v
	}
	schema, _ := members["schema"].(string)
	d.problems = append(d.problems, diag.New(diag.CodeDefinitionVersion, "/schema", "found", schema, "known", V1.Schema()+", "+V2.Schema()))
	return 0
}

// members holds the rules that tie members to the version (formats.md, rules 1 and 2).
func (d *decoder) members(def *Definition) {
	if def.Version == V1 {
		for name, present := range map[string]bool{"tools": len(def.Tools) > 0, "forward": len(def.Forward) > 0, "policies": len(def.Policies) > 0} {
			if present {
				d.wrong("/"+name, "no such member without tools")
			}
		}
	} else if len(def.Tools) == 0 {
		d.wrong("/tools", "at least one tool")
	}
	if wants := def.Inputs != nil || def.Version == V2; wants != (def.ToolSchemaProfile != "") {
		d.wrong("/tool_schema_profile", "the profile's name exactly when there are inputs or tools")
	}
	if wants := def.usesExpressions(); wants != (def.Expressions != "") {
		d.wrong("/expressions", "the dialect's name exactly when an expression is used")
	}
	slices.SortFunc(d.problems, func(a, b diag.Problem) int { return strings.Compare(a.Target.Pointer, b.Target.Pointer) })
}

// usesExpressions tells whether any expression stands in the definition.
func (d *Definition) usesExpressions() bool {
	if len(d.Policies) > 0 {
		return true
	}
	for _, profile := range d.Profiles {
		if slices.ContainsFunc(profile.Context, func(e ContextEntry) bool { return e.When != "" }) {
			return true
		}
		for _, inclusion := range profile.Include {
			if inclusion.When != "" {
				return true
			}
		}
	}
	return false
}

func (d *decoder) source(at string, value canonical.Value) Source {
	members := d.object(at, value, "input", "digest", "size", "trust", "placeholders", "allow_characters")
	if _, ok := members["input"]; ok {
		if len(members) > 1 {
			d.wrong(at, "nothing beside input")
		}
		return Source{Input: d.text(at+"/input", members["input"])}
	}
	out := Source{Blob: d.blobMembers(at, members)}
	if trust, ok := members["trust"]; ok {
		if out.Untrusted = trust == "untrusted"; !out.Untrusted {
			d.wrong(at+"/trust", "untrusted, or no such member")
		}
	}
	if placeholders, ok := members["placeholders"]; ok {
		if out.NoPlaceholders = placeholders == false; !out.NoPlaceholders {
			d.wrong(at+"/placeholders", "false, or no such member")
		}
	}
	for i, item := range d.list(at, members, "allow_characters") {
		itemAt := at + "/allow_characters/" + strconv.Itoa(i)
		allowed := d.object(itemAt, item, "characters", "reason")
		out.AllowCharacters = append(out.AllowCharacters, AllowedCharacters{
			Characters: d.text(itemAt+"/characters", allowed["characters"]), Reason: d.text(itemAt+"/reason", allowed["reason"]),
		})
	}
	return out
}

func (d *decoder) blob(at string, value canonical.Value) Blob {
	return d.blobMembers(at, d.object(at, value, "digest", "size"))
}

func (d *decoder) blobMembers(at string, members map[string]any) Blob {
	var out Blob
	if members == nil {
		return out
	}
	text, _ := members["digest"].(string)
	parsed, err := digest.Parse(text)
	if err != nil {
		d.wrong(at+"/digest", "a digest; "+err.Error())
	}
	out.Digest = parsed
	size, ok := members["size"].(json.Number)
	n, err := strconv.ParseInt(string(size), 10, 64)
	if !ok || err != nil || n < 0 {
		d.wrong(at+"/size", "a whole number that is not negative")
	}
	out.Size = n
	return out
}

func (d *decoder) tool(at string, value canonical.Value) Tool {
	members := d.object(at, value, "contract", "fingerprint")
	if members == nil {
		return Tool{}
	}
	before := len(d.problems)
	out := Tool{Contract: d.contract(at+"/contract", members["contract"])}
	text, _ := members["fingerprint"].(string)
	stated, err := digest.ParseFingerprint(text)
	if err != nil {
		d.wrong(at+"/fingerprint", "a fingerprint; "+err.Error())
		return out
	}
	out.Fingerprint = stated
	if len(d.problems) > before {
		return out
	}
	actual, err := digest.FingerprintOf(members["contract"])
	if err != nil || actual != stated {
		d.problems = append(d.problems, diag.New(diag.CodeDefinitionFingerprint, at+"/fingerprint",
			"id", out.Contract.ID, "stated", stated.String(), "actual", actual.String()))
	}
	return out
}

// ContractFromValue reads a contract as it is hashed.
func ContractFromValue(value canonical.Value) (Contract, []diag.Problem) {
	d := &decoder{}
	out := d.contract("", value)
	return out, d.problems
}

func (d *decoder) contract(at string, value canonical.Value) Contract {
	members := d.object(at, value, "id", "name", "version", "description", "effect", "approval", "timeout_ms", "call_limit", "schema", "result")
	if members == nil {
		return Contract{}
	}
	out := Contract{
		ID: d.text(at+"/id", members["id"]), Name: d.text(at+"/name", members["name"]), Version: d.text(at+"/version", members["version"]),
		Description: d.text(at+"/description", members["description"]), Effect: Effect(d.text(at+"/effect", members["effect"])),
		Approval: Approval(d.text(at+"/approval", members["approval"])), TimeoutMS: d.integer(at+"/timeout_ms", members["timeout_ms"]),
		CallLimit: d.integer(at+"/call_limit", members["call_limit"]), Schema: members["schema"], Result: members["result"],
	}
	if _, ok := members["schema"]; !ok {
		d.wrong(at+"/schema", "a schema")
	}
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
		Deny: d.text(at+"/deny", members["deny"]), Message: d.optional(at, members, "message"),
	}
	if members["tools"] == "all" {
		out.AllTools = true
	} else if out.Tools = d.set(at, members, "tools"); len(out.Tools) == 0 {
		d.wrong(at+"/tools", "all, or at least one tool")
	}
	return out
}

func (d *decoder) profile(at string, value canonical.Value) Profile {
	members := d.object(at, value, "budget", "objectives", "requires", "context", "tools")
	if members == nil {
		return Profile{}
	}
	budget := d.object(at+"/budget", members["budget"], "tokens")
	out := Profile{
		BudgetTokens: d.integer(at+"/budget/tokens", budget["tokens"]),
		Objectives:   d.set(at, members, "objectives"), Requires: d.set(at, members, "requires"),
	}
	for i, item := range d.list(at, members, "context") {
		out.Context = append(out.Context, d.contextEntry(at+"/context/"+strconv.Itoa(i), item))
	}
	if tools, ok := members["tools"]; ok {
		named := d.object(at+"/tools", tools, "include", "exclude")
		out.Include = readMap(d, at+"/tools", named, "include", d.inclusion)
		out.Exclude = readMap(d, at+"/tools", named, "exclude", d.text)
	}
	return out
}

func (d *decoder) contextEntry(at string, value canonical.Value) ContextEntry {
	members := d.object(at, value, "source", "objectives", "when")
	return ContextEntry{
		Source: d.text(at+"/source", members["source"]), Objectives: d.set(at, members, "objectives"), When: d.optional(at, members, "when"),
	}
}

func (d *decoder) inclusion(at string, value canonical.Value) Inclusion {
	members := d.object(at, value, "objectives", "required", "call_limit", "when")
	out := Inclusion{Objectives: d.set(at, members, "objectives"), When: d.optional(at, members, "when")}
	if required, ok := members["required"]; ok {
		if out.Required = required == true; !out.Required {
			d.wrong(at+"/required", "true, or no such member")
		}
	}
	if limit, ok := members["call_limit"]; ok {
		if out.CallLimit = d.integer(at+"/call_limit", limit); out.CallLimit == 0 {
			d.wrong(at+"/call_limit", "a number from 1")
		}
	}
	return out
}

// object gives the members of an object; with known names, any other member is wrong.
func (d *decoder) object(at string, value canonical.Value, known ...string) map[string]any {
	members, ok := value.(map[string]any)
	if !ok {
		d.wrong(at, "an object")
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, name) {
			d.problems = append(d.problems, diag.New(diag.CodeDefinitionMember, canonical.JoinPointer(at, name), "name", name))
		}
	}
	return members
}

func (d *decoder) text(at string, value canonical.Value) string {
	text, ok := value.(string)
	if !ok || text == "" {
		d.wrong(at, "a string that is not empty")
	}
	return text
}

func (d *decoder) optional(at string, members map[string]any, name string) string {
	value, ok := members[name]
	if !ok {
		return ""
	}
	return d.text(at+"/"+name, value)
}

func (d *decoder) integer(at string, value canonical.Value) int {
	number, ok := value.(json.Number)
	n, err := strconv.Atoi(string(number))
	if !ok || err != nil || n < 0 {
		d.wrong(at, "a whole number that is not negative")
		return 0
	}
	return n
}

// list gives an optional array, which is not empty.
func (d *decoder) list(at string, members map[string]any, name string) []any {
	value, ok := members[name]
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		d.wrong(at+"/"+name, "an array that is not empty")
	}
	return list
}

// set gives an optional array of distinct strings in canonical order.
func (d *decoder) set(at string, members map[string]any, name string) []string {
	var out []string
	for i, item := range d.list(at, members, name) {
		text := d.text(at+"/"+name+"/"+strconv.Itoa(i), item)
		if i > 0 && canonical.Compare(out[i-1], text) >= 0 {
			d.wrong(at+"/"+name+"/"+strconv.Itoa(i), "distinct strings in order")
		}
		out = append(out, text)
	}
	return out
}

// readMap reads an optional object by id, which is not empty.
func readMap[T any](d *decoder, at string, members map[string]any, name string, one func(string, canonical.Value) T) map[string]T {
	value, ok := members[name]
	if !ok {
		return nil
	}
	named, ok := value.(map[string]any)
	if !ok || len(named) == 0 {
		d.wrong(at+"/"+name, "an object that is not empty")
		return nil
	}
	out := make(map[string]T, len(named))
	for _, id := range slices.Sorted(maps.Keys(named)) {
		out[id] = one(canonical.JoinPointer(at+"/"+name, id), named[id])
	}
	return out
}
