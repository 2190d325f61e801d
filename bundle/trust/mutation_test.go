package trust_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/trust"
)

// No byte of a signed `.seif` can be flipped so that it still verifies, but for those that `bundle` says are no part of
// a Build. Up to wholeFile bytes each is flipped in turn, above that a sample that has no common divisor with a block.
func TestNoFlippedByteVerifies(t *testing.T) {
	const wholeFile = 32 << 10
	keys := newKeys(t)
	b := readBuild(t, withCorpus)
	p := policy(t, twoOfThree, keys)
	l := layout(t, b, release(t, keys["ann"], b, "stable", 1), release(t, keys["bob"], b, "stable", 1), passedTests(t, keys["pipeline"], b))
	var tar bytes.Buffer
	if err := bundle.WriteLayoutTar(&tar, l); err != nil {
		t.Fatal(err)
	}
	good := tar.Bytes()
	if verdictOf(t, good, p) != trust.Verified {
		t.Fatal("the file that is to be changed does not verify")
	}
	step := 1
	if len(good) > wholeFile {
		step = 7
	}
	if testing.Short() {
		step = 61
	}
	flipped := 0
	for at := 0; at < len(good); at += step {
		bad := bytes.Clone(good)
		bad[at] ^= 1 << (at / step % 8)
		flipped++
		if verdictOf(t, bad, p) == trust.Verified && !noPart(good, at) {
			t.Errorf("byte %d of %d (%q) can be changed", at, len(good), good[max(0, at-20):min(len(good), at+20)])
		}
	}
	t.Logf("%d of %d bytes", flipped, len(good))
}

// noPart tells the bytes of index.json that are in no digest and decide nothing: the tag, which tools rewrite, and the
// artifact type of what is attached, which they get wrong or leave out. What an attachment is, its manifest says.
func noPart(file []byte, at int) bool {
	begin := strings.Index(string(file), "index.json\x00")
	if begin < 0 || at < begin {
		return false
	}
	for _, free := range []string{
		`"org.opencontainers.image.ref.name":"build"`, `"artifactType":"` + bundle.SigstoreBundleMediaType + `"`,
	} {
		for from := begin; ; {
			next := strings.Index(string(file[from:]), free)
			if next < 0 {
				break
			}
			if at >= from+next && at < from+next+len(free) {
				return true
			}
			from += next + len(free)
		}
	}
	return false
}

func verdictOf(t *testing.T, file []byte, p *trust.Policy) trust.Verdict {
	t.Helper()
	l, err := bundle.ReadLayoutTar(t.Context(), bytes.NewReader(file), bundle.ReadOptions{})
	if err != nil {
		return trust.NotVerified
	}
	return verify(l, p).Verdict
}
