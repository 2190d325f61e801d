package definition

import (
	"errors"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Decode reads the bytes of a definition. It accepts exactly what [Definition.Encode] gives: canonical bytes of at most
// [MaxBytes], known members alone, nothing null or empty, id sets sorted, defaults left out in Project parts and written
// out in contracts, every fingerprint that of its contract. Whether the definition makes sense is for
// [Definition.Check]. The definition is nil if there is any problem; pointers are into the definition.
func Decode(data []byte) (*Definition, []diag.Problem) {
	limits := canonical.Limits{Bytes: MaxBytes}
	value, err := canonical.ParseForm(data, limits)
	if err != nil {
		// Text that cannot be read at all is the graver fault, wherever it stands.
		if _, unread := canonical.Parse(data, limits); unread != nil {
			return nil, []diag.Problem{unreadable(diag.CodeDefinitionUnreadable, unread)}
		}
		return nil, []diag.Problem{unreadable(diag.CodeDefinitionNotCanonical, err)}
	}
	d := &decoder{forms: contractForms(data)}
	def := d.definition(value)
	if len(d.problems) > 0 {
		return nil, d.sorted()
	}
	return def, nil
}

// contractForms cuts the contracts out of a definition in canonical form, by the pointer of their tool: their bytes are what
// their fingerprints are of.
func contractForms(data []byte) map[string][]byte {
	forms := map[string][]byte{}
	c := canonical.Cut(data)
	skip := func([]byte) bool { return c.Value() != nil }
	c.Members(func(member []byte) bool {
		if string(member) != "tools" {
			return skip(member)
		}
		return c.Members(func(id []byte) bool {
			return c.Members(func(name []byte) bool {
				if string(name) == "contract" {
					forms[canonical.JoinPointer("/tools", string(id))] = c.Value()
					return true
				}
				return skip(name)
			})
		})
	})
	return forms
}

// unreadable reports what is wrong with the JSON of a definition.
func unreadable(code diag.Code, err error) diag.Problem {
	pointer, offset := "", ""
	var failed *canonical.Error
	if errors.As(err, &failed) {
		pointer = failed.Pointer
		if failed.Offset >= 0 {
			offset = strconv.FormatInt(failed.Offset, 10)
		}
	}
	return diag.New(code, pointer, "why", err.Error(), "offset", offset)
}

func (d *decoder) definition(value canonical.Value) *Definition {
	members, ok := value.(map[string]any)
	if !ok {
		d.wrong("", "an object")
		return nil
	}
	version, ok := d.version(members)
	if !ok {
		return nil
	}
	d.known("", members, version.members()...)
	def := &Definition{
		Version:           version,
		Project:           d.text("", members, "project"),
		Description:       d.optional("", members, "description"),
		Estimator:         d.text("", members, "estimator"),
		ToolSchemaProfile: d.optional("", members, "tool_schema_profile"),
		Expressions:       d.optional("", members, "expressions"),
		Inputs:            d.inputs(members),
		Forward:           d.set("", members, "forward"),
		Objectives:        readMap(d, "", members, "objectives", d.string),
		Sources:           readMap(d, "", members, "sources", d.source),
		Tools:             readMap(d, "", members, "tools", d.tool),
		Policies:          readMap(d, "", members, "policies", d.policy),
		Profiles: readMap(d, "", members, "profiles", func(at string, value canonical.Value) Profile {
			return d.profile(at, value, version)
		}),
		Tests: d.tests(members),
	}
	d.required("", members, "profiles")
	if version == V2 {
		d.required("", members, "tools")
	}
	d.dialects(def)
	return def
}

// members are those that a definition of the version may have (formats.md, rule 2).
func (v Version) members() []string {
	names := []string{
		"schema", "runtime", "project", "description", "estimator", "tool_schema_profile", "expressions", "inputs",
		"objectives", "sources", "profiles", "tests",
	}
	if v == V2 {
		names = append(names, "forward", "policies", "tools")
	}
	return names
}

// version reads what the document says that it is. A later version is refused before anything else of it is read.
func (d *decoder) version(members map[string]any) (Version, bool) {
	schema := d.text("", members, "schema")
	runtime := d.text("", members, "runtime")
	if len(d.problems) > 0 {
		return 0, false
	}
	var bySchema, byRuntime Version
	for _, v := range []Version{V1, V2} {
		if schema == v.Schema() {
			bySchema = v
		}
		if runtime == v.Runtime() {
			byRuntime = v
		}
	}
	if bySchema == 0 {
		d.add(diag.New(diag.CodeDefinitionVersion, "/schema", "found", schema, "known", V1.Schema()+", "+V2.Schema()))
	}
	if byRuntime == 0 {
		d.add(diag.New(diag.CodeUnknownRuntime, "/runtime", "found", runtime, "known", V1.Runtime()+", "+V2.Runtime()))
	}
	if len(d.problems) == 0 && bySchema != byRuntime {
		d.add(diag.New(diag.CodeDefinitionContract, "/runtime", "found", runtime, "want", bySchema.Runtime()))
	}
	return bySchema, len(d.problems) == 0
}

func (d *decoder) inputs(members map[string]any) canonical.Value {
	inputs, ok := members["inputs"]
	if !ok {
		return nil
	}
	if _, isObject := inputs.(map[string]any); !isObject {
		d.wrong("/inputs", "an object")
	}
	return inputs
}

func (d *decoder) tests(members map[string]any) Blob {
	value, ok := members["tests"]
	if !ok {
		d.required("", members, "tests")
		return Blob{}
	}
	object := d.object("/tests", value, "digest", "size")
	return d.blob("/tests", object)
}

// dialects holds that the dialects are recorded exactly when they are used (formats.md, rule 2).
func (d *decoder) dialects(def *Definition) {
	if uses := def.Inputs != nil || def.Version == V2; uses != (def.ToolSchemaProfile != "") {
		d.wrong("/tool_schema_profile", "the name of the schema profile exactly if there are inputs or tools")
	}
	if uses := def.UsesExpressions(); uses != (def.Expressions != "") {
		d.wrong("/expressions", "the name of the expression dialect exactly if an expression is used")
	}
}

// UsesExpressions tells whether any expression stands in the definition, so that the dialect is recorded.
func (d *Definition) UsesExpressions() bool {
	if len(d.Policies) > 0 {
		return true
	}
	for _, profile := range d.Profiles {
		for _, entry := range profile.Context {
			if entry.When != "" {
				return true
			}
		}
		for _, inclusion := range profile.Include {
			if inclusion.When != "" {
				return true
			}
		}
	}
	return false
}
