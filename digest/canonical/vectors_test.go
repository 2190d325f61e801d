package canonical_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/seif-dev/seifc/digest/canonical"
)

// vectors is conformance/canonical.json, which is written for other implementers; see conformance/README.md.
type vectors struct {
	Schema    string
	Canonical []struct{ Name, Input, Canonical, SHA256 string }
	Numbers   []struct{ IEEE754, Text string }
	Refused   []struct {
		Name, Input string
		InputHex    string `json:"input_hex"`
		Kind        canonical.Kind
	}
	Arguments json.RawMessage // for package digest
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile("../../conformance/canonical.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if len(v.Canonical) < 20 || len(v.Numbers) < 26 || len(v.Refused) < 50 {
		t.Fatalf("the vector file has lost vectors: %d, %d, %d", len(v.Canonical), len(v.Numbers), len(v.Refused))
	}
	return v
}

// R35, R74
func TestVectorsOfTheCanonicalForm(t *testing.T) {
	for _, vector := range readVectors(t).Canonical {
		t.Run(vector.Name, func(t *testing.T) {
			v, err := canonical.Parse([]byte(vector.Input), canonical.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := canonical.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != vector.Canonical {
				t.Errorf("got  %s\nwant %s", got, vector.Canonical)
			}
			sum := sha256.Sum256(got)
			if text := "sha256:" + hex.EncodeToString(sum[:]); text != vector.SHA256 {
				t.Errorf("got %s, want %s", text, vector.SHA256)
			}
			if err := canonical.IsCanonical([]byte(vector.Canonical), canonical.Limits{}); err != nil {
				t.Errorf("the canonical form is not canonical: %v", err)
			}
			isItsOwn := vector.Input == vector.Canonical
			if err := canonical.IsCanonical([]byte(vector.Input), canonical.Limits{}); (err == nil) != isItsOwn {
				t.Errorf("the input: got %v, want canonical: %t", err, isItsOwn)
			}
			if theirs, err := jcs.Transform([]byte(vector.Input)); err != nil || string(theirs) != vector.Canonical {
				t.Errorf("the oracle says %s, %v", theirs, err)
			}
		})
	}
}

func TestVectorsOfRefusedTexts(t *testing.T) {
	for _, vector := range readVectors(t).Refused {
		t.Run(vector.Name, func(t *testing.T) {
			input := []byte(vector.Input)
			if vector.InputHex != "" {
				var err error
				if input, err = hex.DecodeString(vector.InputHex); err != nil {
					t.Fatal(err)
				}
			}
			_, err := canonical.Parse(input, canonical.Limits{})
			if got := failure(t, err); got.Kind != vector.Kind {
				t.Errorf("got %s (%v), want %s", got.Kind, err, vector.Kind)
			}
			if err := canonical.Scan(input, canonical.Limits{}, nil); failure(t, err).Kind != vector.Kind {
				t.Errorf("Scan says %v, want %s", err, vector.Kind)
			}
		})
	}
}

// RFC 8785 appendix B, as far as its numbers are finite.
func TestVectorsOfNumbers(t *testing.T) {
	for _, vector := range readVectors(t).Numbers {
		t.Run(vector.IEEE754+" "+vector.Text, func(t *testing.T) {
			bits, err := strconv.ParseUint(vector.IEEE754, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			value := math.Float64frombits(bits)
			if back, err := strconv.ParseFloat(vector.Text, 64); err != nil || back != value {
				t.Fatalf("the text is %v, %v, the bits are %v", back, err, value)
			}
			for _, spelling := range []string{vector.Text, strconv.FormatFloat(value, 'e', -1, 64), strconv.FormatFloat(value, 'f', -1, 64)} {
				if got, err := canonical.Number(spelling); err != nil || string(got) != vector.Text {
					t.Errorf("%s: got %s, %v, want %s", spelling, got, err, vector.Text)
				}
			}
			if theirs, err := jcs.NumberToJSON(value); err != nil || theirs != vector.Text {
				t.Errorf("the oracle says %s, %v", theirs, err)
			}
		})
	}
}
