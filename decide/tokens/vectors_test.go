package tokens_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/decide/tokens"
)

type vector struct {
	Name     string  `json:"name"`
	Text     *string `json:"text"`
	TextHex  string  `json:"text_hex"`
	Repeat   string  `json:"repeat"`
	Times    int     `json:"times"`
	Estimate int     `json:"estimate"`
	O200k    *int    `json:"o200k"`
}

func (v vector) value(t *testing.T) string {
	t.Helper()
	switch {
	case v.Text != nil:
		return *v.Text
	case v.TextHex != "":
		raw, err := hex.DecodeString(v.TextHex)
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		return string(raw)
	}
	return strings.Repeat(v.Repeat, v.Times)
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	raw, err := os.ReadFile("../../conformance/tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Schema    string   `json:"schema"`
		Estimator string   `json:"estimator"`
		Vectors   []vector `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if file.Schema != "seif.conformance.tokens.v1" || file.Estimator != tokens.Estimator {
		t.Fatalf("the vectors are %s of %s", file.Schema, file.Estimator)
	}
	return file.Vectors
}

func TestVectorsAreExact(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) < 240 {
		t.Errorf("%d vectors, want at least 240", len(vectors))
	}
	names := map[string]bool{}
	for _, v := range vectors {
		if names[v.Name] {
			t.Errorf("two vectors are called %q", v.Name)
		}
		names[v.Name] = true
		if got := tokens.Count(v.value(t)); got != v.Estimate {
			t.Errorf("%s: Count is %d, want %d", v.Name, got, v.Estimate)
		}
	}
}

// No vector is more than 5 % below what the o200k vocabulary makes of it.
func TestVectorsAreNotLow(t *testing.T) {
	estimate, counted := 0, 0
	for _, v := range readVectors(t) {
		if v.O200k == nil {
			continue
		}
		estimate += v.Estimate
		counted += *v.O200k
		if v.Estimate*100 < *v.O200k*95 {
			t.Errorf("%s: estimate %d, o200k %d", v.Name, v.Estimate, *v.O200k)
		}
	}
	t.Logf("all vectors: estimate %d, o200k %d, %+.1f %%", estimate, counted, bias(estimate, counted))
	if estimate < counted || estimate*10 > counted*16 {
		t.Errorf("the vectors together are %+.1f %% off", bias(estimate, counted))
	}
}

func bias(estimate, counted int) float64 { return 100 * (float64(estimate)/float64(counted) - 1) }

// The numbers of seif-est/1 never change. These digests cover every vector, every code point, and every pair and
// triple of ASCII characters, and with them every table. A change that moves one of them is seif-est/2: give it that
// name and keep this estimator for the definitions that name it.
func TestNumbersAreFrozen(t *testing.T) {
	if tokens.Estimator != "seif-est/1" || tokens.PerSegment != 8 || tokens.PerTool != 16 || tokens.MaxPerCodePoint != 4 {
		t.Error("the constants are not those of seif-est/1")
	}
	vectors := sha256.New()
	for _, v := range readVectors(t) {
		fmt.Fprintf(vectors, "%s\n%d\n", v.Name, tokens.Count(v.value(t)))
	}
	points := sha256.New()
	for r := rune(0); r <= 0x10FFFF; r++ {
		c := string(r)
		points.Write([]byte{byte(tokens.Count(c + " " + c + c)), byte(tokens.Count("word" + c + "word"))})
	}
	triples := sha256.New()
	text := make([]byte, 24)
	for i := range 1 << 21 {
		for at := range text {
			text[at] = byte(i>>(7*(at%3))) & 0x7F
		}
		triples.Write([]byte{byte(tokens.Count(string(text)))})
	}
	for _, frozen := range []struct{ what, want, got string }{
		{"vectors", "501f40bdb1352c427c975da46501b76678edc82bd6676ddf893cc7d25fee3905", hex.EncodeToString(vectors.Sum(nil))},
		{"code points", "f0654d2da84d97deef5c1ef2089faf3a1ba50ae889e32ad0260e9708b4e1e1e6", hex.EncodeToString(points.Sum(nil))},
		{"ASCII triples", "ce7f8c92054fbd8f9b438178c562e0091210bc2969243307842c5b3ca18e371c", hex.EncodeToString(triples.Sum(nil))},
	} {
		if frozen.got != frozen.want {
			t.Errorf("%s: digest %s, frozen is %s", frozen.what, frozen.got, frozen.want)
		}
	}
}
