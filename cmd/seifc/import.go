package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/compiler/importer"
	"github.com/seif-dev/seifc/compiler/subject"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

func importCommand() *command {
	out := &command{Command: &cli.Command{Name: "import", Usage: "write a catalogue of tools that others publish"}, formats: findingFormats()}
	for _, from := range []struct {
		name  importer.From
		usage string
	}{
		{importer.FromMCP, "from a saved tools/list result, or from a live server over stdio after --"},
		{importer.FromOpenAPI, "from an OpenAPI 3 document in JSON"},
		{importer.FromOpenAI, "from an array of OpenAI functions"},
	} {
		out.subcommands = append(out.subcommands, importFrom(from.name, from.usage))
	}
	return out
}

func importFrom(from importer.From, usage string) *command {
	arguments := "SOURCE|-"
	if from == importer.FromMCP {
		arguments = "(SOURCE|- | -- CMD ARGS)"
	}
	return &command{
		Command: &cli.Command{
			Name: string(from), Usage: usage, ArgsUsage: arguments,
			Flags: []cli.Flag{&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "the `CATALOGUE` to write or to bring up to date"}},
		},
		formats: findingFormats(), most: 1, program: from == importer.FromMCP,
		run: func(ctx context.Context, c *call) (answer, error) { return runImport(ctx, c, from) },
	}
}

// published is what was read from a source.
type published struct {
	tools    []importer.Tool
	findings []diag.Diagnostic
	locator  diag.Locator
}

// readPublished reads the tools of a source: a file, stdin, or a program.
func (c *call) readPublished(ctx context.Context, from importer.From, source string) (*published, error) {
	var data []byte
	err := subject.CheckLocal(source)
	if err != nil {
		return nil, err
	}
	shown := source
	switch {
	case len(c.program) > 0:
		shown = strings.Join(c.program, " ")
		c.progress("asking %s for its tools", shown)
		said := &talk{to: c.stderr}
		data, err = importer.AskServer(ctx, said, c.program[0], c.program[1:]...)
		if flushed := said.flush(); err == nil {
			err = flushed
		}
	default:
		if shown == "-" {
			shown = "<stdin>"
		}
		data, err = c.readInput(source, importer.MaxBytes)
	}
	if err != nil {
		return nil, err
	}
	tools, problems := importer.Read(from, data)
	out := &published{tools: tools, locator: importer.Locator(filepath.ToSlash(shown), data)}
	out.findings = diag.At(out.locator, problems...)
	return out, nil
}

func runImport(ctx context.Context, c *call, from importer.From) (answer, error) {
	target := c.String("output")
	switch {
	case target == "":
		return answer{}, usagef("write -o CATALOGUE", "import needs a catalogue to write")
	case (len(c.args) == 0) == (len(c.program) == 0):
		return answer{}, usagef("usage: seifc import "+string(from)+" SOURCE -o CATALOGUE", "import needs one source")
	}
	if target == "-" {
		if err := c.needStdout("-o"); err != nil {
			return answer{}, err
		}
	}
	source := ""
	if len(c.args) > 0 {
		source = c.args[0]
	}
	read, err := c.readPublished(ctx, from, source)
	if err != nil {
		return answer{}, err
	}
	if diag.HasErrors(read.findings) {
		return failed(diag.Sort(read.findings)).asPayload(target == "-"), nil
	}
	existing, err := readExisting(target)
	switch {
	case target == "-" || errors.Is(err, fs.ErrNotExist):
		return c.newCatalogue(ctx, target, read)
	case err != nil:
		return answer{}, fmt.Errorf("reading the catalogue: %w", err)
	}
	return c.updateCatalogue(ctx, target, existing, read)
}

func (c *call) newCatalogue(ctx context.Context, target string, read *published) (answer, error) {
	data, err := importer.New(catalogueName(target), read.tools)
	if err != nil {
		return answer{}, fmt.Errorf("writing the catalogue: %w", err)
	}
	err = writeOutput(ctx, c.environment, target, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return answer{}, fmt.Errorf("writing the catalogue: %w", err)
	}
	return answer{
		findings: diag.Sort(read.findings), payload: target == "-",
		members: map[string]any{"tools": len(read.tools), "path": filepath.ToSlash(target), "outcome": "written"},
		text: func(w io.Writer) error {
			if target == "-" {
				return nil
			}
			_, err := fmt.Fprintf(w, "imported %s into %s\nnext: decide `effect: read` or `effect: write` for each tool you use, list the file under `catalogues:`,\n      name the tools under `tools:`, and run `seifc pin`\n",
				count(len(read.tools), "tool"), diag.Escape(filepath.ToSlash(target)))
			return err
		},
	}, nil
}

