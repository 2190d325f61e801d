package registry

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Scheme begins every reference.
const Scheme = "oci://"

// Bounds of the parts of a reference: the host after RFC 1035, the rest after the OCI distribution specification 1.1.
const (
	maxReference  = 1024
	maxHost       = 253
	maxLabel      = 63
	maxRepository = 255
	maxTag        = 128
)

// Reference names a Build in a registry: by tag, by digest, or by both. With both the digest says which Build it is,
// and a tag that stands for another one is an error of the operation.
type Reference struct {
	Host       string // with its port, as it was written
	Repository string
	Tag        string        // empty if there is none
	Digest     digest.Digest // zero if there is none
}

// String is the reference as [Parse] reads it.
func (r Reference) String() string {
	out := Scheme + r.Host + "/" + r.Repository
	if r.Tag != "" {
		out += ":" + r.Tag
	}
	if !r.Digest.IsZero() {
		out += "@" + r.Digest.String()
	}
	return out
}

// at is the same repository with a digest and no tag.
func (r Reference) at(d digest.Digest) Reference {
	return Reference{Host: r.Host, Repository: r.Repository, Digest: d}
}

// Parse reads oci://HOST[:PORT]/REPOSITORY with :TAG, @sha256:HEX or both. Nothing is guessed: there is no default
// host and no default tag, and what a URL could carry beside these parts (credentials, a query, a fragment) is
// refused. The error is a [Fault] of kind [Malformed]; it repeats nothing of a text that may hold a secret.
func Parse(text string) (Reference, error) {
	fail := func(code diag.Code, pairs ...string) (Reference, error) {
		return Reference{}, &Fault{Kind: Malformed, Problem: diag.New(code, "", pairs...)}
	}
	if len(text) > maxReference {
		return fail(diag.CodeReferenceTooLong, "limit", strconv.Itoa(maxReference))
	}
	rest, ok := strings.CutPrefix(text, Scheme)
	if !ok {
		return fail(diag.CodeReferenceScheme)
	}
	host, rest, _ := strings.Cut(rest, "/")
	if strings.Contains(host, "@") {
		return fail(diag.CodeReferenceCredentials)
	}
	if strings.ContainsAny(host+rest, "?#") {
		return fail(diag.CodeReferenceQuery)
	}
	if !isHost(host) {
		found := host
		if strings.Contains(rest, "@") {
			found = "" // it may be a name and half of a password
		}
		return fail(diag.CodeReferenceHost, "found", found)
	}
	ref := Reference{Host: host}
	name, pin, pinned := strings.Cut(rest, "@")
	if pinned {
		d, err := digest.Parse(pin)
		if err != nil {
			return fail(diag.CodeReferenceDigest, "found", shown(pin), "why", err.Error())
		}
		if d.IsZero() { // it would count as no digest at all
			return fail(diag.CodeReferenceDigest, "found", shown(pin), "why", "nothing has this digest")
		}
		ref.Digest = d
	}
	repository, tag, tagged := strings.Cut(name, ":")
	if !isRepository(repository) {
		return fail(diag.CodeReferenceRepository, "found", shown(repository))
	}
	if tagged && !isTag(tag) {
		return fail(diag.CodeReferenceTag, "found", shown(tag))
	}
	if !tagged && !pinned {
		return fail(diag.CodeReferenceIncomplete, "found", Scheme+host+"/"+repository)
	}
	ref.Repository, ref.Tag = repository, tag
	return ref, nil
}

// isHost tells whether a text is a DNS name, an IPv4 address or an IPv6 address in brackets, with or without a port.
func isHost(text string) bool {
	name, port, hasPort := text, "", false
	if end := strings.LastIndexByte(text, ']'); strings.HasPrefix(text, "[") && end > 0 {
		address, err := netip.ParseAddr(text[1:end])
		if err != nil || !address.Is6() || address.Zone() != "" {
			return false
		}
		if text[end+1:] == "" {
			return true
		}
		if text[end+1] != ':' {
			return false
		}
		return isPort(text[end+2:])
	}
	if name, port, hasPort = strings.Cut(text, ":"); hasPort && !isPort(port) {
		return false
	}
	return isName(name)
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == text
}

// isName tells whether a text is a DNS name. One that ends in a number has to be an IPv4 address: other readers of
// addresses take such names for one.
func isName(text string) bool {
	if text == "" || len(text) > maxHost {
		return false
	}
	labels := strings.Split(text, ".")
	for _, label := range labels {
		if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !isLowerOrDigit(c) && !isUpper(c) && c != '-' {
				return false
			}
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(strings.ToLower(last), "0x") {
		address, err := netip.ParseAddr(text)
		return err == nil && address.Is4()
	}
	return true
}

func isLowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// isRepository follows the grammar of names in the distribution specification: components of lower-case letters and
// digits, joined inside by a dot, one or two underscores, or hyphens.
func isRepository(text string) bool {
	if text == "" || len(text) > maxRepository {
		return false
	}
	for _, component := range strings.Split(text, "/") {
		if !isComponent(component) {
			return false
		}
	}
	return true
}

func isComponent(text string) bool {
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || !isLowerOrDigit(byte(r)) })
		if n < 0 {
			return true
		}
		joint := text[n:]
		joint = joint[:len(joint)-len(strings.TrimLeft(joint, "._-"))]
		switch {
		case n == 0 || joint == "":
			return false
		case joint != "." && joint != "_" && joint != "__" && strings.Trim(joint, "-") != "":
			return false
		}
		text = text[n+len(joint):]
	}
	return false
}

func isTag(text string) bool {
	if text == "" || len(text) > maxTag || text[0] == '.' || text[0] == '-' {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if !isLowerOrDigit(c) && !isUpper(c) && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// isLoopback tells whether a host, without its port and brackets, is this machine by its very name.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.Unmap().IsLoopback()
}
