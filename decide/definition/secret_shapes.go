package definition

import "sync"

// secretShape is a credential that is known by its form: a fixed beginning, and a run of characters of one class and of
// a certain length behind it.
type secretShape struct {
	kind   string
	prefix string
	class  charClass
	// least and most bound the length of the run; most is 0 where there is no bound. A longer run is something else.
	least, most int
}

// charClass is a set of characters.
type charClass int

const (
	alphanumeric charClass = iota // letters and digits
	wordClass                     // those and _
	base64URL                     // those and -
	dashed                        // letters, digits and -
	upperDigits                   // A-Z and 0-9
	lowerHex                      // a-f and 0-9
	dotted                        // base64URL and .
	classes
)

func (c charClass) has(b byte) bool {
	switch c {
	case alphanumeric:
		return isAlphanumeric(b)
	case wordClass:
		return isAlphanumeric(b) || b == '_'
	case base64URL:
		return isAlphanumeric(b) || b == '_' || b == '-'
	case dashed:
		return isAlphanumeric(b) || b == '-'
	case upperDigits:
		return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
	case lowerHex:
		return b >= 'a' && b <= 'f' || b >= '0' && b <= '9'
	default:
		return isAlphanumeric(b) || b == '_' || b == '-' || b == '.'
	}
}

func isAlphanumeric(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// secretShapes are formats that their issuers publish so that they can be recognised. Each is long enough behind its
// beginning that prose does not look like it. Reviewed 2026-11; a row is added with a row in the test of the table.
var secretShapes = [...]secretShape{
	{"cloud access key", "AKIA", upperDigits, 16, 16},
	{"cloud access key", "ASIA", upperDigits, 16, 16},
	{"cloud API key", "AIza", base64URL, 35, 35},
	{"cloud client secret", "GOCSPX-", base64URL, 28, 28},
	{"cloud access token", "ya29.", base64URL, 40, 0},
	{"cloud access token", "dop_v1_", lowerHex, 64, 64},
	{"cloud access token", "doo_v1_", lowerHex, 64, 64},

	{"code hosting token", "ghp_", alphanumeric, 36, 255},
	{"code hosting token", "gho_", alphanumeric, 36, 255},
	{"code hosting token", "ghu_", alphanumeric, 36, 255},
	{"code hosting token", "ghs_", alphanumeric, 36, 255},
	{"code hosting token", "ghr_", alphanumeric, 36, 255},
	{"code hosting token", "github_pat_", wordClass, 60, 255},
	{"code hosting token", "glpat-", dotted, 20, 255},
	{"code hosting token", "glrt-", dotted, 20, 255},
	{"code hosting token", "gldt-", dotted, 20, 255},
	{"code hosting token", "glcbt-", dotted, 20, 255},
	{"code hosting token", "ATATT3", base64URL, 60, 0},

	{"package registry token", "npm_", alphanumeric, 36, 36},
	{"package registry token", "pypi-AgE", base64URL, 50, 0},
	{"package registry token", "rubygems_", lowerHex, 48, 48},
	{"package registry token", "dckr_pat_", base64URL, 27, 64},

	{"model provider key", "sk-ant-", base64URL, 32, 0},
	{"model provider key", "sk-proj-", base64URL, 40, 0},
	{"model provider key", "sk-svcacct-", base64URL, 40, 0},
	{"model provider key", "sk-admin-", base64URL, 40, 0},
	{"model provider key", "sk-or-v1-", lowerHex, 64, 64},
	{"model provider key", "sk-", alphanumeric, 32, 128},
	{"model provider key", "hf_", alphanumeric, 34, 64},
	{"model provider key", "gsk_", alphanumeric, 40, 128},
	{"model provider key", "xai-", alphanumeric, 60, 128},
	{"model provider key", "pplx-", alphanumeric, 40, 128},
	{"model provider key", "r8_", alphanumeric, 37, 64},

	{"chat token", "xoxb-", dashed, 20, 255},
	{"chat token", "xoxp-", dashed, 20, 255},
	{"chat token", "xoxa-", dashed, 20, 255},
	{"chat token", "xoxr-", dashed, 20, 255},
	{"chat token", "xoxs-", dashed, 20, 255},
	{"chat token", "xapp-", dashed, 20, 255},

	{"payment key", "sk_live_", alphanumeric, 20, 255},
	{"payment key", "sk_test_", alphanumeric, 20, 255},
	{"payment key", "rk_live_", alphanumeric, 20, 255},
	{"payment key", "rk_test_", alphanumeric, 20, 255},
	{"payment key", "whsec_", alphanumeric, 24, 255},
	{"payment key", "sq0csp-", base64URL, 43, 43},
	{"shop token", "shpat_", lowerHex, 32, 32},
	{"shop token", "shpca_", lowerHex, 32, 32},
	{"shop token", "shppa_", lowerHex, 32, 32},
	{"shop token", "shpss_", lowerHex, 32, 32},

	{"mail service key", "SG.", dotted, 60, 80},
	{"mail service key", "key-", lowerHex, 32, 32},
	{"telephony key", "SK", lowerHex, 32, 32},
	{"workspace token", "lin_api_", alphanumeric, 40, 64},
	{"workspace token", "ntn_", alphanumeric, 40, 64},
	{"data platform token", "dapi", lowerHex, 32, 32},
	{"vault token", "hvs.", base64URL, 24, 0},
	{"vault token", "hvb.", base64URL, 24, 0},
	{"monitoring key", "NRAK-", upperDigits, 27, 27},
	{"monitoring key", "glsa_", wordClass, 40, 64},
	{"secret manager token", "dp.pt.", alphanumeric, 40, 64},
	{"private key", "AGE-SECRET-KEY-1", upperDigits, 58, 58},
}

// shapesByFirst is the table by the first byte; a constant that is made when it is first asked for.
var shapesByFirst = sync.OnceValue(func() *[256][]*secretShape {
	var table [256][]*secretShape
	for i := range secretShapes {
		first := secretShapes[i].prefix[0]
		table[first] = append(table[first], &secretShapes[i])
	}
	return &table
})
