package schema_test

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/seif-dev/seifc/decide/schema"
)

// A tool that nobody calls costs no more than its text: patterns are made at their first use, once.
func TestPatternsAreMadeWhenUsed(t *testing.T) {
	properties := map[string]any{}
	for i := range 30 {
		properties["p"+strconv.Itoa(i)] = map[string]any{"type": "string", "pattern": `^\p{L}{990}$`}
	}
	authored := map[string]any{"type": "object", "properties": properties}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	compiled, problems := schema.Compile(authored, schema.Arguments)
	runtime.ReadMemStats(&after)
	if compiled == nil {
		t.Fatal(problems)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 2<<20 {
		t.Errorf("checking took %d bytes", spent)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			fits := map[string]any{"p7": strings.Repeat("é", 990)}
			if found := compiled.Validate(fits); found != nil {
				t.Error(found)
			}
			if found := compiled.Validate(map[string]any{"p7": "é"}); len(found) != 1 || found[0].Keyword != "pattern" {
				t.Error(found)
			}
		})
	}
	group.Wait()
}
