package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is what `go test -json` writes, one per line (`go doc test2json`).
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Elapsed    float64
	Output     string
}

// summary counts tests and keeps the output of those that have not passed yet.
type summary struct {
	out            io.Writer
	passed, failed int
	skipped        map[string]string // reason by PACKAGE.TEST
	output         map[string][]string
	tests          map[string]int  // by package
	blamed         map[string]bool // packages with a test that failed
	open           map[string]bool // packages that began and have not ended
}

func newSummary(out io.Writer) *summary {
	return &summary{
		out: out, skipped: map[string]string{}, output: map[string][]string{}, tests: map[string]int{}, blamed: map[string]bool{},
		open: map[string]bool{},
	}
}

func (s *summary) skippedNames() []string { return slices.Sorted(maps.Keys(s.skipped)) }

// read takes the whole stream. A line that is no event, and a package that began and never ended, are errors.
func (s *summary) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				return fmt.Errorf("this is no event of go test -json: %.200q", line)
			}
			s.take(e)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if left := slices.Sorted(maps.Keys(s.open)); len(left) > 0 {
		return fmt.Errorf("the stream ended before these packages: %s", strings.Join(left, ", "))
	}
	return nil
}

func (s *summary) take(e event) {
	key := e.Package + "." + e.Test
	switch e.Action {
	case "start":
		s.open[e.Package] = true
	case "build-output":
		s.output["build "+e.ImportPath] = append(s.output["build "+e.ImportPath], e.Output)
	case "build-fail":
		s.show("build "+e.ImportPath, "build of "+e.ImportPath)
	case "output":
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e, key)
		}
	}
}

func (s *summary) endTest(e event, key string) {
	s.tests[e.Package]++
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped[key] = reason(s.output[key])
	case "fail":
		s.failed++
		s.blamed[e.Package] = true
		s.show(key, key)
	}
	delete(s.output, key)
}

// endPackage closes a package. One that failed without a failing test did not build, ran too long or crashed: that
// counts as one failure.
func (s *summary) endPackage(e event) {
	delete(s.open, e.Package)
	word := map[string]string{"pass": "ok  ", "fail": "FAIL", "skip": "none"}[e.Action]
	if e.Action == "fail" && !s.blamed[e.Package] {
		s.failed++
		for _, key := range slices.Sorted(maps.Keys(s.output)) {
			if strings.HasPrefix(key, e.Package+".") {
				s.show(key, key)
			}
		}
	}
	for key := range s.output {
		if strings.HasPrefix(key, e.Package+".") {
			delete(s.output, key)
		}
	}
	fmt.Fprintf(s.out, "%s  %-40s %5d tests %8.2fs\n", word, short(e.Package), s.tests[e.Package], e.Elapsed)
}

func (s *summary) show(key, title string) {
	fmt.Fprintf(s.out, "---- %s\n%s", short(title), strings.Join(s.output[key], ""))
}

// reason is what a test said when it was skipped.
func reason(output []string) string {
	for _, line := range output {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "===") && !strings.HasPrefix(trimmed, "---") {
			return trimmed
		}
	}
	return "no reason given"
}

// short drops the first three elements of an import path, which are the module's name.
func short(name string) string {
	const module = "github.com/seif-dev/seifc"
	if name == module {
		return "."
	}
	return strings.ReplaceAll(strings.TrimPrefix(name, module+"/"), module+".", "")
}
