package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

func TestSummary(t *testing.T) {
	path, build := written(t, textsOnly(t))
	s, _, err := Load(t.Context(), Options{Build: path, Bindings: bound(t, build.Digest(), ""), AllowUnsigned: true})
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{
		Build: build.Digest().String(), Definition: build.DefinitionDigest().String(), Runtime: "seif.context-runtime.v1",
		Estimator: "seif-est/1", Trust: Trust{Signature: "UNSIGNED"}, Listen: "127.0.0.1:0", Profiles: []string{"customer", "staff"}, Credentials: 2,
	}
	if diff := cmp.Diff(want, s.Summary()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// codesOf are the codes of whatever kept a Service from being loaded, and the kind of the error.
func codesOf(findings []diag.Diagnostic, err error) (kind string, codes []diag.Code) {
	var invalid *bundle.Invalid
	var refused *Refused
	switch {
	case errors.As(err, &invalid) && errors.As(err, &refused):
		kind, findings = "invalid", refused.Findings
	case errors.As(err, &refused):
		kind, findings = "refused", refused.Findings
	case errors.Is(err, fs.ErrNotExist):
		kind = "missing"
	case err != nil:
		kind = err.Error()
	default:
		kind = "findings"
	}
	for _, d := range findings {
		codes = append(codes, d.Code)
	}
	return kind, codes
}

// R63, R65, R75: what is served is the Build that the Bindings name, whole, in a contract that is known here, and
// without a signature only in words.
func TestLoadRefuses(t *testing.T) {
	plain, plainBuild := written(t, textsOnly(t))
	tools, toolsBuild := written(t, withTool(t))
	data, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged.seif")
	if err := os.WriteFile(forged, slices.Concat([]byte{}, []byte(strings.Replace(string(data), "30 days", "99 days", 1))), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options Options
		kind    string
		codes   []diag.Code
	}{
		{"no Bindings", Options{Build: plain, Bindings: filepath.Join(t.TempDir(), "none.yaml"), AllowUnsigned: true}, "missing", nil},
		{"no Build", Options{Build: filepath.Join(t.TempDir(), "none.seif"), Bindings: bound(t, plainBuild.Digest(), ""), AllowUnsigned: true}, "missing", nil},
		{"unsigned without the flag", Options{Build: plain, Bindings: bound(t, plainBuild.Digest(), "")}, "refused", []diag.Code{diag.CodeBuildUnsigned}},
		{"another Build", Options{Build: plain, Bindings: bound(t, digest.Of(nil), ""), AllowUnsigned: true}, "invalid", []diag.Code{diag.CodeBuildDigest}},
		{"forged text", Options{Build: forged, Bindings: bound(t, plainBuild.Digest(), ""), AllowUnsigned: true}, "invalid", []diag.Code{diag.CodeBlobDigest}},
		{"tools", Options{Build: tools, Bindings: bound(t, toolsBuild.Digest(), ""), AllowUnsigned: true}, "refused", []diag.Code{diag.CodeExecutorsNotSupported}},
		{
			"a later contract", Options{Build: tools, Bindings: bound(t, toolsBuild.Digest(), ""), Newest: definition.V1, AllowUnsigned: true},
			"invalid", []diag.Code{diag.CodeUnknownRuntime},
		},
		{
			"wrong Bindings", Options{Build: plain, Bindings: bound(t, plainBuild.Digest(), "executors: {}\n"), AllowUnsigned: true},
			"findings", []diag.Code{diag.CodeExecutorsNotSupported},
		},
		{
			"Bindings for another Build", Options{Build: plain, Bindings: bound(t, plainBuild.Digest(), strings.Replace(tenantCredential(), "tenant: acme}", "tenent: acme}", 1)), AllowUnsigned: true},
			"findings", []diag.Code{diag.CodeBindingsInput},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, findings, err := Load(t.Context(), test.options)
			if s != nil {
				t.Fatal("it was loaded")
			}
			kind, codes := codesOf(findings, err)
			if kind != test.kind || !slices.Equal(codes, test.codes) {
				t.Errorf("%s %v, want %s %v", kind, codes, test.kind, test.codes)
			}
		})
	}
}

// A refusal of a contract says which ones are known; a runtime that knows only the first serves Builds of it.
func TestContractMaximum(t *testing.T) {
	tools, toolsBuild := written(t, withTool(t))
	_, _, err := Load(t.Context(), Options{Build: tools, Bindings: bound(t, toolsBuild.Digest(), ""), Newest: definition.V1, AllowUnsigned: true})
	var invalid *bundle.Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	message := invalid.Diagnostics()[0].Message()
	if !strings.Contains(message, "seif.context-runtime.v2") || !strings.Contains(message, "known here: seif.context-runtime.v1") {
		t.Errorf("the message does not name both: %s", message)
	}
	plain, plainBuild := written(t, textsOnly(t))
	s, _, err := Load(t.Context(), Options{Build: plain, Bindings: bound(t, plainBuild.Digest(), ""), Newest: definition.V1, AllowUnsigned: true})
	if s == nil || err != nil {
		t.Errorf("a Build of the first contract: %v", err)
	}
}

// A finding about the names in Bindings stands at its line.
func TestFindingsHaveTheirPlace(t *testing.T) {
	plain, build := written(t, textsOnly(t))
	more := strings.Replace(tenantCredential(), "customer, staff", "customer, stuff", 1)
	_, findings, err := Load(t.Context(), Options{Build: plain, Bindings: bound(t, build.Digest(), more), AllowUnsigned: true})
	if err != nil || len(findings) != 1 {
		t.Fatalf("%v, %v", findings, err)
	}
	if got := findings[0]; got.Place.Start.Line != 8 || got.Place.Pointer != "/credentials/tenant/profiles/1" || !strings.Contains(got.Help(), "staff") {
		t.Errorf("%+v", got)
	}
}
