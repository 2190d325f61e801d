package importer_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// A tools/list result is read as itself, as a JSON-RPC response, and as a plain array.
func TestFormsOfMCP(t *testing.T) {
	tool := `{"name":"get_Weather","description":"Weather.","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},
		"annotations":{"title":"T","readOnlyHint":true,"destructiveHint":false,"openWorldHint":"yes"}}`
	for _, form := range []struct{ text, at string }{
		{`{"tools":[` + tool + `]}`, "/tools/0"},
		{`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + tool + `]}}`, "/result/tools/0"},
		{`[` + tool + `]`, "/0"},
	} {
		want := []importer.Tool{{
			ID: "get_weather", Name: "get_Weather", Published: "get_Weather", Description: "Weather.",
			Schema: value(t, `{"type":"object"}`), Result: value(t, `{"type":"object"}`),
			Claims: map[string]any{"readOnlyHint": true, "destructiveHint": false}, Pointer: form.at,
		}}
		tools, problems := importer.Read(importer.FromMCP, []byte(form.text))
		if diff := cmp.Diff(want, tools); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"info import_id_proposed " + form.at}, told(problems)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFormsOfOpenAI(t *testing.T) {
	parameters := `{"type":"object","properties":{"q":{"type":"string"}}}`
	chat := `{"type":"function","function":{"name":"find","description":"Find.","parameters":` + parameters + `}}`
	responses := `{"type":"function","name":"find","description":"Find.","parameters":` + parameters + `,"strict":false}`
	for text, at := range map[string]string{
		"[" + chat + "]":                       "/0/function",
		`{"model":"m","tools":[` + chat + `]}`: "/tools/0/function",
		"[" + responses + "]":                  "/0",
	} {
		want := []importer.Tool{{ID: "find", Name: "find", Published: "find", Description: "Find.", Schema: value(t, parameters), Pointer: at}}
		if diff := cmp.Diff(want, read(t, importer.FromOpenAI, text)); diff != "" {
			t.Error(diff)
		}
	}
	// A function without parameters takes none.
	tools := read(t, importer.FromOpenAI, `[{"type":"function","name":"now","description":"Now."}]`)
	if diff := cmp.Diff(value(t, `{"type":"object","properties":{},"additionalProperties":false}`), tools[0].Schema); diff != "" {
		t.Error(diff)
	}
}

// What is wrong with a document is told with its place; what is right in it is still read.
func TestReadFindings(t *testing.T) {
	object := `"inputSchema":{"type":"object"}`
	for name, c := range map[string]struct {
		from importer.From
		text string
		want []string
		ids  string
	}{
		"no JSON":                 {importer.FromMCP, `{"tools":[`, []string{"error import_unreadable "}, ""},
		"nothing":                 {importer.FromMCP, ``, []string{"error import_unreadable "}, ""},
		"a member twice":          {importer.FromMCP, `{"tools":[],"tools":[]}`, []string{"error import_unreadable "}, ""},
		"text behind":             {importer.FromMCP, `{"tools":[]} x`, []string{"error import_unreadable "}, ""},
		"no UTF-8":                {importer.FromMCP, "{\"tools\":[\"\xff\"]}", []string{"error import_unreadable "}, ""},
		"a number too exact":      {importer.FromMCP, `{"tools":[{"name":"a","description":"A.","inputSchema":{"maximum":9007199254740993}}]}`, []string{"error import_unreadable "}, ""},
		"nested too deep":         {importer.FromMCP, strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), []string{"error import_unreadable "}, ""},
		"no tools":                {importer.FromMCP, `{"resources":[]}`, []string{"error import_shape "}, ""},
		"an error response":       {importer.FromMCP, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`, []string{"error import_shape "}, ""},
		"a text":                  {importer.FromMCP, `"tools"`, []string{"error import_shape "}, ""},
		"an empty list":           {importer.FromMCP, `{"tools":[]}`, nil, ""},
		"a tool that is none":     {importer.FromMCP, `[1,{"name":"a","description":"A.",` + object + `}]`, []string{"error import_shape /0"}, "a"},
		"no name":                 {importer.FromMCP, `[{"description":"A.",` + object + `},{"name":7,"description":"A.",` + object + `}]`, []string{"error import_name_missing /0", "error import_name_missing /1"}, ""},
		"one name twice":          {importer.FromMCP, `[{"name":"a","description":"A.",` + object + `},{"name":"a","description":"B.",` + object + `}]`, []string{"error import_name_twice /1"}, "a"},
		"no schema":               {importer.FromMCP, `[{"name":"a","description":"A."}]`, []string{"error import_shape /0"}, ""},
		"a schema that is true":   {importer.FromMCP, `[{"name":"a","description":"A.","inputSchema":true}]`, []string{"error import_shape /0"}, ""},
		"a result that is a text": {importer.FromMCP, `[{"name":"a","description":"A.","outputSchema":"x",` + object + `}]`, []string{"error import_shape /0"}, ""},
		"no description":          {importer.FromMCP, `[{"name":"a",` + object + `}]`, []string{"warning import_description_missing /0"}, "a"},
		"a title for one":         {importer.FromMCP, `[{"name":"a","title":"A.",` + object + `}]`, nil, "a"},
		"one page of several":     {importer.FromMCP, `{"tools":[{"name":"a","description":"A.",` + object + `}],"nextCursor":"2"}`, []string{"warning import_incomplete /nextCursor"}, "a"},
		"a page in a response":    {importer.FromMCP, `{"result":{"tools":[],"nextCursor":"2"}}`, []string{"warning import_incomplete /result/nextCursor"}, ""},
		"the last page":           {importer.FromMCP, `{"tools":[],"nextCursor":null}`, nil, ""},
		"a control character":     {importer.FromMCP, `[{"name":"a","description":"A\u001b[2J",` + object + `},{"name":"b","description":"B.",` + object + `}]`, []string{"error import_unwritable /0"}, "b"},
		"too deep to write":       {importer.FromMCP, `[{"name":"a","description":"A.","inputSchema":{"x":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `}}]`, []string{"error import_unwritable /0"}, ""},
		"a slash in a name":       {importer.FromMCP, `[{"name":"a/b","description":"A.",` + object + `}]`, []string{"info import_id_proposed /0", "warning import_name_proposed /0"}, "a-b"},
		"an object for OpenAI":    {importer.FromOpenAI, `{"functions":[]}`, []string{"error import_shape "}, ""},
		"a search tool":           {importer.FromOpenAI, `[{"type":"web_search"}]`, []string{"warning import_skipped /0", "error import_shape "}, ""},
		"a function that is none": {importer.FromOpenAI, `["f"]`, []string{"error import_shape /0"}, ""},
		"Swagger":                 {importer.FromOpenAPI, `{"swagger":"2.0","paths":{}}`, []string{"error import_shape "}, ""},
		"no paths":                {importer.FromOpenAPI, `{"openapi":"3.1.0"}`, []string{"error import_shape "}, ""},
		"a path that is none":     {importer.FromOpenAPI, `{"openapi":"3.1.0","paths":{"/a":1,"/b":{"get":1}}}`, []string{"error import_shape /paths/~1a", "error import_shape /paths/~1b/get"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tools, problems := importer.Read(c.from, []byte(c.text))
			if diff := cmp.Diff(c.want, told(problems)); diff != "" {
				t.Error(diff)
			}
			var ids []string
			for _, tool := range tools {
				ids = append(ids, tool.ID)
			}
			if got := strings.Join(ids, " "); got != c.ids {
				t.Errorf("tools %s, want %s", got, c.ids)
			}
			for _, p := range problems {
				if strings.Contains(message(p), "{") || p.Code.Severity() != diag.Info && diag.At(importer.Locator("t.json", []byte(c.text)), p)[0].Help() == "" {
					t.Errorf("%s: %s", p.Code, message(p))
				}
			}
		})
	}
}

// An unreadable document is placed where it is wrong.
func TestUnreadableIsPlaced(t *testing.T) {
	text := "{\"tools\": [\n  {\"name\": \"a\",\n   \"name\": \"b\"}]}"
	_, problems := importer.Read(importer.FromMCP, []byte(text))
	place := importer.Locator("t.json", []byte(text)).Locate(problems[0].Target)
	if place.Path != "t.json" || place.Start.Line != 3 || place.Start.Column != 4 {
		t.Errorf("%+v", place)
	}
}

var (
	idForm   = regexp.MustCompile(`^[a-z][a-z0-9._-]{0,63}$`)
	nameForm = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
)

func TestProposals(t *testing.T) {
	long := strings.Repeat("Ab", 40)
	for published, want := range map[string][2]string{
		"get_user": {"get_user", "get_user"}, "getUser": {"getuser", "getUser"}, "GET-User": {"get-user", "GET-User"},
		"files/read": {"files-read", "files_read"}, "files.read": {"files.read", "files_read"}, "2fa": {"tool-2fa", "_2fa"}, "-x": {"x", "_-x"},
		"_private": {"private", "_private"}, "日本": {"tool", "__"}, "a b": {"a-b", "a_b"}, "trailing.": {"trailing", "trailing_"},
		long: {strings.ToLower(long)[:64], long[:64]}, "\u212Aelvin": {"kelvin", "_elvin"},
	} {
		if id := importer.ProposeID(published); id != want[0] {
			t.Errorf("id of %q is %q, want %q", published, id, want[0])
		}
		if name := importer.ProposeName(published); name != want[1] {
			t.Errorf("name of %q is %q, want %q", published, name, want[1])
		}
	}
}

// Whatever is published, what is proposed is legal, and proposing again changes nothing.
func FuzzProposals(f *testing.F) {
	for _, seed := range []string{"", "a", "A.B/C", "\xff\x00", "---", "1", "ſ\u0130", strings.Repeat("é-", 70)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, published string) {
		id, name := importer.ProposeID(published), importer.ProposeName(published)
		if !idForm.MatchString(id) || !nameForm.MatchString(name) {
			t.Errorf("%q: id %q, name %q", published, id, name)
		}
		if importer.ProposeID(id) != id || importer.ProposeName(name) != name {
			t.Errorf("%q: not stable", published)
		}
	})
}

// Need 44: tools whose ids or model-facing names would collide are kept apart, told, and never dropped, whatever the
// order of publication. A tool that can keep its name keeps it.
func TestCollisions(t *testing.T) {
	names := []string{"a.b", "a_b", "a-b", "A_B", "a/b", "a:b", strings.Repeat("x", 64) + "1", strings.Repeat("x", 64) + "2"}
	var want map[string]string
	for turn := range len(names) {
		var list []string
		for i := range names {
			list = append(list, mcpTool(names[(i+turn)%len(names)], fmt.Sprint("Tool ", i), ""))
		}
		tools := read(t, importer.FromMCP, mcp(list...))
		got, ids, facing := map[string]string{}, map[string]bool{}, map[string]bool{}
		for _, tool := range tools {
			got[tool.Published] = tool.ID + " " + tool.Name
			ids[definition.FoldID(tool.ID)], facing[tool.Name] = true, true
		}
		if len(tools) != len(names) || len(ids) != len(names) || len(facing) != len(names) {
			t.Fatalf("%d tools, %d ids, %d names of %d: %v", len(tools), len(ids), len(facing), len(names), got)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("another order gives others: %s", diff)
		}
	}
	for published, proposed := range map[string]string{"a_b": " a_b", "a-b": "a-b a-b", "A_B": " A_B", "a.b": " a_b_2"} {
		if !strings.HasSuffix(want[published], proposed) {
			t.Errorf("%s is %s, want %s", published, want[published], proposed)
		}
	}
}

// Many tools that share one proposal take work in proportion to their number: another number is not tried again for
// each of them.
func TestCollisionsAreCheap(t *testing.T) {
	work := func(n int) int {
		var list []string
		for i := range n {
			list = append(list, `{"name":"`+string(rune(0x4E00+i))+`","description":"A.","inputSchema":{"type":"object"}}`)
		}
		document := mcp(list...)
		return allocations(func() {
			if tools := read(t, importer.FromMCP, document); len(tools) != n {
				t.Errorf("%d tools of %d", len(tools), n)
			}
		})
	}
	n := whole(20_000, 20)
	if few, many := work(n/4), work(n); many > 5*few {
		t.Errorf("%d tools allocate %d times, %d tools %d times", n/4, few, n, many)
	}
}

// Hostile documents give findings and never a panic; tools that are read can be written and read back.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"tools":[{"name":"a","description":"A.","inputSchema":{"type":"object"}}]}`, `[{"type":"function","function":{"name":"a","parameters":{}}}]`,
		petStore, `{"openapi":"3.0.0","paths":{"/a":{"get":{"parameters":[{"$ref":"#/paths/~1a/get/parameters/0"}]}}}}`,
		`{"openapi":"3.0.0","paths":{"/a":{"get":{"requestBody":{"$ref":"#"}}}}}`, strings.Repeat(`{"a":`, 30), `[{"name":"a","inputSchema":{"x":"\u0000"}}]`, `{"tools":[null,{"name":{}}]}`,
	} {
		for from := range 3 {
			f.Add(from, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, from int, data []byte) {
		kind := []importer.From{importer.FromMCP, importer.FromOpenAPI, importer.FromOpenAI}[uint(from)%3]
		tools, problems := importer.Read(kind, data)
		locator := importer.Locator("t.json", data)
		for _, p := range problems {
			place := locator.Locate(p.Target)
			if place.Start.Offset < 0 || place.Start.Offset > len(data) {
				t.Errorf("%v is placed at %+v", p, place)
			}
		}
		if len(tools) == 0 {
			return
		}
		written, err := importer.New("fuzzed", tools)
		if err != nil {
			t.Fatal(err)
		}
		file, c := catalogue(t, written)
		same(t, tools, c)
		drift := importer.Compare(c, tools)
		if !drift.Empty() {
			t.Fatalf("drift from itself: %v %v", told(drift.InCatalogue), told(drift.InSource))
		}
		merged, err := importer.Merge(file, tools, drift)
		if err != nil || string(merged) != string(written) {
			t.Fatalf("a merge of the same changes something: %v", err)
		}
	})
}

