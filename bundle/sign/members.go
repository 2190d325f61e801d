package sign

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// reader takes a JSON document apart. Every member is either taken or refused.
type reader struct {
	codes    memberCodes
	problems []diag.Problem
}

// memberCodes are the codes of one kind of document.
type memberCodes struct{ unknown, missing, wrong diag.Code }

// object is the members of a value that is an object with all required members and none that is neither required nor
// optional; nil if it is none.
func (r *reader) object(pointer string, value canonical.Value, required, optional []string) map[string]any {
	members, ok := value.(map[string]any)
	if !ok {
		r.wrong(pointer, "an object", value)
		return nil
	}
	for _, name := range required {
		if _, ok := members[name]; !ok {
			r.add(r.codes.missing, pointer, "member", canonical.JoinPointer(pointer, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			at := canonical.JoinPointer(pointer, name)
			r.add(r.codes.unknown, at, "member", shown(at))
		}
	}
	return members
}

func (r *reader) add(code diag.Code, pointer string, pairs ...string) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, diag.New(code, pointer, pairs...))
	}
}

func (r *reader) wrong(pointer, expected string, found canonical.Value) {
	r.add(r.codes.wrong, pointer, "member", shown(pointer), "expected", expected, "found", describe(found))
}

// describe is a value in a message: what it is, and a scalar itself.
func describe(v canonical.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.QuoteToASCII(shown(v))
	case json.Number:
		return shown(v.String())
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

// text is a string member that is there; ok is false if it is absent or wrong.
func (r *reader) text(pointer string, members map[string]any, name string) (text string, ok bool) {
	value, present := members[name]
	if !present {
		return "", false
	}
	if text, ok = value.(string); !ok {
		r.wrong(canonical.JoinPointer(pointer, name), "a string", value)
	}
	return text, ok
}

// fixed makes sure that a member that is there has the one value it can have.
func (r *reader) fixed(pointer string, members map[string]any, name, want string) {
	if found, ok := members[name]; ok && found != want {
		r.wrong(canonical.JoinPointer(pointer, name), strconv.Quote(want), found)
	}
}

// list is an array member with at most most items; nil if it is absent or wrong.
func (r *reader) list(pointer string, members map[string]any, name string, most int) []any {
	value, present := members[name]
	if !present {
		return nil
	}
	items, ok := value.([]any)
	if !ok || len(items) > most {
		r.wrong(canonical.JoinPointer(pointer, name), "an array of at most "+strconv.Itoa(most), value)
		return nil
	}
	return items
}

// line is a member that is one line of text a person may be shown: not empty, bounded, nothing in it that is not seen.
func (r *reader) line(pointer string, members map[string]any, name string, most int) string {
	text, ok := r.text(pointer, members, name)
	if ok && !isLine(text, most) {
		r.wrong(canonical.JoinPointer(pointer, name), "one line of 1 to "+strconv.Itoa(most)+" bytes without invisible characters", text)
	}
	return text
}

func isLine(text string, most int) bool {
	if text == "" || len(text) > most || !utf8.ValidString(text) || strings.TrimSpace(text) != text {
		return false
	}
	for _, c := range text {
		if _, hidden := diag.Hidden(c); hidden || c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 {
			return false
		}
	}
	return true
}

// id is a member that is a name as Projects and tools have it.
func (r *reader) id(pointer string, members map[string]any, name string) string {
	text, ok := r.text(pointer, members, name)
	if ok && !definition.IDForm.Fits(text) {
		r.wrong(canonical.JoinPointer(pointer, name), "a name of the form "+string(definition.IDForm), text)
	}
	return text
}

// word is a member that is one of a few words.
func (r *reader) word(pointer string, members map[string]any, name string, words ...string) string {
	text, ok := r.text(pointer, members, name)
	if ok && !slices.Contains(words, text) {
		r.wrong(canonical.JoinPointer(pointer, name), "one of "+strings.Join(words, ", "), text)
	}
	return text
}

// digest is a member in the one notation.
func (r *reader) digest(pointer string, members map[string]any, name string) digest.Digest {
	text, ok := r.text(pointer, members, name)
	if !ok {
		return digest.Digest{}
	}
	d, err := digest.Parse(text)
	if err != nil || d.IsZero() {
		r.wrong(canonical.JoinPointer(pointer, name), "sha256: and 64 lowercase hexadecimal digits", text)
	}
	return d
}

// integer is a member between least and most.
func (r *reader) integer(pointer string, members map[string]any, name string, least, most int64) int64 {
	value, present := members[name]
	if !present {
		return 0
	}
	number, ok := value.(json.Number)
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if !ok || err != nil || n < least || n > most {
		r.wrong(canonical.JoinPointer(pointer, name), "an integer from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10), value)
		return 0
	}
	return n
}

// timeForm is how our statements write a point in time: whole seconds, UTC.
const timeForm = "2006-01-02T15:04:05Z"

// time is a member in the one form of ours.
func (r *reader) time(pointer string, members map[string]any, name string) time.Time {
	text, ok := r.text(pointer, members, name)
	if !ok {
		return time.Time{}
	}
	t, err := time.Parse(timeForm, text)
	if err != nil || t.Format(timeForm) != text {
		r.wrong(canonical.JoinPointer(pointer, name), "a time such as 2026-11-02T09:00:00Z", text)
		return time.Time{}
	}
	return t
}

// bytes is a member in base64 as RFC 4648 section 4 has it: padded, no line ends, no bits left over.
func (r *reader) bytes(pointer string, members map[string]any, name string) []byte {
	text, ok := r.text(pointer, members, name)
	if !ok {
		return nil
	}
	data, err := decodeBase64(text)
	if err != nil {
		r.add(diag.CodeBundleBase64, canonical.JoinPointer(pointer, name), "member", canonical.JoinPointer(pointer, name))
		return nil
	}
	return data
}

var errBase64 = errors.New("not the one base64 encoding")

func decodeBase64(text string) ([]byte, error) {
	// The decoder passes over line ends.
	if strings.ContainsAny(text, "\r\n") {
		return nil, errBase64
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errBase64
	}
	return data, nil
}

// sha256Of reads a digest set of in-toto that has to be SHA-256 and nothing else.
func (r *reader) sha256Of(pointer string, value canonical.Value, codes digestCodes) digest.Digest {
	set, ok := value.(map[string]any)
	if !ok {
		r.wrong(pointer, "an object", value)
		return digest.Digest{}
	}
	if len(set) != 1 {
		r.add(codes.several, pointer, "member", pointer, "expected", "one digest", "found", strconv.Itoa(len(set)))
		return digest.Digest{}
	}
	for name, value := range set {
		at := canonical.JoinPointer(pointer, name)
		if name != "sha256" {
			r.add(codes.algorithm, at, "member", shown(at), "expected", "sha256", "found", strconv.QuoteToASCII(shown(name)))
			return digest.Digest{}
		}
		text, ok := value.(string)
		d, decoded := fromHex(text)
		if !ok || !decoded {
			r.add(codes.malformed, at, "member", at, "expected", "64 lowercase hexadecimal digits, not all zero", "found", describe(value))
		}
		return d
	}
	return digest.Digest{}
}

type digestCodes struct{ several, algorithm, malformed diag.Code }

// fromHex reads 64 lowercase hexadecimal digits. Zero is no digest of anything that can be had.
func fromHex(text string) (digest.Digest, bool) {
	var d digest.Digest
	if len(text) != hex.EncodedLen(len(d)) || strings.ToLower(text) != text {
		return d, false
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return d, false
	}
	copy(d[:], raw)
	return d, !d.IsZero()
}
