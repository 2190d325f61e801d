package digest_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// The construction, written out a second time.
func TestKeyIsHMACOverLengthPrefixedParts(t *testing.T) {
	got, err := digest.Key([]byte("secret"), "domain.v1", []byte("one"), nil, []byte("three"))
	if err != nil {
		t.Fatal(err)
	}
	var message []byte
	for _, part := range []string{"domain.v1", "one", "", "three"} {
		message = binary.BigEndian.AppendUint64(message, uint64(len(part)))
		message = append(message, part...)
	}
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write(message)
	if want := mac.Sum(nil); !bytes.Equal(got[:], want) {
		t.Errorf("got %x, want %x", got[:], want)
	}
}

func TestKeysDomainsAndPartsAreKeptApart(t *testing.T) {
	type input struct {
		key, domain string
		parts       []string
	}
	seen := map[digest.Keyed]input{}
	for _, in := range []input{
		{"k", "d", nil},
		{"k", "d", []string{""}},
		{"k", "d", []string{"", ""}},
		{"k", "d", []string{"ab"}},
		{"k", "d", []string{"a", "b"}},
		{"k", "d", []string{"", "ab"}},
		{"k", "d", []string{"ab", ""}},
		{"k", "da", []string{"b"}},
		{"k", "dab", nil},
		{"k", "e", []string{"ab"}},
		{"l", "d", []string{"ab"}},
		{"kd", "ab", nil},
		{"k", "d", []string{"\x00\x00\x00\x00\x00\x00\x00\x01a"}},
	} {
		var parts [][]byte
		for _, part := range in.parts {
			parts = append(parts, []byte(part))
		}
		k, err := digest.Key([]byte(in.key), in.domain, parts...)
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := seen[k]; twice {
			t.Errorf("%q and %q have one fingerprint", in, other)
		}
		seen[k] = in
	}
}

func TestAnEmptyKeyOrDomainIsRefused(t *testing.T) {
	for _, key := range [][]byte{nil, {}} {
		if k, err := digest.Key(key, "domain"); !errors.Is(err, digest.ErrNoKey) || !k.IsZero() {
			t.Errorf("Key gives %s, %v", k, err)
		}
		if k, err := digest.ArgumentFingerprint(key, digest.Fingerprint{1}, "x"); !errors.Is(err, digest.ErrNoKey) || !k.IsZero() {
			t.Errorf("ArgumentFingerprint gives %s, %v", k, err)
		}
	}
	if k, err := digest.Key([]byte("k"), ""); !errors.Is(err, digest.ErrNoDomain) || !k.IsZero() {
		t.Errorf("Key gives %s, %v", k, err)
	}
}

func TestKeyedEqual(t *testing.T) {
	a, b := digest.Keyed{1}, digest.Keyed{1}
	b[31] = 1
	if !a.Equal(a) || a.Equal(b) {
		t.Error("Equal does not compare the whole fingerprint")
	}
}

func argumentFingerprint(t *testing.T, key string, tool digest.Fingerprint, text string) digest.Keyed {
	t.Helper()
	v, err := canonical.Parse([]byte(text), canonical.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	k, err := digest.ArgumentFingerprint([]byte(key), tool, v)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// R35: the fingerprint is bound to the key, the contract and the meaning of the arguments.
func TestArgumentFingerprintIsBoundToKeyToolAndArguments(t *testing.T) {
	base := argumentFingerprint(t, "k", digest.Fingerprint{1}, `{"a":1,"b":"x"}`)
	if same := argumentFingerprint(t, "k", digest.Fingerprint{1}, `{ "b":"\u0078", "a":1.0 }`); same != base {
		t.Error("the spelling of the arguments changes the fingerprint")
	}
	others := []digest.Keyed{
		argumentFingerprint(t, "l", digest.Fingerprint{1}, `{"a":1,"b":"x"}`),
		argumentFingerprint(t, "k", digest.Fingerprint{2}, `{"a":1,"b":"x"}`),
		argumentFingerprint(t, "k", digest.Fingerprint{1}, `{"a":2,"b":"x"}`),
		argumentFingerprint(t, "k", digest.Fingerprint{1}, `{"a":"1","b":"x"}`),
		argumentFingerprint(t, "k", digest.Fingerprint{1}, `{"a":1}`),
		argumentFingerprint(t, "k", digest.Fingerprint{1}, `{"a":1,"b":"x","c":null}`),
	}
	for i, other := range others {
		if other == base {
			t.Errorf("change %d does not change the fingerprint", i)
		}
	}
}

// The published value: a change of the construction is a change of every stored fingerprint.
func TestArgumentFingerprintIsFrozen(t *testing.T) {
	tool, err := digest.ParseFingerprint("sha256:" + emptyHex)
	if err != nil {
		t.Fatal(err)
	}
	got := argumentFingerprint(t, "conformance key of 32 bytes long", tool, `{"day":"2026-11-02","student_id":"s-1"}`)
	const want = "hmac-sha256:e26e7608e482671e1d66642eeb66958ba5a3a04353ca415ae61d4e2aa37bf4f0"
	if got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
