package definition

import (
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// semVer is Semantic Versioning 2.0.0 without build metadata (formats.md, rule 14).
var semVer = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$`)

// Check reports everything that is wrong with a normalised contract by itself. The pointers are into its value and the
// findings are sorted by them. An undecided effect is no fault here: it fails where the contract is pinned.
func (c Contract) Check() []diag.Problem { return c.check(schema.Compile) }

// compiler compiles a schema.
type compiler func(canonical.Value, schema.Use) (*schema.Schema, []diag.Problem)

func (c Contract) check(compile compiler) []diag.Problem {
	k := &contractChecker{c: c, compile: compile}
	k.names()
	k.effect()
	k.bounds()
	k.schema("/schema", c.Schema, schema.Arguments)
	if c.Result != nil {
		k.schema("/result", c.Result, schema.Result)
	}
	k.texts()
	return sortProblems(k.problems)
}

type contractChecker struct {
	c        Contract
	compile  compiler
	problems []diag.Problem
}

func (k *contractChecker) add(code diag.Code, at string, pairs ...string) {
	k.problems = append(k.problems, diag.New(code, at, append([]string{"id", k.c.ID}, pairs...)...))
}

func (k *contractChecker) names() {
	if !IDForm.Fits(k.c.ID) {
		k.add(diag.CodeIDForm, "/id", "what", "tool contract", "form", string(IDForm))
	}
	if !ModelNameForm.Fits(k.c.Name) {
		k.add(diag.CodeModelName, "/name", "name", k.c.Name, "form", string(ModelNameForm))
	}
	if len(k.c.Version) > MaxVersionBytes || !semVer.MatchString(k.c.Version) {
		k.add(diag.CodeVersionForm, "/version", "version", k.c.Version)
	}
}

func (k *contractChecker) effect() {
	switch k.c.Effect {
	case Read, Write, Undecided:
	default:
		k.add(diag.CodeEffectUnknown, "/effect", "effect", string(k.c.Effect))
	}
	switch approval := k.c.Approval; {
	case approval == "" && k.c.Effect == Undecided:
	case approval != NoApproval && approval != OperatorApproval:
		k.add(diag.CodeApprovalUnknown, "/approval", "approval", string(approval))
	case k.c.Effect == Write && approval != OperatorApproval:
		k.add(diag.CodeWriteNeedsApproval, "/approval")
	}
}

func (k *contractChecker) bounds() {
	if n := utf8.RuneCountInString(k.c.Description); n < 1 || n > MaxDescription {
		k.outside("/description", "the description", strconv.Itoa(n)+" characters long", MaxDescription)
	}
	if n := k.c.TimeoutMS; n < 1 || n > MaxTimeoutMS {
		k.outside("/timeout_ms", "timeout_ms", strconv.Itoa(n), MaxTimeoutMS)
	}
	if n := k.c.CallLimit; (n < 1 || n > MaxCallLimit) && !(n == 0 && k.c.Effect == Undecided) {
		k.outside("/call_limit", "call_limit", strconv.Itoa(n), MaxCallLimit)
	}
}

func (k *contractChecker) outside(at, what, value string, most int) {
	k.add(diag.CodeContractBounds, at, "what", what, "value", value, "least", "1", "most", strconv.Itoa(most))
}

func (k *contractChecker) schema(at string, value canonical.Value, use schema.Use) {
	compiled, problems := k.compile(value, use)
	for _, p := range notStripped(value, problems) {
		k.problems = append(k.problems, p.Under(at))
	}
	if compiled != nil && use == schema.Arguments && k.c.Effect == Write && open(value) {
		k.add(diag.CodeWriteOpen, at)
	}
}

// open tells an argument schema that takes members of which it says nothing.
func open(schema canonical.Value) bool {
	members, _ := schema.(map[string]any)
	additional, said := members["additionalProperties"]
	return !said || additional == true
}

// notStripped turns the notes about what is left out of a schema into the error that it is in a definition: what is
// hashed holds no such word (formats.md, rules 6 and 13).
func notStripped(value canonical.Value, problems []diag.Problem) []diag.Problem {
	out := make([]diag.Problem, 0, len(problems))
	found := false
	for _, p := range problems {
		if p.Code == diag.CodeSchemaStripped {
			p = diag.New(diag.CodeSchemaNotStripped, p.Target.Pointer, "keyword", p.Data["keyword"])
			found = true
		}
		out = append(out, p)
	}
	if members, ok := value.(map[string]any); ok && !found {
		_, renamed := members["definitions"]
		if clean, _ := schema.Strip(value); renamed && !canonical.Equal(clean, value) {
			out = append(out, diag.New(diag.CodeSchemaNotStripped, "/definitions", "keyword", "definitions"))
		}
	}
	return out
}

// texts looks for secrets and control characters in every text and name of the contract, and for what nobody sees in
// those that are not in a schema.
func (k *contractChecker) texts() {
	k.problems = append(k.problems, judgeTexts(k.c.Value(), func(t foundText) []diag.Problem {
		return append(secretsIn(t), controlsIn(t)...)
	})...)
	for _, field := range []struct{ at, text string }{
		{"/id", k.c.ID}, {"/name", k.c.Name}, {"/version", k.c.Version}, {"/description", k.c.Description},
	} {
		if p, found := hiddenIn(field.at, field.text); found {
			k.problems = append(k.problems, p)
		}
	}
}
