package document

import (
	"regexp"
	"strconv"
	"strings"
)

// The types of plain scalars in the core schema of YAML 1.2 (section 10.3.2), and where other readers differ.

var (
	coreInteger = regexp.MustCompile(`^[-+]?[0-9]+$`)
	coreFloat   = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	notFinite   = regexp.MustCompile(`^([-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN)$`)

	// Numbers for some readers: leading zeros, other bases, underscores.
	otherNumber = regexp.MustCompile(`^[-+]?(0[0-9_]+|0[oO][0-7_]+|0[xX][0-9a-fA-F_]+|0[bB][01_]+|` +
		`[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0[0-9_]+\.[0-9_]*([eE][-+]?[0-9]+)?|` +
		`[0-9][0-9_]*\.[0-9]*_[0-9_]*([eE][-+]?[0-9]+)?)$`)
	// Dates, times and numbers in base 60 for readers of YAML 1.1.
	otherTime = regexp.MustCompile(`^([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+|$).*|` +
		`[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)$`)
)

// core types the text of a plain scalar. A number that is not finite has the kind Number and no doubt; the caller
// refuses it.
func core(text string) (Kind, Doubt) {
	switch text {
	case "", "null", "Null", "NULL":
		return Null, NoDoubt
	case "~":
		return Null, DoubtNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool, NoDoubt
	}
	if word11(text) {
		return String, DoubtWord
	}
	if c := text[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		return String, NoDoubt
	}
	switch {
	case otherNumber.MatchString(text):
		return Number, DoubtNumber
	case coreInteger.MatchString(text), coreFloat.MatchString(text), notFinite.MatchString(text):
		return Number, NoDoubt
	case otherTime.MatchString(text):
		return String, DoubtTime
	}
	return String, NoDoubt
}

// word11 tells the words that YAML 1.1 reads as booleans and YAML 1.2 does not.
func word11(text string) bool {
	if len(text) > 3 {
		return false
	}
	switch lower := strings.ToLower(text); lower {
	case "yes", "no", "on", "off", "y", "n":
		return text == lower || text == strings.ToUpper(text) || text == strings.ToUpper(lower[:1])+lower[1:]
	}
	return false
}

// jsonSpelling writes a number of the core schema as JSON has it: no plus sign, no bare or trailing point.
func jsonSpelling(text string) string {
	sign := ""
	switch text[0] {
	case '-':
		sign, text = "-", text[1:]
	case '+':
		text = text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent
}

// plainNumber says how a number in doubt is written in plain decimal digits; empty when that is long or uncertain.
// Leading zeros have two readings: octal is the other one.
func plainNumber(text string) (value, octal string) {
	digits := strings.ReplaceAll(text, "_", "")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign = "-"
	}
	digits = strings.ToLower(strings.TrimLeft(digits, "+-"))
	base := 10
	if len(digits) > 2 && digits[0] == '0' {
		if b, ok := map[byte]int{'x': 16, 'o': 8, 'b': 2}[digits[1]]; ok {
			digits, base = digits[2:], b
		}
	}
	n, err := strconv.ParseUint(digits, base, 53)
	if err != nil {
		return "", ""
	}
	value = sign + strconv.FormatUint(n, 10)
	if base == 10 && len(digits) > 1 && digits[0] == '0' {
		if n, err := strconv.ParseUint(digits, 8, 53); err == nil {
			octal = sign + strconv.FormatUint(n, 10)
		}
	}
	return value, octal
}