// catalogueName is the file's name as a catalogue's id.
func catalogueName(path string) string {
	base := filepath.Base(path)
	if path == "-" {
		base = "imported"
	}
	return importer.ProposeID(strings.TrimSuffix(base, filepath.Ext(base)))
}

func (c *call) updateCatalogue(ctx context.Context, target string, existing []byte, read *published) (answer, error) {
	file, catalogue, findings := readCatalogue(target, existing)
	if catalogue == nil || diag.HasErrors(findings) {
		return failed(diag.Sort(findings)), nil
	}
	drift := importer.Compare(catalogue, read.tools)
	findings = append(findings, read.findings...)
	findings = append(findings, driftFindings(file, read, drift)...)
	merged, err := importer.Merge(file, read.tools, drift)
	if err != nil {
		return answer{}, fmt.Errorf("updating the catalogue: %w", err)
	}
	outcome := "unchanged"
	if string(merged) != string(existing) {
		outcome = "updated"
		if err := replaceFile(ctx, target, func(w io.Writer) error {
			_, err := w.Write(merged)
			return err
		}); err != nil {
			return answer{}, fmt.Errorf("updating the catalogue: %w", err)
		}
	}
	return answer{
		findings: diag.Sort(findings),
		members:  map[string]any{"tools": len(read.tools), "path": filepath.ToSlash(target), "outcome": outcome},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s %s: %s published; effect, approval, limits and versions stay as they were decided\n",
				outcome, diag.Escape(filepath.ToSlash(target)), count(len(read.tools), "tool"))
			return err
		},
	}, nil
}

func readCatalogue(path string, data []byte) (*document.File, *manifest.Catalogue, []diag.Diagnostic) {
	file, findings := document.Parse(filepath.ToSlash(path), data)
	if file == nil || file.Root == nil || diag.HasErrors(findings) {
		return file, nil, findings
	}
	catalogue, found := manifest.DecodeCatalogue(file)
	return file, catalogue, append(findings, found...)
}

func driftFindings(file *document.File, read *published, drift *importer.Drift) []diag.Diagnostic {
	return append(diag.At(file, drift.InCatalogue...), diag.At(read.locator, drift.InSource...)...)
}

func driftCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "drift", Usage: "compare a catalogue with what is published now", ArgsUsage: "CATALOGUE (SOURCE|- | -- CMD ARGS)",
			Flags: []cli.Flag{&cli.StringFlag{Name: "from", Usage: "what SOURCE is: mcp, openapi or openai", Value: "mcp"}},
		},
		formats: findingFormats(), least: 1, most: 2, program: true, run: runDrift,
	}
}

func runDrift(ctx context.Context, c *call) (answer, error) {
	from := importer.From(c.String("from"))
	if from != importer.FromMCP && from != importer.FromOpenAPI && from != importer.FromOpenAI {
		return answer{}, usagef("use mcp, openapi or openai", "--from has no kind %q", string(from))
	}
	if (len(c.args) == 2) == (len(c.program) > 0) {
		return answer{}, usagef("usage: seifc drift CATALOGUE SOURCE", "drift needs a catalogue and one source")
	}
	if len(c.program) > 0 && from != importer.FromMCP {
		return answer{}, usagef("drop --from, or name a file", "only MCP servers can be asked")
	}
	data, err := readExisting(c.args[0])
	if err != nil {
		return answer{}, fmt.Errorf("reading the catalogue: %w", err)
	}
	file, catalogue, findings := readCatalogue(c.args[0], data)
	if catalogue == nil || diag.HasErrors(findings) {
		return failed(diag.Sort(findings)), nil
	}
	source := ""
	if len(c.args) == 2 {
		source = c.args[1]
	}
	read, err := c.readPublished(ctx, from, source)
	if err != nil {
		return answer{}, err
	}
	findings = append(findings, read.findings...)
	if diag.HasErrors(findings) {
		return failed(diag.Sort(findings)), nil
	}
	drift := importer.Compare(catalogue, read.tools)
	findings = append(findings, driftFindings(file, read, drift)...)
	return answer{
		findings: diag.Sort(findings), members: map[string]any{"drift": !drift.Empty(), "tools": len(read.tools)},
		text: func(w io.Writer) error {
			verdict := "no drift"
			if !drift.Empty() {
				verdict = count(len(drift.InCatalogue)+len(drift.InSource), "difference")
			}
			_, err := fmt.Fprintf(w, "%s: %s, %s published\n", diag.Escape(filepath.ToSlash(c.args[0])), verdict, count(len(read.tools), "tool"))
			return err
		},
	}, nil
}
