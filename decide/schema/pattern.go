package schema

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"sync"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// pattern is an ECMA-262 regular expression as RE2. It is the regular expression engine that the validator sees.
type pattern struct {
	source string
	size   int // matching instructions, repetitions multiplied out
	// compiled makes the expression at its first use. A thousand bytes of a pattern can take a megabyte, and most
	// tools are checked and never called.
	compiled func() *regexp.Regexp
}

const onePassSize = 500

// MatchString tells whether the pattern matches anywhere in s.
func (p *pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// String is the pattern as it was written.
func (p *pattern) String() string { return p.source }

// pattern checks the value of `pattern`.
func (c *checker) pattern(n *node, v canonical.Value, at string) {
	text, ok := v.(string)
	if !ok {
		c.value(at, "pattern", "a regular expression", "got", kindNamesOf(v))
		return
	}
	c.patterns++
	if !c.hidden(text, at, false) {
		return
	}
	if len(text) > MaxPatternBytes {
		c.limit(at, "bytes of a pattern", len(text), MaxPatternBytes)
		return
	}
	if c.patterns > MaxPatterns {
		return // totals reports it
	}
	judged := c.known.pattern(text)
	if judged.err != nil {
		c.patternProblem(at, judged.err)
		return
	}
	if judged.size > MaxPatternSize {
		c.limit(at, "size of a pattern", judged.size, MaxPatternSize)
		return
	}
	c.patternSize += judged.size
	if c.patternSize > MaxPatternTotal {
		return
	}
	n.pattern = judged.pattern()
	if n.pattern == nil {
		// What is left are bounds of RE2 that the translation does not know, such as nested repetitions.
		c.report(diag.CodeUnsupportedPattern, at, "construct", "repetitions that multiply beyond 1000")
	}
}

// judgedPattern is what there is to say about the text of a pattern, wherever it stands.
type judgedPattern struct {
	size int   // matching instructions, repetitions multiplied out
	err  error // the text is no pattern
	// pattern gives the pattern, nil if RE2 does not take it. It costs time in proportion to the size, which the
	// caller bounds before.
	pattern func() *pattern
}

func judgePattern(text string) judgedPattern {
	translated, size, err := translate(text)
	return judgedPattern{size: size, err: err, pattern: sync.OnceValue(func() *pattern {
		if size > onePassSize {
			// Go prepares an anchored expression for one pass over the text, in time that large ones are not worth.
			// It does not if there is another branch; this one matches nothing.
			translated = `(?:[^\x{0}-\x{10FFFF}]|` + translated + `)`
		}
		// Whatever can be parsed can be compiled.
		if _, err := syntax.Parse(translated, syntax.Perl); err != nil {
			return nil
		}
		return &pattern{source: text, size: size, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(translated) })}
	})}
}

func (c *checker) patternProblem(at string, err error) {
	var failure *patternError
	if !errors.As(err, &failure) {
		c.report(diag.CodeInvalidPattern, at, "reason", err.Error())
		return
	}
	var problem diag.Problem
	if failure.unsupported {
		problem = diag.New(diag.CodeUnsupportedPattern, at, "construct", failure.what)
	} else {
		problem = diag.New(diag.CodeInvalidPattern, at, "reason", failure.what)
	}
	c.problems = append(c.problems, problem.Within(failure.offset, failure.length))
}
