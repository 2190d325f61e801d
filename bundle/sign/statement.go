package sign

import (
	"fmt"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// The versions of in-toto statements that are read; v1 is written.
const (
	StatementV1  = "https://in-toto.io/Statement/v1"
	StatementV01 = "https://in-toto.io/Statement/v0.1"
)

// PayloadType is the DSSE payload type of in-toto statements.
const PayloadType = "application/vnd.in-toto+json"

// Subject is what a statement is about. For every role but guard-review it is the digest of a Build; for that one it is
// the digest of an obligation.
type Subject = digest.Digest

// Statement is an in-toto statement about exactly one subject. What it holds must not be changed.
type Statement struct {
	// Version is the `_type`: [StatementV1] or [StatementV01].
	Version       string
	Subject       Subject
	PredicateType string
	// Predicate is nil when the statement has none.
	Predicate map[string]any
	// Canonical tells whether the statement's bytes were its RFC 8785 form.
	Canonical bool
}

// Role is what the statement is signed as, from its predicate type alone.
func (s Statement) Role() Role { return roleOf(s.PredicateType) }

// Encode is the RFC 8785 form of the statement as Statement v1.
func (s Statement) Encode() ([]byte, error) {
	out, err := canonical.Marshal(map[string]any{
		"_type":         StatementV1,
		"subject":       []any{map[string]any{"digest": map[string]any{"sha256": s.Subject.Hex()}}},
		"predicateType": s.PredicateType,
		"predicate":     s.Predicate,
	})
	if err != nil {
		return nil, fmt.Errorf("writing a statement: %w", err)
	}
	return out, nil
}

// CosignStatement is what cosign writes when it signs an artifact: an empty predicate.
func CosignStatement(subject Subject) Statement {
	return statement(CosignPredicate, subject, map[string]any{})
}

// ParseStatement reads the payload of an envelope, at most [MaxBundle] bytes. Statements of our own predicate types must
// be Statement v1 in RFC 8785 form, with a digest as the only member of their subject. The predicate is not looked at;
// see [Statement.Check].
func ParseStatement(payload []byte) (Statement, []diag.Problem) {
	value, err := canonical.Parse(payload, limits())
	if err != nil {
		return Statement{}, []diag.Problem{statementJSON().problem(err)}
	}
	r := &reader{codes: memberCodes{diag.CodeStatementMemberUnknown, diag.CodeStatementMemberMissing, diag.CodeStatementMemberWrong}}
	members := r.object("", value, []string{"_type", "predicateType", "subject"}, []string{"predicate"})
	s := Statement{}
	s.Version, _ = r.text("", members, "_type")
	s.PredicateType, _ = r.text("", members, "predicateType")
	if len(r.problems) == 0 && (s.PredicateType == "" || len(s.PredicateType) > maxName) {
		r.wrong("/predicateType", "a URI of 1 to "+strconv.Itoa(maxName)+" bytes", s.PredicateType)
	}
	mine := ours(s.PredicateType)
	if _, ok := members["_type"]; ok && s.Version != StatementV1 && (s.Version != StatementV01 || mine) {
		r.add(diag.CodeStatementType, "/_type", "found", strconv.QuoteToASCII(shown(s.Version)))
	}
	if value, ok := members["subject"]; ok {
		s.Subject = r.subject(value, mine)
	}
	if value, ok := members["predicate"]; ok {
		if s.Predicate, ok = value.(map[string]any); !ok {
			r.wrong("/predicate", "an object", value)
		}
	} else if mine {
		r.add(r.codes.missing, "", "member", "/predicate")
	}
	notCanonical := canonical.IsCanonical(payload, limits())
	s.Canonical = notCanonical == nil
	if mine && !s.Canonical && len(r.problems) == 0 {
		r.problems = append(r.problems, statementJSON().problem(notCanonical))
	}
	if len(r.problems) > 0 {
		return Statement{}, r.problems
	}
	return s, nil
}

// subject reads the one subject. Members other than its digest describe it and decide nothing.
func (r *reader) subject(value canonical.Value, mine bool) Subject {
	items, ok := value.([]any)
	if !ok {
		r.wrong("/subject", "an array", value)
		return Subject{}
	}
	if len(items) != 1 {
		r.add(diag.CodeStatementSubjects, "/subject", "found", strconv.Itoa(len(items)))
		return Subject{}
	}
	var described []string
	if !mine {
		described = []string{"name", "uri", "mediaType", "downloadLocation", "content", "annotations"}
	}
	members := r.object("/subject/0", items[0], []string{"digest"}, described)
	for _, name := range described {
		if value, ok := members[name]; ok && name == "annotations" {
			if _, ok := value.(map[string]any); !ok {
				r.wrong("/subject/0/annotations", "an object", value)
			}
			continue
		}
		r.text("/subject/0", members, name)
	}
	set, ok := members["digest"]
	if !ok {
		return Subject{}
	}
	return r.sha256Of("/subject/0/digest", set, digestCodes{
		several: diag.CodeStatementDigests, algorithm: diag.CodeStatementDigestAlgorithm, malformed: diag.CodeStatementDigestMalformed,
	})
}
