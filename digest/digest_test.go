package digest_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

const emptyHex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// R75
func TestOneNotation(t *testing.T) {
	d := digest.Of(nil)
	if got, want := d.String(), "sha256:"+emptyHex; got != want {
		t.Errorf("digest: got %s, want %s", got, want)
	}
	f := digest.Fingerprint(d)
	if got, want := f.String(), "sha256:"+emptyHex; got != want {
		t.Errorf("fingerprint: got %s, want %s", got, want)
	}
	k := digest.Keyed(d)
	if got, want := k.String(), "hmac-sha256:"+emptyHex; got != want {
		t.Errorf("keyed: got %s, want %s", got, want)
	}
	if d.Hex() != emptyHex || f.Hex() != emptyHex || k.Hex() != emptyHex {
		t.Error("Hex is not the digits alone")
	}
}

// R75: what is not exactly the notation is refused, and the refusal says what is wrong.
func TestNotationIsReadExactly(t *testing.T) {
	tests := map[string]struct {
		digits string // after the prefix
		want   error
		at     int // after the prefix, -1 for nowhere
	}{
		"no digits":                {"", digest.ErrLength, -1},
		"one digit short":          {emptyHex[1:], digest.ErrLength, -1},
		"one digit long":           {emptyHex + "0", digest.ErrLength, -1},
		"a short form":             {emptyHex[:12], digest.ErrLength, -1},
		"a newline at the end":     {emptyHex + "\n", digest.ErrLength, -1},
		"upper case":               {strings.ToUpper(emptyHex), digest.ErrUpperCase, 0},
		"one digit in upper case":  {emptyHex[:63] + "A", digest.ErrUpperCase, 63},
		"no hex digit":             {emptyHex[:63] + "g", digest.ErrCharacter, 63},
		"upper case and no digit":  {"E" + emptyHex[1:63] + "g", digest.ErrCharacter, 63},
		"a space":                  {" " + emptyHex[1:], digest.ErrCharacter, 0},
		"a character of two bytes": {emptyHex[:62] + "é", digest.ErrCharacter, 62},
		"a fullwidth digit":        {emptyHex[:61] + "０", digest.ErrCharacter, 61},
		"a zero byte":              {emptyHex[:63] + "\x00", digest.ErrCharacter, 63},
	}
	readers := map[string]func(string) error{
		"sha256:":      func(s string) error { _, err := digest.Parse(s); return err },
		"hmac-sha256:": func(s string) error { _, err := digest.ParseKeyed(s); return err },
	}
	for name, test := range tests {
		for prefix, read := range readers {
			t.Run(prefix+name, func(t *testing.T) {
				checkNotation(t, read(prefix+test.digits), test.want, prefix, test.at)
			})
		}
		if _, err := digest.ParseFingerprint("sha256:" + test.digits); !errors.Is(err, test.want) {
			t.Errorf("%s: a fingerprint gives %v, want %v", name, err, test.want)
		}
	}
}

func checkNotation(t *testing.T, err, want error, prefix string, at int) {
	t.Helper()
	var wrong *digest.NotationError
	if !errors.As(err, &wrong) || !errors.Is(err, want) {
		t.Fatalf("got %v, want a NotationError of %v", err, want)
	}
	if at >= 0 {
		at += len(prefix)
	}
	if wrong.At != at || wrong.Prefix != prefix {
		t.Errorf("got offset %d and prefix %q, want %d and %q", wrong.At, wrong.Prefix, at, prefix)
	}
	for _, other := range []error{digest.ErrPrefix, digest.ErrLength, digest.ErrCharacter, digest.ErrUpperCase} {
		if other != want && errors.Is(err, other) {
			t.Errorf("the error is also %v", other)
		}
	}
}

// R75
func TestOtherPrefixesAreRefused(t *testing.T) {
	for _, prefix := range []string{"", "sha256", "sha512:", "SHA256:", "Sha256:", " sha256:", "sha-256:", "sha256-", "md5:", "sha384:"} {
		for _, read := range []func(string) error{
			func(s string) error { _, err := digest.Parse(s); return err },
			func(s string) error { _, err := digest.ParseFingerprint(s); return err },
			func(s string) error { _, err := digest.ParseKeyed(s); return err },
		} {
			if err := read(prefix + emptyHex); !errors.Is(err, digest.ErrPrefix) {
				t.Errorf("%q: got %v, want %v", prefix, err, digest.ErrPrefix)
			}
		}
	}
	if _, err := digest.Parse("hmac-sha256:" + emptyHex); !errors.Is(err, digest.ErrPrefix) {
		t.Errorf("a keyed fingerprint is read as a digest: %v", err)
	}
	if _, err := digest.ParseKeyed("sha256:" + emptyHex); !errors.Is(err, digest.ErrPrefix) {
		t.Errorf("a digest is read as a keyed fingerprint: %v", err)
	}
}