const petStore = `{
 "openapi": "3.0.3",
 "paths": {
  "/pets/{id}": {
   "parameters": [
    {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "description": "The pet."},
    {"name": "trace", "in": "header", "schema": {"type": "string"}},
    {"$ref": "#/components/parameters/Fields"}
   ],
   "get": {
    "operationId": "getPet", "summary": "Get a pet.",
    "parameters": [{"name": "Fields", "in": "query", "schema": {"type": "integer", "minimum": 0, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}}]
   },
   "put": {
    "description": "Replace a pet.",
    "requestBody": {"required": true, "content": {"application/json; charset=utf-8": {"schema": {"$ref": "#/components/schemas/Pet"}}}}
   },
   "delete": {"operationId": "dropPet", "description": "Drop.", "requestBody": {"content": {"text/plain": {}, "application/xml": {}}}}
  }
 },
 "components": {
  "parameters": {"Fields": {"name": "Fields", "in": "query", "required": true, "content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}},
  "schemas": {
   "Pet": {"type": "object", "nullable": true, "xml": {"name": "pet"}, "properties": {
     "owner": {"$ref": "#/components/schemas/Owner"}, "kind": {"type": "string", "enum": ["cat", "dog"], "nullable": true, "example": "cat"},
     "example": {"type": "string"}, "friends": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}},
   "Owner": {"allOf": [{"$ref": "#/components/schemas/Thing~1Base"}, {"$ref": "#/components/schemas/Gone"}]},
   "Thing/Base": {"type": "object", "discriminator": {"propertyName": "x"}},
   "Unused": {"type": "string"}
  }
 }
}`

