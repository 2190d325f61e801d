package sign

import (
	"encoding/json"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Release says that a Build is a release of its Project in a channel. Whoever verifies recomputes the rest from the
// Build and compares.
type Release struct {
	Project, Channel string
	// Sequence is 1 or more and grows with every release of the channel; a verifier holds a floor against it.
	Sequence   int64
	Definition digest.Digest
	// Runtime is the runtime contract that the Build demands, such as seif.context-runtime.v2.
	Runtime string
	// Tools is the [ToolSetDigest] of the definition.
	Tools digest.Digest
}

// Statement is the statement that releases the Build.
func (r Release) Statement(build Subject) Statement {
	return statement(ReleasePredicate, build, map[string]any{
		"project":    r.Project,
		"channel":    r.Channel,
		"sequence":   number(r.Sequence),
		"definition": r.Definition.String(),
		"runtime":    r.Runtime,
		"tools":      r.Tools.String(),
	})
}

// ParseRelease reads what [Release.Statement] writes.
func ParseRelease(s Statement) (Release, []diag.Problem) {
	const at = "/predicate"
	r, members := predicate(s, ReleasePredicate, []string{"project", "channel", "sequence", "definition", "runtime", "tools"}, nil)
	out := Release{
		Project:    r.id(at, members, "project"),
		Channel:    r.id(at, members, "channel"),
		Sequence:   r.integer(at, members, "sequence", 1, MaxSequence),
		Definition: r.digest(at, members, "definition"),
		Runtime:    r.line(at, members, "runtime", maxName),
		Tools:      r.digest(at, members, "tools"),
	}
	if len(r.problems) > 0 {
		return Release{}, r.problems
	}
	return out, nil
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
