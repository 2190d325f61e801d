package sign_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

type vectors struct {
	Keys       map[string]struct{ PEM, ID, Hint string }
	Statements []struct {
		Name, Role, Subject, Payload, PAE string
		PredicateType                     string `json:"predicate_type"`
	}
	Verified   []struct{ Name, Key, Role, Subject, Bundle string }
	Refused    []struct{ Name, Code, Pointer, Bundle string }
	Unverified []struct{ Name, Key, Code, Bundle string }
}

func readVectors(tb testing.TB) vectors {
	tb.Helper()
	data, err := os.ReadFile("../../conformance/signatures.json")
	if err != nil {
		tb.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		tb.Fatal(err)
	}
	if len(v.Keys) < 5 || len(v.Statements) < 7 || len(v.Verified) < 15 || len(v.Refused) < 25 || len(v.Unverified) < 6 {
		tb.Fatal("the file has lost vectors")
	}
	return v
}

// The vectors for other implementations, which a second implementation computed and signed. R75
func TestVectors(t *testing.T) {
	v := readVectors(t)
	keys := map[string]sign.PublicKey{}
	for name, k := range v.Keys {
		key, err := sign.ParsePublicKey([]byte(k.PEM))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{k.PEM, k.ID, k.Hint}, []string{string(key.PEM()), key.ID().String(), key.Hint()}); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		keys[name] = key
	}
	all := roles()
	for _, w := range v.Statements {
		t.Run("statement "+w.Name, func(t *testing.T) {
			s := sign.CosignStatement(build)
			if w.Role != "" {
				s = all[sign.Role(w.Role)].statement
			}
			got := encoded(t, s)
			if d := cmp.Diff([]string{w.Payload, w.PAE, w.PredicateType, w.Subject}, []string{string(got), string(sign.Preauthenticated(got)), s.PredicateType, s.Subject.String()}); d != "" {
				t.Error(d)
			}
		})
	}
	for _, w := range v.Verified {
		t.Run("verified "+w.Name, func(t *testing.T) {
			verifies(t, []byte(w.Bundle), keys[w.Key])
			s := decoded(t, []byte(w.Bundle)).Statement()
			if string(s.Role()) != w.Role || s.Subject.String() != w.Subject || len(s.Check()) > 0 {
				t.Errorf("read as %+v", s)
			}
		})
	}
	for _, w := range v.Refused {
		t.Run("refused "+w.Name, func(t *testing.T) { refused(t, []byte(w.Bundle), diag.Code(w.Code), w.Pointer) })
	}
	for _, w := range v.Unverified {
		t.Run("unverified "+w.Name, func(t *testing.T) { rejects(t, []byte(w.Bundle), keys[w.Key], diag.Code(w.Code)) })
	}
}
