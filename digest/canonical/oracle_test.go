package canonical_test

import (
	"bufio"
	"bytes"
	"errors"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/seif-dev/seifc/digest/canonical"
)

// checkText states the laws of this package about one text, be it JSON or not:
//
//   - what is accepted has the oracle's form;
//   - what the oracle accepts and we refuse is too deep, or holds a number that would have changed its value;
//   - the form is a fixpoint: it is accepted, gives the same value and itself again;
//   - a text is canonical exactly if it is its own form;
//   - what Scan accepts, Parse accepts, and they find the same wrong.
func checkText(t *testing.T, text []byte) {
	t.Helper()
	before := bytes.Clone(text)
	v, err := canonical.Parse(text, canonical.Limits{})
	scanned := canonical.Scan(text, canonical.Limits{}, nil)
	if !bytes.Equal(before, text) {
		t.Fatalf("%q was changed into %q", before, text)
	}
	if (err == nil) != (scanned == nil) || err != nil && failure(t, err) != failure(t, scanned) {
		t.Fatalf("%q: Parse says %v, Scan says %v", text, err, scanned)
	}
	theirs, oracleErr := jcs.Transform(text)
	if err != nil {
		checkRefusal(t, text, failure(t, err), oracleErr)
		return
	}
	form, err := canonical.Marshal(v)
	if err != nil {
		t.Fatalf("%q was read and cannot be written: %v", text, err)
	}
	if oracleErr != nil || !bytes.Equal(form, theirs) {
		t.Fatalf("%q: got %q, the oracle says %q, %v", text, form, theirs, oracleErr)
	}
	own := canonical.IsCanonical(text, canonical.Limits{})
	if (own == nil) != bytes.Equal(form, text) {
		t.Fatalf("%q: IsCanonical says %v, the form is %q", text, own, form)
	}
	if own != nil && failure(t, own).Kind != canonical.NotCanonical {
		t.Fatalf("%q: IsCanonical says %v of a text that is accepted", text, own)
	}
	checkFixpoint(t, v, form)
}

func checkRefusal(t *testing.T, text []byte, failed canonical.Error, oracleErr error) {
	t.Helper()
	if failed.Offset < 0 || failed.Offset > int64(len(text)) {
		t.Fatalf("%q: offset %d", text, failed.Offset)
	}
	if failed.Kind == canonical.DuplicateMember && (failed.First < 0 || failed.First >= failed.Offset) {
		t.Fatalf("%q: the first of two members is at %d, the second at %d", text, failed.First, failed.Offset)
	}
	if oracleErr != nil || failed.Kind == canonical.TooDeep {
		return
	}
	if failed.Kind != canonical.InexactNumber {
		t.Fatalf("%q: got %v, but the oracle accepts it", text, &failed)
	}
	end := failed.Offset
	for end < int64(len(text)) && strings.IndexByte("+-.eE0123456789", text[end]) >= 0 {
		end++
	}
	number := string(text[failed.Offset:end])
	if i := strings.IndexAny(number, "eE"); i >= 0 && len(number)-i > 6 {
		return // too large for exact arithmetic; FuzzNumber knows what is beyond a double
	}
	form, err := jcs.Transform([]byte(number))
	if err != nil {
		return
	}
	written, ok := new(big.Rat).SetString(number)
	kept, ok2 := new(big.Rat).SetString(string(form))
	if !ok || !ok2 || written.Cmp(kept) == 0 {
		t.Fatalf("%q: %s was refused, but its form is %s", text, number, form)
	}
}

func checkFixpoint(t *testing.T, v canonical.Value, form []byte) {
	t.Helper()
	if err := canonical.IsCanonical(form, canonical.Limits{}); err != nil {
		t.Fatalf("the form %q is not canonical: %v", form, err)
	}
	again, err := canonical.Parse(form, canonical.Limits{})
	if err != nil || !canonical.Equal(v, again) {
		t.Fatalf("the form %q gives another value: %v", form, err)
	}
	if second, err := canonical.Marshal(again); err != nil || !bytes.Equal(form, second) {
		t.Fatalf("the form %q becomes %q, %v", form, second, err)
	}
}

// checkForm holds that reading in one pass gives what reading and looking at the form do.
func checkForm(t *testing.T, text []byte) {
	t.Helper()
	got, err := canonical.ParseForm(text, canonical.Limits{})
	want, apart := canonical.Parse(text, canonical.Limits{})
	if apart == nil {
		apart = canonical.IsCanonical(text, canonical.Limits{})
	}
	if (err == nil) != (apart == nil) {
		t.Fatalf("%q: %v in one pass, %v in two", text, err, apart)
	}
	if err == nil && !canonical.Equal(got, want) {
		t.Fatalf("%q: %v in one pass, %v in two", text, got, want)
	}
}

func FuzzParse(f *testing.F) {
	v := readVectors(f)
	for _, vector := range v.Canonical {
		f.Add([]byte(vector.Input))
		f.Add([]byte(vector.Canonical))
	}
	for _, vector := range v.Refused {
		f.Add([]byte(vector.Input))
	}
	f.Add([]byte(`{"a":{"b":1,"c":{}},"a":1}`))
	f.Add([]byte("\"\xf0\x9f\x98"))
	f.Add([]byte(`{"\ud83d\ude00":1,"\uD83D\uDE00":1e5}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		checkText(t, text)
		checkForm(t, text)
	})
}

// Published contracts of real tools have the oracle's form.
func TestPublishedToolsAgainstTheOracle(t *testing.T) {
	file, err := os.Open("../../../shared/corpora/tools-open.jsonl")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("0 published tools were compared: the corpus is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	tools := 0
	for lines.Scan() {
		if tools++; testing.Short() && tools%10 != 0 {
			continue
		}
		checkText(t, lines.Bytes())
	}
	if err := lines.Err(); err != nil || tools < 1000 {
		t.Fatalf("%d published tools were compared, %v", tools, err)
	}
	t.Logf("%d published tools were compared", tools)
}
