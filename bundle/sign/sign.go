package sign

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Signer signs with one key.
type Signer interface {
	// Public is the key that verifies what Sign signs.
	Public() PublicKey
	// Sign signs a message, which it hashes itself as the key's algorithm demands.
	Sign(ctx context.Context, message []byte) ([]byte, error)
}

// Sign makes the Sigstore bundle of a statement, in RFC 8785 form. It signs nothing that a reader would refuse: the
// statement has to read back equal, its predicate has to fit its role, and the signature has to verify before it is
// given out. The error is an [*Invalid] for a statement that cannot be signed, a [*KeyError] of the signer, or a
// [*KeyError] of code signing_failed for a signature that does not verify.
func Sign(ctx context.Context, signer Signer, s Statement) ([]byte, error) {
	payload, err := s.Encode()
	if err != nil {
		return nil, &Invalid{Problems: []diag.Problem{statementJSON().problem(err)}}
	}
	read, problems := ParseStatement(payload)
	if len(problems) == 0 {
		problems = read.Check()
	}
	if len(problems) > 0 {
		return nil, &Invalid{Problems: problems}
	}
	public := signer.Public()
	signature, err := signer.Sign(ctx, Preauthenticated(payload))
	if err != nil {
		return nil, fmt.Errorf("signing a statement: %w", err)
	}
	out, err := canonical.Marshal(map[string]any{
		"mediaType":            MediaType,
		"verificationMaterial": map[string]any{"publicKey": map[string]any{"hint": public.Hint()}},
		"dsseEnvelope": map[string]any{
			"payload":     base64.StdEncoding.EncodeToString(payload),
			"payloadType": PayloadType,
			"signatures":  []any{map[string]any{"sig": base64.StdEncoding.EncodeToString(signature)}},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("writing a bundle: %w", err)
	}
	made, err := Decode(out)
	if err != nil {
		return nil, err
	}
	if err := made.Verify(public); err != nil {
		return nil, keyFault(diag.CodeSigningFailed, "why", "its signature does not verify with its public key")
	}
	return out, nil
}
