package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// errNoTime is for a caller that does not say when it is: every window would be taken to be open.
var errNoTime = errors.New("a trust policy is judged at a time, and there is none")

// verified is what is known of a Build that may be served: as [trust.Verified], or as [trust.Unsigned] where that was
// allowed twice.
type verified struct {
	report trust.Report
	// floor is the state that the policy names, as it was read for the report; nil if it names none.
	floor *trust.FloorState
	// told is what there is to say of the report wherever the Build is named.
	told Trust
}

// openPolicy reads the trust policy of the Bindings; nil if they name none. The error is the file system's.
func openPolicy(b *bindings.Bindings, now time.Time) (*trust.Policy, []diag.Diagnostic, error) {
	switch {
	case b.TrustPolicy == "":
		return nil, nil, nil
	case now.IsZero():
		return nil, nil, errNoTime
	}
	return trust.Open(b.TrustPolicy)
}

// verify reads the Build with what is attached to it, once, and judges it. Without a verdict that allows to serve it the
// error is [*Refused], or the file system's.
func verify(ctx context.Context, o Options, b *bindings.Bindings, policy *trust.Policy) (*bundle.Build, verified, error) {
	layout, err := bundle.ReadLayout(ctx, o.Build, bundle.ReadOptions{Digest: b.Build, Known: known(o.Newest)})
	var invalid *bundle.Invalid
	switch {
	case errors.As(err, &invalid):
		return nil, verified{}, &Refused{Report: trust.Refused(invalid), Findings: invalid.Diagnostics(), cause: invalid}
	case err != nil:
		return nil, verified{}, fmt.Errorf("the Build %s: %w", b.Build, err)
	}
	floor, missing, err := openFloor(policy)
	if err != nil {
		return nil, verified{}, err
	}
	report := trust.Verify(ctx, trust.Request{
		Layout: layout, Policy: policy, Channel: b.Channel, Now: o.Now, Digest: b.Build,
		AllowUnsigned: o.AllowUnsigned && b.AllowUnsigned, Identities: o.Identities, Known: known(o.Newest), Floor: floor,
	})
	if err := ctx.Err(); err != nil {
		return nil, verified{}, context.Cause(ctx)
	}
	if missing != nil {
		explain(&report, diag.CodeTrustFloorNotGiven, *missing, "", "")
	}
	explainUnsigned(&report, o.AllowUnsigned, b.AllowUnsigned)
	switch report.Verdict {
	case trust.Verified, trust.Unsigned:
		return layout.Build, verified{report, floor, trustOf(report)}, nil
	}
	return nil, verified{}, notVerified(report)
}

// openFloor opens the state file of a policy. One that is missing or damaged is a problem for the report: the Build is
// not verified then, and all other checks are worth knowing. The error is the file system's.
func openFloor(policy *trust.Policy) (*trust.FloorState, *diag.Problem, error) {
	if policy == nil || policy.FloorState() == "" {
		return nil, nil, nil
	}
	floor, err := trust.OpenFloorState(policy.FloorState())
	var fault *trust.FloorError
	if errors.As(err, &fault) {
		return nil, &fault.Problem, nil
	}
	return floor, nil, err
}

// explainUnsigned says which half of the agreement to serve an unsigned Build is missing, if it is one of them.
func explainUnsigned(r *trust.Report, commandLine, inBindings bool) {
	word, where := "--allow-unsigned", "on the command line"
	switch {
	case commandLine == inBindings:
		return
	case commandLine:
		word, where = "`allow_unsigned: true`", "in the Bindings"
	}
	problem := diag.New(diag.CodeBuildUnsigned, "", "where", where, "word", word)
	for _, code := range []diag.Code{diag.CodeTrustNoPolicy, diag.CodeTrustUnsigned} {
		explain(r, code, problem, "a verified signature, or "+word+" "+where, "UNSIGNED, and no such word")
	}
}

// explain gives the failed checks with a code a problem that says more. They have failed before and after.
func explain(r *trust.Report, code diag.Code, problem diag.Problem, expected, found string) {
	for i := range r.Checks {
		c := &r.Checks[i]
		if c.Problem == nil || c.Problem.Code != code {
			continue
		}
		c.Problem, c.Next = &problem, ""
		if expected != "" {
			c.Expected, c.Found = expected, found
		}
	}
}

// notVerified refuses a Build for what its report says.
func notVerified(r trust.Report) *Refused {
	place := diag.Place{Path: r.Build.String()}
	return &Refused{Report: r, Findings: diag.At(diag.LocatorFunc(func(diag.Target) diag.Place { return place }), r.Problems()...)}
}
