package canonical_test

import (
	"errors"
	"os"
	"testing"

	"github.com/seif-dev/seifc/digest/canonical"
)

// The two texts of the reported fault: an id that differs by one beyond 2^53, and numbers of other spellings.
const (
	case12a = `{"amount": 10.0, "id": 9007199254740993, "z": -0.0, "e": 1e-7}`
	case12b = `{"e":0.0000001,"z":0,"id":9007199254740992,"amount":10}`
)

// R35, R74: an approval for the one id can never be used for the other, because the inexact one is refused by
// place and number.
func TestANumberThatWouldChangeIsRefused(t *testing.T) {
	_, err := canonical.Parse([]byte(case12a), canonical.Limits{})
	got := failure(t, err)
	if got.Kind != canonical.InexactNumber || got.Pointer != "/id" || got.Offset != 23 || got.Name != "9007199254740993" {
		t.Errorf("got %+v", got)
	}
	const want = `{"amount":10,"e":1e-7,"id":9007199254740992,"z":0}`
	for _, text := range []string{case12b, `{"amount": 10.0, "id": 9007199254740992, "z": -0.0, "e": 1e-7}`} {
		v, err := canonical.Parse([]byte(text), canonical.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if form, err := canonical.Marshal(v); err != nil || string(form) != want {
			t.Errorf("%s: got %s, %v, want %s", text, form, err, want)
		}
	}
}

func TestTheReportedFilesAreTheseTexts(t *testing.T) {
	for name, want := range map[string]string{"args-a.json": case12a, "args-b.json": case12b} {
		data, err := os.ReadFile("../../../shared/cases/12-number-canonical-form/" + name)
		if errors.Is(err, os.ErrNotExist) {
			t.Skip("0 reported files were read: they are not here")
		}
		if err != nil || string(data) != want {
			t.Errorf("%s: got %q, %v", name, data, err)
		}
	}
}
