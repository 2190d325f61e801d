package expr

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/digest/canonical"
)

// toCEL gives a value the form in which CEL sees it. The schema decides between int and double; a nil schema, or
// one of several types, lets the number itself decide. Objects are turned member by member, when they are read.
func toCEL(v canonical.Value, t *schema.Type) ref.Val {
	switch v := v.(type) {
	case nil:
		return types.NullValue
	case bool:
		return types.Bool(v)
	case string:
		return types.String(v)
	case json.Number:
		return number(string(v), t)
	case []any:
		elements := make([]ref.Val, len(v))
		for i, element := range v {
			elements[i] = toCEL(element, items(t))
		}
		return types.NewRefValList(types.DefaultTypeAdapter, elements)
	case map[string]any:
		return &members{value: v, of: t}
	}
	return types.NewErr("not a JSON value")
}

// number reads a JSON number. An integer that does not fit 64 bits becomes the double of the same value.
func number(spelled string, t *schema.Type) ref.Val {
	whole := t == nil || kindOf(t) != double
	if whole && !strings.ContainsAny(spelled, ".eE") {
		if n, err := strconv.ParseInt(spelled, 10, 64); err == nil {
			return types.Int(n)
		}
	}
	f, err := strconv.ParseFloat(spelled, 64)
	if err != nil {
		return types.NewErr("not a number")
	}
	if whole && f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return types.Int(int64(f))
	}
	return types.Double(f)
}

// members is an object as CEL reads it: a map from strings that makes each value when it is asked for.
type members struct {
	value map[string]any
	of    *schema.Type
}

var _ traits.Mapper = (*members)(nil)

// Find gives the member of a name.
func (m *members) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v, ok := m.value[string(name)]
	if !ok {
		return nil, false
	}
	var of *schema.Type
	if m.of != nil {
		of, _, _ = field(m.of, string(name))
	}
	return toCEL(v, of), true
}

// Get gives the member of a name, or an error value.
func (m *members) Get(key ref.Val) ref.Val {
	if v, ok := m.Find(key); ok {
		return v
	}
	return types.NewErr("no such key")
}

// Contains tells whether there is a member of a name.
func (m *members) Contains(key ref.Val) ref.Val {
	_, ok := m.Find(key)
	return types.Bool(ok)
}

// Size is the number of members.
func (m *members) Size() ref.Val { return types.Int(len(m.value)) }

// Iterator is refused: the dialect never looks at members in an order.
func (m *members) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, nil).Iterator()
}

// Equal compares with another object, member by member.
func (m *members) Equal(other ref.Val) ref.Val {
	o, ok := other.(*members)
	if !ok || len(o.value) != len(m.value) {
		return types.False
	}
	for name := range m.value {
		theirs, ok := o.Find(types.String(name))
		if !ok {
			return types.False
		}
		if ours, _ := m.Find(types.String(name)); types.Equal(ours, theirs) != types.True {
			return types.False
		}
	}
	return types.True
}

// Type is CEL's map type.
func (m *members) Type() ref.Type { return types.MapType }

// Value is the object itself.
func (m *members) Value() any { return m.value }

// ConvertToNative is refused: nothing outside of CEL takes these values.
func (m *members) ConvertToNative(reflect.Type) (any, error) { return nil, errConversion }

// ConvertToType is refused: the dialect has no conversions.
func (m *members) ConvertToType(ref.Type) ref.Val { return types.NewErr("no conversion") }
