package keyless

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

var (
	someDemand = Demand{TrustedRoot: []byte("root"), Bundle: []byte("bundle"), Artifact: digest.Of(nil), Issuer: "i", Subject: "s"}
	someOrder  = Order{
		Payload: []byte("payload"), Artifact: digest.Of(nil), TrustedRoot: []byte("root"), Token: "a.b.c",
		Services: Services{Fulcio: "https://f", Rekor: "https://r", RekorVersion: 2, Timestamp: "https://t"}, Issuer: "i", Subject: "s",
	}
	someSigned = Signed{
		Bundle: []byte("bundle"), Identity: sign.Identity{Issuer: "i", Subject: "s", Time: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)},
	}
)

func TestRequestsComeBackAsTheyWere(t *testing.T) {
	bare, short := someDemand, someOrder
	bare.Issuer, bare.Subject = "", ""
	short.Issuer, short.Subject, short.Services.Timestamp = "", "", ""
	for _, d := range []Demand{someDemand, bare} {
		got, err := DecodeRequest(encodeDemand(d))
		if err != nil || got.Order != nil {
			t.Fatal(got, err)
		}
		if diff := cmp.Diff(d, *got.Demand); diff != "" {
			t.Errorf("-sent +arrived:\n%s", diff)
		}
	}
	for _, o := range []Order{someOrder, short} {
		got, err := DecodeRequest(encodeOrder(o))
		if err != nil || got.Demand != nil {
			t.Fatal(got, err)
		}
		if diff := cmp.Diff(o, *got.Order); diff != "" {
			t.Errorf("-sent +arrived:\n%s", diff)
		}
	}
}

