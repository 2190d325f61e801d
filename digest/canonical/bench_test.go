package canonical_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/seif-dev/seifc/digest/canonical"
)

// contracts is a document of n tool contracts in canonical form, about 640 bytes each.
func contracts(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"tools":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"tool.t%06d":{"approval":"operator","call_limit":1,"description":"Plan a review of lesson %d for one student — only within the open course.",`, i, i)
		fmt.Fprintf(&b, `"effect":"write","id":"tool.t%06d","name":"tool_t%06d","schema":{"additionalProperties":false,"properties":{`, i, i)
		b.WriteString(`"day":{"description":"The day, as \"YYYY-MM-DD\".","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$","type":"string"},` +
			`"minutes":{"maximum":240,"minimum":0.5,"type":"number"},"student_id":{"maxLength":40,"type":"string"},` +
			`"tags":{"items":{"enum":["exam","homework","repeat"]},"maxItems":8,"type":"array"}},` +
			`"required":["day","student_id"],"type":"object"},"timeout_ms":10000,"version":"1.2.0"}`)
	}
	b.WriteString("}}")
	return b.Bytes()
}

func BenchmarkContracts(b *testing.B) {
	data := contracts(10_000)
	v, err := canonical.Parse(data, canonical.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	room := make([]byte, 0, len(data))
	var sink any
	for _, bench := range []struct {
		name string
		run  func() error
	}{
		{"Scan", func() error { return canonical.Scan(data, canonical.Limits{}, nil) }},
		{"Visit", func() error {
			return canonical.Scan(data, canonical.Limits{}, func(canonical.Token) error { return nil })
		}},
		{"IsCanonical", func() error { return canonical.IsCanonical(data, canonical.Limits{}) }},
		{"Parse", func() (err error) { sink, err = canonical.Parse(data, canonical.Limits{}); return err }},
		{"Append", func() (err error) { _, err = canonical.Append(room, v); return err }},
		{"SHA256", func() error { sink = sha256.Sum256(data); return nil }},
		{"StandardUnmarshal", func() error { return json.Unmarshal(data, &sink) }},
		{"OracleTransform", func() (err error) { sink, err = jcs.Transform(data); return err }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	_ = sink
}
