package definition

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Encode gives the bytes of the definition: the RFC 8785 form of its value.
func (d *Definition) Encode() ([]byte, error) {
	const most, perTool = 4 << 10, 1536 // a guess, so that the bytes are seldom moved
	return canonical.Append(make([]byte, 0, most+len(d.Tools)*perTool), d.Value())
}

// Value is the definition as a canonical value. In members of our own nothing is null and nothing is empty, but for
// {} as the value of a map's entry (formats.md, rules 2 to 5).
func (d *Definition) Value() canonical.Value {
	out := map[string]any{
		"schema": d.Version.Schema(), "runtime": d.Version.Runtime(), "project": d.Project, "estimator": d.Estimator,
		"tests": d.Tests.value(),
	}
	putText(out, "description", d.Description)
	putText(out, "tool_schema_profile", d.ToolSchemaProfile)
	putText(out, "expressions", d.Expressions)
	if d.Inputs != nil {
		out["inputs"] = d.Inputs
	}
	putTexts(out, "forward", d.Forward)
	putMap(out, "objectives", d.Objectives, func(text string) canonical.Value { return text })
	putMap(out, "sources", d.Sources, Source.value)
	putMap(out, "tools", d.Tools, Tool.value)
	putMap(out, "policies", d.Policies, Policy.value)
	putMap(out, "profiles", d.Profiles, Profile.value)
	return out
}

func (b Blob) value() canonical.Value {
	return map[string]any{"digest": b.Digest.String(), "size": json.Number(strconv.FormatInt(b.Size, 10))}
}

func (s Source) value() canonical.Value {
	if s.Input != "" {
		return map[string]any{"input": s.Input}
	}
	out := s.Blob.value().(map[string]any)
	if s.Untrusted {
		out["trust"] = "untrusted"
	}
	if s.NoPlaceholders {
		out["placeholders"] = false
	}
	if len(s.AllowCharacters) > 0 {
		list := make([]any, len(s.AllowCharacters))
		for i, a := range slices.SortedFunc(slices.Values(s.AllowCharacters), compareAllowed) {
			list[i] = map[string]any{"characters": a.Characters, "reason": a.Reason}
		}
		out["allow_characters"] = list
	}
	return out
}

func (t Tool) value() canonical.Value {
	return map[string]any{"contract": t.Contract.Value(), "fingerprint": t.Fingerprint.String()}
}

func (p Policy) value() canonical.Value {
	out := map[string]any{"deny": p.Deny}
	putTexts(out, "profiles", p.Profiles)
	putTexts(out, "objectives", p.Objectives)
	putTexts(out, "tools", p.Tools)
	if p.AllTools {
		out["tools"] = "all"
	}
	putText(out, "message", p.Message)
	return out
}

func (p Profile) value() canonical.Value {
	out := map[string]any{"budget": map[string]any{"tokens": integer(p.BudgetTokens)}}
	putTexts(out, "objectives", p.Objectives)
	putTexts(out, "requires", p.Requires)
	if len(p.Context) > 0 {
		list := make([]any, len(p.Context))
		for i, entry := range p.Context {
			list[i] = entry.value()
		}
		out["context"] = list
	}
	tools := map[string]any{}
	putMap(tools, "include", p.Include, Inclusion.value)
	putMap(tools, "exclude", p.Exclude, func(reason string) canonical.Value { return reason })
	if len(tools) > 0 {
		out["tools"] = tools
	}
	return out
}

func (e ContextEntry) value() canonical.Value {
	out := map[string]any{"source": e.Source}
	putTexts(out, "objectives", e.Objectives)
	putText(out, "when", e.When)
	return out
}

func (i Inclusion) value() canonical.Value {
	out := map[string]any{}
	putTexts(out, "objectives", i.Objectives)
	putText(out, "when", i.When)
	if i.Required {
		out["required"] = true
	}
	if i.CallLimit > 0 {
		out["call_limit"] = integer(i.CallLimit)
	}
	return out
}

func putText(out map[string]any, name, text string) {
	if text != "" {
		out[name] = text
	}
}

func putTexts(out map[string]any, name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	out[name] = list
}

func putMap[T any](out map[string]any, name string, m map[string]T, value func(T) canonical.Value) {
	if len(m) == 0 {
		return
	}
	members := make(map[string]any, len(m))
	for id, v := range m {
		members[id] = value(v)
	}
	out[name] = members
}
