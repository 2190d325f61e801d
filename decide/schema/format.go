package schema

import (
	"math/big"
	"net/netip"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// format is one word of `format`: what it asserts, if anything.
type format struct {
	name  string
	text  func(string) bool   // asserted of strings
	whole func(*big.Rat) bool // asserted of numbers
	rule  string              // source of the rule
}

// The formats of the profile, sorted by name. Those without a rule are accepted without effect.
var formats = [...]format{
	{name: "binary"},
	{name: "byte"},
	{name: "date", text: isDate, rule: "RFC 3339 full-date"},
	{name: "date-time", text: isDateTime, rule: "RFC 3339 date-time"},
	{name: "double"},
	{name: "duration", text: isDuration, rule: "RFC 3339 appendix A"},
	{name: "email", text: isEmail, rule: "RFC 5321 Mailbox"},
	{name: "float"},
	{name: "int32", whole: inRange(-1<<31, 1<<31-1), rule: "integer from -2^31 to 2^31-1"},
	{name: "int64", whole: inRange(-1<<63, 1<<63-1), rule: "integer from -2^63 to 2^63-1"},
	{name: "ipv4", text: isIPv4, rule: "RFC 2673 dotted-quad"},
	{name: "ipv6", text: isIPv6, rule: "RFC 4291 text form, no zone"},
	{name: "password"},
	{name: "time", text: isTime, rule: "RFC 3339 full-time"},
	{name: "uri", text: isURI, rule: "RFC 3986 URI"},
	{name: "uuid", text: isUUID, rule: "RFC 9562 text form"},
}

func findFormat(name string) (format, bool) {
	i, ok := slices.BinarySearchFunc(formats[:], name, func(f format, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return format{}, false
	}
	return formats[i], true
}

// asserted tells whether the format decides anything.
func (f format) asserted() bool { return f.text != nil || f.whole != nil }

// format checks the value of `format`.
func (c *checker) format(n *node, v canonical.Value, at string) {
	name, ok := v.(string)
	if !ok {
		c.value(at, "format", "a format's name", "got", kindNamesOf(v))
		return
	}
	if !c.hidden(name, at, false) {
		return
	}
	if _, ok := findFormat(name); !ok {
		names := make([]string, len(formats))
		for i, f := range formats {
			names[i] = f.name
		}
		suggestion := diag.Nearest(strings.ToLower(name), names)
		if strings.EqualFold(name, "datetime") {
			suggestion = "date-time"
		}
		c.report(diag.CodeUnsupportedFormat, at, "format", clip(name), "suggestion", suggestion)
		return
	}
	n.format = name
}

func inRange(low, high int64) func(*big.Rat) bool {
	least, most := new(big.Rat).SetInt64(low), new(big.Rat).SetInt64(high)
	return func(r *big.Rat) bool { return r.IsInt() && r.Cmp(least) >= 0 && r.Cmp(most) <= 0 }
}

// isIPv4 holds dotted-quad of RFC 2673 section 3.2: four decimal octets without leading zeros.
func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, part := range parts {
		if len(part) == 0 || len(part) > 3 || len(part) > 1 && part[0] == '0' || !allDigits(part) {
			return false
		}
		if number(part) > 255 {
			return false
		}
	}
	return true
}

// isIPv6 holds RFC 4291 section 2.2: no zone, no prefix length.
func isIPv6(s string) bool {
	if strings.ContainsRune(s, '%') || !strings.ContainsRune(s, ':') || len(s) > 45 {
		return false
	}
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is6()
}

// isUUID holds the text form of RFC 9562 section 4: 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// number reads a few decimal digits.
func number(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
