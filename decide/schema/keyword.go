package schema

import (
	"slices"
	"strings"
)

// shape is what stands as the value of a supported keyword.
type shape int

const (
	shapeType shape = iota
	shapeEnum
	shapeAny
	shapeSchema
	shapeSchemaMap
	shapeSchemaList
	shapeRequired
	shapeCount
	shapeNumber
	shapePositive
	shapeBoolean
	shapePattern
	shapeFormat
	shapeReference
	shapeDescription
	shapeTitle
	shapeList
	shapeStripped
)

// effect is what a supported keyword does.
type effect int

const (
	asserts  effect = iota // part of the verdict about a value
	declares               // holds schemas for references
	annotates
	stripped
)

type keyword struct {
	name   string
	shape  shape
	effect effect
}

// The words of the profile, sorted by name.
var supported = [...]keyword{
	{"$comment", shapeStripped, stripped},
	{"$defs", shapeSchemaMap, declares},
	{"$ref", shapeReference, asserts},
	{"additionalProperties", shapeSchema, asserts},
	{"allOf", shapeSchemaList, asserts},
	{"anyOf", shapeSchemaList, asserts},
	{"const", shapeAny, asserts},
	{"default", shapeAny, annotates},
	{"definitions", shapeSchemaMap, declares},
	{"deprecated", shapeBoolean, annotates},
	{"description", shapeDescription, annotates},
	{"enum", shapeEnum, asserts},
	{"examples", shapeList, annotates},
	{"exclusiveMaximum", shapeNumber, asserts},
	{"exclusiveMinimum", shapeNumber, asserts},
	{"format", shapeFormat, asserts},
	{"items", shapeSchema, asserts},
	{"maxItems", shapeCount, asserts},
	{"maxLength", shapeCount, asserts},
	{"maxProperties", shapeCount, asserts},
	{"maximum", shapeNumber, asserts},
	{"minItems", shapeCount, asserts},
	{"minLength", shapeCount, asserts},
	{"minProperties", shapeCount, asserts},
	{"minimum", shapeNumber, asserts},
	{"multipleOf", shapePositive, asserts},
	{"oneOf", shapeSchemaList, asserts},
	{"pattern", shapePattern, asserts},
	{"prefixItems", shapeSchemaList, asserts},
	{"properties", shapeSchemaMap, asserts},
	{"propertyNames", shapeSchema, asserts},
	{"readOnly", shapeBoolean, annotates},
	{"required", shapeRequired, asserts},
	{"title", shapeTitle, annotates},
	{"type", shapeType, asserts},
	{"uniqueItems", shapeBoolean, asserts},
	{"writeOnly", shapeBoolean, annotates},
}

// refusedKeyword is a word that JSON Schema, one of its drafts or OpenAPI knows and this profile does not take.
type refusedKeyword struct {
	name    string
	rewrite string
}

// Sorted by name. `$schema` and `$id` are here for subschemas only; at the root they are stripped.
var refused = [...]refusedKeyword{
	{"$anchor", rewriteReference},
	{"$dynamicAnchor", rewriteReference},
	{"$dynamicRef", rewriteReference},
	{"$id", "remove it; an identifier below the root opens another scope for references"},
	{"$recursiveAnchor", rewriteReference},
	{"$recursiveRef", rewriteReference},
	{"$schema", "remove it; the dialect is named at the root only"},
	{"$vocabulary", "remove it; the profile fixes the vocabulary"},
	{"additionalItems", "use `prefixItems` for the first items and `items: false` to close the array"},
	{"contains", rewriteContains},
	{"contentEncoding", rewriteContent},
	{"contentMediaType", rewriteContent},
	{"contentSchema", rewriteContent},
	{"dependencies", rewriteConditional},
	{"dependentRequired", rewriteConditional},
	{"dependentSchemas", rewriteConditional},
	{"discriminator", "remove it; a `const` in each branch says the same"},
	{"divisibleBy", "use `multipleOf`"},
	{"else", rewriteConditional},
	{"example", "use `examples: [...]`"},
	{"externalDocs", "say it in `description`"},
	{"id", "remove it; identifiers do not belong to the contract"},
	{"if", rewriteConditional},
	{"maxContains", rewriteContains},
	{"minContains", rewriteContains},
	{"not", "list the allowed values with `enum`, or give bounds; an empty `not: {}` branch can be deleted"},
	{"nullable", "use a type with null: `type: [T, \"null\"]`"},
	{"patternProperties", "use `additionalProperties` with a schema and `propertyNames: {pattern: ...}`"},
	{"then", rewriteConditional},
	{"unevaluatedItems", rewriteUnevaluated},
	{"unevaluatedProperties", rewriteUnevaluated},
	{"x-mcp-header", "remove it; which header carries what belongs to the deployment's Bindings"},
	{"xml", "remove it; values travel as JSON"},
}

const (
	rewriteReference   = "put the schema under `$defs` and refer to it with `$ref: \"#/$defs/NAME\"`"
	rewriteContains    = "constrain every item with `items`"
	rewriteContent     = "say it in `description`; nothing would enforce it"
	rewriteConditional = "split the tool in two, or use `oneOf` inside one property with a `const` in each branch"
	rewriteUnevaluated = "close the object with `additionalProperties: false`, the array with `items: false`"
	rewriteOptional    = "delete it and leave the name out of `required`"
	rewriteUnknown     = "delete it, or express it with a keyword of the profile; nothing would enforce it"
	rewriteTuple       = "use `prefixItems` for the tuple and `items: false` to close it"
	rewriteExclusive   = "give the bound itself: `\"minimum\": 0, \"exclusiveMinimum\": true` becomes `\"exclusiveMinimum\": 0`"
	rewriteForeign     = "move the schema under `$defs`; one that stands in an annotation must be plain to be referred to"
	rewriteRequired    = "list the names in `required` of the object that has the property"
)

func findKeyword(name string) (keyword, bool) {
	i, ok := slices.BinarySearchFunc(supported[:], name, func(k keyword, name string) int { return strings.Compare(k.name, name) })
	if !ok {
		return keyword{}, false
	}
	return supported[i], true
}

func findRefused(name string) (refusedKeyword, bool) {
	i, ok := slices.BinarySearchFunc(refused[:], name, func(k refusedKeyword, name string) int { return strings.Compare(k.name, name) })
	if !ok {
		return refusedKeyword{}, false
	}
	return refused[i], true
}

// isExtension tells whether a word is one that stripping removes wherever a schema stands.
func isExtension(name string) bool {
	return name == "$comment" || strings.HasPrefix(name, "x-") && name != "x-mcp-header"
}

// isRootOnly tells whether a word is stripped at the root and refused below it.
func isRootOnly(name string) bool { return name == "$schema" || name == "$id" }
