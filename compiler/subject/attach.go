package subject

import (
	"context"
	"slices"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/bundle/sign"
)

// Attached is what came of attaching signatures.
type Attached struct {
	Outcome     bundle.Outcome
	Attachments []bundle.Attachment
	// Replaced is how many earlier signatures went for it. One that is made again byte for byte stays.
	Replaced int
}

// Attach puts Sigstore bundles onto a Build where it is: a .seif file, a layout folder, or a registry. own tells what the
// same signer signed: its earlier statements of the same types go, so that a signer says one thing at a time. In a
// registry nothing can be taken away, and they stay. Nothing that others attach at the same time is lost. The errors are
// those of [bundle.Update] and [registry.Attach].
func Attach(ctx context.Context, path string, build *bundle.Build, access Access, signatures [][]byte, own func(*sign.Bundle) bool) (Attached, error) {
	out := Attached{Outcome: bundle.Written}
	types := map[string]bool{}
	for _, content := range signatures {
		decoded, err := sign.Decode(content)
		if err != nil {
			return Attached{}, err
		}
		types[decoded.Statement().PredicateType] = true
		attachment, err := build.Attach(content, decoded.Statement().PredicateType)
		if err != nil {
			return Attached{}, err
		}
		out.Attachments = append(out.Attachments, attachment)
	}
	if InRegistry(path) {
		return out, registry.Attach(ctx, path, build, out.Attachments, access.Registry)
	}
	var err error
	out.Outcome, err = bundle.Update(ctx, path, build.Digest(), func(layout *bundle.Layout) ([]bundle.Attachment, error) {
		kept := append(Others(layout, types, own), out.Attachments...)
		out.Replaced = gone(layout.Attachments, kept)
		return kept, nil
	})
	return out, err
}

// Others are the attachments of a layout without the statements of the given predicate types that one signer made about
// this Build.
func Others(layout *bundle.Layout, types map[string]bool, own func(*sign.Bundle) bool) []bundle.Attachment {
	var kept []bundle.Attachment
	for _, attachment := range layout.Attachments {
		decoded, err := sign.Decode(attachment.Content())
		if err == nil && types[decoded.Statement().PredicateType] && decoded.Statement().Subject == layout.Build.Digest() && own(decoded) {
			continue
		}
		kept = append(kept, attachment)
	}
	return kept
}

// gone counts the attachments of before that are not among those of after.
func gone(before, after []bundle.Attachment) int {
	n := 0
	for _, was := range before {
		if !slices.ContainsFunc(after, func(is bundle.Attachment) bool { return is.Digest() == was.Digest() }) {
			n++
		}
	}
	return n
}

// ByKey tells what a key signed.
func ByKey(key sign.PublicKey) func(*sign.Bundle) bool {
	return func(b *sign.Bundle) bool { return b.Verify(key) == nil }
}