func TestOpenAPI(t *testing.T) {
	tools, problems := importer.Read(importer.FromOpenAPI, []byte(petStore))
	at := "/paths/~1pets~1{id}"
	id := `{"type":"string","description":"The pet."}`
	fields := `{"type":"array","items":{"type":"string"}}`
	want := []importer.Tool{
		{ID: "droppet", Name: "dropPet", Published: "dropPet", Description: "Drop.", Pointer: at + "/delete", Claims: map[string]any{"method": "DELETE", "readOnlyHint": false},
			Schema: value(t, `{"type":"object","additionalProperties":false,"required":["Fields","id"],"properties":{"id":`+id+`,"Fields":`+fields+`}}`)},
		{ID: "getpet", Name: "getPet", Published: "getPet", Description: "Get a pet.", Pointer: at + "/get", Claims: map[string]any{"method": "GET", "readOnlyHint": true},
			Schema: value(t, `{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":`+id+`,"Fields":{"type":"integer","exclusiveMinimum":0,"maximum":9}}}`)},
		{ID: "put_pets_id", Name: "put_pets_id", Published: "put_pets_id", Description: "Replace a pet.", Pointer: at + "/put", Claims: map[string]any{"method": "PUT", "readOnlyHint": false},
			Schema: value(t, `{"type":"object","additionalProperties":false,"required":["Fields","body","id"],"properties":{"id":`+id+`,"Fields":`+fields+`,"body":{"$ref":"#/$defs/Pet"}},
				"$defs":{"Pet":{"type":["object","null"],"properties":{"owner":{"$ref":"#/$defs/Owner"},"kind":{"type":["string","null"],"enum":["cat","dog",null]},
				"example":{"type":"string"},"friends":{"type":"array","items":{"$ref":"#/$defs/Pet"}}}},
				"Owner":{"allOf":[{"$ref":"#/$defs/Thing~1Base"},{"$ref":"#/$defs/Gone"}]},"Thing/Base":{"type":"object"}}}`)},
	}
	if diff := cmp.Diff(want, tools); diff != "" {
		t.Error(diff)
	}
	skipped := []string{}
	for _, p := range problems {
		if p.Code == diag.CodeImportSkipped {
			skipped = append(skipped, p.Target.Pointer+" "+p.Data["what"])
		}
	}
	wantSkipped := []string{at + "/get the header parameter trace", at + "/put the header parameter trace", at + "/delete the header parameter trace", at + "/delete the body as application/xml, text/plain"}
	if diff := cmp.Diff(wantSkipped, skipped); diff != "" {
		t.Error(diff)
	}
}

