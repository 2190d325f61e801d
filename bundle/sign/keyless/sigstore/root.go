package sigstore

import (
	"errors"

	"github.com/sigstore/sigstore-go/pkg/root"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds on the JSON of a trusted root.
const (
	maxRootDepth  = 16
	maxRootValues = 20_000
)

// readTrustedRoot reads a trusted root that is enough to verify by: a certificate authority and a log. Whether a time
// can be had shows with each bundle.
func readTrustedRoot(data []byte) (*root.TrustedRoot, error) {
	limits := canonical.Limits{Bytes: keyless.MaxTrustedRoot, Depth: maxRootDepth, Values: maxRootValues}
	if _, err := canonical.Parse(data, limits); err != nil {
		return nil, keyless.Refuse(diag.CodeKeylessTrustedRoot, "why", shown(err))
	}
	trusted, err := root.NewTrustedRootFromJSON(data)
	if err == nil && trusted == nil {
		err = errors.New("nothing was read")
	}
	if err != nil {
		return nil, keyless.Refuse(diag.CodeKeylessTrustedRoot, "why", shown(err))
	}
	if len(trusted.FulcioCertificateAuthorities()) == 0 {
		return nil, keyless.Refuse(diag.CodeKeylessTrustedRootLacks, "what", "certificate authority")
	}
	if len(trusted.RekorLogs()) == 0 {
		return nil, keyless.Refuse(diag.CodeKeylessTrustedRootLacks, "what", "transparency log")
	}
	return trusted, nil
}
