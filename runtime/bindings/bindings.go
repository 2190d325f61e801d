package bindings

import (
	"net/netip"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// SchemaName is the value of the document's `schema` member.
const SchemaName = "seif.bindings.v1"

// DefaultListen is where a runtime listens if the Bindings do not say.
const DefaultListen = "127.0.0.1:7343"

// Bounds of a Bindings document.
const (
	// MaxBytes bounds the file.
	MaxBytes = 1 << 20
	// MaxCredentials bounds the credentials: every one is compared with every request.
	MaxCredentials = 1000
	// MaxPrincipalBytes bounds the name of a principal.
	MaxPrincipalBytes = 128
)

// Quotas and their defaults.
const (
	DefaultRequestsInFlight = 64
	MaxRequestsInFlight     = 1024
	DefaultPerCredential    = 16
	DefaultBodyBytes        = 256 << 10
	MinBodyBytes            = 1 << 10
	MaxBodyBytes            = 4 << 20
)

// Bindings is what one environment says about one Build.
type Bindings struct {
	// Build is the digest of the only Build that may be served.
	Build digest.Digest
	// Listen is an address of an interface, never a name that could resolve to another one.
	Listen netip.AddrPort
	// TrustPolicy is the path of the trust policy that the Build is judged by; a relative one was taken from the folder of
	// the Bindings. Empty if there is none, and then AllowUnsigned is true.
	TrustPolicy string
	// Channel is the one that the release has to be for; empty exactly if there is no trust policy.
	Channel string
	// AllowUnsigned is the Bindings' half of the agreement to serve a Build without a signature.
	AllowUnsigned bool
	// Credentials are sorted by ID.
	Credentials []Credential
	Quotas      Quotas
}

// Class is what kind of caller a credential belongs to.
type Class string

const (
	// App resolves contexts.
	App Class = "app"
	// Ops sees the details of readiness.
	Ops Class = "ops"
)

// approver is a class of a later version: nothing here needs an approval yet.
const approver Class = "approver"

// Credential is one bearer token and what its holder may do.
type Credential struct {
	// ID names the credential in logs.
	ID    string
	Class Class
	// Token is the SHA-256 digest of the token.
	Token digest.Digest
	// Principal is on whose behalf the credential acts. Two credentials may share one, to replace a token without a
	// gap.
	Principal string
	// Profiles lists, in authored order, what an App may resolve; at least one and none twice.
	Profiles []string
	// Inputs are fixed for an App: they are part of each of its requests, and a request that names one is refused.
	Inputs map[string]canonical.Value
}

// Quotas bound what callers can take.
type Quotas struct {
	// RequestsInFlight bounds the authenticated requests that are worked on at the same time.
	RequestsInFlight int
	// PerCredential is the share of one credential, so that one application cannot stop the others.
	PerCredential int
	// BodyBytes bounds the body of a request.
	BodyBytes int
}
