package trust

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// rolePrefix begins the name of the check of each requirement.
const rolePrefix = "role "

// contents says that the Build is whole. `bundle` has verified that when the Build came to be, and a Build never
// changes; its manifest is hashed once more, since all else hangs on it.
func (v *verification) contents() Check {
	manifest := v.build.Manifest()
	if found := digest.Of(manifest); found != v.build.Digest() {
		return failed("contents", v.build.Digest().String(), found.String(), "", diag.New(diag.CodeBlobDigest, "",
			"entry", "the manifest", "expected", v.build.Digest().String(), "found", found.String()))
	}
	return passed("contents", fmt.Sprintf("%s: every file has the digest and size that its manifest states, and there is no other file", v.build.Digest()))
}

func (v *verification) pin() Check {
	found := v.build.Digest()
	switch {
	case v.Digest.IsZero():
		return skipped("digest", "no digest was asked for")
	case v.Digest != found:
		return failed("digest", v.Digest.String(), found.String(), "seifc pull oci://REPO@"+v.Digest.String()+" -o FILE",
			diag.New(diag.CodeBuildDigest, "", "found", found.String(), "expected", v.Digest.String()))
	}
	return passed("digest", found.String())
}

func (v *verification) definition() Check {
	found, expected := digest.Of(v.build.DefinitionBytes()), v.build.DefinitionDigest()
	if found != expected {
		return failed("definition", expected.String(), found.String(), "", diag.New(diag.CodeBlobDigest, "",
			"entry", "the definition", "expected", expected.String(), "found", found.String()))
	}
	return passed("definition", found.String())
}

func (v *verification) runtime() Check {
	version := v.build.Definition().Version
	known := knownRuntimes(v.Known)
	if v.Known != nil && !slices.Contains(v.Known, version) || version != definition.V1 && version != definition.V2 {
		list := strings.Join(known, ", ")
		if list == "" {
			list = "none"
		}
		return failed("runtime", list, version.Runtime(), "seifc show BUILD",
			diag.New(diag.CodeUnknownRuntime, "", "found", version.Runtime(), "known", list))
	}
	return passed("runtime", version.Runtime())
}

func (v *verification) project() Check {
	found := v.build.Definition().Project
	switch {
	case v.Policy == nil:
		return skipped("project", found+"; there is no policy that names one")
	case v.Policy.integrity:
		return skipped("project", found+"; a key alone is for no Project")
	case found != v.Policy.project:
		return failed("project", v.Policy.project, found, "seifc show BUILD",
			diag.New(diag.CodeTrustProject, "", "found", found, "expected", v.Policy.project))
	}
	return passed("project", found)
}

func (v *verification) channel() Check {
	const name = "channel"
	switch {
	case v.Policy != nil && !v.Policy.integrity && v.Channel != "" && !slices.Contains(v.Policy.channels, v.Channel):
		all := strings.Join(v.Policy.channels, ", ")
		return failed(name, all, v.Channel, "seifc explain "+string(diag.CodeTrustChannel),
			diag.New(diag.CodeTrustChannel, "", "found", v.Channel, "expected", all))
	case v.release != nil:
		return passed(name, fmt.Sprintf("%s, sequence %d", v.release.channel, v.release.sequence))
	case v.unsigned():
		return skipped(name, "UNSIGNED: nothing says which channel the Build is for")
	case v.Channel != "":
		return failed(name, v.Channel, "no release for it that counts", signRelease(v.Channel), v.unmet(sign.RoleRelease))
	case v.Policy == nil:
		return skipped(name, "there is no policy that names one")
	case v.threshold(sign.RoleRelease) > 0:
		return skipped(name, "no release counts")
	}
	return skipped(name, "no release statement is required")
}

func (v *verification) signatures() Check {
	const name = "signatures"
	valid, counted := 0, 0
	var first, forged *diag.Problem
	for _, j := range v.judged {
		switch {
		case j.Status == Passed:
			valid, counted = valid+1, counted+1
		case j.Status == Skipped:
			valid++
		case j.forged && forged == nil:
			forged = j.Problem
		}
		if first == nil {
			first = j.Problem
		}
	}
	found := fmt.Sprintf("%d found, %d valid, %d count", len(v.judged), valid, counted)
	switch {
	case v.Policy == nil && v.AllowUnsigned:
		return skipped(name, fmt.Sprintf("UNSIGNED: %d found, and there is no policy that could judge them", len(v.judged)))
	case v.Policy == nil:
		return failed(name, "a policy or a key", "neither", "seifc verify --trust POLICY BUILD", diag.New(diag.CodeTrustNoPolicy, ""))
	case v.unsigned():
		return skipped(name, "UNSIGNED: none found")
	case len(v.judged) == 0:
		return failed(name, "at least one", "none", "seifc sign --key KEY BUILD", diag.New(diag.CodeTrustUnsigned, ""))
	case len(v.judged) > MaxSignatures:
		return failed(name, "at most "+count(MaxSignatures), found, "", v.tooMany())
	case forged != nil:
		return failed(name, "none that was changed", found, "seifc pull oci://REPO@"+v.build.Digest().String()+" -o FILE", *forged)
	case counted > 0:
		return passed(name, found)
	case first != nil && v.Policy.integrity && first.Code == diag.CodeTrustSignerUnknown:
		key := v.Policy.signers[0].name
		return failed(name, "one by "+key, found, "seifc sign --key KEY BUILD", diag.New(diag.CodeTrustKeyUnmet, "", "expected", key))
	case first != nil:
		return failed(name, "at least one that counts", found, "seifc sign --key KEY BUILD", *first)
	}
	role := sign.RoleRelease // all are valid, and those that have a role are for another channel than was asked for
	if len(v.Policy.require) > 0 {
		role = v.Policy.require[0].Role
	}
	return failed(name, "at least one that counts", found, "seifc sign --key KEY BUILD", v.unmet(role))
}