// What has no place in a contract is told, never dropped silently.
func TestOpenAPILeavesNothingOutSilently(t *testing.T) {
	for name, c := range map[string]struct{ operation, what string }{
		"a cookie":                {`{"parameters":[{"name":"c","in":"cookie","schema":{}}]}`, "the cookie parameter c"},
		"one name in two places":  {`{"parameters":[{"name":"c","in":"path","schema":{"type":"string"}},{"name":"c","in":"query","schema":{"type":"integer"}}]}`, "the query parameter c"},
		"a parameter called body": {`{"parameters":[{"name":"body","in":"query","schema":{"type":"string"}}],"requestBody":{"content":{"application/json":{"schema":{}}}}}`, "the body"},
		"no schema":               {`{"parameters":[{"name":"c","in":"query"}]}`, "the parameter c"},
		"a reference outside":     {`{"parameters":[{"$ref":"other.json#/p"}]}`, "parameter 1"},
		"a reference to itself":   {`{"parameters":[{"$ref":"#/paths/~1a/get/parameters/0"}]}`, "parameter 1"},
		"a parameter of no name":  {`{"parameters":[7]}`, "parameter 1"},
		"a body outside":          {`{"requestBody":{"$ref":"other.json"}}`, "the body"},
		"a form":                  {`{"requestBody":{"content":{"application/x-www-form-urlencoded":{}}}}`, "the body as application/x-www-form-urlencoded"},
	} {
		tools, problems := importer.Read(importer.FromOpenAPI, []byte(`{"openapi":"3.1.0","paths":{"/a":{"get":`+c.operation+`}}}`))
		found := false
		for _, p := range problems {
			found = found || p.Code == diag.CodeImportSkipped && p.Data["what"] == c.what
		}
		if !found || len(tools) != 1 {
			t.Errorf("%s: %v", name, problems)
		}
	}
	_, problems := importer.Read(importer.FromOpenAPI, []byte(`{"openapi":"3.1.0","paths":{"/a":{"$ref":"other.json"}}}`))
	if diff := cmp.Diff([]string{"warning import_skipped /paths/~1a"}, told(problems)); diff != "" {
		t.Error(diff)
	}
}

