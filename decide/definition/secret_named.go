package definition

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
)

// Bounds of what is looked at around one character, so that the whole is linear.
const (
	maxNameBack   = 40
	maxValue      = 512
	maxAuthority  = 256
	maxLineAround = 512
	maxWord       = 20
)

// namedSecret is the kind of an opaque value that is a secret by what stands beside it.
const namedSecret = "value named as a secret"

// named looks at a `:` or `=` for what stands on both sides of it.
func (s *secretScan) named() (kind string, start, end int) {
	if strings.HasPrefix(s.text[s.at:], "://") {
		return s.addressPassword()
	}
	word := s.wordBefore()
	if word == "" {
		return "", 0, 0
	}
	start, end = s.valueAfter()
	value := s.text[start:end]
	if value == "" || standsForAnother(value) {
		return "", 0, 0
	}
	if s.knownAt(start) {
		return "", 0, 0 // found by its own form when the scan gets there
	}
	if isPasswordWord(word) && s.text[s.at] == '=' && s.inConnectionString() && len(value) >= 4 && !exampleWord(value) {
		return "password in a connection string", start, end
	}
	if opaque(value) {
		return namedSecret, start, end
	}
	return "", 0, 0
}

// knownAt tells whether a known form begins at an offset beyond the current one.
func (s *secretScan) knownAt(at int) bool {
	ahead := secretScan{text: s.text[:min(len(s.text), at+maxValue)], at: at}
	kind, _ := ahead.shape(at)
	return kind != ""
}

// secretWords end the names of values that are secret, as letters in lower case without separators.
var secretWords = []string{
	"apikey", "accesskey", "secretkey", "privatekey", "accountkey", "sharedaccesskey", "signingkey", "encryptionkey",
	"password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "authorization",
}

func isPasswordWord(word string) bool {
	switch word {
	case "password", "passwd", "pwd", "accountkey", "sharedaccesskey", "secret":
		return true
	}
	return false
}

// wordBefore is the word of [secretWords] that the name before the current character ends in, "" if it ends in none.
// Quotes and spaces may stand between.
func (s *secretScan) wordBefore() string {
	from := max(0, s.at-maxNameBack)
	return secretWord(strings.TrimRight(s.text[from:s.at], " \t\"'`]"))
}

// secretWord is the word of [secretWords] that a name ends in; `-`, `_` and a space between its parts do not count.
func secretWord(name string) string {
	letters := make([]byte, 0, maxWord)
	for i := len(name) - 1; i >= 0 && len(letters) < maxWord; i-- {
		c := name[i]
		switch {
		case isLetter(c):
			letters = append(letters, c|0x20) // in lower case
			continue
		case c == '_' || c == '-' || c == ' ' && len(letters) > 0:
			continue
		}
		break
	}
	if len(letters) == 0 {
		return ""
	}
	slices.Reverse(letters)
	last, end, best := letters[len(letters)-1], string(letters), ""
	for _, word := range secretWords {
		if word[len(word)-1] == last && len(word) > len(best) && strings.HasSuffix(end, word) {
			best = word
		}
	}
	return best
}

// valueAfter is where the value behind the current character stands: on the same line, without its quotes.
func (s *secretScan) valueAfter() (start, end int) {
	start = s.at + 1
	for start < len(s.text) && start < s.at+8 && strings.IndexByte(" \t\"'`=>[(", s.text[start]) >= 0 {
		start++
	}
	end = start
	for end < len(s.text) && end-start < maxValue && strings.IndexByte(" \t\r\n\"'`,;)]}", s.text[end]) < 0 {
		end++
	}
	return start, end
}

// inConnectionString tells whether the line around has the other members of one.
func (s *secretScan) inConnectionString() bool {
	from, to := max(0, s.at-maxLineAround), min(len(s.text), s.at+maxLineAround)
	line := s.text[from:to]
	if cut := strings.LastIndexByte(s.text[from:s.at], '\n'); cut >= 0 {
		line = line[cut+1:]
	}
	line, _, _ = strings.Cut(line, "\n")
	if !strings.Contains(line, ";") {
		return false
	}
	line = strings.ToLower(line)
	for _, member := range []string{"server=", "host=", "data source=", "endpoint=", "accountname=", "user id=", "uid=", "database="} {
		if strings.Contains(line, member) {
			return true
		}
	}
	return false
}

