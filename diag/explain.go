package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// UnknownCode is the error for a code that the table does not have.
type UnknownCode struct {
	Name string
	// Nearest is the code that was probably meant; "" when none is near.
	Nearest Code
}

func (e *UnknownCode) Error() string {
	text := "there is no code " + oneLine(e.Name)
	if e.Nearest != "" {
		text += fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return text
}

// Explain writes all that the table says about a code or one of its aliases, for people. The error is
// *UnknownCode, or that of w.
func Explain(w io.Writer, name string) error {
	e, ok := Lookup(name)
	if !ok {
		return &UnknownCode{Name: name, Nearest: nearestCode(name)}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s[%s]\n\n  %s\n", e.Severity, e.Code, oneLine(plainTemplate(e.Message)))
	if e.Explain != "" {
		fmt.Fprintf(out, "\n%s\n", strings.TrimRight(EscapeLines(e.Explain), "\n"))
	}
	if e.Help != "" {
		fmt.Fprintf(out, "\nhelp: %s\n", oneLine(plainTemplate(e.Help)))
	}
	out.WriteByte('\n')
	if len(e.Aliases) > 0 {
		fmt.Fprintf(out, "also known as: %s\n", oneLine(strings.Join(e.Aliases, ", ")))
	}
	fmt.Fprintf(out, "found by: %s\n%s\n", oneLine(e.Room), suppressionRule(e))
	return out.Flush()
}

func suppressionRule(e Entry) string {
	if e.Suppressible {
		return "may be suppressed, by path and content digest, with a reason"
	}
	return "cannot be suppressed"
}

// plainTemplate is a template as a person reads it: the brackets around parts that may be left out are dropped,
// the names of data stay in braces.
func plainTemplate(template string) string {
	return strings.NewReplacer("[[", "", "]]", "").Replace(template)
}

// nearestCode is the code with the fewest edits to name, if they are few for its length.
func nearestCode(name string) Code {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	var nearest Code
	best := 1 + max(1, len(name)/4)
	for _, e := range Entries() {
		if d := edits(name, string(e.Code)); d < best {
			nearest, best = e.Code, d
		}
	}
	return nearest
}

// edits is the Levenshtein distance over bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
