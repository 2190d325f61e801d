package interop_test

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// The commands that a page shows for a client end as the page says, after all others of the page.
func TestOrasOnThePages(t *testing.T) {
	runPage(t, "oras", "signing.md")
	runPage(t, "oras", "builds.md")
}
func TestCosignOnThePages(t *testing.T) { runPage(t, "cosign", "signing.md") }

// runPage runs the blocks of the page that are fenced as ```console, and those fenced as ```console CLIENT, in one
// shell that ends at the first command whose exit code is not the one of the page: 0, or what `? N` below it says.
func runPage(t *testing.T, program, name string) {
	t.Helper()
	path := client(t, program)
	d := newDesk(t)
	page, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	script, of := script(string(page), program)
	if of == 0 {
		t.Fatalf("%s shows no command of %s", name, program)
	}
	server := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	// A folder of its own: the names on the page are not those of the desk.
	begin := fmt.Sprintf("mkdir page && cd page && cp -R '%s' examples\nPATH='%s':'%s':\"$PATH\" REGISTRY='%s'\n",
		examples, filepath.Join(shared, "bin"), filepath.Dir(path), strings.TrimPrefix(server.URL, "http://"))
	d.run(0, "sh", "-c", begin+script)
}

// script gives the commands of a page, each held to its exit code, and how many there are of the client.
func script(page, program string) (text string, of int) {
	type command struct {
		text string
		exit string
	}
	var all []command
	inside, own := false, false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			own = line == "```console "+program
			inside = own || line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			all = append(all, command{line[2:], "0"})
			if own {
				of++
			}
		case strings.HasPrefix(line, "> "):
			all[len(all)-1].text += "\n" + line[2:]
		case strings.HasPrefix(line, "? "):
			all[len(all)-1].exit = line[2:]
		}
	}
	var b strings.Builder
	for i, c := range all {
		fmt.Fprintf(&b, "{ %s\n}\n[ $? = %s ] || { echo 'command %d of the page ends otherwise' >&2; exit 99; }\n", c.text, c.exit, i+1)
	}
	return b.String(), of
}

func TestScript(t *testing.T) {
	const page = "```console\n$ a\nout\n$ b <<E\n> x\n> E\n? 4\n```\n```console other\n$ c\n```\n```console mine\n$ d\n```\n$ e\n"
	got, of := script(page, "mine")
	const held = "[ $? = %s ] || { echo 'command %d of the page ends otherwise' >&2; exit 99; }\n"
	want := "{ a\n}\n" + fmt.Sprintf(held, "0", 1) + "{ b <<E\nx\nE\n}\n" + fmt.Sprintf(held, "4", 2) + "{ d\n}\n" + fmt.Sprintf(held, "0", 3)
	if got != want || of != 1 {
		t.Errorf("%d commands of the client in\n%s\nwant\n%s", of, got, want)
	}
}

// The page names every client that was held against, with its version, and says of each whether .ci/run does it.
func TestPageNamesTheClients(t *testing.T) {
	page, err := os.ReadFile("../docs/signing.md")
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile("../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range tools(t) {
		row := ""
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "| `"+want.program+"` | "+want.version+" |") {
				row = strings.TrimSpace(line)
			}
		}
		installs := false
		for line := range strings.Lines(string(ci)) {
			names, found := strings.CutPrefix(strings.TrimSpace(line), "for client in ")
			installs = installs || found && slices.Contains(strings.Fields(strings.TrimSuffix(names, "; do")), want.program)
		}
		if word := map[bool]string{true: "yes", false: "no"}[installs]; !strings.HasSuffix(row, "| "+word+" |") {
			t.Errorf("docs/signing.md has the row %q for %s %s, and .ci/run installs it: %s", row, want.program, want.version, word)
		}
	}
}
