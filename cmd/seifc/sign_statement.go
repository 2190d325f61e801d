package main

import (
	"context"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/testsuite"
)

// defaultChannel is where a release goes whose channel nobody names.
const defaultChannel = "stable"

// statements are what is to be signed.
type statements struct {
	role     sign.Role
	all      []sign.Statement
	channel  string
	sequence int64
	tests    *testsMember
	// refused is the answer when there is nothing that may be signed.
	refused *answer
}

// roleFlags are the flags that say something in one role only.
var roleFlags = map[string]sign.Role{
	"channel": sign.RoleRelease, "sequence": sign.RoleRelease,
	"builder": sign.RoleProvenance, "invocation": sign.RoleProvenance, "material": sign.RoleProvenance,
}

// role reads --role, and refuses flags of another one.
func (s *signing) role() (sign.Role, error) {
	role := sign.RoleRelease
	if s.IsSet("role") {
		role = sign.Role(s.String("role"))
	}
	can := []string{string(sign.RoleRelease), string(sign.RoleTests), string(sign.RoleProvenance)}
	if !slices.Contains(can, string(role)) {
		if slices.Contains(sign.Roles(), role) {
			return "", usagef("`seifc sign` signs as "+strings.Join(can, ", "), "a statement of the role %s is written by the command that judges what it says, not by `seifc sign`", role)
		}
		return "", usagef(nearestHelp(string(role), can), "there is no role %q", role)
	}
	for _, flag := range mapKeys(roleFlags) {
		if s.IsSet(flag) && roleFlags[flag] != role {
			return "", usagef("drop --"+flag, "--%s belongs to the role %s, and this is %s", flag, roleFlags[flag], role)
		}
	}
	return role, nil
}

// statements makes what is to be signed in the role.
func (s *signing) statements(ctx context.Context) (statements, error) {
	switch s.as {
	case sign.RoleTests:
		return s.testResult(ctx)
	case sign.RoleProvenance:
		return s.provenance()
	default:
		return s.release()
	}
}

// release is a release of the Build. Attached ones have a plain cosign signature beside them, for those who look for that.
func (s *signing) release() (statements, error) {
	out := statements{role: sign.RoleRelease, channel: defaultChannel, sequence: 1}
	if earlier, ok := s.earlierRelease(); ok {
		out.channel, out.sequence = earlier.Channel, earlier.Sequence
	}
	if s.IsSet("channel") {
		out.channel = s.String("channel")
	}
	if s.IsSet("sequence") {
		out.sequence = s.Int64("sequence")
	}
	build := s.layout.Build
	def := build.Definition()
	release := sign.Release{
		Project: def.Project, Channel: out.channel, Sequence: out.sequence, Definition: build.DefinitionDigest(),
		Runtime: def.Version.Runtime(), Tools: sign.ToolSetDigest(def),
	}.Statement(build.Digest())
	if problems := release.Check(); len(problems) > 0 {
		return statements{}, notStatement(problems)
	}
	out.all = []sign.Statement{release}
	if s.String("bundle-out") == "" {
		out.all = append(out.all, sign.CosignStatement(build.Digest()))
	}
	return out, nil
}

// earlierRelease is what the same key said before about this Build.
func (s *signing) earlierRelease() (sign.Release, bool) {
	if s.Bool("keyless") {
		return sign.Release{}, false // who it is shows when it has signed
	}
	for _, attachment := range s.layout.Attachments {
		decoded, err := sign.Decode(attachment.Content())
		if err != nil || decoded.Statement().Subject != s.layout.Build.Digest() || !s.signer.own(decoded) {
			continue
		}
		if release, problems := sign.ParseRelease(decoded.Statement()); len(problems) == 0 {
			return release, true
		}
	}
	return sign.Release{}, false
}

// testResult runs the tests that the Build carries and attests that they passed; nothing else can be attested.
func (s *signing) testResult(ctx context.Context) (statements, error) {
	s.progress("running %s", count(len(s.meaning.suite.Tests), "test"))
	report, err := testsuite.Run(ctx, s.meaning.plan, s.meaning.suite, testsuite.Options{})
	if err != nil {
		return statements{}, err
	}
	if report.Failed() > 0 || len(report.Results) == 0 {
		refused := testAnswer(s.meaning, report)
		refused.exit, refused.raw = exitWanting, nil
		return statements{refused: &refused}, nil
	}
	build := s.layout.Build
	result := sign.Tests{Tests: build.Definition().Tests.Digest, Estimator: build.Definition().Estimator}
	for _, r := range report.Results {
		result.Passed = append(result.Passed, r.ID)
		if r.Incident != "" {
			result.Guards++
		}
	}
	slices.Sort(result.Passed)
	ran := testsOf(report)
	return statements{role: sign.RoleTests, tests: &ran, all: []sign.Statement{result.Statement(build.Digest())}}, nil
}

// provenance is the caller's claim of who built from what.
func (s *signing) provenance() (statements, error) {
	if s.String("builder") == "" {
		return statements{}, usagef("write --builder URI", "provenance says who built, and nobody is named")
	}
	claim := sign.Provenance{
		BuildType: sign.BuildType, Builder: s.String("builder"), Invocation: s.String("invocation"),
		Parameters: map[string]any{"project": s.layout.Build.Definition().Project},
	}
	for _, text := range s.StringSlice("material") {
		material, ok := readMaterial(text)
		if !ok {
			return statements{}, usagef("write it as git+https://host/repository@gitCommit:0123abcd...", "the material %q is not URI@ALGORITHM:HEX", text)
		}
		claim.Materials = append(claim.Materials, material)
	}
	st := claim.Statement(s.layout.Build.Digest())
	if problems := st.Check(); len(problems) > 0 {
		return statements{}, notStatement(problems)
	}
	return statements{role: sign.RoleProvenance, all: []sign.Statement{st}}, nil
}

// readMaterial reads URI@ALGORITHM:HEX. The URI may have an @ of its own.
func readMaterial(text string) (sign.Material, bool) {
	at := strings.LastIndexByte(text, '@')
	if at <= 0 {
		return sign.Material{}, false
	}
	algorithm, hex, ok := strings.Cut(text[at+1:], ":")
	if !ok || algorithm == "" || hex == "" {
		return sign.Material{}, false
	}
	return sign.Material{URI: text[:at], Digest: map[string]string{algorithm: hex}}, true
}

// notStatement is wrong usage: a flag says what no statement may say.
func notStatement(problems []diag.Problem) error {
	return usagef("see `seifc sign --help`", "no such statement can be made: %s", about("", problems...)[0].Message())
}
