package sign

import "time"

// Identity is who signed by a certificate instead of a key, as bundle/sign/keyless verified it.
type Identity struct {
	// Issuer is the OIDC issuer that vouched for the subject, exactly as the certificate has it.
	Issuer string
	// Subject is the subject alternative name of the certificate.
	Subject string
	// Time is a trusted time within the validity of the certificate at which the signature existed.
	Time time.Time
}