// References inside of every word that holds schemas follow the components.
func TestOpenAPIReferencesEverywhere(t *testing.T) {
	ref := `{"$ref":"#/components/schemas/X"}`
	for _, holder := range []string{
		`"items":%s`, `"prefixItems":[%s]`, `"additionalProperties":%s`, `"not":%s`, `"if":%s`, `"then":%s`, `"else":%s`, `"contains":%s`, `"propertyNames":%s`,
		`"anyOf":[%s]`, `"oneOf":[%s]`, `"allOf":[%s]`, `"properties":{"$ref":%s}`, `"patternProperties":{"a":%s}`, `"dependentSchemas":{"a":%s}`, `"unevaluatedProperties":%s`,
	} {
		body := `{` + fmt.Sprintf(holder, ref) + `}`
		tools := read(t, importer.FromOpenAPI, `{"openapi":"3.1.0","paths":{"/a":{"post":{"description":"A.","requestBody":{"content":{"application/json":{"schema":`+body+`}}}}}},
			"components":{"schemas":{"X":{"type":"string"}}}}`)
		form, err := canonical.Marshal(tools[0].Schema)
		if err != nil || strings.Contains(string(form), "components") || !strings.Contains(string(form), `"$defs":{"X":{"type":"string"}}`) {
			t.Errorf("%s: %s %v", holder, form, err)
		}
	}
}

