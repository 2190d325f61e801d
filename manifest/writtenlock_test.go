package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/document"
)

const somePin = `"a.b":{"catalogue":"shop","contract":{"a":"} \" {","id":"a.b","n":[1,{"b":{}}]},"fingerprint":"sha256:` +
	`0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}`

func writtenLockOf(pins ...string) string {
	return `{"pins":{` + strings.Join(pins, ",") + `},"schema":"seif.lock.v1"}` + "\n"
}

// sameBothWays holds that what is cut out of a lock is what decoding it gives, and tells whether it was cut.
func sameBothWays(t *testing.T, source []byte) bool {
	t.Helper()
	written := writtenLock("seif.lock", source)
	if written == nil {
		return false
	}
	file, found := document.ParseJSON("seif.lock", source)
	if len(found) > 0 {
		t.Fatalf("cut out of %q, which is %v", source, found)
	}
	decoded, found := DecodeLock(file)
	if len(found) > 0 || decoded == nil {
		t.Fatalf("cut out of %q, which is %v", source, found)
	}
	pins := func(l *Lock) map[string]LockedPin {
		out := map[string]LockedPin{}
		for _, entry := range l.Pins {
			out[entry.Pointer+" "+entry.ID] = entry.Value
		}
		return out
	}
	if diff := cmp.Diff(pins(decoded), pins(written)); diff != "" || len(decoded.Pins) != len(written.Pins) {
		t.Errorf("decoded (-) and cut (+) differ for %q:\n%s", source, diff)
	}
	again, err := written.Encode()
	if err != nil || strings.TrimSuffix(string(again), "\n") != strings.TrimSuffix(string(source), "\n") {
		t.Errorf("written again it is %q, not %q (%v)", again, source, err)
	}
	return true
}

func TestWrittenLock(t *testing.T) {
	other := strings.Replace(somePin, `"a.b":`, `"c":`, 1)
	tests := []struct {
		name, source string
		want         bool
	}{
		{"no pins", writtenLockOf(), true},
		{"a pin", writtenLockOf(somePin), true},
		{"two pins", writtenLockOf(somePin, other), true},
		{"no line end", strings.TrimSpace(writtenLockOf(somePin)), true},
		{"two line ends", writtenLockOf(somePin) + "\n", false},
		{"white space", strings.Replace(writtenLockOf(somePin), ":", ": ", 1), false},
		{"order", writtenLockOf(other, somePin), false},
		{"twice", writtenLockOf(somePin, somePin), false},
		{"other schema", strings.Replace(writtenLockOf(somePin), "lock.v1", "lock.v2", 1), false},
		{"unknown field", strings.Replace(writtenLockOf(somePin), `},"fingerprint"`, `},"extra":1,"fingerprint"`, 1), false},
		{"no contract", strings.Replace(writtenLockOf(somePin), `{"a":"} \" {","id":"a.b","n":[1,{"b":{}}]}`, `"x"`, 1), false},
		{"no catalogue", strings.Replace(writtenLockOf(somePin), `"shop"`, `""`, 1), false},
		{"upper case", strings.Replace(writtenLockOf(somePin), "0123456789abcdef", "0123456789ABCDEF", 1), false},
		{"id", strings.Replace(writtenLockOf(somePin), `"a.b":`, `"a b":`, 1), false},
		{"cut off", writtenLockOf(somePin)[:100], false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := sameBothWays(t, []byte(test.source)); got != test.want {
				t.Errorf("cut: %t, want %t", got, test.want)
			}
		})
	}
}

// The contract that is cut out is the very text that its fingerprint is of.
func TestWrittenLockForm(t *testing.T) {
	lock := writtenLock("seif.lock", []byte(writtenLockOf(somePin)))
	form := `{"a":"} \" {","id":"a.b","n":[1,{"b":{}}]}`
	if got := lock.Pins[0].Value; string(got.Form) != form || got.ContractID() != "a.b" {
		t.Errorf("%s of %s", got.Form, got.ContractID())
	}
	want, err := digest.FingerprintOf(lock.Pins[0].Value.Contract())
	if err != nil || digest.FingerprintOfForm([]byte(form)) != want {
		t.Errorf("%v, %v", want, err)
	}
}

func FuzzWrittenLock(f *testing.F) {
	for _, seed := range []string{writtenLockOf(), writtenLockOf(somePin), writtenLockOf(somePin, strings.Replace(somePin, `"a.b":`, `"c":`, 1))} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) { sameBothWays(t, source) })
}
