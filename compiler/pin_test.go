package compiler

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/diag"
)

// pinOf is the fingerprint beside a name in a file.
func pinOf(t *testing.T, files map[string]string, file, name string) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(name) + `.*(sha256:[0-9a-f]{64})`).FindStringSubmatch(files[file])
	if found == nil {
		t.Fatalf("%s has no pin at %s:\n%s", file, name, files[file])
	}
	return found[1]
}

// Each way in which a pin can be wrong has a code of its own, and none leaves a tool behind. R71
func TestPinCodes(t *testing.T) {
	for name, test := range map[string]struct {
		change func(t *testing.T, files map[string]string)
		want   diag.Code
	}{
		"an unknown name": {func(t *testing.T, files map[string]string) {
			change(t, files, "seif.yaml", "order.find: sha256", "order.fond: sha256")
			change(t, files, "seif.yaml", "[order.find]", "[order.fond]")
		}, diag.CodeUnknownName},
		"an unknown fingerprint": {func(t *testing.T, files map[string]string) {
			change(t, files, "seif.yaml", pinOf(t, files, "seif.yaml", "order.find"), "sha256:"+strings.Repeat("0", 64))
		}, diag.CodeUnknownFingerprint},
		"a contract that changed": {func(t *testing.T, files map[string]string) {
			change(t, files, "tools/orders.yaml", "Find orders.", "Find any order.")
		}, diag.CodeUnknownFingerprint},
		"a missing pin": {func(t *testing.T, files map[string]string) {
			change(t, files, "seif.yaml", "order.find: "+pinOf(t, files, "seif.yaml", "order.find"), "order.find:")
		}, diag.CodePinMissing},
		"a malformed pin": {func(t *testing.T, files map[string]string) {
			pin := pinOf(t, files, "seif.yaml", "order.find")
			change(t, files, "seif.yaml", pin, pin[:len(pin)-1])
		}, diag.CodePinMalformed},
		"content that is not what is stated": {func(t *testing.T, files map[string]string) {
			change(t, files, "tools/orders.yaml", "    effect: read", "    fingerprint: sha256:"+strings.Repeat("0", 64)+"\n    effect: read")
		}, diag.CodeFingerprintMismatch},
		"a catalogue that is not listed any more": {func(t *testing.T, files map[string]string) {
			change(t, files, "seif.yaml", "catalogues: [tools/*.yaml]\n", "")
		}, diag.CodeCatalogueNotListed},
		"a shared schema": {func(t *testing.T, files map[string]string) {
			change(t, files, "seif.yaml", "order.find: "+pinOf(t, files, "seif.yaml", "order.find"), "query: "+pinOf(t, files, "tools/orders.yaml", "tool_contract:query"))
			change(t, files, "seif.yaml", "[order.find]", "[query]")
		}, diag.CodePinOfSharedSchema},
		"one that is revoked": {func(t *testing.T, files map[string]string) {
			change(t, files, "tools/orders.yaml", "    effect: read", "    status: revoked\n    effect: read")
		}, diag.CodePinOfRevoked},
	} {
		t.Run(name, func(t *testing.T) {
			files := pinned(t)
			test.change(t, files)
			result := compiled(t, treeOf(files))
			if d := cmp.Diff([]diag.Code{test.want}, errorsOf(result.Findings)); d != "" {
				t.Errorf("%s\n%v", d, result.Findings)
			}
			if _, left := result.Definition.Tools["order.find"]; left || result.Plan != nil {
				t.Error("the tool is in the definition, or there is a plan")
			}
		})
	}
}

// A lock that holds another contract than it states is refused, although pin and catalogue agree. R76
func TestLockOfOtherContent(t *testing.T) {
	files := pinned(t)
	change(t, files, "seif.lock", "Find orders.", "Find some order.")
	result := compiled(t, treeOf(files))
	if d := cmp.Diff([]diag.Code{diag.CodeLockMismatch}, errorsOf(result.Findings)); d != "" {
		t.Error(d)
	}
	// Pinning writes it anew, and nothing else.
	if d := cmp.Diff([]string{"seif.lock"}, editNames(pin(t, files, PinOptions{}))); d != "" {
		t.Error(d)
	}
	if found := errorsOf(compiled(t, treeOf(files)).Findings); found != nil {
		t.Error(found)
	}
}

