package sign_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// Whatever is read as a bundle is refused with codes that exist, or says the same when it is read again; and no key that
// did not sign it verifies it.
func FuzzBundle(f *testing.F) {
	v := readVectors(f)
	for _, w := range v.Verified {
		f.Add([]byte(w.Bundle))
	}
	for _, w := range v.Refused {
		f.Add([]byte(w.Bundle))
	}
	for _, w := range v.Unverified {
		f.Add([]byte(w.Bundle))
	}
	stranger := newKey(f).Public()
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := sign.Decode(data)
		if err != nil {
			var invalid *sign.Invalid
			if b != nil || !errors.As(err, &invalid) {
				t.Fatalf("%v", err)
			}
			known(t, invalid.Problems)
			return
		}
		if !bytes.Equal(b.Raw(), data) {
			t.Error("another text")
		}
		s, problems := sign.ParseStatement(b.Payload())
		if len(problems) > 0 || !cmp.Equal(s, b.Statement()) {
			t.Errorf("the payload says %+v, %v", s, problems)
		}
		if err := b.Verify(stranger); !errors.Is(err, sign.ErrSignature) {
			t.Errorf("a stranger's key: %v", err)
		}
	})
}

// known makes sure that problems have codes that exist, and that there are some.
func known(t *testing.T, problems []diag.Problem) {
	t.Helper()
	if len(problems) == 0 {
		t.Fatal("refused for no reason")
	}
	for _, p := range problems {
		if _, ok := diag.Lookup(string(p.Code)); !ok {
			t.Errorf("the code %q does not exist", p.Code)
		}
	}
}

// A statement that is read has one subject; one that is canonical is written as it was.
func FuzzStatement(f *testing.F) {
	for _, w := range readVectors(f).Statements {
		f.Add([]byte(w.Payload))
	}
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v0.1","subject":[{"name":"x","digest":{"sha256":"` + build.Hex() + `"}}],"predicateType":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problems := sign.ParseStatement(data)
		if len(problems) > 0 {
			known(t, problems)
			return
		}
		if s.Subject.IsZero() || s.PredicateType == "" {
			t.Fatalf("it says %+v", s)
		}
		again, problems := sign.ParseStatement(encoded(t, s))
		if s.Predicate != nil && (len(problems) > 0 || again.Subject != s.Subject || !cmp.Equal(again.Predicate, s.Predicate) || !again.Canonical) {
			t.Errorf("read again: %+v, %v", again, problems)
		}
		if s.Role() != sign.NoRole && s.Canonical && s.Version == sign.StatementV1 && len(s.Check()) == 0 && s.Role() != sign.RoleProvenance && s.Role() != sign.RoleTests {
			if !bytes.Equal(encoded(t, s), data) {
				t.Errorf("written as %s", encoded(t, s))
			}
		}
	})
}

// fuzzPredicate fuzzes the predicate of one role: what is read is written and read again as the same.
func fuzzPredicate[T any](f *testing.F, role sign.Role, parse func(sign.Statement) (T, []diag.Problem), write func(T) sign.Statement) {
	f.Helper()
	for _, w := range readVectors(f).Statements {
		f.Add([]byte(w.Payload))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problems := sign.ParseStatement(data)
		if len(problems) > 0 {
			return
		}
		value, problems := parse(s)
		if len(problems) > 0 {
			known(t, problems)
			return
		}
		if s.Role() != role {
			t.Fatalf("%s read as %s", s.PredicateType, role)
		}
		again, problems := sign.ParseStatement(encoded(t, write(value)))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		got, problems := parse(again)
		if len(problems) > 0 || !cmp.Equal(value, got) {
			t.Errorf("%v\n%s", problems, cmp.Diff(value, got))
		}
	})
}

func FuzzRelease(f *testing.F) {
	fuzzPredicate(f, sign.RoleRelease, sign.ParseRelease, func(r sign.Release) sign.Statement { return r.Statement(build) })
}

func FuzzTests(f *testing.F) {
	fuzzPredicate(f, sign.RoleTests, sign.ParseTests, func(r sign.Tests) sign.Statement { return r.Statement(build) })
}

func FuzzGuardReview(f *testing.F) {
	fuzzPredicate(f, sign.RoleGuardReview, sign.ParseGuardReview, func(g sign.GuardReview) sign.Statement { return g.Statement(build) })
}

func FuzzAcknowledgement(f *testing.F) {
	fuzzPredicate(f, sign.RoleAcknowledgement, sign.ParseAcknowledgement, func(a sign.Acknowledgement) sign.Statement { return a.Statement(build) })
}

func FuzzPromotion(f *testing.F) {
	fuzzPredicate(f, sign.RolePromotion, sign.ParsePromotion, func(p sign.Promotion) sign.Statement { return p.Statement(build) })
}

func FuzzProvenance(f *testing.F) {
	// A time of a foreign provenance may be finer than those that are written.
	coarse := func(s sign.Statement) (sign.Provenance, []diag.Problem) {
		p, problems := sign.ParseProvenance(s)
		p.Started, p.Finished = p.Started.Truncate(time.Second), p.Finished.Truncate(time.Second)
		return p, problems
	}
	fuzzPredicate(f, sign.RoleProvenance, coarse, func(p sign.Provenance) sign.Statement { return p.Statement(build) })
}

// A public key that is read is written as it is read again, with the same ID, and lets no signature through that nobody
// made.
func FuzzPublicKey(f *testing.F) {
	for _, k := range readVectors(f).Keys {
		f.Add([]byte(k.PEM))
	}
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n-----END PUBLIC KEY-----\n"))
	f.Add([]byte("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := sign.ParsePublicKey(data)
		if err != nil {
			var fault *sign.KeyError
			if !errors.As(err, &fault) {
				t.Fatalf("%v", err)
			}
			known(t, []diag.Problem{fault.Problem})
			return
		}
		again, err := sign.ParsePublicKey(key.PEM())
		if err != nil || again.ID() != key.ID() || again.Algorithm() != key.Algorithm() {
			t.Errorf("read again: %v, %v", again, err)
		}
		for _, signature := range [][]byte{nil, make([]byte, 64), append([]byte{1}, make([]byte, 63)...), {0x30, 6, 2, 1, 1, 2, 1, 1}} {
			if key.Verify([]byte("a message"), signature) == nil {
				t.Errorf("%s lets %x through", key, signature)
			}
		}
	})
}

// Whatever is read as a private key is refused, or signs what its public key verifies.
func FuzzPrivateKey(f *testing.F) {
	_, plain := plainKey(f)
	sealed, err := newKey(f).EncryptedPEM(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Add(sealed)
	f.Add([]byte("-----BEGIN ENCRYPTED COSIGN PRIVATE KEY-----\ne30=\n-----END ENCRYPTED COSIGN PRIVATE KEY-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// Without a password, so that no time goes into deriving keys.
		key, err := sign.ParsePrivateKey(t.Context(), data, nil)
		if err != nil {
			var fault *sign.KeyError
			if key != nil || !errors.As(err, &fault) {
				t.Fatalf("%v", err)
			}
			known(t, []diag.Problem{fault.Problem})
			return
		}
		signature, err := key.Sign(t.Context(), []byte("a message"))
		if err != nil {
			t.Skip("a key whose parts do not fit cannot sign")
		}
		if err := key.Public().Verify([]byte("a message"), signature); err != nil {
			t.Errorf("it signs what it does not verify: %v", err)
		}
	})
}
