package canonical

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// The largest text and exponent that a number with an exact form can have: 17 significant digits, written out, with
// an exponent of at most 324 in either direction. More is refused before any arithmetic.
const (
	maxNumberText = 1100
	maxExponent   = 1100
)

// Number gives the RFC 8785 spelling of a JSON number. A number whose canonical form is not equal in decimal value
// to what was written is an [InexactNumber] error: 9007199254740993, 1e400 and 1e-400 are; 0.1, 1e20 and 1.0 are
// not. Negative zero is zero.
func Number(text string) (json.Number, error) {
	if number, ok := smallInteger(text); ok {
		return number, nil
	}
	inexact := func() (json.Number, error) {
		return "", &Error{Kind: InexactNumber, Offset: -1, First: -1, Name: bounded(text)}
	}
	if !isNumber(text) {
		return "", &Error{Kind: Syntax, Offset: -1, First: -1, Name: bounded(text)}
	}
	written, ok := decimalOf(text)
	if !ok {
		return inexact()
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return inexact()
	}
	spelled := spell(value)
	canonical, ok := decimalOf(spelled)
	if !ok || canonical != written {
		return inexact()
	}
	return json.Number(spelled), nil
}

// smallInteger is the short way for the numbers that almost all documents have.
func smallInteger(text string) (json.Number, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 15 || digits[0] == '0' {
		return "0", text == "0"
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", false
		}
	}
	return json.Number(text), true
}

// isNumber tells text of the JSON grammar (RFC 8259, section 6).
func isNumber(text string) bool {
	rest := strings.TrimPrefix(text, "-")
	whole := leadingDigits(rest)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	rest = rest[len(whole):]
	if strings.HasPrefix(rest, ".") {
		fraction := leadingDigits(rest[1:])
		if fraction == "" {
			return false
		}
		rest = rest[1+len(fraction):]
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest[1:], "+"), "-")
		digits := leadingDigits(rest)
		return digits != "" && digits == rest && !strings.Contains(text, "+-")
	}
	return rest == ""
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

// decimal is a number by its significant digits: 0.DIGITS times ten to the power of exponent, without zeros at
// either end. Equal numbers have equal decimals.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// decimalOf reads a number of the JSON grammar; ok is false when it is longer or larger than any exact one.
func decimalOf(text string) (decimal, bool) {
	if len(text) > maxNumberText {
		return decimal{}, false
	}
	var d decimal
	rest, negative := strings.CutPrefix(text, "-")
	whole := leadingDigits(rest)
	rest = rest[len(whole):]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		fraction = leadingDigits(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if rest != "" {
		exponent, ok := smallExponent(rest[1:])
		if !ok {
			// A zero stays zero whatever its exponent.
			return decimal{}, strings.Trim(whole+fraction, "0") == ""
		}
		d.exponent = exponent
	}
	d.exponent += len(whole)
	trimmed := strings.TrimLeft(whole+fraction, "0")
	d.exponent -= len(whole) + len(fraction) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	d.negative = negative
	return d, true
}

func smallExponent(text string) (int, bool) {
	digits := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-"), "0")
	if len(digits) > 4 {
		return 0, false
	}
	if digits == "" {
		return 0, true
	}
	exponent, err := strconv.Atoi(digits)
	if err != nil || exponent > maxExponent {
		return 0, false
	}
	if strings.HasPrefix(text, "-") {
		exponent = -exponent
	}
	return exponent, true
}

// spell writes a double as ECMAScript does (RFC 8785, section 3.2.2.3).
func spell(value float64) string {
	if value == 0 {
		return "0"
	}
	magnitude := math.Abs(value)
	if magnitude >= 1e-6 && magnitude < 1e21 {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	text := strconv.FormatFloat(value, 'e', -1, 64)
	// Go pads the exponent to two digits, ECMAScript does not.
	if n := len(text); n >= 4 && text[n-4] == 'e' && text[n-2] == '0' {
		text = text[:n-2] + text[n-1:]
	}
	return text
}