// All missing pins of a file are one edit of it, references are pinned too, the lock comes last, and a second time
// there is nothing to do.
func TestPinFillsWhatIsMissing(t *testing.T) {
	files := project()
	result := pin(t, files, PinOptions{})
	if d := cmp.Diff([]string{"tools/orders.yaml", "seif.yaml", "seif.lock"}, editNames(result)); d != "" || len(result.Pinned) != 2 {
		t.Error(d, result.Pinned)
	}
	for _, moved := range result.Pinned {
		if moved.Old != "" || moved.New != pinOf(t, files, "seif.yaml", moved.Tool) {
			t.Errorf("%+v", moved)
		}
	}
	pinOf(t, files, "tools/orders.yaml", "tool_contract:query")
	for _, options := range []PinOptions{{}, {All: true}, {Only: []string{"order.find"}}, {Only: []string{"query"}}} {
		if again := pin(t, files, options); len(again.Edits) > 0 || len(again.Pinned) > 0 || diag.HasErrors(again.Findings) {
			t.Errorf("%+v: %v %v", options, editNames(again), again.Findings)
		}
	}
}

// A pin that no longer fits moves only when it is named, and nothing is written before.
func TestPinMovesWhatIsNamed(t *testing.T) {
	changed := func(t *testing.T) (files map[string]string, find, note string) {
		files = pinned(t)
		find, note = pinOf(t, files, "seif.yaml", "order.find"), pinOf(t, files, "seif.yaml", "order.note")
		change(t, files, "tools/orders.yaml", "Find orders.", "Find any order.")
		return files, find, note
	}
	for name, test := range map[string]struct {
		options PinOptions
		want    []diag.Code
	}{
		"nothing":      {PinOptions{}, []diag.Code{diag.CodeUnknownFingerprint}},
		"another":      {PinOptions{Only: []string{"order.note"}}, []diag.Code{diag.CodeUnknownFingerprint}},
		"unknown":      {PinOptions{Only: []string{"order.fin"}}, []diag.Code{diag.CodePinUnknownTool, diag.CodeUnknownFingerprint}},
		"the tool":     {PinOptions{Only: []string{"order.find"}}, nil},
		"all together": {PinOptions{All: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			files, find, note := changed(t)
			result := pin(t, files, test.options)
			if d := cmp.Diff(test.want, errorsOf(result.Findings)); d != "" {
				t.Fatal(d)
			}
			if test.want != nil {
				if len(result.Edits) > 0 || len(result.Pinned) > 0 {
					t.Error(editNames(result))
				}
				return
			}
			if d := cmp.Diff([]string{"seif.yaml", "seif.lock"}, editNames(result)); d != "" {
				t.Error(d)
			}
			if len(result.Pinned) != 1 || result.Pinned[0].Old != find || result.Pinned[0].Kept || len(result.Pinned[0].Changes) != 1 || !strings.Contains(result.Pinned[0].Changes[0], "{+any order.+}") {
				t.Errorf("%+v", result.Pinned)
			}
			if pinOf(t, files, "seif.yaml", "order.find") == find || pinOf(t, files, "seif.yaml", "order.note") != note {
				t.Error(files["seif.yaml"])
			}
			if found := errorsOf(compiled(t, treeOf(files)).Findings); found != nil {
				t.Error(found)
			}
		})
	}
}

// A shared schema that changed moves its references, and the tools that have it with it.
func TestPinMovesSharedSchemas(t *testing.T) {
	for _, options := range []PinOptions{{All: true}, {Only: []string{"query"}}, {Only: []string{"order.find"}}} {
		files := pinned(t)
		query, find := pinOf(t, files, "tools/orders.yaml", "tool_contract:query"), pinOf(t, files, "seif.yaml", "order.find")
		change(t, files, "tools/orders.yaml", "{q: {type: string}}", "{q: {type: string, maxLength: 9}}")
		if found := errorsOf(compiled(t, treeOf(files)).Findings); !cmp.Equal(found, []diag.Code{diag.CodeUnknownFingerprint}) {
			t.Errorf("%v", found)
		}
		if result := pin(t, files, options); diag.HasErrors(result.Findings) {
			t.Fatal(result.Findings)
		}
		if pinOf(t, files, "tools/orders.yaml", "tool_contract:query") == query || pinOf(t, files, "seif.yaml", "order.find") == find {
			t.Errorf("%+v moves nothing", options)
		}
		if found := errorsOf(compiled(t, treeOf(files)).Findings); found != nil {
			t.Error(found)
		}
	}
}