func TestAnswersComeBackAsTheyWere(t *testing.T) {
	got, err := decodeAnswer(EncodeAnswer(someSigned, nil), true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(someSigned, got); diff != "" {
		t.Errorf("-sent +arrived:\n%s", diff)
	}
	for _, sent := range []error{
		Refuse(diag.CodeKeylessIssuer, "expected", "a", "found", "b"),
		&Refused{Problems: []diag.Problem{diag.New(diag.CodeKeylessSignature, "/x"), diag.New(diag.CodeKeylessNoTime, "")}},
		NewFailure(nil, diag.CodeKeylessLog, "address", "https://r", "why", "no"),
	} {
		got, err := decodeAnswer(EncodeAnswer(someSigned, sent), true)
		if diff := cmp.Diff(sent, err, cmp.AllowUnexported(Failure{})); diff != "" {
			t.Errorf("-sent +arrived:\n%s", diff)
		}
		if got.Bundle != nil || got.Identity != (sign.Identity{}) {
			t.Errorf("an error comes with %v", got)
		}
	}
}

// TestErrorOfNoKindIsAFailure: what the program did not foresee is no acceptance and no refusal.
func TestErrorOfNoKindIsAFailure(t *testing.T) {
	for _, sent := range []error{errors.New("\xff broken"), &Refused{}, io.EOF} {
		got, err := decodeAnswer(EncodeAnswer(someSigned, sent), false)
		var failed *Failure
		if !errors.As(err, &failed) || failed.Problem.Code != diag.CodeKeylessProgramFailed || got.Identity != (sign.Identity{}) {
			t.Errorf("%v arrives as %v, %v", sent, got, err)
		}
	}
}

// TestIdentityThatCannotBeWrittenIsAFailure has a certificate whose name is no UTF-8.
func TestIdentityThatCannotBeWrittenIsAFailure(t *testing.T) {
	s := someSigned
	s.Identity.Subject = "\xff@example.test"
	_, err := decodeAnswer(EncodeAnswer(s, nil), true)
	var failed *Failure
	if !errors.As(err, &failed) {
		t.Errorf("it arrives as %v", err)
	}
}

func TestRequestThatIsNone(t *testing.T) {
	good := string(encodeDemand(someDemand))
	for name, body := range map[string]string{
		"nothing":                  "",
		"no object":                "[]",
		"another form":             strings.Replace(good, ":", ": ", 1),
		"a member twice":           strings.Replace(good, `"bundle":`, `"bundle":"","bundle":`, 1),
		"a member more":            strings.Replace(good, `"bundle":`, `"aaa":1,"bundle":`, 1),
		"an unknown operation":     strings.Replace(good, `"verify"`, `"trust"`, 1),
		"no operation":             strings.Replace(good, `"operation":"verify",`, "", 1),
		"no protocol":              strings.Replace(good, `"protocol":"seif.keyless.v1",`, "", 1),
		"no base64":                strings.Replace(good, `"bundle":"`, `"bundle":"!`, 1),
		"base64 without padding":   strings.Replace(good, "YnVuZGxl", "YnVuZGw", 1),
		"an empty issuer":          strings.Replace(good, `"issuer":"i"`, `"issuer":""`, 1),
		"a digest of another kind": strings.Replace(good, "sha256:", "sha512:", 1),
		"a number for a text":      strings.Replace(good, `"issuer":"i"`, `"issuer":1`, 1),
		"a version that is a text": strings.Replace(string(encodeOrder(someOrder)), `"rekor_version":2`, `"rekor_version":"2"`, 1),
		"a version of two digits":  strings.Replace(string(encodeOrder(someOrder)), `"rekor_version":2`, `"rekor_version":22`, 1),
		"something behind it":      good + "{}",
	} {
		t.Run(name, func(t *testing.T) {
			if body == good {
				t.Fatal("nothing was changed")
			}
			if got, err := DecodeRequest([]byte(body)); !errors.Is(err, ErrMessage) {
				t.Errorf("it was read as %+v, %v", got, err)
			}
		})
	}
}

func TestRequestOfAnotherVersionIsTold(t *testing.T) {
	body := strings.Replace(string(encodeDemand(someDemand)), Protocol, "seif.keyless.v2", 1)
	_, err := DecodeRequest([]byte(body))
	var failed *Failure
	if !errors.As(err, &failed) || failed.Problem.Code != diag.CodeKeylessProgramVersion || failed.Problem.Data["found"] != "seif.keyless.v2" {
		t.Errorf("the error is %v", err)
	}
}

func TestMessagesAreBounded(t *testing.T) {
	for name, sent := range map[string][]byte{
		"cut off in its length": {0, 0, 1}, "of no bytes": {0, 0, 0, 0}, "cut off": {0, 0, 0, 9, '{'}, "too long": {0x7f, 0xff, 0xff, 0xff, '{'},
		"one byte too long": {0, 0x40, 0, 1},
	} {
		if got, err := ReadMessage(bytes.NewReader(sent)); !errors.Is(err, ErrMessage) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := ReadMessage(bytes.NewReader(nil)); !errors.Is(err, io.EOF) || errors.Is(err, ErrMessage) {
		t.Errorf("at the end: %v", err)
	}
	if err := WriteMessage(io.Discard, make([]byte, maxMessage+1)); !errors.Is(err, ErrMessage) {
		t.Errorf("writing: %v", err)
	}
}

// TestGreatestRequestFits holds the bounds of the parts against that of the whole.
func TestGreatestRequestFits(t *testing.T) {
	d := Demand{
		TrustedRoot: make([]byte, MaxTrustedRoot), Bundle: make([]byte, sign.MaxBundle), Artifact: digest.Of(nil),
		Issuer: strings.Repeat("i", MaxText), Subject: strings.Repeat("\x01", MaxText),
	}
	if err := WriteMessage(io.Discard, encodeDemand(d)); err != nil {
		t.Error(err)
	}
	o := Order{
		TrustedRoot: make([]byte, MaxTrustedRoot), Payload: make([]byte, MaxPayload), Artifact: digest.Of(nil), Token: strings.Repeat("t", MaxToken),
	}
	if err := WriteMessage(io.Discard, encodeOrder(o)); err != nil {
		t.Error(err)
	}
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add(encodeDemand(someDemand))
	f.Add(encodeOrder(someOrder))
	f.Add([]byte(`{"protocol":"seif.keyless.v2"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := DecodeRequest(body)
		if err != nil {
			return
		}
		again := []byte(nil)
		switch {
		case request.Demand != nil:
			again = encodeDemand(*request.Demand)
		case request.Order != nil:
			again = encodeOrder(*request.Order)
		}
		// An issuer without a subject is read and then refused by Check; nobody writes it.
		if (request.Demand == nil || (request.Demand.Issuer == "") == (request.Demand.Subject == "")) &&
			(request.Order == nil || (request.Order.Issuer == "") == (request.Order.Subject == "")) && !bytes.Equal(again, body) {
			t.Errorf("%s is read as\n%s", body, again)
		}
	})
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add(EncodeAnswer(someSigned, nil), true)
	f.Add(EncodeAnswer(Signed{Identity: someSigned.Identity}, nil), false)
	f.Add(EncodeAnswer(Signed{}, Refuse(diag.CodeKeylessIssuer, "found", "x")), false)
	f.Add(EncodeFailure(NewFailure(nil, diag.CodeKeylessLog)), true)
	f.Fuzz(func(t *testing.T, body []byte, wantBundle bool) {
		signed, err := decodeAnswer(body, wantBundle)
		var (
			refused *Refused
			failed  *Failure
		)
		switch {
		case err == nil:
			if signed.Identity.Issuer == "" || signed.Identity.Subject == "" || signed.Identity.Time.IsZero() {
				t.Errorf("%s is an identity", body)
			}
			if !wantBundle {
				signed.Bundle = nil
			}
			if again := EncodeAnswer(signed, nil); !bytes.Equal(again, body) {
				t.Errorf("%s is read as\n%s", body, again)
			}
		case errors.As(err, &refused):
			if len(refused.Problems) == 0 {
				t.Errorf("%s refuses for nothing", body)
			}
		case !errors.As(err, &failed):
			t.Errorf("%s is %v", body, err)
		}
	})
}

func FuzzReadMessage(f *testing.F) {
	f.Add([]byte{0, 0, 0, 2, '{', '}', 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, sent []byte) {
		in := bytes.NewReader(sent)
		for {
			body, err := ReadMessage(in)
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, ErrMessage) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if len(body) == 0 || len(body) > maxMessage {
				t.Errorf("a message has %d bytes", len(body))
			}
		}
	})
}
