package definition

import (
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// compiledSchema is what compiling a schema gave.
type compiledSchema struct {
	schema   *schema.Schema
	problems []diag.Problem
}

// ArgumentSchema is the compiled argument schema of a tool, nil when it is not sound, with what was found in it;
// pointers are into the schema. It is compiled once, so the definition must not be changed afterwards. Safe for
// concurrent use.
func (d *Definition) ArgumentSchema(id string) (*schema.Schema, []diag.Problem) {
	if known, ok := d.arguments.Load(id); ok {
		c := known.(compiledSchema)
		return c.schema, c.problems
	}
	var c compiledSchema
	c.schema, c.problems = d.schemas.Compile(d.Tools[id].Contract.Schema, schema.Arguments)
	d.arguments.Store(id, c)
	return c.schema, c.problems
}

// compileOnce compiles schemas for the check of a tool's contract.
func (d *Definition) compileOnce(id string) compiler {
	return func(value canonical.Value, use schema.Use) (*schema.Schema, []diag.Problem) {
		if use == schema.Arguments {
			return d.ArgumentSchema(id)
		}
		return d.schemas.Compile(value, use)
	}
}
