package schema

import "strings"

// isEmail holds Mailbox of RFC 5321 section 4.1.2, within the sizes of section 4.5.3.1: a dot-string or quoted
// local part, and a domain of letters, digits and hyphens or an address literal.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s)-at-1 > 255 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if local[0] == '"' {
		if !isQuotedString(local) {
			return false
		}
	} else if !isDotString(local) {
		return false
	}
	if strings.HasPrefix(domain, "[") && strings.HasSuffix(domain, "]") {
		return isAddressLiteral(domain[1 : len(domain)-1])
	}
	return isDomain(domain)
}

func isDotString(s string) bool {
	for _, atom := range strings.Split(s, ".") {
		if atom == "" {
			return false
		}
		for i := 0; i < len(atom); i++ {
			if !isLetter(atom[i]) && !isDigit(atom[i]) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", atom[i]) < 0 {
				return false
			}
		}
	}
	return true
}

func isQuotedString(s string) bool {
	if len(s) < 2 || s[len(s)-1] != '"' {
		return false
	}
	inner := s[1 : len(s)-1]
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' {
			i++
			if i == len(inner) || inner[i] < 0x20 || inner[i] > 0x7E {
				return false
			}
			continue
		}
		if c < 0x20 || c > 0x7E || c == '"' {
			return false
		}
	}
	return true
}

func isAddressLiteral(s string) bool {
	if address, ok := cutFold(s, "IPv6:"); ok {
		return isIPv6(address)
	}
	return isIPv4(s)
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}

func isDomain(s string) bool {
	for _, label := range strings.Split(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := 0; i < len(label); i++ {
			if !isLetter(label[i]) && !isDigit(label[i]) && label[i] != '-' {
				return false
			}
		}
	}
	return true
}

const (
	uriUnreserved = "-._~"
	uriSubDelims  = "!$&'()*+,;="
)

// isURI holds URI of RFC 3986 section 3: with a scheme, ASCII only, percent signs before two hexadecimal digits.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if !uriText(fragment, ":@/?") || !uriText(query, ":@/?") {
		return false
	}
	if after, hasAuthority := strings.CutPrefix(rest, "//"); hasAuthority {
		end := strings.IndexByte(after, '/')
		if end < 0 {
			end = len(after)
		}
		return isAuthority(after[:end]) && uriText(after[end:], ":@/")
	}
	return uriText(rest, ":@/")
}

func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && (i == 0 || !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

// uriText holds unreserved characters, sub-delimiters, percent-encoded bytes and what else the place allows.
func uriText(s, also string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 2
		case isLetter(c) || isDigit(c):
		case strings.IndexByte(uriUnreserved, c) >= 0 || strings.IndexByte(uriSubDelims, c) >= 0 || strings.IndexByte(also, c) >= 0:
		default:
			return false
		}
	}
	return true
}

// isAuthority holds authority of RFC 3986 section 3.2: user information, host and port.
func isAuthority(s string) bool {
	if user := strings.LastIndexByte(s, '@'); user >= 0 {
		if !uriText(s[:user], ":") {
			return false
		}
		s = s[user+1:]
	}
	host, port := s, ""
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || !isIPLiteral(s[1:end]) {
			return false
		}
		host, port = "", s[end+1:]
		if port != "" && port[0] != ':' {
			return false
		}
		port = strings.TrimPrefix(port, ":")
	} else if colon := strings.IndexByte(s, ':'); colon >= 0 {
		host, port = s[:colon], s[colon+1:]
	}
	return uriText(host, "") && (port == "" || allDigits(port))
}

// isIPLiteral holds what may stand in brackets: an IPv6 address or an address of a later version.
func isIPLiteral(s string) bool {
	future, ok := cutFold(s, "v")
	if !ok {
		return isIPv6(s)
	}
	version, address, ok := strings.Cut(future, ".")
	if !ok || version == "" || address == "" || strings.IndexByte(address, '%') >= 0 {
		return false
	}
	for i := 0; i < len(version); i++ {
		if !isHex(version[i]) {
			return false
		}
	}
	return uriText(address, ":")
}
