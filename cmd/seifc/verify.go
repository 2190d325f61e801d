package main

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

func verifyCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "verify", Usage: "say whether a Build may be used, and why", ArgsUsage: "BUILD",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "trust", Usage: "by the trust policy in `FILE`"},
				keyFlag("by one public key `REF` alone: a file, env://VARIABLE, or NAME://RESOURCE for a plugin"),
				&cli.BoolFlag{Name: "allow-unsigned", Usage: "by its content alone; the answer says UNSIGNED"},
				&cli.StringFlag{Name: "digest", Usage: "it has to be the Build `D`"},
				&cli.StringFlag{Name: "channel", Usage: "with --trust: the release has to be for the channel `C`"},
				&cli.StringSliceFlag{Name: "bundle", Usage: "also take the signature in `FILE`, or from stdin for -; may be repeated"},
				&cli.StringFlag{Name: "source", Usage: "build `PROJECT` again and compare"},
				&cli.BoolFlag{Name: "rerun", Usage: "run the tests that the Build carries"},
				pluginFlag(), plainFlag(),
			},
		},
		formats: []string{"text", "json"}, least: 1, most: 1, run: runVerify,
	}
}

// verification is one run of verify.
type verification struct {
	*call
	path    string
	request trust.Request
	// before are findings about what the Build is judged by, and more those of the checks that were asked for.
	before, more []diag.Diagnostic
	source       *sourceCheck
	identities   *keyless.Client
}

func runVerify(ctx context.Context, c *call) (answer, error) {
	v := &verification{call: c, path: c.args[0], identities: &keyless.Client{}}
	defer v.identities.Close()
	if err := v.checkFlags(); err != nil {
		return answer{}, err
	}
	if err := v.findPolicy(ctx); err != nil {
		return answer{}, err
	}
	if diag.HasErrors(v.before) && v.request.Policy == nil && !v.request.AllowUnsigned {
		return failed(v.before), nil
	}
	unreadable, err := v.readDetached()
	if err != nil {
		return answer{}, err
	}
	if err := v.prepareSource(ctx); err != nil {
		return answer{}, err
	}
	if v.Bool("rerun") {
		v.request.Rerun = v.rerun
	}
	report, err := v.verify(ctx)
	if err != nil {
		return answer{}, err
	}
	if ctx.Err() != nil {
		return answer{}, context.Cause(ctx)
	}
	if unreadable != nil {
		spoil(&report, *unreadable)
	}
	return v.answer(report), nil
}

// checkFlags holds that one thing says what the Build is judged by.
func (v *verification) checkFlags() error {
	ways := 0
	for _, flag := range []string{"trust", "key", "allow-unsigned"} {
		if v.IsSet(flag) && (flag != "allow-unsigned" || v.Bool(flag)) {
			ways++
		}
	}
	switch {
	case ways != 1:
		return usagef("write one of --trust POLICY, --key PUBLIC and --allow-unsigned", "verify needs exactly one thing to judge by, and has %d", ways)
	case v.IsSet("channel") && !v.IsSet("trust"):
		return usagef("write --trust POLICY", "--channel is about a policy's releases, and there is none")
	case v.Bool("allow-key-plugins") && !v.IsSet("key"):
		return usagef("drop --allow-key-plugins", "--allow-key-plugins is about --key")
	case len(v.StringSlice("bundle")) > 0 && v.Bool("allow-unsigned"):
		return usagef("write --trust POLICY or --key PUBLIC", "with --allow-unsigned nothing says what the signature of --bundle is worth")
	}
	fromStdin := 0
	for _, path := range append(v.StringSlice("bundle"), v.path) {
		if path == "-" {
			fromStdin++
		}
	}
	if fromStdin > 1 {
		return usagef("name files", "several things would be read from stdin")
	}
	if !v.IsSet("digest") {
		return nil
	}
	var err error
	if v.request.Digest, err = digest.Parse(v.String("digest")); err != nil {
		return usagef("write sha256: and 64 lower-case hexadecimal digits", "--digest: %v", err)
	}
	if v.request.Digest.IsZero() {
		return usagef("write the digest of the Build", "--digest: nothing has the digest %s", v.request.Digest)
	}
	return nil
}

// findPolicy reads what the Build is judged by.
func (v *verification) findPolicy(ctx context.Context) error {
	v.request.Now, v.request.Channel = v.now(), v.String("channel")
	v.request.AllowUnsigned = v.Bool("allow-unsigned")
	switch {
	case v.IsSet("key"):
		key, err := v.openPublicKey(ctx)
		if err != nil {
			return err
		}
		v.request.Policy = trust.ForKey(key)
	case v.IsSet("trust"):
		policy, floor, findings, err := openPolicy(v.String("trust"))
		if err != nil {
			return err
		}
		v.request.Policy, v.request.Floor, v.before = policy, floor, findings
		v.request.Identities = v.identities
	}
	return nil
}

