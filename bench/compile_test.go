package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/compiler"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// pinned writes a Project and pins its tools.
func pinned(tb testing.TB, size Size) *subject.Project {
	tb.Helper()
	dir := tb.TempDir()
	if err := Write(dir, size); err != nil {
		tb.Fatal(err)
	}
	project, err := subject.OpenProject(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { project.Close() })
	result, err := compiler.Pin(tb.Context(), project.Tree, compiler.PinOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	refuse(tb, result.Findings)
	for _, edit := range result.Edits {
		if err := os.WriteFile(filepath.Join(dir, edit.Name), edit.Data, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return project
}

// refuse fails on any finding and shows the first ones.
func refuse(tb testing.TB, findings []diag.Diagnostic) {
	tb.Helper()
	if len(findings) == 0 {
		return
	}
	var out strings.Builder
	if err := diag.Print(&out, diag.Text, findings[:min(10, len(findings))], diag.Options{}); err != nil {
		tb.Fatal(err)
	}
	tb.Fatalf("%d findings, among them:\n%s", len(findings), out.String())
}

func compile(tb testing.TB, project *subject.Project) *compiler.Result {
	tb.Helper()
	result, err := compiler.Compile(tb.Context(), project.Tree)
	if err != nil {
		tb.Fatal(err)
	}
	refuse(tb, result.Findings)
	return result
}

// TestProjectsCompile holds that what is measured is a sound Project with not even a warning, all of whose tests pass.
func TestProjectsCompile(t *testing.T) {
	for _, size := range []Size{Proportional(10), {Tools: 40, Tests: 130, Expressions: 60}} {
		t.Run(fmt.Sprintf("%+v", size), func(t *testing.T) {
			result := compile(t, pinned(t, size))
			report, err := result.Run(t.Context(), testsuite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			refuse(t, result.Place(report.Problems()...))
			if len(report.Results) != size.Tests {
				t.Errorf("%d tests ran, want %d", len(report.Results), size.Tests)
			}
			build, findings, err := result.Seal()
			if err != nil || build == nil {
				t.Fatal(build, err)
			}
			refuse(t, findings)
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			project := pinned(b, Proportional(n))
			b.ReportAllocs()
			for b.Loop() {
				compile(b, project)
			}
		})
	}
}

func BenchmarkTests(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			result := compile(b, pinned(b, Proportional(n)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := result.Run(b.Context(), testsuite.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSeal(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			result := compile(b, pinned(b, Proportional(n)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := result.Seal(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBuild does all that `seifc build` does but for the writing of the file.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			project := pinned(b, Proportional(n))
			b.ReportAllocs()
			for b.Loop() {
				result := compile(b, project)
				if _, err := result.Run(b.Context(), testsuite.Options{}); err != nil {
					b.Fatal(err)
				}
				if _, _, err := result.Seal(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
