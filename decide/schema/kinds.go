package schema

import "strings"

// Kinds is a set of JSON types.
type Kinds uint8

// The seven type names of JSON Schema. Number holds every number; Integer those without a fraction.
const (
	Null Kinds = 1 << iota
	Boolean
	Integer
	Number
	String
	Array
	Object
)

const allKinds = Null | Boolean | Integer | Number | String | Array | Object

var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// kindOf is the kind that a type name stands for; 0 for another word.
func kindOf(name string) Kinds {
	for i, known := range kindNames {
		if name == known {
			return 1 << i
		}
	}
	return 0
}

// Names lists the type names of the set in the order null, boolean, integer, number, string, array, object.
func (k Kinds) Names() []string {
	var out []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// String joins the names with "|".
func (k Kinds) String() string { return strings.Join(k.Names(), "|") }

// Has tells whether all kinds of other are in the set.
func (k Kinds) Has(other Kinds) bool { return k&other == other }

// single tells whether the set says what a value is: one kind, or the two kinds of numbers.
func (k Kinds) single() bool { return k != 0 && (k&(k-1) == 0 || k == Integer|Number) }
