package bench

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
)

// BenchmarkVerify does all that `seifc verify --key` does but for the reading of the file and the key.
func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			build, findings, err := compile(b, pinned(b, Proportional(n))).Seal()
			if err != nil {
				b.Fatal(err)
			}
			refuse(b, findings)
			key, err := sign.GenerateKey()
			if err != nil {
				b.Fatal(err)
			}
			signed, err := sign.Sign(b.Context(), key, sign.CosignStatement(build.Digest()))
			if err != nil {
				b.Fatal(err)
			}
			attachment, err := build.Attach(signed, sign.CosignPredicate)
			if err != nil {
				b.Fatal(err)
			}
			var file bytes.Buffer
			if err := bundle.WriteLayoutTar(&file, &bundle.Layout{Build: build, Attachments: []bundle.Attachment{attachment}}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.SetBytes(int64(file.Len()))
			for b.Loop() {
				layout, err := bundle.ReadLayoutTar(b.Context(), bytes.NewReader(file.Bytes()), bundle.ReadOptions{})
				if err != nil {
					b.Fatal(err)
				}
				report := trust.Verify(b.Context(), trust.Request{Layout: layout, Policy: trust.ForKey(key.Public()), Now: time.Unix(0, 0)})
				if report.Verdict != trust.Verified {
					b.Fatal(report.Verdict, report.Problems())
				}
			}
		})
	}
}
