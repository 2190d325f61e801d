package trust_test

import (
	"bytes"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
)

// FuzzRead: no policy stops the reader, and what it accepts requires something that can be met.
func FuzzRead(f *testing.F) {
	files, fill := folder(f)
	for _, c := range append(goodForms(), badForms()...) {
		if c.name != "too many keys" {
			f.Add([]byte(fill.Replace(c.text)))
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		p, found := trust.Read("p.yaml", source, files)
		if (p == nil) != diag.HasErrors(found) {
			t.Fatalf("policy %v with %v", p, found)
		}
		if p == nil {
			return
		}
		if len(p.Require()) == 0 || len(p.Channels()) == 0 || p.Project() == "" {
			t.Errorf("accepted: %s", source)
		}
		for _, req := range p.Require() {
			if req.Threshold < 1 {
				t.Errorf("accepted: %s", source)
			}
		}
	})
}

// FuzzVerify: whatever a signature is changed to, it makes nobody's Build verified but by the statement that was
// signed.
func FuzzVerify(f *testing.F) {
	keys := newKeys(f)
	b := readBuild(f, plain)
	good := release(f, keys["ann"], b, "stable", 1)
	original, err := sign.Decode(good)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(release(f, keys["bob"], b, "stable", 1))
	f.Add(passedTests(f, keys["ann"], b))
	f.Add(signed(f, keys["ann"], sign.CosignStatement(b.Digest())))
	p := policy(f, releaseByAnn, keys)
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) == 0 || len(content) > bundle.MaxAttachment {
			return
		}
		r := verify(layout(t, b, content), p)
		if r.Verdict != trust.Verified {
			return
		}
		read, err := sign.Decode(content)
		if err != nil || !bytes.Equal(read.Payload(), original.Payload()) {
			t.Errorf("verified: %s, %v", content, err)
		}
	})
}

// FuzzLayout: no tar that differs from a signed one verifies as another Build.
func FuzzLayout(f *testing.F) {
	keys := newKeys(f)
	b := readBuild(f, plain)
	var tar bytes.Buffer
	if err := bundle.WriteLayoutTar(&tar, layout(f, b, release(f, keys["ann"], b, "stable", 1))); err != nil {
		f.Fatal(err)
	}
	f.Add(tar.Bytes())
	p := policy(f, releaseByAnn, keys)
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := bundle.ReadLayoutTar(t.Context(), bytes.NewReader(file), bundle.ReadOptions{})
		if err != nil {
			return
		}
		if r := verify(l, p); r.Verdict == trust.Verified && r.Build != b.Digest() {
			t.Errorf("verified: %s", r.Build)
		}
	})
}