// A small document whose operations all repeat all components is refused before it takes memory in proportion: what
// comes after the refusal is not read, which would allocate some tens of millions of times. In a short run the
// components are so large that already the first operation is refused, and no tool has to be written.
func TestOpenAPIIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.0.0","paths":{`)
	for i := range 5000 {
		fmt.Fprintf(&b, `"/p%d":{"get":{"description":"A.","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/C0"}}}}}},`, i)
	}
	b.WriteString(`"/z":{}},"components":{"schemas":{`)
	large := ""
	if testing.Short() {
		large = `"enum":[0` + strings.Repeat(",0", importer.MaxValues/2000) + `],`
	}
	for i := range 2000 {
		fmt.Fprintf(&b, `"C%d":{%s"anyOf":[{"$ref":"#/components/schemas/C%d"},{"$ref":"#/components/schemas/C%d"}]},`, i, large, (i+1)%2000, (i+7)%2000)
	}
	b.WriteString(`"Z":{}}}}`)
	var problems []diag.Problem
	allocated := allocations(func() { _, problems = importer.Read(importer.FromOpenAPI, []byte(b.String())) })
	if allocated > 16_000_000 {
		t.Errorf("it allocates %d times", allocated)
	}
	refused := 0
	for _, p := range problems {
		if p.Code == diag.CodeImportTooLarge {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d findings of size in %d", refused, len(problems))
	}
}
