package importer

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// FirstVersion is the version that an import gives a contract.
const FirstVersion = "1.0.0"

// New writes a new catalogue of the tools. The result reads back as the same contracts.
func New(name string, tools []Tool) ([]byte, error) {
	contracts := document.Pairs{}
	for _, tool := range tools {
		contracts = append(contracts, document.Pair{Name: tool.ID, Value: entryOf(tool)})
	}
	return document.Write(document.Pairs{
		{Name: "schema", Value: manifest.CatalogueSchema},
		{Name: "name", Value: name},
		{Name: "tool_contracts", Value: contracts},
	})
}

// entryOf is the catalogue entry of a published tool, with its effect for a person to decide.
func entryOf(tool Tool) document.Pairs {
	entry := document.Pairs{}
	if tool.Name != definition.DefaultName(tool.ID) {
		entry = append(entry, document.Pair{Name: "name", Value: tool.Name})
	}
	entry = append(entry, document.Pair{Name: "version", Value: FirstVersion})
	if tool.Description != "" {
		entry = append(entry, document.Pair{Name: "description", Value: tool.Description})
	}
	entry = append(entry, document.Pair{Name: "effect", Value: string(definition.Undecided)})
	if len(tool.Claims) > 0 {
		entry = append(entry, document.Pair{Name: "claims", Value: document.Flow{Value: canonical.Value(tool.Claims)}})
	}
	entry = append(entry, document.Pair{Name: "schema", Value: tool.Schema})
	if tool.Result != nil {
		entry = append(entry, document.Pair{Name: "result", Value: tool.Result})
	}
	return entry
}

func update(file *document.File, k *known, tool Tool) (*document.File, error) {
	at := k.entry.Pointer
	var err error
	put := func(name string, value canonical.Value, differs bool) {
		if err == nil && differs {
			file, err = putMember(file, at+"/"+name, value)
		}
	}
	put("name", tool.Name, k.name != tool.Name)
	put("description", tool.Description, k.entry.Value.Description != tool.Description && tool.Description != "")
	put("claims", canonical.Value(tool.Claims), len(tool.Claims) > 0 && !canonical.Equal(claims(k.entry.Value.Claims), claims(tool.Claims)))
	put("schema", tool.Schema, !canonical.Equal(k.schema, stripped(tool.Schema)))
	put("result", tool.Result, tool.Result != nil && !canonical.Equal(k.result, stripped(tool.Result)))
	drop := func(name string, gone bool) {
		if err == nil && gone {
			file, err = file.Delete(at + "/" + name)
		}
	}
	drop("result", tool.Result == nil && k.entry.Value.Result.Present())
	// A claim that nobody makes any more must not go on standing beside the effect that was decided.
	drop("claims", len(tool.Claims) == 0 && k.entry.Value.Claims != nil)
	return file, err
}

// putMember gives a member its new value by changing as little of the text as possible: members of maps one by
// one, so that what did not change keeps its lines and comments.
func putMember(file *document.File, pointer string, value canonical.Value) (*document.File, error) {
	before, ok := canonical.Lookup(file.Root.Value(), pointer)
	if !ok {
		return file.Insert(pointer, value)
	}
	old, wasMap := before.(map[string]any)
	now, isMap := value.(map[string]any)
	if !wasMap || !isMap || len(old) == 0 || len(now) == 0 {
		if canonical.Equal(before, value) {
			return file, nil
		}
		return file.Set(pointer, value)
	}
	var err error
	// Additions come first, so that a map never becomes empty on the way.
	for _, name := range sorted(now) {
		if file, err = putMember(file, canonical.JoinPointer(pointer, name), now[name]); err != nil {
			return nil, err
		}
	}
	for _, name := range sorted(old) {
		if _, stays := now[name]; !stays {
			if file, err = file.Delete(canonical.JoinPointer(pointer, name)); err != nil {
				return nil, err
			}
		}
	}
	return file, nil
}
