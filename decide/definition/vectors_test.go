package definition_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../../conformance/" + name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

type contractVector struct{ Name, ID, Authored, Preimage, Fingerprint string }

type contractVectors struct {
	Schema                     string
	Contracts, Shared, Without []contractVector
}

// authored makes a contract of an authored entry, as conformance/README.md says.
func authored(t testing.TB, id, text string) definition.Contract {
	t.Helper()
	members := value(t, text).(map[string]any)
	textOf := func(name string) string { s, _ := members[name].(string); return s }
	numberOf := func(name string) int {
		n, _ := members[name].(json.Number)
		i, _ := n.Int64()
		return int(i)
	}
	strip := func(name string) canonical.Value {
		v, ok := members[name]
		if !ok {
			return nil
		}
		clean, problems := schema.Strip(v)
		if diag.Failed(problems) {
			t.Fatal(places(problems))
		}
		return clean
	}
	return definition.Contract{
		ID: id, Name: textOf("name"), Version: textOf("version"), Description: textOf("description"),
		Effect: definition.Effect(textOf("effect")), Approval: definition.Approval(textOf("approval")),
		TimeoutMS: numberOf("timeout_ms"), CallLimit: numberOf("call_limit"), Schema: strip("schema"), Result: strip("result"),
	}.Normalized()
}

// R35, R68, R74
func TestVectorsOfContracts(t *testing.T) {
	var v contractVectors
	readVectors(t, "contracts.json", &v)
	if len(v.Contracts) < 22 || len(v.Shared) < 4 || len(v.Without) < 1 {
		t.Fatal("the vector file has lost vectors")
	}
	for _, vector := range v.Contracts {
		t.Run(vector.Name, func(t *testing.T) {
			c := authored(t, vector.ID, vector.Authored)
			preimage, err := canonical.Marshal(c.Value())
			if err != nil {
				t.Fatal(err)
			}
			fingerprint, err := c.Fingerprint()
			if err != nil {
				t.Fatal(err)
			}
			checkPreimage(t, vector, string(preimage), fingerprint)
			read, problems := definition.ContractFromValue(value(t, vector.Preimage))
			if d := cmp.Diff(c, read); d != "" || len(problems) > 0 {
				t.Errorf("reading the preimage: %v %s", places(problems), d)
			}
			if problems := c.Check(); diag.Failed(problems) {
				t.Errorf("the contract is not sound: %v", places(problems))
			}
		})
	}
	for _, vector := range v.Shared {
		t.Run(vector.Name, func(t *testing.T) {
			clean, _ := schema.Strip(value(t, vector.Authored).(map[string]any)["schema"])
			preimage, err := canonical.Marshal(map[string]any{"id": vector.ID, "schema": clean})
			if err != nil {
				t.Fatal(err)
			}
			fingerprint, err := definition.SharedFingerprint(vector.ID, clean)
			if err != nil {
				t.Fatal(err)
			}
			checkPreimage(t, vector, string(preimage), fingerprint)
		})
	}
	for _, vector := range v.Without {
		if f, err := authored(t, vector.ID, vector.Authored).Fingerprint(); err != definition.ErrUndecided || !f.IsZero() {
			t.Errorf("%s: got %v, %v", vector.Name, f, err)
		}
	}
}

func checkPreimage(t *testing.T, vector contractVector, preimage string, fingerprint digest.Fingerprint) {
	t.Helper()
	if d := cmp.Diff(vector.Preimage, preimage); d != "" {
		t.Errorf("preimage (-want +got):\n%s", d)
	}
	if fingerprint.String() != vector.Fingerprint {
		t.Errorf("got %s, want %s", fingerprint, vector.Fingerprint)
	}
	if theirs, err := jcs.Transform([]byte(vector.Preimage)); err != nil || string(theirs) != vector.Preimage {
		t.Errorf("the oracle writes the preimage as %s, %v", theirs, err)
	}
}

type definitionVectors struct {
	Schema      string
	Definitions []struct{ Name, Definition, Digest string }
	Refused     []struct {
		Name, Definition string
		Problems         []struct{ Code, Pointer string }
	}
}

// R64, R65, R69, R75
func TestVectorsOfDefinitions(t *testing.T) {
	var v definitionVectors
	readVectors(t, "definitions.json", &v)
	if len(v.Definitions) < 5 || len(v.Refused) < 59 {
		t.Fatal("the vector file has lost vectors")
	}
	for _, vector := range v.Definitions {
		t.Run(vector.Name, func(t *testing.T) {
			def := mustDecode(t, []byte(vector.Definition))
			again, err := def.Encode()
			if err != nil || string(again) != vector.Definition {
				t.Errorf("encoded again: %s, %v", again, err)
			}
			if got := digest.Of(again).String(); got != vector.Digest {
				t.Errorf("got %s, want %s", got, vector.Digest)
			}
			if problems := def.Check(); diag.Failed(problems) {
				t.Errorf("the definition is not sound: %v", places(problems))
			}
		})
	}
	for _, vector := range v.Refused {
		t.Run(vector.Name, func(t *testing.T) {
			def, problems := definition.Decode([]byte(vector.Definition))
			var want []string
			for _, p := range vector.Problems {
				want = append(want, p.Code+" "+p.Pointer)
			}
			if d := cmp.Diff(want, places(problems)); d != "" || def != nil {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, p := range problems {
				codeRow(t, p)
			}
		})
	}
}

// The digests of definitions without tools never change, whatever is added to the format.
func TestGoldenDigestsOfVersion1(t *testing.T) {
	pinned := map[string]string{
		"minimal.json": "sha256:1baa8fbaa0600fc7bc47b776ecc11744f93c54e4a9add62f125f9e34123f4c53",
		"texts.json":   "sha256:6703f4ffae0c28e6244f8a79d86799a1b60b7c57d078e763256d2753c5ed5a43",
		"inputs.json":  "sha256:20d8a058c6e01b0747e7139dee9fae95fb7a430115d979dfc22c84c58e101ee6",
	}
	files, err := filepath.Glob("testdata/v1/*.json")
	if err != nil || len(files) != len(pinned) {
		t.Fatalf("%d files, %d pinned digests, %v", len(files), len(pinned), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := mustDecode(t, data).Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got := digest.Of(again).String(); got != pinned[filepath.Base(file)] || !bytes.Equal(again, data) {
			t.Errorf("%s: got %s, want %s", file, got, pinned[filepath.Base(file)])
		}
	}
}
