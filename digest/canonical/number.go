package canonical

import (
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A double's shortest decimal form has at most 17 significant digits, and its decimal exponent lies between that
// of 5e-324 and that of 1.7976931348623157e+308. What is outside can have no equal form, which is decided by
// counting, before any arithmetic.
const (
	maxSignificant = 17
	minExponent    = -324
	maxExponent    = 308
)

// plainDigits is the length up to which every integer is its own RFC 8785 form.
const plainDigits = 15

// Number gives the RFC 8785 spelling (section 3.2.2.3) of a JSON number. It refuses a text that is no JSON number
// (kind syntax) and a number whose RFC 8785 form is not equal in decimal value to what was written (kind
// inexact_number): 9007199254740993, 1e400, 1e-400, more than 17 significant digits. 0.1, 1e20, 1.0 and 1e0 are
// fine; -0 becomes 0. The work is linear in the length of the text, whatever its exponent.
func Number(text string) (json.Number, error) {
	if isPlainInteger(text) {
		return json.Number(text), nil
	}
	var room [32]byte
	spelling, kind := appendNumber(room[:0], text)
	if kind != "" {
		return "", fault(kind, text)
	}
	if string(spelling) == text {
		return json.Number(text), nil
	}
	return json.Number(spelling), nil
}

// isPlainInteger tells whether a text is an integer of so few digits that it is its own RFC 8785 form.
func isPlainInteger[T ~string | ~[]byte](text T) bool {
	if len(text) == 0 {
		return false
	}
	negative := text[0] == '-'
	digits := text
	if negative {
		digits = text[1:]
	}
	if len(digits) == 0 || len(digits) > plainDigits {
		return false
	}
	if digits[0] == '0' {
		return len(digits) == 1 && !negative
	}
	for i := 0; i < len(digits); i++ {
		if !isDigit(digits[i]) {
			return false
		}
	}
	return true
}

// appendNumber appends the RFC 8785 spelling of a number, or says what is wrong with it.
func appendNumber[T ~string | ~[]byte](dst []byte, text T) ([]byte, Kind) {
	if isPlainInteger(text) {
		return append(dst, text...), ""
	}
	written, ok := readDecimal(text)
	switch {
	case !ok:
		return dst, Syntax
	case written.count == 0:
		return append(dst, '0'), ""
	case written.count > maxSignificant, written.exponent > maxExponent, written.exponent < minExponent:
		return dst, InexactNumber
	}
	var room, again [40]byte
	value, err := strconv.ParseFloat(string(written.append(room[:0])), 64)
	if err != nil || value == 0 {
		return dst, InexactNumber
	}
	kept, ok := readDecimal(strconv.AppendFloat(again[:0], value, 'e', -1, 64))
	if !ok || kept != written {
		return dst, InexactNumber
	}
	return jsontext.AppendFloat(dst, value, 64), ""
}

// decimal is a number by its significant digits, without zeros at either end: d.ddd times ten to the exponent.
// Two decimals of at most 17 digits are the same value exactly if they are the same number.
type decimal struct {
	negative bool
	digits   [maxSignificant]byte // 0 to 9; the first of them if there are more
	count    int                  // of significant digits; 0 for zero
	exponent int64
}

// exponentCap is beyond the exponent of every double, even after the length of a text is added to it.
const exponentCap = 1 << 40

// readDecimal reads the grammar of RFC 8259 section 6.
func readDecimal[T ~string | ~[]byte](text T) (decimal, bool) {
	var d decimal
	start := 0
	if len(text) > 0 && text[0] == '-' {
		d.negative = true
		start = 1
	}
	point := start + countDigits(text[start:])
	if point == start || text[start] == '0' && point-start > 1 {
		return d, false
	}
	end := point
	if end < len(text) && text[end] == '.' {
		end += 1 + countDigits(text[end+1:])
		if end == point+1 {
			return d, false
		}
	}
	exponent, ok := readExponent(text[end:])
	if !ok {
		return d, false
	}
	first := takeDigits(&d, text[start:end])
	if d.count == 0 {
		return decimal{}, true
	}
	d.exponent = exponent + int64(point-start) - 1 - int64(first)
	return d, true
}

// takeDigits fills in the significant digits of a text of digits and at most one point, and returns at which of
// the digits they begin.
func takeDigits[T ~string | ~[]byte](d *decimal, text T) int {
	first, seen := 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '.' {
			continue
		}
		if c != '0' {
			if d.count == 0 {
				first = seen
			}
			d.count = seen - first + 1
			if d.count <= maxSignificant {
				d.digits[d.count-1] = c - '0'
			}
		}
		seen++
	}
	return first
}

// readExponent reads an optional exponent, as far as exponentCap.
func readExponent[T ~string | ~[]byte](text T) (int64, bool) {
	if len(text) == 0 {
		return 0, true
	}
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	digits := text[1:]
	negative := false
	if len(digits) > 0 && (digits[0] == '+' || digits[0] == '-') {
		negative = digits[0] == '-'
		digits = digits[1:]
	}
	if len(digits) == 0 || countDigits(digits) != len(digits) {
		return 0, false
	}
	exponent := int64(0)
	for i := 0; i < len(digits); i++ {
		exponent = min(exponent*10+int64(digits[i]-'0'), exponentCap)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// append writes the number in a form of bounded length; it has at most maxSignificant digits.
func (d *decimal) append(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	for i := range d.count {
		dst = append(dst, '0'+d.digits[i])
	}
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, d.exponent-int64(d.count-1), 10)
}

func countDigits[T ~string | ~[]byte](text T) int {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
