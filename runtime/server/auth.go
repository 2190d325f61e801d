package server

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/runtime/bindings"
)

// Bounds of a token: below the first, its digest could be found by trying.
const (
	minToken = 32
	maxToken = 512
)

// authenticate finds the credential of a request, nil if it presents none that is known. The time it takes does not
// depend on which one it is, nor on how near a token comes to one that is known.
func authenticate(credentials []bindings.Credential, header http.Header) *bindings.Credential {
	token := bearer(header)
	if token == "" {
		return nil
	}
	presented := digest.Of([]byte(token))
	found := -1
	for i := range credentials {
		equal := subtle.ConstantTimeCompare(presented[:], credentials[i].Token[:])
		found = subtle.ConstantTimeSelect(equal, i, found)
	}
	if found < 0 {
		return nil
	}
	return &credentials[found]
}

// bearer is the token of the one Authorization header (RFC 6750, section 2.1), empty if there is none in form.
func bearer(header http.Header) string {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || len(token) < minToken || len(token) > maxToken {
		return ""
	}
	body := strings.TrimRight(token, "=")
	for i := range len(body) {
		c := body[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("-._~+/", c) < 0 {
			return ""
		}
	}
	return token
}