// openPolicy reads a trust policy and the state that it keeps its floor in. A state that cannot be used is a finding, and
// the check of the floor then fails.
func openPolicy(path string) (*trust.Policy, *trust.FloorState, []diag.Diagnostic, error) {
	policy, findings, err := trust.Open(path)
	if err != nil || policy == nil || policy.FloorState() == "" {
		return policy, nil, findings, err
	}
	floor, err := trust.OpenFloorState(policy.FloorState())
	var fault *trust.FloorError
	if errors.As(err, &fault) {
		return policy, nil, append(findings, about(policy.FloorState(), fault.Problem)...), nil
	}
	return policy, floor, findings, err
}

// readDetached reads the signatures from elsewhere, and says what is wrong with the first that is none.
func (v *verification) readDetached() (unreadable *diag.Problem, err error) {
	for _, path := range v.StringSlice("bundle") {
		data, err := v.readInput(path, sign.MaxBundle)
		if err != nil {
			return nil, fmt.Errorf("reading the signature: %w", err)
		}
		v.request.Detached = append(v.request.Detached, data)
		var invalid *sign.Invalid
		if _, err := sign.Decode(data); errors.As(err, &invalid) && unreadable == nil {
			unreadable = &invalid.Problems[0]
		} else if err != nil && invalid == nil {
			return nil, err
		}
	}
	return unreadable, nil
}

// spoil refuses a Build for a signature that is none, also where others satisfy the policy: anybody can attach one to a
// Build, but who names one on the command line counts on it.
func spoil(report *trust.Report, unreadable diag.Problem) {
	if report.Verdict == trust.NotVerified {
		return
	}
	report.Verdict = trust.NotVerified
	for i := range report.Checks {
		if check := &report.Checks[i]; check.Name == "signatures" {
			check.Status, check.Expected, check.Problem = trust.Failed, "no file that is no signature", &unreadable
		}
	}
}

// verify reads the Build and judges it. Content that is no Build has a report too, and so has another Build than --digest
// names.
func (v *verification) verify(ctx context.Context) (trust.Report, error) {
	layout, err := v.openLayout(ctx, v.path, bundle.ReadOptions{Digest: v.request.Digest})
	var invalid *bundle.Invalid
	if errors.As(err, &invalid) && isOther(invalid) && v.path != "-" {
		layout, err = v.openLayout(ctx, v.path, bundle.ReadOptions{})
	}
	switch {
	case errors.As(err, &invalid):
		v.more = append(v.more, invalid.Diagnostics()...)
		return trust.Refused(invalid), nil
	case err != nil:
		return trust.Report{}, err
	}
	v.request.Layout = layout
	return trust.Verify(ctx, v.request), nil
}

// isOther tells that a Build was read and is another one than the one that was asked for.
func isOther(invalid *bundle.Invalid) bool {
	return len(invalid.Problems) == 1 && invalid.Problems[0].Code == diag.CodeBuildDigest
}

// answer is the report. In text it says itself why a check failed; elsewhere the failures are findings too.
func (v *verification) answer(report trust.Report) answer {
	members := report.Value()
	if v.source != nil {
		members["source"] = v.source.member()
	}
	out := answer{findings: append(v.before, v.more...), members: members}
	if report.Verdict == trust.NotVerified {
		out.exit = exitUnverified
	}
	if v.format != "text" {
		out.findings = append(out.findings, v.failures(report)...)
	}
	out.findings = diag.Sort(out.findings)
	out.text = report.WriteText
	return out
}

// failures are the problems of the failed checks, each at the signature that it is about or at the Build.
func (v *verification) failures(report trust.Report) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, p := range report.Problems() {
		if v.known(p) {
			continue
		}
		at := v.path
		for _, s := range report.Signatures {
			if s.Problem != nil && s.Problem.Code == p.Code && maps.Equal(s.Problem.Data, p.Data) {
				at = s.Digest.String()
				break
			}
		}
		out = append(out, about(at, p)...)
	}
	return out
}

// known tells a problem that is among the findings with a better place.
func (v *verification) known(p diag.Problem) bool {
	for _, d := range v.more {
		if d.Code == p.Code && maps.Equal(d.Data, p.Data) {
			return true
		}
	}
	return false
}
