package bundle

import (
	"strings"
	"testing"

	"github.com/seif-dev/seifc/diag"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]diag.Code{
		"tests.json":               "",
		"sources/a":                "",
		"sources/a.b-c_d":          "",
		"sources/console":          "",
		"sources/com10":            "",
		"sources/a..b":             "",
		"../x":                     diag.CodePathEscapes,
		"sources/../../x":          diag.CodePathEscapes,
		"sources/..":               diag.CodePathEscapes,
		"/etc/passwd":              diag.CodePathAbsolute,
		"C:x":                      diag.CodePathDrive,
		`c:\x.txt`:                 diag.CodePathDrive,
		`..\x`:                     diag.CodePathBackslash,
		`\\server\share`:           diag.CodePathBackslash,
		"a\x00b":                   diag.CodePathControl,
		"a\nb":                     diag.CodePathControl,
		"a\x7fb":                   diag.CodePathControl,
		"sources/con":              diag.CodePathReserved,
		"sources/NUL.txt":          diag.CodePathReserved,
		"sources/com1":             diag.CodePathReserved,
		"sources/lpt9.tar.gz":      diag.CodePathReserved,
		"sources/conin$":           diag.CodePathReserved,
		"sources/a:stream":         diag.CodePathReserved,
		"sources/a?":               diag.CodePathReserved,
		"":                         diag.CodePathUnclean,
		"./a":                      diag.CodePathUnclean,
		"sources//a":               diag.CodePathUnclean,
		"sources/":                 diag.CodePathUnclean,
		"sources/a ":               diag.CodePathUnclean,
		"sources/\u00e9":           diag.CodePathNotASCII,
		"sources/e\u0301":          diag.CodePathNotASCII,
		"sources/\xff":             diag.CodePathNotASCII,
		"sources/\u202e":           diag.CodePathNotASCII,
		strings.Repeat("a", 256):   diag.CodePathTooLong,
		"../" + "x\x00":            diag.CodePathControl,
		"sources/" + "\u212aelvin": diag.CodePathNotASCII, // the Kelvin sign folds to k
	} {
		if got := nameFault(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestFoldedNames(t *testing.T) {
	for _, pair := range [][2]string{{"sources/a", "sources/A"}, {"sources/a", "sources/a."}, {"sources/a", "Sources/a..."}} {
		if foldName(pair[0]) != foldName(pair[1]) {
			t.Errorf("%q and %q are one file on some system", pair[0], pair[1])
		}
	}
	if foldName("sources/a.b") == foldName("sources/ab") {
		t.Error("different files have one key")
	}
}
