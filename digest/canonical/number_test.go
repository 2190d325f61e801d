package canonical_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/seif-dev/seifc/digest/canonical"
)

func TestNumber(t *testing.T) {
	tests := map[string]struct {
		text, want string
		kind       canonical.Kind
	}{
		"zero":                              {"0", "0", ""},
		"negative zero":                     {"-0", "0", ""},
		"negative zero with a fraction":     {"-0.000", "0", ""},
		"zero with a huge exponent":         {"0e999999999999999999999", "0", ""},
		"fifteen digits":                    {"-123456789012345", "-123456789012345", ""},
		"sixteen digits":                    {"1234567890123456", "1234567890123456", ""},
		"seventeen digits that are exact":   {"12345678901234568", "12345678901234568", ""},
		"seventeen digits that are not":     {"12345678901234567", "", canonical.InexactNumber},
		"a tenth":                           {"0.1", "0.1", ""},
		"one with a fraction":               {"1.0", "1", ""},
		"one with an exponent":              {"1e0", "1", ""},
		"upper-case exponent":               {"1E+2", "100", ""},
		"exponent with leading zeros":       {"1e0000000000000000000000000000000001", "10", ""},
		"2^53":                              {"9007199254740992", "9007199254740992", ""},
		"2^53+1":                            {"9007199254740993", "", canonical.InexactNumber},
		"1e20":                              {"1e20", "100000000000000000000", ""},
		"1e21":                              {"1e21", "1e+21", ""},
		"1e308":                             {"1e308", "1e+308", ""},
		"1e309":                             {"1e309", "", canonical.InexactNumber},
		"1e400":                             {"1e400", "", canonical.InexactNumber},
		"1e-400":                            {"1e-400", "", canonical.InexactNumber},
		"least double":                      {"5e-324", "5e-324", ""},
		"less than half of it":              {"2e-324", "", canonical.InexactNumber},
		"exponent beyond every integer":     {"1e99999999999999999999999999", "", canonical.InexactNumber},
		"exponent below every integer":      {"1e-99999999999999999999999999", "", canonical.InexactNumber},
		"empty":                             {"", "", canonical.Syntax},
		"sign alone":                        {"-", "", canonical.Syntax},
		"two signs":                         {"--1", "", canonical.Syntax},
		"plus":                              {"+1", "", canonical.Syntax},
		"leading zero":                      {"01", "", canonical.Syntax},
		"negative leading zero":             {"-01", "", canonical.Syntax},
		"point alone":                       {".", "", canonical.Syntax},
		"no fraction":                       {"1.", "", canonical.Syntax},
		"fraction without a digit":          {"1.e1", "", canonical.Syntax},
		"no whole part":                     {".1", "", canonical.Syntax},
		"no exponent":                       {"1e", "", canonical.Syntax},
		"exponent of a sign":                {"1e-", "", canonical.Syntax},
		"exponent of two signs":             {"1e+-1", "", canonical.Syntax},
		"exponent with a point":             {"1e1.5", "", canonical.Syntax},
		"space":                             {" 1", "", canonical.Syntax},
		"space after":                       {"1 ", "", canonical.Syntax},
		"hexadecimal":                       {"0x10", "", canonical.Syntax},
		"underscore":                        {"1_0", "", canonical.Syntax},
		"NaN":                               {"NaN", "", canonical.Syntax},
		"Inf":                               {"Inf", "", canonical.Syntax},
		"a digit of another script":         {"١", "", canonical.Syntax},
		"not a number but inexact in parts": {"9007199254740993x", "", canonical.Syntax},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.Number(test.text)
			if test.kind != "" {
				failed := failure(t, err)
				if failed.Kind != test.kind || failed.Offset != -1 || failed.Name != test.text || got != "" {
					t.Errorf("got %q, %+v, want %s", got, failed, test.kind)
				}
				return
			}
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// The name in an error is bounded, however long the number is.
func TestALongNumberDoesNotStandInItsError(t *testing.T) {
	_, err := canonical.Number(strings.Repeat("7", 1<<20))
	if got := failure(t, err); len(got.Name) > 64 || len(got.Error()) > 200 {
		t.Errorf("name of %d bytes, text of %d", len(got.Name), len(got.Error()))
	}
	_, err = canonical.Parse([]byte("["+strings.Repeat("7", 1<<20)+"]"), canonical.Limits{})
	if got := failure(t, err); len(got.Name) > 64 || len(got.Error()) > 200 {
		t.Errorf("name of %d bytes, text of %d", len(got.Name), len(got.Error()))
	}
}

// checkNumber holds the law of numbers against exact arithmetic: what is accepted keeps its value and has the
// oracle's spelling, and what is refused would have changed its value.
func checkNumber(t *testing.T, text string) {
	t.Helper()
	got, err := canonical.Number(text)
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	value, parseErr := strconv.ParseFloat(text, 64)
	if parseErr != nil {
		if err == nil {
			t.Errorf("%s: got %s, but it is out of range", text, got)
		}
		return
	}
	spelled, oracleErr := jcs.NumberToJSON(value)
	if oracleErr != nil {
		t.Fatal(oracleErr)
	}
	form, _ := new(big.Rat).SetString(spelled)
	if equal := form.Cmp(exact) == 0; equal != (err == nil) {
		t.Errorf("%s: its form is %s, equal: %t, but got %s, %v", text, spelled, equal, got, err)
	}
	if err == nil && string(got) != spelled {
		t.Errorf("%s: got %s, the oracle says %s", text, got, spelled)
	}
}

func TestNumbersAgainstExactArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(8785, 754))
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	for range rounds {
		value := math.Float64frombits(random.Uint64())
		if math.IsNaN(value) || math.IsInf(value, 0) {
			continue
		}
		checkNumber(t, strconv.FormatFloat(value, 'e', -1, 64))
		checkNumber(t, strconv.FormatFloat(value, 'e', 16, 64))
		checkNumber(t, strconv.FormatFloat(value, 'e', 17, 64))
		short := strconv.FormatFloat(float64(random.Int64N(1<<54))/math.Pow10(random.IntN(20)), 'f', -1, 64)
		checkNumber(t, short)
		checkNumber(t, strconv.FormatInt(random.Int64N(1<<56), 10))
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0", "1.0", "1e0", "9007199254740993", "1e400", "1e-400", "0.1", "1e20", "333333333.33333329", "01", "1e", "-", "1e-7", "120000e-3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := canonical.Number(text)
		if valid := isNumber(text); !valid {
			if failure(t, err).Kind != canonical.Syntax {
				t.Errorf("%q: got %q, %v, but it is no number", text, got, err)
			}
			return
		}
		if err != nil {
			if failure(t, err).Kind != canonical.InexactNumber {
				t.Errorf("%q: got %v", text, err)
			}
		} else if again, err := canonical.Number(string(got)); err != nil || again != got {
			t.Errorf("%q: the form %s becomes %s, %v", text, got, again, err)
		}
		if i := strings.IndexAny(text, "eE"); len(text) < 400 && (i < 0 || len(text)-i < 6) {
			checkNumber(t, text)
		}
	})
}

// isNumber asks the standard library.
func isNumber(text string) bool {
	if text == "" || strings.ContainsAny(text, " \t\r\n") || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	return json.Valid([]byte(text))
}
