package bundle

import (
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// checkName refuses names that no tool can unpack safely everywhere; it is the one rule for entries of an archive,
// files of a folder and titles of layers, when reading and when writing. what says which of them it is.
//
// Names are ASCII. So none of them changes under Unicode normalisation, and case is the only thing left that can
// make one name of two.
func checkName(what, name string) (diag.Problem, bool) {
	code := nameFault(name)
	if code == "" {
		return diag.Problem{}, true
	}
	return diag.New(code, "", "what", what, "name", shown(name), "limit", strconv.Itoa(maxName)), false
}

func nameFault(name string) diag.Code {
	if len(name) > maxName {
		return diag.CodePathTooLong
	}
	if code := characterFault(name); code != "" {
		return code
	}
	if len(name) >= 2 && name[1] == ':' && isLetter(name[0]) {
		return diag.CodePathDrive
	}
	if strings.Contains(name, `\`) {
		return diag.CodePathBackslash
	}
	if strings.HasPrefix(name, "/") {
		return diag.CodePathAbsolute
	}
	segments := strings.Split(name, "/")
	for _, segment := range segments {
		if segment == ".." {
			return diag.CodePathEscapes
		}
	}
	for _, segment := range segments {
		switch {
		case segment == "" || segment == "." || strings.HasSuffix(segment, " "):
			return diag.CodePathUnclean
		case isDevice(segment) || strings.ContainsAny(segment, `<>:"|?*`):
			return diag.CodePathReserved
		}
	}
	return ""
}

func characterFault(name string) diag.Code {
	for i := range len(name) {
		if c := name[i]; c < 0x20 || c == 0x7f {
			return diag.CodePathControl
		}
	}
	for i := range len(name) {
		if name[i] >= 0x80 {
			return diag.CodePathNotASCII
		}
	}
	return ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isDevice tells whether Windows takes a name, with any ending, for a device.
func isDevice(segment string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(segment), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '1' && stem[3] <= '9'
}

// foldName gives names that are one file on some system the same key.
func foldName(name string) string {
	segments := strings.Split(strings.ToLower(name), "/")
	for i, segment := range segments {
		if trimmed := strings.TrimRight(segment, ". "); trimmed != "" {
			segments[i] = trimmed
		}
	}
	return strings.Join(segments, "/")
}

// isLitter tells files that desktop systems leave behind.
func isLitter(name string) bool {
	for _, segment := range strings.Split(strings.ToLower(name), "/") {
		switch segment {
		case ".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", "__macosx", ".appledouble", ".spotlight-v100", ".trashes":
			return true
		}
		if strings.HasPrefix(segment, "._") {
			return true
		}
	}
	return false
}

// shown is a hostile text, bounded.
func shown(text string) string {
	const limit = 300
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return text
}
