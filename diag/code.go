package diag

import (
	"slices"
	"strings"
	"sync"
)

// Code names one kind of problem in lower_snake words. It is stable: scripts and suppressions refer to it.
type Code string

// Severity is how much a problem weighs.
type Severity int

const (
	// Info is worth knowing and changes no outcome.
	Info Severity = iota
	// Warning should be looked at; it fails nothing by itself.
	Warning
	// Error makes the command that found it fail.
	Error
)

// String is the word that every format prints.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "info"
	}
}

// Entry is one row of the code table: all that is fixed about a code.
//
// Message and Help are templates. "{name}" stands for the datum of that name; a part in double square brackets
// is left out when a datum it names is absent or empty.
type Entry struct {
	Code     Code
	Severity Severity
	// Room is the package that reports the code, relative to the module.
	Room    string
	Message string
	// Help is the remedy, one line; required for errors and warnings.
	Help string
	// Explain is the long story that `seifc explain` prints: why the rule exists, an example, how to mend it.
	Explain string
	// Aliases are older or foreign names that `explain` also answers to.
	Aliases []string
	// Suppressible says that a suppression may silence the code; never true for what guards authority or
	// integrity, and never for an error that makes the result meaningless.
	Suppressible bool
}

// Entries is the whole code table, sorted by code.
func Entries() []Entry {
	all := slices.Concat(tables()...)
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// Lookup finds the table row of a code or of one of its aliases, in constant time.
func Lookup(name string) (Entry, bool) {
	e, ok := rows()[name]
	return e, ok
}

// rows is the table by code and alias; a constant that is made when it is first asked for. A code always stands for
// its own row, whatever aliases say.
var rows = sync.OnceValue(func() map[string]Entry {
	all := Entries()
	byName := make(map[string]Entry, 2*len(all))
	for _, e := range all {
		for _, alias := range e.Aliases {
			if _, taken := byName[alias]; !taken {
				byName[alias] = e
			}
		}
	}
	for _, e := range all {
		byName[string(e.Code)] = e
	}
	return byName
})

// Severity is the severity of the code's table row. A code without a row is an error: an unknown finding never
// weighs less than a known one.
func (c Code) Severity() Severity {
	if e, ok := Lookup(string(c)); ok {
		return e.Severity
	}
	return Error
}

// tables lists the rows of each room. A room owns its file codes_ROOM.go and its constants.
func tables() [][]Entry {
	return [][]Entry{
		documentCodes,
		manifestCodes,
		schemaCodes,
		exprCodes,
		definitionCodes,
		resolveCodes,
		providerCodes,
		bundleCodes,
		signKeyCodes,
		signBundleCodes,
		signStatementCodes,
		registryCodes,
		trustPolicyCodes,
		trustCodes,
		keylessCodes,
		compilerCodes,
		importerCodes,
		testsuiteCodes,
		runtimeCodes,
		commandCodes,
	}
}
