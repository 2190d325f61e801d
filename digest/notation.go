package digest

import (
	"encoding/hex"
	"errors"
	"strconv"
)

const (
	prefix      = "sha256:"
	keyedPrefix = "hmac-sha256:"
	digits      = 2 * Size
)

// What is wrong with a text that is not a digest. The first of these that applies is reported.
var (
	// ErrPrefix: another algorithm, or none, is named.
	ErrPrefix = errors.New("wrong prefix")
	// ErrLength: there are more or fewer than 64 characters after the prefix.
	ErrLength = errors.New("wrong length")
	// ErrCharacter: one of them is no hex digit.
	ErrCharacter = errors.New("wrong character")
	// ErrUpperCase: all are hex digits, but not all in lower case.
	ErrUpperCase = errors.New("upper case")
)

// NotationError says why a text is not in the one notation. It wraps one of [ErrPrefix], [ErrLength],
// [ErrCharacter] and [ErrUpperCase].
type NotationError struct {
	Err error
	// Prefix is what the notation begins with.
	Prefix string
	// Digits is how many bytes follow the prefix; -1 if the prefix is wrong.
	Digits int
	// At is the byte offset of the first character that is wrong, -1 if none is.
	At int
}

// Error is an English sentence without anything of the text itself.
func (e *NotationError) Error() string {
	switch e.Err {
	case ErrLength:
		return "it has " + strconv.Itoa(e.Digits) + " characters after " + e.Prefix + " instead of 64"
	case ErrCharacter:
		return "its character " + strconv.Itoa(e.At+1) + " is not a hex digit"
	case ErrUpperCase:
		return "its hex digits are not all in lower case"
	default:
		return "it does not begin with " + e.Prefix
	}
}

// Unwrap gives the sentinel.
func (e *NotationError) Unwrap() error { return e.Err }

// parse reads the one notation with the given prefix.
func parse(s, want string) ([Size]byte, error) {
	var out [Size]byte
	wrong := &NotationError{Prefix: want, Digits: -1, At: -1}
	if len(s) < len(want) || s[:len(want)] != want {
		wrong.Err = ErrPrefix
		return out, wrong
	}
	text := s[len(want):]
	wrong.Digits = len(text)
	if len(text) != digits {
		wrong.Err = ErrLength
		return out, wrong
	}
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f':
			continue
		case 'A' <= c && c <= 'F':
			if wrong.Err == nil {
				wrong.Err, wrong.At = ErrUpperCase, len(want)+i
			}
		default:
			wrong.Err, wrong.At = ErrCharacter, len(want)+i
			return out, wrong
		}
	}
	if wrong.Err != nil {
		return out, wrong
	}
	if _, err := hex.Decode(out[:], []byte(text)); err != nil {
		wrong.Err = ErrCharacter
		return [Size]byte{}, wrong
	}
	return out, nil
}

func appendNotation(dst []byte, prefix string, sum [Size]byte) []byte {
	return hex.AppendEncode(append(dst, prefix...), sum[:])
}

func notation(prefix string, sum [Size]byte) string {
	var room [len(keyedPrefix) + digits]byte
	return string(appendNotation(room[:0], prefix, sum))
}
