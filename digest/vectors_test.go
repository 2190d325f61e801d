package digest_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// argumentVectors is the part of conformance/canonical.json about the fingerprints of arguments.
type argumentVectors struct {
	KeyHex string `json:"key_hex"`
	Domain string
	Tool   digest.Fingerprint
	Groups []struct {
		Name        string
		Inputs      []string
		Canonical   string
		Fingerprint digest.Keyed
	}
}

func readArgumentVectors(t *testing.T) argumentVectors {
	t.Helper()
	data, err := os.ReadFile("../conformance/canonical.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Arguments argumentVectors }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Arguments.Groups) < 15 {
		t.Fatalf("the vector file has lost groups: %d", len(file.Arguments.Groups))
	}
	return file.Arguments
}

// R35: arguments keep their fingerprint exactly if their canonical form is equal.
func TestVectorsOfArgumentFingerprints(t *testing.T) {
	vectors := readArgumentVectors(t)
	if vectors.Domain != digest.ArgumentDomain {
		t.Errorf("got domain %s, want %s", digest.ArgumentDomain, vectors.Domain)
	}
	key, err := hex.DecodeString(vectors.KeyHex)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[digest.Keyed]string{}
	for _, group := range vectors.Groups {
		if other, twice := seen[group.Fingerprint]; twice {
			t.Errorf("%s and %s have one fingerprint", group.Name, other)
		}
		seen[group.Fingerprint] = group.Name
		for _, input := range group.Inputs {
			v, err := canonical.Parse([]byte(input), canonical.Limits{})
			if err != nil {
				t.Fatalf("%s: %s: %v", group.Name, input, err)
			}
			form, err := canonical.Marshal(v)
			if err != nil || string(form) != group.Canonical {
				t.Errorf("%s: %s: got %s, %v, want %s", group.Name, input, form, err, group.Canonical)
			}
			got, err := digest.ArgumentFingerprint(key, vectors.Tool, v)
			if err != nil || got != group.Fingerprint {
				t.Errorf("%s: %s: got %s, %v, want %s", group.Name, input, got, err, group.Fingerprint)
			}
		}
	}
}