// The old contract is kept among the revisions while another pin names it.
func TestPinKeepsWhatIsStillNamed(t *testing.T) {
	files := pinned(t)
	find := pinOf(t, files, "seif.yaml", "order.find")
	change(t, files, "seif.yaml", "  order.note:", "  finder: {$ref: \"tool_contract:order.find\", fingerprint: "+find+"}\n  order.note:")
	change(t, files, "seif.yaml", "      exclude:\n", "      exclude:\n        finder: The other one will do.\n")
	pin(t, files, PinOptions{})
	change(t, files, "tools/orders.yaml", "Find orders.", "Find any order.")
	result := pin(t, files, PinOptions{Only: []string{"finder"}})
	if diag.HasErrors(result.Findings) {
		t.Fatal(result.Findings)
	}
	if len(result.Pinned) != 1 || result.Pinned[0].Tool != "finder" || !result.Pinned[0].Kept {
		t.Fatalf("%+v", result.Pinned)
	}
	if d := cmp.Diff([]string{"seif.yaml", "tools/orders.yaml", "seif.lock"}, editNames(result)); d != "" {
		t.Error(d)
	}
	if pinOf(t, files, "seif.yaml", "order.find") != find || pinOf(t, files, "seif.yaml", "finder") == find {
		t.Error(files["seif.yaml"])
	}
	table, _ := tableOf(t, files)
	if kept := table.contracts["order.find"]; len(kept) != 2 || !kept[1].revision || kept[1].fingerprint.String() != find || kept[1].status != "retired" {
		t.Errorf("%d contracts\n%s", len(kept), files["tools/orders.yaml"])
	}
	if found := compiled(t, treeOf(files)).Findings; diag.HasErrors(found) || !has(found, diag.CodePinOfRetired) {
		t.Error(found)
	}
	if again := pin(t, files, PinOptions{}); len(again.Edits) > 0 {
		t.Error(editNames(again))
	}
}

// Two pins that move away from one old contract, which a third still names, keep it once; a lock that lies about it
// keeps nothing.
func TestPinKeepsOnceAndOnlyWhatIsTrue(t *testing.T) {
	start := func() map[string]string {
		files := pinned(t)
		long := " {$ref: \"tool_contract:order.find\", fingerprint: " + pinOf(t, files, "seif.yaml", "order.find") + "}\n"
		change(t, files, "seif.yaml", "  order.note:", "  one:"+long+"  two:"+long+"  order.note:")
		change(t, files, "seif.yaml", "      exclude:\n", "      exclude:\n        one: The other one will do.\n        two: The other one will do.\n")
		pin(t, files, PinOptions{})
		change(t, files, "tools/orders.yaml", "Find orders.", "Find any order.")
		return files
	}
	files := start()
	if result := pin(t, files, PinOptions{Only: []string{"one", "two"}}); diag.HasErrors(result.Findings) || len(result.Pinned) != 2 {
		t.Fatal(result.Findings, result.Pinned)
	}
	if table, report := tableOf(t, files); len(table.contracts["order.find"]) != 2 || diag.HasErrors(report) {
		t.Errorf("%d contracts\n%s", len(table.contracts["order.find"]), files["tools/orders.yaml"])
	}
	files = start()
	files["seif.lock"] = strings.ReplaceAll(files["seif.lock"], "Find orders.", "Find everything.")
	if result := pin(t, files, PinOptions{Only: []string{"one"}}); !has(result.Findings, diag.CodeUnknownFingerprint) || len(result.Edits) > 0 {
		t.Error(result.Findings, editNames(result))
	}
}

// Nothing is written for a Project with a fault.
func TestPinWritesNothingBesideAFault(t *testing.T) {
	for _, fault := range []string{"    effekt: read", "    effect: undecided"} {
		files := project()
		change(t, files, "tools/orders.yaml", "    effect: read", fault)
		if result := pin(t, files, PinOptions{}); !diag.HasErrors(result.Findings) || len(result.Edits) > 0 || len(result.Pinned) > 0 {
			t.Errorf("%s: %v %v", fault, result.Findings, editNames(result))
		}
	}
}
