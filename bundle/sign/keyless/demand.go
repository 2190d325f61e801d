package keyless

import (
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/digest"
)

// Bounds of what is asked.
const (
	// MaxTrustedRoot bounds the bytes of a trusted root; the public one has some 7 KiB.
	MaxTrustedRoot = 1 << 20
	// MaxPayload bounds the bytes of a statement to sign, so that its bundle stays within [sign.MaxBundle].
	MaxPayload = 512 << 10
	// MaxToken bounds the bytes of an identity token.
	MaxToken = 16 << 10
	// MaxText bounds the bytes of an issuer, a subject, or the address of a service.
	MaxText = 2048
)

// Demand asks whether a bundle is what it claims to be.
type Demand struct {
	// TrustedRoot is the Sigstore trusted root as JSON.
	TrustedRoot []byte
	// Bundle is the Sigstore bundle as it was found.
	Bundle []byte
	// Artifact is the digest that the signed statement has to be about.
	Artifact digest.Digest
	// Issuer and Subject are the identity that is wanted, compared byte for byte. Both are empty if the caller judges
	// the identity that is found; one alone is an error.
	Issuer, Subject string
}

// Order asks for a signature by the identity of a token.
type Order struct {
	// Payload is the in-toto statement, signed as it is.
	Payload []byte
	// Artifact is the digest that the statement is about.
	Artifact digest.Digest
	// TrustedRoot is what the signature is verified against before it is given out.
	TrustedRoot []byte
	// Services are where to ask.
	Services Services
	// Token is the OpenID Connect identity token, as it comes from its issuer.
	Token string
	// Issuer and Subject are the identity that the certificate has to name; both or none, as in a [Demand].
	Issuer, Subject string
}

// Services are the addresses of a Sigstore instance: https, or http on loopback. None has a default.
type Services struct {
	// Fulcio issues certificates.
	Fulcio string
	// Rekor is the transparency log, and RekorVersion the version of its interface, 1 or 2.
	Rekor        string
	RekorVersion int
	// Timestamp is the full address of an RFC 3161 timestamp authority. It may be empty for a log of version 1, which
	// says the time itself; a log of version 2 says none.
	Timestamp string
}

// Signed is a signature by identity.
type Signed struct {
	// Bundle is the Sigstore bundle, in RFC 8785 form.
	Bundle []byte
	// Identity is whom the certificate names.
	Identity sign.Identity
}
