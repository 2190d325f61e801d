package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Strip gives the schema as it enters a fingerprint and reaches a model: without root `$schema` and `$id`, without
// `$comment` and `x-*` (but `x-mcp-header`, which [Compile] refuses) wherever a schema stands, with `definitions`
// renamed to `$defs` together with the references into it.
//
// What was removed is reported as info. What only the removed words can tell is reported as an error here, because
// nobody can find it later: an unsupported dialect, constraints beside a `$ref` that draft-07 would ignore, and
// `definitions` beside `$defs`. Pointers are those of v. Strip never changes v; the result shares with v what did
// not change. Stripping a result again changes nothing.
func Strip(v canonical.Value) (canonical.Value, []diag.Problem) {
	s := stripping{root: v}
	if object, ok := v.(map[string]any); ok {
		s.draft7 = s.dialect(object)
	}
	out := s.schema(v, "", 0)
	return out, arrange(s.problems)
}

type stripping struct {
	root     canonical.Value
	draft7   bool
	problems []diag.Problem
}

func (s *stripping) report(code diag.Code, pointer string, pairs ...string) {
	s.problems = append(s.problems, diag.New(code, pointer, pairs...))
}

// dialect checks root `$schema` and tells whether it is draft-07.
func (s *stripping) dialect(root map[string]any) bool {
	value, ok := root["$schema"]
	if !ok {
		return false
	}
	name, ok := value.(string)
	if !ok {
		s.report(diag.CodeSchemaDialect, "/$schema", "dialect", "")
		return false
	}
	bare := strings.TrimSuffix(name, "#")
	bare = strings.TrimPrefix(strings.TrimPrefix(bare, "https://"), "http://")
	switch bare {
	case "json-schema.org/draft-07/schema":
		return true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/draft/2019-09/schema":
		return false
	}
	s.report(diag.CodeSchemaDialect, "/$schema", "dialect", clip(name))
	return false
}

func (s *stripping) schema(v canonical.Value, at string, depth int) canonical.Value {
	object, ok := v.(map[string]any)
	if !ok || depth > maxJSONDepth {
		return v
	}
	if s.draft7 {
		s.siblings(object, at)
	}
	_, hasDefs := object["$defs"]
	_, hasDefinitions := object["definitions"]
	if hasDefs && hasDefinitions {
		s.report(diag.CodeSchemaDefinitions, canonical.JoinPointer(at, "definitions"))
	}
	out := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		pointer := canonical.JoinPointer(at, name)
		switch {
		case isExtension(name), at == "" && isRootOnly(name):
			s.report(diag.CodeSchemaStripped, pointer, "keyword", clip(name))
		case name == "definitions" && !hasDefs:
			out["$defs"] = s.member(name, value, pointer, depth)
		case name == "$ref":
			out[name] = s.reference(value, pointer)
		default:
			out[name] = s.member(name, value, pointer, depth)
		}
	}
	return out
}

// member strips the schemas below one keyword.
func (s *stripping) member(name string, value canonical.Value, at string, depth int) canonical.Value {
	k, ok := findKeyword(name)
	if !ok {
		return value
	}
	switch k.shape {
	case shapeSchema:
		return s.schema(value, at, depth+1)
	case shapeSchemaMap:
		entries, ok := value.(map[string]any)
		if !ok {
			return value
		}
		out := make(map[string]any, len(entries))
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			out[key] = s.schema(entries[key], canonical.JoinPointer(at, key), depth+1)
		}
		return out
	case shapeSchemaList:
		entries, ok := value.([]any)
		if !ok {
			return value
		}
		out := make([]any, len(entries))
		for i, entry := range entries {
			out[i] = s.schema(entry, indexPointer(at, i), depth+1)
		}
		return out
	}
	return value
}

// siblings reports what draft-07 ignores beside a `$ref`.
func (s *stripping) siblings(object map[string]any, at string) {
	if _, ok := object["$ref"]; !ok {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		k, ok := findKeyword(name)
		if ok && k.effect == asserts && name != "$ref" {
			s.report(diag.CodeSchemaReferenceSiblings, canonical.JoinPointer(at, name), "keyword", name)
		}
	}
}

// reference renames `definitions` in a reference where the pointer passes it as a keyword of a schema. A reference
// into `$defs` that only the renaming would make is reported: as written it points at nothing.
func (s *stripping) reference(value canonical.Value, at string) canonical.Value {
	ref, ok := value.(string)
	if !ok || !strings.HasPrefix(ref, "#/") {
		return value
	}
	tokens, ok := referenceTokens(ref)
	if !ok {
		return value
	}
	renamed, missing := renamedTokens(s.root, tokens)
	if missing != "" {
		s.report(diag.CodeSchemaReferenceDangling, at, "ref", clip(ref), "missing", clip(missing))
		return value
	}
	raw := strings.Split(ref[2:], "/")
	for _, i := range renamed {
		raw[i] = "$defs"
	}
	return "#/" + strings.Join(raw, "/")
}

// renamedTokens lists which tokens of a pointer into a schema name the keyword `definitions` that stripping
// renames, and the pointer to a `$defs` that is not there before the renaming and would be after it.
func renamedTokens(root canonical.Value, tokens []string) (renamed []int, missing string) {
	current, standsSchema := root, true
	for i, token := range tokens {
		if object, ok := current.(map[string]any); ok && standsSchema {
			_, old := object["definitions"]
			_, now := object["$defs"]
			switch {
			case token == "definitions" && old && !now:
				renamed = append(renamed, i)
			case token == "$defs" && old && !now:
				return nil, pointerOf(tokens[:i+1])
			}
		}
		next, ok := child(current, token)
		if !ok {
			return renamed, ""
		}
		if standsSchema {
			k, known := findKeyword(token)
			switch {
			case known && k.shape == shapeSchema:
			case known && (k.shape == shapeSchemaMap || k.shape == shapeSchemaList):
				standsSchema = false
			default:
				return renamed, "" // into an annotation: no keyword of ours below
			}
		} else {
			standsSchema = true
		}
		current = next
	}
	return renamed, ""
}
