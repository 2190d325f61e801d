package definition

import (
	"regexp"
	"strconv"

	"github.com/seif-dev/seifc/decide/schema"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of a contract.
const (
	MaxTimeoutMS          = 600_000
	MaxCallLimit          = 1000
	MaxDescriptionRunes   = 8192
)

var (
	modelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
	// semVer is SemVer 2.0.0 without build metadata.
	semVer = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$`)
)

// Check reports everything that is wrong with a contract by itself. The pointers are into the contract. An undecided
// effect is no fault here: it fails where the contract is pinned.
func (c Contract) Check() []diag.Problem {
	k := &contractChecker{c: c}
	k.names()
	k.effect()
	k.bounds()
	k.schemas()
	k.characters()
	return k.problems
}

type contractChecker struct {
	c        Contract
	problems []diag.Problem
}

func (k *contractChecker) add(code diag.Code, at string, pairs ...string) {
	k.problems = append(k.problems, diag.New(code, at, append([]string{"id", k.c.ID}, pairs...)...))
}

func (k *contractChecker) names() {
	if !idForm.MatchString(k.c.ID) {
		k.problems = append(k.problems, diag.New(diag.CodeIDForm, "/id", "what", "tool contract", "id", k.c.ID, "form", idForm.String()))
	}
	if !modelName.MatchString(k.c.Name) {
		k.add(diag.CodeModelName, "/name", "name", k.c.Name, "form", modelName.String())
	}
	if len(k.c.Version) > 64 || !semVer.MatchString(k.c.Version) {
		k.add(diag.CodeVersionForm, "/version", "version", k.c.Version)
	}
	if n := len([]rune(k.c.Description)); n > MaxDescriptionRunes {
		k.add(diag.CodeContractBounds, "/description", "what", "the description", "value", strconv.Itoa(n)+" characters", "least", "1", "most", strconv.Itoa(MaxDescriptionRunes))
	}
}

func (k *contractChecker) effect() {
	switch {
	case k.c.Effect != Read && k.c.Effect != Write && k.c.Effect != Undecided:
		k.add(diag.CodeEffectUnknown, "/effect", "effect", string(k.c.Effect))
	case k.c.Effect == Write && k.c.Approval != OperatorApproval:
		k.add(diag.CodeWriteNeedsApproval, "/approval")
	case k.c.Effect == Read && k.c.Approval != NoApproval && k.c.Approval != OperatorApproval:
		k.add(diag.CodeApprovalUnknown, "/approval", "approval", string(k.c.Approval))
	}
}

func (k *contractChecker) bounds() {
	if k.c.TimeoutMS < 1 || k.c.TimeoutMS > MaxTimeoutMS {
		k.add(diag.CodeContractBounds, "/timeout_ms", "what", "timeout_ms", "value", strconv.Itoa(k.c.TimeoutMS), "least", "1", "most", strconv.Itoa(MaxTimeoutMS))
	}
	if k.c.Effect != Undecided && (k.c.CallLimit < 1 || k.c.CallLimit > MaxCallLimit) {
		k.add(diag.CodeContractBounds, "/call_limit", "what", "call_limit", "value", strconv.Itoa(k.c.CallLimit), "least", "1", "most", strconv.Itoa(MaxCallLimit))
	}
}

func (k *contractChecker) schemas() {
	arguments, problems := schema.Compile(k.c.Schema, schema.Arguments)
	for _, p := range problems {
		k.problems = append(k.problems, p.Under("/schema"))
	}
	if arguments != nil && k.c.Effect == Write && open(k.c.Schema) {
		k.add(diag.CodeWriteOpen, "/schema")
	}
	if k.c.Result == nil {
		return
	}
	_, problems = schema.Compile(k.c.Result, schema.Result)
	for _, p := range problems {
		k.problems = append(k.problems, p.Under("/result"))
	}
}

// open tells an argument schema that takes members it does not name.
func open(schema canonical.Value) bool {
	members, _ := schema.(map[string]any)
	additional, said := members["additionalProperties"]
	return !said || additional == true
}

// characters refuses what nobody sees in the text that a model reads. Schemas are looked at by the schema profile.
func (k *contractChecker) characters() {
	for _, field := range []struct{ at, text string }{{"/name", k.c.Name}, {"/version", k.c.Version}, {"/description", k.c.Description}} {
		if p, found := hiddenIn(field.text, nil); found {
			p.Target.Pointer = field.at
			k.problems = append(k.problems, p)
		}
	}
}