func (v *verification) roles() []Check {
	switch {
	case v.Policy == nil:
		return []Check{skipped("roles", "there is no policy that requires one")}
	case v.Policy.integrity:
		return []Check{skipped("roles", "not checked: with --key any statement by the key will do")}
	}
	out := make([]Check, 0, len(v.Policy.require))
	for _, req := range v.Policy.require {
		name := rolePrefix + string(req.Role)
		n := v.counting(req.Role)
		found := fmt.Sprintf("%d of %d", n, req.Threshold)
		switch {
		case v.unsigned():
			out = append(out, skipped(name, "UNSIGNED: "+found))
		case n < req.Threshold:
			out = append(out, failed(name, signersText(req.Threshold), found, "seifc sign --key KEY --role "+string(req.Role)+" BUILD", v.unmet(req.Role)))
		default:
			out = append(out, passed(name, found))
		}
	}
	return out
}

// revoked looks for the Build and its contracts among those that the policy withdraws.
func (v *verification) revoked() Check {
	const name = "revoked"
	if v.Policy == nil || v.Policy.integrity {
		return skipped(name, "there is no policy that could revoke anything")
	}
	found := v.build.Digest()
	if reason, yes := v.Policy.builds[found]; yes {
		return failed(name, "not revoked", found.String(), "seifc explain "+string(diag.CodeTrustBuildRevoked),
			diag.New(diag.CodeTrustBuildRevoked, "", "found", found.String(), "reason", reason))
	}
	tools := v.build.Definition().Tools
	for _, id := range slices.Sorted(maps.Keys(tools)) {
		fingerprint := tools[id].Fingerprint
		if reason, yes := v.Policy.contracts[fingerprint]; yes {
			return failed(name, "no revoked contract", id+" "+fingerprint.String(), "seifc show --tools BUILD",
				diag.New(diag.CodeTrustToolRevoked, "", "tool", id, "found", fingerprint.String(), "reason", reason))
		}
	}
	return passed(name, fmt.Sprintf("neither the Build nor one of its %d contracts", len(tools)))
}

// floor holds the sequence of the release against the lowest that its channel accepts.
func (v *verification) floor() Check {
	const name = "floor"
	switch {
	case v.Policy == nil:
		return skipped(name, "there is no policy that has one")
	case v.Policy.floorState != "" && v.Floor == nil:
		return failed(name, v.Policy.floorState, "not opened", "", diag.New(diag.CodeTrustFloorNotGiven, "", "expected", v.Policy.floorState))
	case v.Floor != nil && !v.Policy.integrity && v.Floor.Project() != v.Policy.project:
		return failed(name, v.Policy.project, v.Floor.Project(), "", diag.New(diag.CodeFloorStateProject, "",
			"path", v.Floor.Path(), "found", v.Floor.Project(), "expected", v.Policy.project))
	case v.Floor == nil && len(v.Policy.floor) == 0:
		return skipped(name, "the policy has none: an older release passes as well as a newer one")
	case v.unsigned():
		return skipped(name, "UNSIGNED: the Build has no sequence")
	case v.release == nil:
		return failed(name, "a release with a sequence", "none that counts", signRelease("CHANNEL"), v.unmet(sign.RoleRelease))
	}
	floor, ok := v.floorOf(v.release.channel)
	found := fmt.Sprintf("%s, sequence %d", v.release.channel, v.release.sequence)
	switch {
	case !ok:
		return skipped(name, found+"; there is none for the channel")
	case v.release.sequence < floor:
		return failed(name, "at least "+strconv.FormatInt(floor, 10), found, signRelease(v.release.channel),
			diag.New(diag.CodeTrustBelowFloor, "", "found", strconv.FormatInt(v.release.sequence, 10),
				"channel", v.release.channel, "expected", strconv.FormatInt(floor, 10)))
	}
	return passed(name, fmt.Sprintf("%s; the floor is %d", found, floor))
}

// signRelease is the command that releases a Build, anew or for the first time.
func signRelease(channel string) string {
	return "seifc sign --key KEY --role release --channel " + channel + " --sequence N BUILD"
}

func count(n int) string { return strconv.Itoa(n) }

func signersText(n int) string {
	if n == 1 {
		return "1 signer"
	}
	return count(n) + " signers"
}
