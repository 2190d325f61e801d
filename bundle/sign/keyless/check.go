package keyless

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// Check tells a demand that could never be met. The error is a [*Refused].
func (d Demand) Check() error {
	switch {
	case len(d.Bundle) == 0 || len(d.Bundle) > sign.MaxBundle:
		return bad("bundle", "it has to have 1 to "+strconv.Itoa(sign.MaxBundle)+" bytes")
	case d.Artifact.IsZero():
		return bad("artifact", "no digest is given")
	}
	return checkRoot(d.TrustedRoot, d.Issuer, d.Subject)
}

// Check tells an order that could never be carried out. The error is a [*Refused] or a [*Failure], as for signing.
func (o Order) Check() error {
	switch {
	case len(o.Payload) == 0 || len(o.Payload) > MaxPayload:
		return bad("statement", "it has to have 1 to "+strconv.Itoa(MaxPayload)+" bytes")
	case o.Artifact.IsZero():
		return bad("artifact", "no digest is given")
	}
	if err := checkRoot(o.TrustedRoot, o.Issuer, o.Subject); err != nil {
		return err
	}
	if err := checkToken(o.Token); err != nil {
		return err
	}
	return o.Services.Check()
}

// Check tells services that cannot be asked. The error is a [*Refused].
func (s Services) Check() error {
	if err := checkAddress("the certificate authority", s.Fulcio); err != nil {
		return err
	}
	if err := checkAddress("the transparency log", s.Rekor); err != nil {
		return err
	}
	if s.RekorVersion != 1 && s.RekorVersion != 2 {
		return bad("version of the log's interface", "it is 1 or 2")
	}
	if s.Timestamp == "" {
		if s.RekorVersion == 2 {
			return bad("timestamp authority", "a log of version 2 says no time")
		}
		return nil
	}
	return checkAddress("the timestamp authority", s.Timestamp)
}

func checkRoot(root []byte, issuer, subject string) error {
	switch {
	case len(root) == 0 || len(root) > MaxTrustedRoot:
		return bad("trusted root", "it has to have 1 to "+strconv.Itoa(MaxTrustedRoot)+" bytes")
	case (issuer == "") != (subject == ""):
		return bad("identity", "an issuer and a subject belong together")
	case len(issuer) > MaxText || len(subject) > MaxText:
		return bad("identity", "it is too long")
	}
	return nil
}

// checkToken tells what is no JSON Web Token (RFC 7519) in compact form. Its content is for the authority to judge.
func checkToken(token string) error {
	parts := strings.Split(token, ".")
	if len(token) > MaxToken || len(parts) != 3 {
		return Refuse(diag.CodeKeylessToken)
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return Refuse(diag.CodeKeylessToken)
		}
	}
	return nil
}

// checkAddress allows https, and http where nothing leaves the machine.
func checkAddress(what, address string) error {
	u, err := url.Parse(address)
	why := ""
	switch {
	case address == "":
		why = "it is not given"
	case len(address) > MaxText || err != nil || u.Host == "" || u.Opaque != "":
		why = "it is no address"
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		why = "it has more than a host and a path"
	case u.Scheme != "https" && u.Scheme != "http":
		why = "it has to begin with https://"
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		why = "plain http is for loopback only"
	}
	if why != "" {
		return Refuse(diag.CodeKeylessAddress, "service", what, "address", shown(withoutUser(u, address)), "why", why)
	}
	return nil
}

// withoutUser is an address without the password that somebody put in it.
func withoutUser(u *url.URL, address string) string {
	switch {
	case u != nil && u.User != nil:
		return u.Redacted()
	case u == nil && strings.Contains(address, "@"):
		return ""
	}
	return address
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func bad(what, why string) error { return Refuse(diag.CodeKeylessDemand, "what", what, "why", why) }

// shown is a text of somebody else, bounded.
func shown(text string) string {
	const most = 500
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
