package bench

import (
	"bytes"
	"fmt"
	"strings"
)

// tool is a generated tool contract.
type tool struct {
	id         string
	write      bool
	result     bool
	text       string
	properties []property
}

// property is one argument; sample is a value that its schema accepts, as YAML.
type property struct {
	name, schema, sample string
	required             bool
}

// schemaBytes are sizes of argument schemas at shares of the published tools that this profile accepts.
var schemaBytes = []struct{ share, bytes float64 }{
	{0, 120}, {0.1, 164}, {0.25, 261}, {0.5, 469}, {0.75, 760}, {0.9, 1350}, {0.95, 2150}, {1, 4000},
}

// frame is about what an argument schema takes without its properties but with the account.
const frame = 165

var (
	nouns = []string{
		"account", "article", "branch", "calendar", "contact", "course", "invoice", "lesson", "message", "order", "payment", "project",
		"record", "refund", "report", "review", "shipment", "team", "ticket", "warehouse",
	}
	verbs = []string{"archive", "assign", "cancel", "create", "find", "get", "list", "merge", "move", "search", "send", "update"}
	words = strings.Fields(`a account after all also an and any are as at available be before belongs by call can change
		customer data date default each entry error every field filter first for found from given has have if in is it item its
		last limit list matching may more name new newest not number of on one only or order other page result return returns
		same search show so sorted state than that the then this time to unless up update use used user value when which with`)
)

func (p *project) newTool(i int) tool {
	t := tool{
		id:     fmt.Sprintf("%s.%s-%05d", nouns[p.random.IntN(len(nouns))], verbs[p.random.IntN(len(verbs))], i),
		write:  p.random.IntN(10) < 3,
		result: p.random.IntN(10) < 3,
		text:   p.sentence(100 + p.random.IntN(170)),
	}
	wanted := p.schemaSize()
	t.properties = []property{{name: "account_id", schema: `{type: string, maxLength: 20, pattern: "^a-[0-9]{1,10}$"}`, sample: "a-1", required: true}}
	for size := frame; size < wanted; {
		next := p.newProperty(len(t.properties), wanted-size)
		t.properties = append(t.properties, next)
		size += len(next.name) + len(next.schema) + 6
	}
	return t
}

// schemaSize draws a size from the distribution.
func (p *project) schemaSize() int {
	at := p.random.Float64()
	for i := 1; i < len(schemaBytes); i++ {
		low, high := schemaBytes[i-1], schemaBytes[i]
		if at <= high.share {
			return int(low.bytes + (high.bytes-low.bytes)*(at-low.share)/(high.share-low.share))
		}
	}
	return int(schemaBytes[len(schemaBytes)-1].bytes)
}

// newProperty draws an argument that takes about as many bytes as are left.
func (p *project) newProperty(index, left int) property {
	name := fmt.Sprintf("%s_%d", nouns[p.random.IntN(len(nouns))], index)
	text := fmt.Sprintf("description: %q", p.sentence(min(max(left-80, 12), 20+p.random.IntN(80))))
	if left < 110 {
		text = "minLength: 1"
	}
	required := p.random.IntN(3) == 0
	if left < 110 {
		return property{name, "{type: string, maxLength: 80, " + text + "}", `"x"`, required}
	}
	switch kind := p.random.IntN(24); {
	case kind < 2:
		return property{name, "{type: string, enum: [draft, open, closed, archived], " + text + "}", "open", required}
	case kind < 4 && left > 300:
		nested := fmt.Sprintf("{type: object, additionalProperties: false, required: [kind], properties: {kind: {type: string, enum: [home, work]}, since: {type: string, format: date}, amount: {type: number, minimum: 0}}, %s}", text)
		return property{name, nested, `{kind: home, since: "2026-01-02"}`, required}
	case kind < 7:
		return property{name, "{type: array, maxItems: 20, items: {type: string, maxLength: 60}, " + text + "}", "[one, two]", required}
	case kind < 12:
		return property{name, "{type: integer, minimum: 1, maximum: 500, " + text + "}", "20", required}
	case kind < 15:
		return property{name, "{type: boolean, default: false, " + text + "}", "true", required}
	case kind < 17:
		return property{name, `{type: string, pattern: "^[A-Z]{2}-[0-9]{4,8}$", ` + text + "}", `"AB-12345"`, required}
	default:
		return property{name, "{type: string, maxLength: 200, " + text + "}", `"some text"`, required}
	}
}

// sentence gives about n characters of plain words.
func (p *project) sentence(n int) string {
	var out strings.Builder
	for out.Len() < n {
		word := words[p.random.IntN(len(words))]
		if out.Len() == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		} else {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	out.WriteByte('.')
	return out.String()
}

// catalogueFile gives the catalogue that begins with the i-th tool.
func (p *project) catalogueFile(i int) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "schema: seif.tool-catalogue.v1\nname: part-%04d\ntool_contracts:\n", i/toolsPerCatalogue)
	for _, t := range p.tools[i:min(i+toolsPerCatalogue, len(p.tools))] {
		t.writeTo(&out)
	}
	return out.Bytes()
}

func (t tool) writeTo(out *bytes.Buffer) {
	effect := "read"
	if t.write {
		effect = "write"
	}
	fmt.Fprintf(out, "  %s:\n    version: 1.%d.0\n    description: %s\n    effect: %s\n    timeout_ms: 5000\n    schema:\n", t.id, len(t.properties), t.text, effect)
	out.WriteString("      type: object\n      additionalProperties: false\n      required: [")
	first := true
	for _, one := range t.properties {
		if !one.required {
			continue
		}
		if !first {
			out.WriteString(", ")
		}
		first = false
		out.WriteString(one.name)
	}
	out.WriteString("]\n      properties:\n")
	for _, one := range t.properties {
		fmt.Fprintf(out, "        %s: %s\n", one.name, one.schema)
	}
	if t.result {
		out.WriteString(`    result:
      type: object
      required: [items]
      properties:
        items:
          type: array
          maxItems: 10
          items:
            type: object
            required: [id, state]
            properties:
              id: {type: string}
              state: {type: string, enum: [open, closed]}
              changed_on: {type: string, format: date}
`)
	}
}

// arguments gives a call's arguments for an account, as YAML: the required ones.
func (t tool) arguments(account string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "{account_id: %s", account)
	for _, one := range t.properties[1:] {
		if one.required {
			fmt.Fprintf(&out, ", %s: %s", one.name, one.sample)
		}
	}
	out.WriteByte('}')
	return out.String()
}
