package definition

import (
	"math"
	"regexp"
	"strings"
)

// Secret is a part of a text that looks like a credential.
type Secret struct {
	// Kind says what it looks like.
	Kind           string
	Offset, Length int
}

// secretShape is a credential that is known by its form.
type secretShape struct {
	kind string
	// hint must stand in the text for the form to be looked for at all.
	hint string
	form *regexp.Regexp
}

// The shapes are of published formats: a fixed beginning and enough characters behind it that prose does not look
// like it. Reviewed 2026-11.
var secretShapes = []secretShape{
	{"private key", "PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----`)},
	{"cloud access key", "A", regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{"code hosting token", "gh", regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b`)},
	{"code hosting token", "glpat-", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{"model provider key", "sk-", regexp.MustCompile(`\bsk-(ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,}`)},
	{"payment key", "k_", regexp.MustCompile(`\b[sr]k_(live|test)_[A-Za-z0-9]{20,}`)},
	{"chat token", "xox", regexp.MustCompile(`\bxox[abeprs]-[A-Za-z0-9-]{20,}`)},
	{"cloud API key", "AIza", regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`)},
	{"package registry token", "npm_", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"mail service key", "SG.", regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}`)},
	{"signed token", "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}`)},
	{"password in an address", "://", regexp.MustCompile(`\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@{<$%]{1,100}:[^\s/:@{<$%]{4,100}@`)},
	{"authorization header", "earer", regexp.MustCompile(`\b[Bb]earer [A-Za-z0-9._~+/-]{24,}=*`)},
}

// assignment is an opaque value beside a word that says that it is secret.
var assignment = regexp.MustCompile(`(?i)\b(api[_-]?key|secret[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd|secret|token)["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9+/_.~-]{20,200}=*)`)

// FindSecrets finds what looks like a credential in a text. Placeholders, digests and example words are not taken
// for one. It bounds what it looks at by the text alone and runs in linear time.
func FindSecrets(text string) []Secret {
	var found []Secret
	for _, shape := range secretShapes {
		if !strings.Contains(text, shape.hint) {
			continue
		}
		for _, at := range shape.form.FindAllStringIndex(text, maxSecrets) {
			if !exemplary(text[at[0]:at[1]]) {
				found = append(found, Secret{shape.kind, at[0], at[1] - at[0]})
			}
		}
	}
	if len(found) > 0 || !strings.ContainsAny(text, ":=") {
		return found
	}
	for _, at := range assignment.FindAllStringSubmatchIndex(text, maxSecrets) {
		value := text[at[4]:at[5]]
		if opaque(value) && !exemplary(value) {
			found = append(found, Secret{"value named as a secret", at[4], at[5] - at[4]})
		}
	}
	return found
}

// maxSecrets bounds the findings of one kind in one text.
const maxSecrets = 10

// exemplary tells a value that stands for another: x's, dots, or a word that says so.
func exemplary(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"example", "placeholder", "your", "xxxx", "....", "dummy", "sample", "redacted", "changeme", "0000000000"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

var (
	hexDigest = regexp.MustCompile(`^[0-9a-f]{32,128}$`)
	uuid      = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
)

// opaque tells a value that nobody wrote as a word: letters and digits mixed, no digest, much information for its
// length.
func opaque(value string) bool {
	if hexDigest.MatchString(value) || uuid.MatchString(value) {
		return false
	}
	if !strings.ContainsAny(value, "0123456789") || strings.ToLower(value) == value && strings.ContainsAny(value, "-_./") {
		return false
	}
	return entropy(value) >= 3.5
}

// entropy is the information of a value in bits per character.
func entropy(value string) float64 {
	var counts [256]int
	for i := range len(value) {
		counts[value[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(value))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
