package bindings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/digest/canonical"
)

// What the Bindings say of a Build has to be so, at the place where they say it.
func TestAgainst(t *testing.T) {
	inputs, err := canonical.Parse([]byte(`{"type":"object","required":["question"],"properties":{
		"question":{"type":"string","maxLength":50},"tenant":{"type":"string","maxLength":5},"plan":{"$ref":"#/$defs/plan"}},
		"$defs":{"plan":{"enum":["free","paid"]}}}`), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	def := &definition.Definition{Profiles: map[string]definition.Profile{"customer": {}}, Inputs: inputs}
	tests := []struct {
		name, inside string
		def          *definition.Definition
		want         []string
	}{
		{"nothing fixed", "profiles: [customer]", def, nil},
		{"some inputs", "profiles: [customer], inputs: {tenant: acme, plan: free}", def, nil},
		{"unknown profile", "profiles: [customer, custmer]", def, []string{"bindings_unknown_profile /credentials/web/profiles/1 nearest=customer"}},
		{"unknown input", "profiles: [customer], inputs: {tenent: acme}", def, []string{"bindings_unknown_input /credentials/web/inputs/tenent nearest=tenant"}},
		{"value that does not fit", "profiles: [customer], inputs: {tenant: acme-and-sons}", def, []string{"bindings_input_invalid /credentials/web/inputs/tenant nearest="}},
		{"value that its definition refuses", "profiles: [customer], inputs: {plan: golden}", def, []string{"bindings_input_invalid /credentials/web/inputs/plan nearest="}},
		{
			"a Build without inputs", "profiles: [customer], inputs: {tenant: acme}", &definition.Definition{Profiles: def.Profiles},
			[]string{"bindings_unknown_input /credentials/web/inputs/tenant nearest="},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, _, found := decode(t, strings.Replace(with(""), "profiles: [customer]", test.inside, 1))
			if len(found) > 0 {
				t.Fatal(found)
			}
			var got []string
			for _, p := range b.Against(test.def) {
				got = append(got, string(p.Code)+" "+p.Target.Pointer+" nearest="+p.Data["nearest"])
				for _, value := range p.Data {
					if strings.Contains(value, "sons") || strings.Contains(value, "golden") {
						t.Errorf("the finding holds the input: %v", p)
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
