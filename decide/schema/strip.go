package schema

import (
	"maps"
	"slices"
	"strconv"
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
	out, _ := s.schema(v)
	return out, arrange(s.problems)
}

type stripping struct {
	root     canonical.Value
	draft7   bool
	problems []diag.Problem
	// path leads to the schema at hand. It becomes a pointer only where something is reported: almost no schema
	// has anything to report, and a catalogue has thousands.
	path []string
}

func (s *stripping) report(code diag.Code, pointer string, pairs ...string) {
	s.problems = append(s.problems, diag.New(code, pointer, pairs...))
}

func (s *stripping) pointer(below ...string) string {
	return canonical.JoinPointer(canonical.JoinPointer("", s.path...), below...)
}

// below runs a step one token deeper.
func (s *stripping) below(token string, step func() (canonical.Value, bool)) (canonical.Value, bool) {
	s.path = append(s.path, token)
	defer func() { s.path = s.path[:len(s.path)-1] }()
	return step()
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

// schema strips a schema and tells whether the result is another value; what did not change is shared.
func (s *stripping) schema(v canonical.Value) (canonical.Value, bool) {
	object, ok := v.(map[string]any)
	if !ok || len(s.path) > 2*maxJSONDepth {
		return v, false
	}
	if s.draft7 {
		s.siblings(object)
	}
	_, hasDefs := object["$defs"]
	_, hasDefinitions := object["definitions"]
	if hasDefs && hasDefinitions {
		s.report(diag.CodeSchemaDefinitions, s.pointer("definitions"))
	}
	var out map[string]any
	change := func(from, to string, value canonical.Value) {
		if out == nil {
			out = maps.Clone(object)
		}
		delete(out, from)
		if to != "" {
			out[to] = value
		}
	}
	// The order does not matter: findings are arranged at the end, and the result is a map.
	for name, value := range object {
		switch {
		case isExtension(name), len(s.path) == 0 && isRootOnly(name):
			s.report(diag.CodeSchemaStripped, s.pointer(name), "keyword", clip(name))
			change(name, "", nil)
		case name == "definitions" && !hasDefs:
			stripped, _ := s.member(name, value)
			change(name, "$defs", stripped)
		case name == "$ref":
			if renamed, changed := s.reference(value); changed {
				change(name, name, renamed)
			}
		default:
			if stripped, changed := s.member(name, value); changed {
				change(name, name, stripped)
			}
		}
	}
	if out == nil {
		return object, false
	}
	return out, true
}

// member strips the schemas below one keyword.
func (s *stripping) member(name string, value canonical.Value) (canonical.Value, bool) {
	k, ok := findKeyword(name)
	if !ok {
		return value, false
	}
	switch k.shape {
	case shapeSchema:
		return s.below(name, func() (canonical.Value, bool) { return s.schema(value) })
	case shapeSchemaMap:
		if entries, ok := value.(map[string]any); ok {
			return s.below(name, func() (canonical.Value, bool) { return s.entries(entries) })
		}
	case shapeSchemaList:
		if entries, ok := value.([]any); ok {
			return s.below(name, func() (canonical.Value, bool) { return s.list(entries) })
		}
	}
	return value, false
}

func (s *stripping) entries(entries map[string]any) (canonical.Value, bool) {
	var out map[string]any
	for key, entry := range entries {
		stripped, changed := s.below(key, func() (canonical.Value, bool) { return s.schema(entry) })
		if !changed {
			continue
		}
		if out == nil {
			out = maps.Clone(entries)
		}
		out[key] = stripped
	}
	if out == nil {
		return entries, false
	}
	return out, true
}

func (s *stripping) list(entries []any) (canonical.Value, bool) {
	var out []any
	for i, entry := range entries {
		stripped, changed := s.below(strconv.Itoa(i), func() (canonical.Value, bool) { return s.schema(entry) })
		if !changed {
			continue
		}
		if out == nil {
			out = slices.Clone(entries)
		}
		out[i] = stripped
	}
	if out == nil {
		return entries, false
	}
	return out, true
}

// siblings reports what draft-07 ignores beside a `$ref`.
func (s *stripping) siblings(object map[string]any) {
	if _, ok := object["$ref"]; !ok {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		k, ok := findKeyword(name)
		if ok && k.effect == asserts && name != "$ref" {
			s.report(diag.CodeSchemaReferenceSiblings, s.pointer(name), "keyword", name)
		}
	}
}

// reference renames `definitions` in a reference where the pointer passes it as a keyword of a schema. A reference
// into `$defs` that only the renaming would make is reported: as written it points at nothing.
func (s *stripping) reference(value canonical.Value) (canonical.Value, bool) {
	ref, ok := value.(string)
	if !ok || !strings.HasPrefix(ref, "#/") {
		return value, false
	}
	tokens, ok := referenceTokens(ref)
	if !ok {
		return value, false
	}
	renamed, missing := renamedTokens(s.root, tokens)
	if missing != "" {
		s.report(diag.CodeSchemaReferenceDangling, s.pointer("$ref"), "ref", clip(ref), "missing", clip(missing))
		return value, false
	}
	if len(renamed) == 0 {
		return value, false
	}
	raw := strings.Split(ref[2:], "/")
	for _, i := range renamed {
		raw[i] = "$defs"
	}
	return "#/" + strings.Join(raw, "/"), true
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
