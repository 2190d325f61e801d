package definition_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

func encode(t testing.TB, def *definition.Definition) []byte {
	t.Helper()
	data, err := def.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	def := estuda(t)
	data := encode(t, def)
	got := mustDecode(t, data)
	if d := cmp.Diff(def, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(definition.Definition{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !bytes.Equal(data, encode(t, got)) {
		t.Error("another encoding")
	}
	if err := canonical.IsCanonical(data, canonical.Limits{}); err != nil {
		t.Error(err)
	}
}

// An empty map and a nil one mean the same; allowances are a set.
func TestEncodeHasOneFormOfOneMeaning(t *testing.T) {
	one, other := estuda(t), estuda(t)
	guest := other.Profiles["guest"]
	guest.Include, guest.Objectives, guest.Requires = map[string]definition.Inclusion{}, []string{}, []string{}
	other.Profiles["guest"] = guest
	list := []definition.AllowedCharacters{{Characters: "U+200B", Reason: "b"}, {Characters: "U+200B", Reason: "a"}, {Characters: "U+00AD", Reason: "c"}}
	flags := one.Sources["flags"]
	flags.AllowCharacters = list
	one.Sources["flags"] = flags
	flags.AllowCharacters = []definition.AllowedCharacters{list[2], list[1], list[0]}
	other.Sources["flags"] = flags
	if d := cmp.Diff(string(encode(t, one)), string(encode(t, other))); d != "" {
		t.Error(d)
	}
	mustDecode(t, encode(t, one))
}

// R77: every byte of a definition is in its digest, and changing one never gives the same meaning. A changed byte is
// refused, or gives a definition that encodes to the changed bytes.
func TestEveryByteCounts(t *testing.T) {
	data := encode(t, estuda(t))
	random := rand.New(rand.NewPCG(7, 11))
	accepted := 0
	for at := range data {
		changed := bytes.Clone(data)
		changed[at] = byte(random.IntN(256))
		if changed[at] == data[at] {
			changed[at] ^= 1
		}
		def, problems := definition.Decode(changed)
		if def == nil != (len(problems) > 0) {
			t.Fatalf("byte %d: a definition beside problems", at)
		}
		if def != nil {
			accepted++
			if !bytes.Equal(encode(t, def), changed) {
				t.Fatalf("byte %d: %s was accepted and means something else", at, changed)
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was accepted, so nothing was tried")
	}
}

func TestDecodeBoundsWhatItReports(t *testing.T) {
	objectives := map[string]any{}
	for i := range 1000 {
		objectives[strings.Repeat("a", i+1)] = ""
	}
	v := estuda(t).Value().(map[string]any)
	v["objectives"] = objectives
	data, err := canonical.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	_, problems := definition.Decode(data)
	if len(problems) == 0 || len(problems) > 100 {
		t.Errorf("%d problems", len(problems))
	}
}

// R66
func TestDecodeRefusesWhatIsTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes memory")
	}
	data := append([]byte(`"`), bytes.Repeat([]byte("a"), definition.MaxBytes)...)
	def, problems := definition.Decode(append(data, '"'))
	if d := cmp.Diff([]string{"definition_unreadable "}, places(problems)); d != "" || def != nil {
		t.Error(d)
	}
}

func TestProblemsOfDecodeAreSorted(t *testing.T) {
	_, problems := definition.Decode([]byte(`{"estimator":1,"profiles":[],"project":2,"runtime":"seif.context-runtime.v1","schema":"seif.definition.v1","tests":3}`))
	got := places(problems)
	if len(got) != 4 || !slices.IsSorted(problemPointers(problems)) {
		t.Errorf("got %v", got)
	}
}

func problemPointers(problems []diag.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Target.Pointer)
	}
	return out
}

func TestTheRecordedSchemaProfileIsTheOneThatIsKnown(t *testing.T) {
	if definition.ToolSchemaProfile != schema.Profile {
		t.Errorf("%s is recorded, %s is known", definition.ToolSchemaProfile, schema.Profile)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, estuda(f)))
	files, _ := filepath.Glob("testdata/v1/*.json")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	var v definitionVectors
	readVectors(f, "definitions.json", &v)
	for _, vector := range v.Refused {
		f.Add([]byte(vector.Definition))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		def, problems := definition.Decode(data)
		if def == nil {
			if len(problems) == 0 {
				t.Fatal("no definition and no problem")
			}
			return
		}
		if len(problems) > 0 {
			t.Fatal("a definition beside problems")
		}
		if !bytes.Equal(data, encode(t, def)) {
			t.Fatal("the encoding is another")
		}
		first, second := def.Check(), def.Check()
		if d := cmp.Diff(first, second); d != "" {
			t.Fatal("two checks differ: " + d)
		}
	})
}