func TestTextsSurviveReadingAndWriting(t *testing.T) {
	type all struct {
		D digest.Digest      `json:"d"`
		F digest.Fingerprint `json:"f"`
		K digest.Keyed       `json:"k"`
	}
	k, err := digest.Key([]byte("key"), "domain")
	if err != nil {
		t.Fatal(err)
	}
	want := all{D: digest.Of([]byte("d")), F: digest.Fingerprint(digest.Of([]byte("f"))), K: k}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got all
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%s became %+v, error %v", text, got, err)
	}
}

func TestAFailedReadChangesNothing(t *testing.T) {
	d := digest.Of([]byte("kept"))
	f, k := digest.Fingerprint(d), digest.Keyed(d)
	for _, into := range []encoding.TextUnmarshaler{&d, &f, &k} {
		if err := into.UnmarshalText([]byte("sha512:" + emptyHex)); err == nil {
			t.Errorf("%T reads sha512", into)
		}
	}
	if want := digest.Of([]byte("kept")); d != want || f != digest.Fingerprint(want) || k != digest.Keyed(want) {
		t.Error("a refused text changed the value")
	}
	if got, err := digest.Parse("sha256:" + strings.ToUpper(emptyHex)); err == nil || !got.IsZero() {
		t.Errorf("a refused text gives %s", got)
	}
}

func TestZero(t *testing.T) {
	if !(digest.Digest{}).IsZero() || !(digest.Fingerprint{}).IsZero() || !(digest.Keyed{}).IsZero() {
		t.Error("the zero value is not zero")
	}
	d := digest.Of(nil)
	if d.IsZero() || digest.Fingerprint(d).IsZero() || digest.Keyed(d).IsZero() {
		t.Error("a set value is zero")
	}
}

// The three kinds are types of their own: no value of one is assignable to another.
func TestKindsDoNotMix(t *testing.T) {
	kinds := []reflect.Type{reflect.TypeFor[digest.Digest](), reflect.TypeFor[digest.Fingerprint](), reflect.TypeFor[digest.Keyed]()}
	for _, a := range kinds {
		for _, b := range kinds {
			if a != b && a.AssignableTo(b) {
				t.Errorf("%v is assignable to %v", a, b)
			}
		}
	}
	var d, f any = digest.Of(nil), digest.Fingerprint(digest.Of(nil))
	if d == f {
		t.Error("a digest equals a fingerprint of the same bytes")
	}
}

// R74
func TestSpellingAndOrderDoNotChangeAFingerprint(t *testing.T) {
	base := fingerprint(t, `{"id":"a","schema":{"maximum":1,"type":"integer"},"é":"😀"}`)
	for _, same := range []string{
		"{\n  \"schema\": {\"type\": \"integer\", \"maximum\": 1.0},\r\n\t\"\\u00e9\": \"\\ud83d\\ude00\", \"id\": \"\\u0061\"}",
		`{"é":"😀","schema":{"type":"integer","maximum":1e0},"id":"a"}`,
		`{"é":"😀","schema":{"type":"integer","maximum":10e-1},"id":"a"}`,
	} {
		if got := fingerprint(t, same); got != base {
			t.Errorf("%s: got %s, want %s", same, got, base)
		}
	}
	for _, other := range []string{
		`{"id":"b","schema":{"maximum":1,"type":"integer"},"é":"😀"}`,
		`{"id":"a","schema":{"maximum":"1","type":"integer"},"é":"😀"}`,
		`{"id":"a","schema":{"maximum":1,"type":"integer"},"e\u0301":"😀"}`, // no Unicode normalisation
		`{"id":"a","schema":{"maximum":1,"type":"integer"},"é":"😀","x":null}`,
	} {
		if got := fingerprint(t, other); got == base {
			t.Errorf("%s has the fingerprint of another contract", other)
		}
	}
}

func fingerprint(t *testing.T, text string) digest.Fingerprint {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := digest.FingerprintOf(v)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAValueWithoutACanonicalFormHasNoDigest(t *testing.T) {
	for name, v := range map[string]any{
		"a Go int":          1,
		"an inexact number": []any{json.Number("9007199254740993")},
		"invalid UTF-8":     map[string]any{"a": "\xff"},
	} {
		var failed *canonical.Error
		if d, err := digest.OfValue(v); !errors.As(err, &failed) || !d.IsZero() {
			t.Errorf("%s: OfValue gives %s, %v", name, d, err)
		}
		if f, err := digest.FingerprintOf(v); !errors.As(err, &failed) || !f.IsZero() {
			t.Errorf("%s: FingerprintOf gives %s, %v", name, f, err)
		}
		if k, err := digest.ArgumentFingerprint([]byte("key"), digest.Fingerprint{}, v); !errors.As(err, &failed) || !k.IsZero() {
			t.Errorf("%s: ArgumentFingerprint gives %s, %v", name, k, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "sha256:", "sha256:" + emptyHex, "hmac-sha256:" + emptyHex, "sha256:" + strings.ToUpper(emptyHex), "sha512:" + emptyHex + emptyHex} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := digest.Parse(s); err == nil && d.String() != s {
			t.Errorf("%q is read as %s", s, d)
		}
		if k, err := digest.ParseKeyed(s); err == nil && k.String() != s {
			t.Errorf("%q is read as %s", s, k)
		}
	})
}
