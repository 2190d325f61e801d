package canonical_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/digest/canonical"
)

// cost counts allocations and allocated bytes of one run.
func cost(run func()) (count, size float64) {
	run()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
}

// shapes are documents that grow in n, one for each way in which a reader could be worse than linear.
func shapes(n int) map[string][]byte {
	var members, numbers, escapes bytes.Buffer
	for i := range n {
		fmt.Fprintf(&members, `"member-%08d":0,`, n-i)
		fmt.Fprintf(&numbers, "%d.%de-3,", i, i)
		escapes.WriteString(`"a\u0041\n",`)
	}
	return map[string][]byte{
		"contracts":            contracts(n / 16),
		"one wide object":      []byte("{" + strings.TrimSuffix(members.String(), ",") + "}"),
		"numbers":              []byte("[" + strings.TrimSuffix(numbers.String(), ",") + "]"),
		"escaped strings":      []byte("[" + strings.TrimSuffix(escapes.String(), ",") + "]"),
		"one long string":      []byte(`"` + strings.Repeat(`x\n`, 4*n) + `"`),
		"one long number":      []byte("1" + strings.Repeat("0", 16*n) + fmt.Sprintf("e-%d", 16*n)),
		"empty containers":     []byte("[" + strings.Repeat("{},[],", n) + "0]"),
		"nested to the limit":  []byte("[" + strings.Repeat(strings.Repeat("[", 63)+strings.Repeat("]", 63)+",", n/63) + "0]"),
		"duplicate at the end": []byte("{" + members.String() + fmt.Sprintf(`"member-%08d":0}`, n)),
	}
}

// What a call allocates grows with its input and no faster. Time is not measured here: a machine under load must
// not fail this.
func TestCostIsLinear(t *testing.T) {
	const small = 2000
	short, long := shapes(small), shapes(8*small)
	for name, text := range short {
		t.Run(name, func(t *testing.T) {
			for operation, run := range map[string]func([]byte){
				"parse and write": func(data []byte) {
					if v, err := canonical.Parse(data, canonical.Limits{}); err == nil {
						if _, err := canonical.Marshal(v); err != nil {
							t.Fatal(err)
						}
					}
				},
				"is canonical": func(data []byte) { _ = canonical.IsCanonical(data, canonical.Limits{}) },
				"scan":         func(data []byte) { _ = canonical.Scan(data, canonical.Limits{}, nil) },
			} {
				count, size := cost(func() { run(text) })
				longCount, longSize := cost(func() { run(long[name]) })
				// Tables and slices double, so a step of eight may cost up to twice its share.
				if longCount > 16*count+200 || longSize > 16*size+100_000 {
					t.Errorf("%s: %d bytes of input take %.0f allocations of %.0f bytes, %d take %.0f of %.0f",
						operation, len(text), count, size, len(long[name]), longCount, longSize)
				}
			}
		})
	}
}

// Checking copies nothing of the text: only the names of open objects are kept.
func TestAScanWithoutAVisitorKeepsLittle(t *testing.T) {
	data := []byte("[" + strings.Repeat(`"a text of some length that nobody asked for",12345,`, 10_000) + "null]")
	count, size := cost(func() {
		if err := canonical.Scan(data, canonical.Limits{}, nil); err != nil {
			t.Fatal(err)
		}
	})
	if count > 100 || size > 50_000 {
		t.Errorf("%d bytes take %.0f allocations of %.0f bytes", len(data), count, size)
	}
}

func TestAValueSharesNoMemoryWithItsText(t *testing.T) {
	data := []byte(`{"name":["text","\u0061","` + strings.Repeat("long", 2000) + `",12,1.5]}`)
	v, err := canonical.Parse(data, canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := canonical.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = '#'
	}
	if after, err := canonical.Marshal(v); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the value changed with the text it was read from: %v", err)
	}
}

// Strings of every length, at every distance from each other, are those that the standard library reads.
func TestStringsOfEveryLength(t *testing.T) {
	var want []string
	for size := range 260 {
		want = append(want, strings.Repeat("é", size), strings.Repeat("x", size), strings.Repeat("\n", size%7)+"q")
	}
	for size := 4080; size < 4110; size++ {
		want = append(want, strings.Repeat("y", size), "z", strings.Repeat("w", size-4000))
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	v, err := canonical.Parse(data, canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	items := v.([]any)
	if len(items) != len(want) {
		t.Fatalf("got %d strings, want %d", len(items), len(want))
	}
	for i, item := range items {
		if item != want[i] {
			t.Fatalf("string %d: got %q, want %q", i, item, want[i])
		}
	}
}
