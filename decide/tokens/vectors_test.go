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

// long tells whether a short run leaves the vector out: each of the ten megabytes takes seconds under the race
// detector.
func (v vector) long() bool { return testing.Short() && len(v.Repeat)*v.Times > 100_000 }

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
		if v.long() {
			continue
		}
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

// frozen is what TestNumbersAreFrozen compares: all of it, or the sample of a short run, which has digests of its own.
type frozen struct {
	// every is the step through the code points and through the triples.
	every                        int
	vectors, codePoints, triples string
}

var (
	frozenWhole = frozen{
		every:      1,
		vectors:    "501f40bdb1352c427c975da46501b76678edc82bd6676ddf893cc7d25fee3905",
		codePoints: "f0654d2da84d97deef5c1ef2089faf3a1ba50ae889e32ad0260e9708b4e1e1e6",
		triples:    "ce7f8c92054fbd8f9b438178c562e0091210bc2969243307842c5b3ca18e371c",
	}
	// The step is prime, so that the sample meets every character at every position.
	frozenSample = frozen{
		every:      37,
		vectors:    "2e9bb5d6177949f43d0569b739d8da08003661c2bf45c11f4b51d226ed0c17f8",
		codePoints: "5c5b42997ad94aef2083293f960c9891aa480745404bb179064e91cd4f43af40",
		triples:    "f8f11a9a56e632858f3afb9610781c883e75e35762d5cd9191795aa11fb380f3",
	}
)

// The numbers of seif-est/1 never change. These digests cover every vector, every code point, and every pair and
// triple of ASCII characters, and with them every table. A change that moves one of them is seif-est/2: give it that
// name and keep this estimator for the definitions that name it.
func TestNumbersAreFrozen(t *testing.T) {
	if tokens.Estimator != "seif-est/1" || tokens.PerSegment != 8 || tokens.PerTool != 16 || tokens.MaxPerCodePoint != 4 {
		t.Error("the constants are not those of seif-est/1")
	}
	want := frozenWhole
	if testing.Short() {
		want = frozenSample
	}
	vectors := sha256.New()
	for _, v := range readVectors(t) {
		if !v.long() {
			fmt.Fprintf(vectors, "%s\n%d\n", v.Name, tokens.Count(v.value(t)))
		}
	}
	points := sha256.New()
	for r := 0; r <= 0x10FFFF; r += want.every {
		c := string(rune(r))
		points.Write([]byte{byte(tokens.Count(c + " " + c + c)), byte(tokens.Count("word" + c + "word"))})
	}
	triples := sha256.New()
	text := make([]byte, 24)
	for i := 0; i < 1<<21; i += want.every {
		for at := range text {
			text[at] = byte(i>>(7*(at%3))) & 0x7F
		}
		triples.Write([]byte{byte(tokens.Count(string(text)))})
	}
	got := frozen{want.every, hex.EncodeToString(vectors.Sum(nil)), hex.EncodeToString(points.Sum(nil)), hex.EncodeToString(triples.Sum(nil))}
	if got != want {
		t.Errorf("the digests are\n%+v, frozen are\n%+v", got, want)
	}
}
