package sigstore_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/sign/keyless/sigstore"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

func TestSignatureIsABundleThatOurReaderTakes(t *testing.T) {
	instance := newInstance(t)
	for _, k := range kinds {
		s, err := sigstore.Sign(t.Context(), order(t, instance, k, workload))
		if err != nil {
			t.Fatal(describe(err))
		}
		if err := canonical.IsCanonical(s.Bundle, canonical.Limits{}); err != nil {
			t.Errorf("%s: the bundle is not in RFC 8785 form: %v", k.name, err)
		}
		b, err := sign.Decode(s.Bundle)
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		if b.Statement().Subject != artifact || b.Certificate() == nil {
			t.Errorf("%s: the bundle is about %s", k.name, b.Statement().Subject)
		}
		if s.Identity.Issuer != issuer || s.Identity.Subject != workload || s.Identity.Time.IsZero() {
			t.Errorf("%s: the identity is %v", k.name, s.Identity)
		}
	}
}

// TestOnlyWhatVerifiesIsGivenOut has services that answer well, for something else than was ordered.
func TestOnlyWhatVerifiesIsGivenOut(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	for name, c := range map[string]struct {
		change func(*keyless.Order)
		want   diag.Code
	}{
		"a token for another subject": {func(o *keyless.Order) { o.Issuer, o.Subject = issuer, person }, diag.CodeKeylessSubject},
		"a token of another issuer":   {func(o *keyless.Order) { o.Issuer, o.Subject = "https://x.example.test", workload }, diag.CodeKeylessIssuer},
		"an instance that is not that of the root": {func(o *keyless.Order) {
			o.TrustedRoot = rootOf(t, other, everything)
		}, diag.CodeKeylessOtherRoot},
		"a statement about something else": {func(o *keyless.Order) { o.Payload = statement(digest.Of(nil)) }, diag.CodeKeylessArtifact},
		"a log of another instance":        {func(o *keyless.Order) { o.Services.Rekor = other.RekorURL() }, diag.CodeKeylessNoLogEntry},
		"a timestamp of another instance":  {func(o *keyless.Order) { o.Services.Timestamp = other.TimestampURL() }, diag.CodeKeylessTimeUnverified},
	} {
		t.Run(name, func(t *testing.T) {
			o := order(t, instance, kinds[0], workload)
			c.change(&o)
			s, err := sigstore.Sign(t.Context(), o)
			wantCode(t, err, c.want)
			if s.Bundle != nil {
				t.Error("a bundle is given out all the same")
			}
		})
	}
}

// TestServiceThatFails holds that each service has its own code, whatever it does wrong, and that the identity token is
// in no error.
func TestServiceThatFails(t *testing.T) {
	services := []struct {
		path string
		want diag.Code
	}{
		{"/api/v2/signingCert", diag.CodeKeylessAuthority},
		{"/api/v1/timestamp", diag.CodeKeylessStamp},
		{"/api/v1/log/entries", diag.CodeKeylessLog},
	}
	faults := map[string]func(http.ResponseWriter, *http.Request){
		"refuses and repeats what it got": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			http.Error(w, r.Header.Get("Authorization")+string(body), http.StatusForbidden)
		},
		"says that it is not there": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusNotFound) },
		"answers garbage": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, "{]")
		},
		"answers nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) },
		"breaks off":      func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for _, service := range services {
		for name, fault := range faults {
			t.Run(service.path+" "+name, func(t *testing.T) {
				instance := newInstance(t)
				instance.Fault = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path == service.path {
						fault(w, r)
						return true
					}
					return false
				}
				o := order(t, instance, kinds[0], workload)
				_, err := sigstore.Sign(t.Context(), o)
				wantCode(t, err, service.want)
				for part := range strings.SplitSeq(o.Token, ".") {
					if strings.Contains(describe(err), part) {
						t.Errorf("the token is in the error: %s", describe(err))
					}
				}
			})
		}
	}
}

func TestLogOfVersion2ThatFails(t *testing.T) {
	instance := newInstance(t)
	instance.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/v2/log/entries" {
			http.Error(w, "already there", http.StatusConflict)
			return true
		}
		return false
	}
	_, err := sigstore.Sign(t.Context(), order(t, instance, kinds[2], workload))
	wantCode(t, err, diag.CodeKeylessLog)
}

