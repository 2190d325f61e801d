package seifc_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/seif-dev/seifc/diag"
)

var update = flag.Bool("update", false, "write the generated pages anew")

// generated are the pages that are made from a table of the program.
var generated = map[string]func(*bytes.Buffer) error{
	"docs/diagnostics.md": func(out *bytes.Buffer) error { return diag.WriteIndex(out) },
}

func TestGeneratedPages(t *testing.T) {
	for _, name := range sorted(generated) {
		var out bytes.Buffer
		if err := generated[name](&out); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		page, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(page, out.Bytes()) {
			t.Errorf("%s differs from the table that it is made from; run `make docs`", name)
		}
	}
}

// command is one line of a page that begins with `$ `, with those below it that begin with `> `, and what the page shows
// below that.
type command struct {
	line  int
	text  string
	shows []string
	exit  int
}

// TestPagesShowWhatHappens runs the commands of every block that is fenced as ```console, in the order of the page, in
// one shell, in a folder that holds a copy of examples/ and has the programs on its PATH and in bin/. A line `...`
// stands for any lines, `...` inside of a line for any characters, and a last line `? 4` for the exit code, which is
// 0 otherwise. $REGISTRY is an empty registry on this machine. `make example` is run where it belongs; of other targets of make it is only held that they exist. What
// cannot be run on any machine stands in a block of another kind.
func TestPagesShowWhatHappens(t *testing.T) {
	if testing.Short() {
		t.Skip("everything on the pages happens in programs, which are built without the race detector")
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages", err)
	}
	if _, err := os.Stat("README.md"); err == nil {
		pages = append(pages, "README.md")
	}
	shown := 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		commands, err := commandsOf(string(data))
		if err != nil {
			t.Errorf("%s: %v", page, err)
			continue
		}
		shown += len(commands)
		if len(commands) == 0 {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			for i, got := range runAll(t, commands) {
				c := commands[i]
				if got.exit != c.exit {
					t.Errorf("%s:%d: $ %s\nends with %d, the page says %d\n%s", page, c.line, c.text, got.exit, c.exit, got.output)
				} else if !shows(lines(strings.Join(c.shows, "\n")), lines(got.output)) {
					t.Errorf("%s:%d: $ %s\nthe page shows\n%s\nand it prints\n%s", page, c.line, c.text, strings.Join(c.shows, "\n"), got.output)
				}
			}
		})
	}
	if shown == 0 {
		t.Error("no page shows a command: the test would hold nothing")
	}
}

// commandsOf reads the console blocks of a page.
func commandsOf(page string) ([]command, error) {
	var found []command
	inside := false
	for i, line := range strings.Split(page, "\n") {
		line = strings.TrimRight(line, " \r")
		switch {
		case line == "```console":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case !inside:
		case strings.HasPrefix(line, "$ "):
			found = append(found, command{line: i + 1, text: line[2:]})
		case len(found) == 0:
			return nil, fmt.Errorf("line %d: a console block that does not begin with a command", i+1)
		default:
			last := &found[len(found)-1]
			if more, isMore := strings.CutPrefix(line, "> "); isMore && len(last.shows) == 0 {
				last.text += "\n" + more
				continue
			}
			if code, isExit := strings.CutPrefix(line, "? "); isExit {
				exit, err := strconv.Atoi(code)
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", i+1, err)
				}
				last.exit = exit
				continue
			}
			last.shows = append(last.shows, line)
		}
	}
	return found, nil
}

// outcome is what a command did.
type outcome struct {
	output string
	exit   int
}

// runAll runs commands one after the other in one shell, so that `cd` and what runs in the background last.
func runAll(t *testing.T, commands []command) []outcome {
	t.Helper()
	dir := t.TempDir()
	copyTree(t, "examples", filepath.Join(dir, "examples"), nil, nil)
	programs := filepath.Dir(program(t, "seifc"))
	if err := os.Symlink(programs, filepath.Join(dir, "bin")); err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\x1eend "
	var script strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&script, "{ %s\n} 2>&1; printf '%s%%d\\n' $?\n", onMachine(t, c.text, root), mark)
	}
	// What still runs in the background ends with the page.
	script.WriteString("for job in $(jobs -p); do kill $job; done\nwait\n")

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	server := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	cmd.Env = append(os.Environ(), "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"), "LC_ALL=C", "NO_COLOR=1",
		"REGISTRY="+strings.TrimPrefix(server.URL, "http://"), "DOCKER_CONFIG="+dir)
	out, err := cmd.Output()
	parts := strings.Split(string(out), mark)
	if err != nil || len(parts) != len(commands)+1 {
		t.Fatalf("the shell ended early: %v\n%s", err, out)
	}
	results := make([]outcome, len(commands))
	for i := range results {
		code, rest, _ := strings.Cut(parts[i+1], "\n")
		parts[i+1] = rest
		exit, err := strconv.Atoi(code)
		if err != nil {
			t.Fatal(err)
		}
		results[i] = outcome{parts[i], exit}
	}
	return results
}

var makeTarget = regexp.MustCompile(`^make ([a-z]+)$`)

// onMachine turns a command of make into what can be run while the tests run.
func onMachine(t *testing.T, text, root string) string {
	t.Helper()
	target := makeTarget.FindStringSubmatch(text)
	switch {
	case target == nil:
		return text
	case target[1] == "example":
		return "make --no-print-directory -C '" + root + "' example"
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(makefile, []byte("\n"+target[1]+":")) {
		t.Errorf("the Makefile has no target %s", target[1])
	}
	return "true"
}

func lines(text string) []string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " \r")
	}
	return all
}

// shows tells whether a page's lines, with their wildcards, are what was printed.
func shows(page, printed []string) bool {
	if len(page) > 0 && page[0] == "..." {
		for from := range len(printed) + 1 {
			if shows(page[1:], printed[from:]) {
				return true
			}
		}
		return false
	}
	if len(page) == 0 || len(printed) == 0 {
		return len(page) == len(printed)
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(page[0]), `\.\.\.`, ".*")
	return regexp.MustCompile("^"+pattern+"$").MatchString(printed[0]) && shows(page[1:], printed[1:])
}

func TestCommandsOf(t *testing.T) {
	const page = "# Page\n```text\n$ not this\n```\n```console\n$ a b\none\n\ntwo\n$ c\n? 4\n$ d <<E\n> e\n> E\n```\n```console cosign\n$ of another\n```\n$ nor this\n"
	got, err := commandsOf(page)
	if err != nil {
		t.Fatal(err)
	}
	want := []command{{line: 6, text: "a b", shows: []string{"one", "", "two"}}, {line: 10, text: "c", exit: 4}, {line: 12, text: "d <<E\ne\nE"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(command{})); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"```console\noutput first\n```", "```console\n$ a\n? four\n```"} {
		if got, err := commandsOf(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}

func TestShows(t *testing.T) {
	for _, test := range []struct {
		page, printed string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"a", "a", true},
		{"a.c", "abc", false},
		{"sha256:... x", "sha256:12 x", true},
		{"sha256:... x", "sha256:12 y", false},
		{"...", "", true},
		{"...", "a\nb", true},
		{"...\nb", "a\nb", true},
		{"...\nb", "a\nb\nc", false},
		{"a\n...\nc\n...", "a\nb\nc", true},
		{"a\n...\nc", "a\nb", false},
	} {
		if got := shows(lines(test.page), lines(test.printed)); got != test.want {
			t.Errorf("page %q, printed %q: %v", test.page, test.printed, got)
		}
	}
}
