// Command testsummary reads the events of `go test -json` from stdin and prints one line per package, the whole
// output of every test that failed, the reason of every test that was skipped, and one line that counts:
//
//	812 passed, 0 failed, 3 skipped
//
// It ends with 1 if anything failed, if no test ran at all, or, with -no-skips, if a test was skipped that
// -allow-skip does not name, by its name or by its reason. It never takes an input that it cannot read for a success.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	noSkips := flag.Bool("no-skips", false, "fail if a test was skipped")
	allowed := flag.String("allow-skip", "^$", "with -no-skips: the tests, as FOLDER.TEST or FOLDER.TEST: REASON, that may skip all the same")
	flag.Parse()
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr, *noSkips, *allowed))
}

func run(in io.Reader, out, errs io.Writer, noSkips bool, allowed string) int {
	allow, err := regexp.Compile(allowed)
	if err != nil {
		fmt.Fprintln(errs, "testsummary:", err)
		return 2
	}
	s := newSummary(out)
	if err := s.read(in); err != nil {
		fmt.Fprintln(errs, "testsummary:", err)
		return 1
	}
	forbidden := 0
	for _, name := range s.skippedNames() {
		note := ""
		if noSkips && !allow.MatchString(short(name)) && !allow.MatchString(short(name)+": "+s.skipped[name]) {
			forbidden++
			note = "  (none may be skipped here)"
		}
		fmt.Fprintf(out, "skip  %s: %s%s\n", short(name), s.skipped[name], note)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, len(s.skipped))
	if s.passed == 0 {
		fmt.Fprintln(errs, "testsummary: no test ran")
		return 1
	}
	if s.failed > 0 || forbidden > 0 {
		return 1
	}
	return 0
}