// TestServiceThatIsBusyIsAskedAgain has services that answer 503 once.
func TestServiceThatIsBusyIsAskedAgain(t *testing.T) {
	instance := newInstance(t)
	busy := map[string]bool{"/api/v2/signingCert": true, "/api/v1/timestamp": true}
	instance.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if busy[r.URL.Path] {
			delete(busy, r.URL.Path)
			http.Error(w, "later", http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	if _, err := sigstore.Sign(t.Context(), order(t, instance, kinds[0], workload)); err != nil {
		t.Fatal(describe(err))
	}
	if len(busy) != 0 {
		t.Error("a service was not busy")
	}
}

// TestTokenGoesNowhereElse has an authority that redirects to another server.
func TestTokenGoesNowhereElse(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	instance.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.FulcioURL()+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	}
	_, err := sigstore.Sign(t.Context(), order(t, instance, kinds[0], workload))
	wantCode(t, err, diag.CodeKeylessAuthority)
	if other.Served() != 0 {
		t.Error("the redirect was followed")
	}
}

// TestTokenGoesToTheAuthorityAlone looks at what every other service gets.
func TestTokenGoesToTheAuthorityAlone(t *testing.T) {
	instance := newInstance(t)
	var token string
	instance.Fault = func(_ http.ResponseWriter, r *http.Request) bool {
		head, _ := json.Marshal(r.Header)
		if sent := strings.Contains(string(head), token); sent != (r.URL.Path == "/api/v2/signingCert") {
			t.Errorf("%s gets the token: %v", r.URL.Path, sent)
		}
		return false
	}
	o := order(t, instance, kinds[0], workload)
	token = o.Token
	if _, err := sigstore.Sign(t.Context(), o); err != nil {
		t.Fatal(describe(err))
	}
	if instance.Served() != 3 {
		t.Errorf("%d requests were made, not one to each service", instance.Served())
	}
}

// TestTokenThatTheAuthorityDoesNotTake has tokens that look right.
func TestTokenThatTheAuthorityDoesNotTake(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	o := order(t, instance, kinds[0], workload)
	o.Token = order(t, other, kinds[0], workload).Token
	_, err := sigstore.Sign(t.Context(), o)
	wantCode(t, err, diag.CodeKeylessAuthority)
}

func TestOrderThatIsNotCarriedOut(t *testing.T) {
	instance := newInstance(t)
	good := order(t, instance, kinds[0], workload)
	for name, c := range map[string]struct {
		change func(*keyless.Order)
		want   diag.Code
	}{
		"no statement":              {func(o *keyless.Order) { o.Payload = nil }, diag.CodeKeylessDemand},
		"huge statement":            {func(o *keyless.Order) { o.Payload = make([]byte, keyless.MaxPayload+1) }, diag.CodeKeylessDemand},
		"no artifact":               {func(o *keyless.Order) { o.Artifact = digest.Digest{} }, diag.CodeKeylessDemand},
		"no trusted root":           {func(o *keyless.Order) { o.TrustedRoot = nil }, diag.CodeKeylessDemand},
		"trusted root that is none": {func(o *keyless.Order) { o.TrustedRoot = []byte("{}") }, diag.CodeKeylessTrustedRoot},
		"no token":                  {func(o *keyless.Order) { o.Token = "" }, diag.CodeKeylessToken},
		"token of two parts":        {func(o *keyless.Order) { o.Token = "a.b" }, diag.CodeKeylessToken},
		"token with a line end":     {func(o *keyless.Order) { o.Token += "\n" }, diag.CodeKeylessToken},
		"token without signature":   {func(o *keyless.Order) { o.Token = o.Token[:strings.LastIndex(o.Token, ".")+1] }, diag.CodeKeylessToken},
		"huge token":                {func(o *keyless.Order) { o.Token = strings.Repeat("a", keyless.MaxToken) + ".b.c" }, diag.CodeKeylessToken},
		"no authority":              {func(o *keyless.Order) { o.Services.Fulcio = "" }, diag.CodeKeylessAddress},
		"plain http elsewhere":      {func(o *keyless.Order) { o.Services.Fulcio = "http://fulcio.example.test" }, diag.CodeKeylessAddress},
		"a file":                    {func(o *keyless.Order) { o.Services.Rekor = "file:///etc/passwd" }, diag.CodeKeylessAddress},
		"a password":                {func(o *keyless.Order) { o.Services.Rekor = "https://u:secret@rekor.example.test" }, diag.CodeKeylessAddress},
		"a query":                   {func(o *keyless.Order) { o.Services.Timestamp = "https://t.example.test/?a=b" }, diag.CodeKeylessAddress},
		"no log":                    {func(o *keyless.Order) { o.Services.Rekor = "" }, diag.CodeKeylessAddress},
		"no version of the log":     {func(o *keyless.Order) { o.Services.RekorVersion = 0 }, diag.CodeKeylessDemand},
		"version 3 of the log":      {func(o *keyless.Order) { o.Services.RekorVersion = 3 }, diag.CodeKeylessDemand},
		"version 2 without a time":  {func(o *keyless.Order) { o.Services.RekorVersion, o.Services.Timestamp = 2, "" }, diag.CodeKeylessDemand},
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			c.change(&o)
			_, err := sigstore.Sign(t.Context(), o)
			wantCode(t, err, c.want)
			if strings.Contains(describe(err)+problemsOf(err)[0].Data["address"], "secret") {
				t.Error("the password of an address is repeated")
			}
		})
	}
	if instance.Served() != 0 {
		t.Errorf("%d requests were made", instance.Served())
	}
}
