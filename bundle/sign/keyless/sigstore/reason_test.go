package sigstore

import (
	"errors"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/tools/virtualsigstore"
)

// TestRefusalWithoutAReasonStaysARefusal has a verifier that refuses a bundle in which nothing alone is wrong.
func TestRefusalWithoutAReasonStaysARefusal(t *testing.T) {
	instance, err := virtualsigstore.New()
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	root, err := instance.TrustedRoot(virtualsigstore.Everything())
	if err != nil {
		t.Fatal(err)
	}
	token, err := instance.Token("https://issuer.example.test", "a@example.test")
	if err != nil {
		t.Fatal(err)
	}
	artifact := digest.Of(nil)
	signed, err := Sign(t.Context(), keyless.Order{
		Payload: []byte(`{"_type":"https://in-toto.io/Statement/v1","predicate":{},"predicateType":"https://sigstore.dev/cosign/sign/v1",` +
			`"subject":[{"digest":{"sha256":"` + artifact.Hex() + `"}}]}`),
		Artifact: artifact, TrustedRoot: root, Token: token,
		Services: keyless.Services{Fulcio: instance.FulcioURL(), Rekor: instance.RekorURL(), RekorVersion: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	entity, leaf, err := readBundle(signed.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := readTrustedRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	var refused *keyless.Refused
	if err := reason(entity, leaf, trusted, artifact, errors.New("it does not like it")); !errors.As(err, &refused) ||
		refused.Problems[0].Code != diag.CodeKeylessRefused || refused.Problems[0].Data["why"] != "it does not like it" {
		t.Errorf("the error is %v", err)
	}
}
