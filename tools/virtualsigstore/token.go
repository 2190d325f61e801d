package virtualsigstore

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"time"
)

// claims are those of an identity token that Fulcio reads.
type claims struct {
	Issuer   string `json:"iss"`
	Subject  string `json:"sub"`
	Email    string `json:"email,omitempty"`
	Verified bool   `json:"email_verified,omitempty"`
	Audience string `json:"aud"`
	Expires  int64  `json:"exp"`
}

// subject is what stands in the certificate: the address of a person, or the URI of a workload.
func (c claims) subject() string {
	if c.Email != "" {
		return c.Email
	}
	return c.Subject
}

// Token is an identity token (RFC 7519) that the instance accepts for a few minutes of its clock. A subject with `://`
// is that of a workload, any other an address.
func (i *Instance) Token(issuer, subject string) (string, error) {
	c := claims{Issuer: issuer, Subject: subject, Audience: "sigstore", Expires: i.Now().Add(5 * time.Minute).Unix()}
	if !strings.Contains(subject, "://") {
		c.Subject, c.Email, c.Verified = "1", subject, true
	}
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	head := encode([]byte(`{"alg":"ES256","typ":"JWT"}`)) + "." + encode(payload)
	sum := sha256.Sum256([]byte(head))
	r, s, err := ecdsa.Sign(rand.Reader, i.issuer, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return head + "." + encode(signature), nil
}

// checkToken verifies a token as the authority does with the keys of the token's issuer.
func (i *Instance) checkToken(token string) (claims, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims{}, errors.New("the identity token has not three parts")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return claims{}, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return claims{}, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(signature) != 64 || !ecdsa.Verify(&i.issuer.PublicKey, sum[:],
		new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return claims{}, errors.New("the identity token is not signed by its issuer")
	}
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return claims{}, err
	}
	if c.Audience != "sigstore" || i.Now().Unix() >= c.Expires {
		return claims{}, errors.New("the identity token is for somebody else or has expired")
	}
	return c, nil
}