// addressPassword is the password of `scheme://user:password@host`.
func (s *secretScan) addressPassword() (kind string, start, end int) {
	if s.at == 0 || !isAlphanumeric(s.text[s.at-1]) {
		return "", 0, 0
	}
	from := s.at + len("://")
	authority := s.text[from:min(len(s.text), from+maxAuthority)]
	if cut := strings.IndexAny(authority, "/?# \t\r\n\"'`<>"); cut >= 0 {
		authority = authority[:cut]
	}
	host := strings.LastIndexByte(authority, '@')
	if host < 0 {
		return "", 0, 0
	}
	user, password, ok := strings.Cut(authority[:host], ":")
	if !ok || len(password) < 3 || standsForAnother(password) || exampleWord(password) {
		return "", 0, 0
	}
	start = from + len(user) + 1
	return "password in an address", start, start + len(password)
}

// header is the credential of an authorization header.
func (s *secretScan) header() (kind string, start, end int) {
	rest := s.text[s.at:]
	for _, scheme := range []string{"Bearer ", "bearer ", "Basic "} {
		if !strings.HasPrefix(rest, scheme) {
			continue
		}
		start = s.at + len(scheme)
		end = start
		for end < len(s.text) && end-start < maxValue && (dotted.has(s.text[end]) || strings.IndexByte("~+/=", s.text[end]) >= 0) {
			end++
		}
		value := s.text[start:end]
		if !standsForAnother(value) && (opaque(value) || s.knownAt(start) || userAndPassword(value)) {
			return "authorization header", start, end
		}
	}
	return "", 0, 0
}

// userAndPassword tells the value of basic authentication: `user:password` in base64.
func userAndPassword(value string) bool {
	plain, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(plain) < 5 {
		return false
	}
	_, password, ok := strings.Cut(string(plain), ":")
	printable := !slices.ContainsFunc(plain, func(b byte) bool { return b < ' ' || b > '~' })
	return ok && printable && len(password) >= 3 && !standsForAnother(password) && !exampleWord(password)
}

// privateKey is the first line of a private key in PEM.
func (s *secretScan) privateKey() (kind string, start, end int) {
	const begin, label, mark = "-----BEGIN ", "PRIVATE KEY", "-----"
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, begin) {
		return "", 0, 0
	}
	line := rest[len(begin):min(len(rest), len(begin)+60)]
	name, _, closed := strings.Cut(line, mark)
	if !closed || !strings.Contains(name, label) || strings.ContainsAny(name, "\r\n") {
		return "", 0, 0
	}
	return "private key", s.at, s.at + len(begin) + len(name) + len(mark)
}

// standsForAnother tells a placeholder: braces, angle brackets, variables, or a word that says so.
func standsForAnother(value string) bool {
	if strings.ContainsAny(value, "{}<>$%") || strings.Contains(value, "...") || strings.Contains(value, "***") || repeats(value) {
		return true
	}
	lower := strings.ToLower(value)
	for _, word := range []string{"example", "placeholder", "your", "xxxx", "dummy", "sample", "redacted", "changeme", "inputs.", "args."} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// exampleWord tells a password that is the word for one.
func exampleWord(value string) bool {
	lower := strings.ToLower(value)
	switch lower {
	case "passwd", "pass", "pwd", "secret", "token", "user", "xxx", "test", "none", "null", "true", "false":
		return true
	}
	return strings.Contains(lower, "password")
}

// opaque tells a value that nobody wrote as words: some part of it, between separators, is long, mixes letters and
// digits again and again and says much for its length. Digests, commit hashes and UUIDs are not meant.
func opaque(value string) bool {
	if strings.HasPrefix(value, "sha256:") || isUUID(value) || isHash(value) {
		return false
	}
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("-_./ :", r) }) {
		if len(part) >= 12 && changes(part) >= 3 && entropy(part) >= 3 {
			return true
		}
	}
	return false
}

// isHash tells a commit hash or a digest: 40 or 64 hex digits.
func isHash(value string) bool {
	return (len(value) == 40 || len(value) == 64) && allIn(value, "0123456789abcdef")
}

func isUUID(value string) bool {
	if len(value) != 36 {
		return false
	}
	for i := range len(value) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if value[i] != '-' {
				return false
			}
		} else if strings.IndexByte("0123456789abcdefABCDEF", value[i]) < 0 {
			return false
		}
	}
	return true
}

func allIn(value, set string) bool {
	return strings.IndexFunc(value, func(r rune) bool { return !strings.ContainsRune(set, r) }) < 0
}

// changes counts where a text goes from a letter to a digit or back.
func changes(text string) int {
	n := 0
	for i := 1; i < len(text); i++ {
		if isDigit(text[i]) != isDigit(text[i-1]) {
			n++
		}
	}
	return n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// entropy is the information of a text in bits per byte.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
