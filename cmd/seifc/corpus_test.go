package main

import (
	"context"
	"testing"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
)

// A Build with a corpus is bound to obligations that this version cannot run. Its own tests passing would say more
// than is known, so that it is refused by every command that works with a plan.
func TestBuildWithACorpusIsRefused(t *testing.T) {
	project, err := subject.OpenProject("../../examples/style-guide")
	if err != nil {
		t.Fatal(err)
	}
	defer project.Close()
	result, err := compiler.Compile(context.Background(), project.Tree)
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := result.Seal()
	if err != nil {
		t.Fatal(err)
	}
	bound, problems := bundle.Assemble(plain.DefinitionBytes(), plain.Texts(), plain.Tests(), []byte(`{"obligations":[]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, test := range []struct {
		build *bundle.Build
		sound bool
	}{{plain, true}, {bound, false}} {
		m, err := openBuild(test.build)
		if err != nil {
			t.Fatal(err)
		}
		if m.sound() != test.sound {
			t.Errorf("sound: %v, findings %v", m.sound(), m.findings)
		}
		if !test.sound && (len(m.findings) != 1 || m.findings[0].Code != diag.CodeCorpusUnknown) {
			t.Errorf("findings %v, want corpus_unknown alone", m.findings)
		}
	}
}
