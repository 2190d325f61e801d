package sign

import "github.com/seif-dev/seifc/diag"

// Predicate types that mean something here.
const (
	ReleasePredicate         = ownPrefix + "release/v1"
	GuardReviewPredicate     = ownPrefix + "guard-review/v1"
	AcknowledgementPredicate = ownPrefix + "acknowledgement/v1"
	PromotionPredicate       = ownPrefix + "promotion/v1"
	TestsPredicate           = "https://in-toto.io/attestation/test-result/v0.1"
	ProvenancePredicate      = "https://slsa.dev/provenance/v1"
	// CosignPredicate is that of a plain cosign signature: integrity, no role.
	CosignPredicate = "https://sigstore.dev/cosign/sign/v1"

	ownPrefix = "https://seif.dev/attestation/"
)

// Role is what a statement is signed as.
type Role string

// The roles. A statement of another predicate type has none: it gives integrity only.
const (
	NoRole              Role = ""
	RoleRelease         Role = "release"
	RoleTests           Role = "tests"
	RoleGuardReview     Role = "guard-review"
	RoleAcknowledgement Role = "acknowledgement"
	RolePromotion       Role = "promotion"
	RoleProvenance      Role = "provenance"
)

// Roles lists all roles, in the order in which they are named to people.
func Roles() []Role {
	return []Role{RoleRelease, RoleTests, RoleGuardReview, RoleAcknowledgement, RolePromotion, RoleProvenance}
}

// PredicateType is the predicate type of a role, empty for none.
func (r Role) PredicateType() string {
	for _, predicate := range []string{
		ReleasePredicate, TestsPredicate, GuardReviewPredicate, AcknowledgementPredicate, PromotionPredicate, ProvenancePredicate,
	} {
		if roleOf(predicate) == r {
			return predicate
		}
	}
	return ""
}

func roleOf(predicateType string) Role {
	switch predicateType {
	case ReleasePredicate:
		return RoleRelease
	case TestsPredicate:
		return RoleTests
	case GuardReviewPredicate:
		return RoleGuardReview
	case AcknowledgementPredicate:
		return RoleAcknowledgement
	case PromotionPredicate:
		return RolePromotion
	case ProvenancePredicate:
		return RoleProvenance
	default:
		return NoRole
	}
}

// ours tells predicate types whose statements only we write.
func ours(predicateType string) bool {
	switch predicateType {
	case ReleasePredicate, GuardReviewPredicate, AcknowledgementPredicate, PromotionPredicate:
		return true
	default:
		return false
	}
}

// Check reads the predicate as the statement's role demands. Statements without a role pass.
func (s Statement) Check() []diag.Problem {
	var problems []diag.Problem
	switch s.Role() {
	case RoleRelease:
		_, problems = ParseRelease(s)
	case RoleTests:
		_, problems = ParseTests(s)
	case RoleGuardReview:
		_, problems = ParseGuardReview(s)
	case RoleAcknowledgement:
		_, problems = ParseAcknowledgement(s)
	case RolePromotion:
		_, problems = ParsePromotion(s)
	case RoleProvenance:
		_, problems = ParseProvenance(s)
	}
	return problems
}

// predicate opens the predicate of a statement that has to be of the given type.
func predicate(s Statement, predicateType string, required, optional []string) (*reader, map[string]any) {
	r := &reader{codes: memberCodes{diag.CodePredicateMemberUnknown, diag.CodePredicateMemberMissing, diag.CodePredicateMemberWrong}}
	if s.PredicateType != predicateType {
		r.add(diag.CodePredicateType, "/predicateType", "expected", predicateType, "found", shown(s.PredicateType))
		return r, nil
	}
	return r, r.object("/predicate", s.Predicate, required, optional)
}

// statement is a statement of ours.
func statement(predicateType string, s Subject, members map[string]any) Statement {
	return Statement{Version: StatementV1, Subject: s, PredicateType: predicateType, Predicate: members, Canonical: true}
}
