package canonical_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestCut(t *testing.T) {
	form := `{"a":"x","b\"":[1,{"c":"}\\"}],"d":{"e":-1.5e-7,"f":null},"g":true}`
	if err := canonical.IsCanonical([]byte(form), canonical.Limits{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	c := canonical.Cut([]byte(form))
	ok := c.Members(func(name []byte) bool {
		if string(name) == "d" {
			return c.Members(func(name []byte) bool {
				got = append(got, "d."+string(name)+"="+string(c.Value()))
				return true
			})
		}
		got = append(got, string(name)+"="+string(c.Value()))
		return true
	})
	want := []string{`a="x"`, `b\"=[1,{"c":"}\\"}]`, "d.e=-1.5e-7", "d.f=null", "g=true"}
	if diff := cmp.Diff(want, got); diff != "" || !ok || !c.Done() {
		t.Error(ok, c.Done(), diff)
	}
}

func TestCutText(t *testing.T) {
	for text, want := range map[string]bool{`"a"`: true, `""`: true, `"\n"`: false, `"a\"b"`: false, `1`: false, ``: false, `"`: false} {
		c := canonical.Cut([]byte(text))
		if got, ok := c.Text(); ok != want || ok && `"`+got+`"` != text {
			t.Errorf("%s: %q %t", text, got, ok)
		}
	}
}

// FuzzCut: of any text in canonical form the members are cut out that parsing gives, and any other text ends.
func FuzzCut(f *testing.F) {
	for _, seed := range []string{`{"a":"x","b\"":[1,{"c":"}\\"}],"d":{"e":-1.5e-7}}`, `{}`, `[]`, `"`, `{"a":`, `{"a":1`, "null", `{"a":"\\\""}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		members := map[string]string{}
		c := canonical.Cut(text)
		whole := c.Members(func(name []byte) bool {
			value := c.Value()
			members[string(name)] = string(value)
			return value != nil
		})
		value, err := canonical.ParseForm(text, canonical.Limits{})
		object, isObject := value.(map[string]any)
		if err != nil || !isObject {
			return
		}
		if !whole || !c.Done() || len(members) != len(object) {
			t.Fatalf("%s: cut %t into %v", text, whole, members)
		}
		for name, member := range object {
			key, _ := canonical.Marshal(name)
			form, _ := canonical.Marshal(member)
			if got, ok := members[string(key[1:len(key)-1])]; !ok || got != string(form) || !json.Valid([]byte(got)) {
				t.Fatalf("%s: %s is %q, not %q", text, name, got, form)
			}
		}
	})
}
