package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle/registry"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

const hex64 = "0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0c5cf1a0"

func TestReferencesAreRead(t *testing.T) {
	pin, err := digest.Parse("sha256:" + hex64)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]registry.Reference{
		"oci://localhost/a:v1":                              {Host: "localhost", Repository: "a", Tag: "v1"},
		"oci://localhost:5000/team/shop-assistant:1.0.0":    {Host: "localhost:5000", Repository: "team/shop-assistant", Tag: "1.0.0"},
		"oci://ghcr.io/a/b.c_d__e--f:_X":                    {Host: "ghcr.io", Repository: "a/b.c_d__e--f", Tag: "_X"},
		"oci://Registry.Example.COM/a@sha256:" + hex64:      {Host: "Registry.Example.COM", Repository: "a", Digest: pin},
		"oci://127.0.0.1:1/a/b:t@sha256:" + hex64:           {Host: "127.0.0.1:1", Repository: "a/b", Tag: "t", Digest: pin},
		"oci://[::1]:65535/a:v1":                            {Host: "[::1]:65535", Repository: "a", Tag: "v1"},
		"oci://[fd00::12]/a:v1":                             {Host: "[fd00::12]", Repository: "a", Tag: "v1"},
		"oci://h/" + strings.Repeat("a", 255) + ":v1":       {Host: "h", Repository: strings.Repeat("a", 255), Tag: "v1"},
		"oci://h/a:" + strings.Repeat("t", 128):             {Host: "h", Repository: "a", Tag: strings.Repeat("t", 128)},
		"oci://xn--bcher-kva.example/a:sha256-0.seif-signa": {Host: "xn--bcher-kva.example", Repository: "a", Tag: "sha256-0.seif-signa"},
	} {
		got, err := registry.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
		if got.String() != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
}

func TestMalformedReferencesAreRefused(t *testing.T) {
	for text, want := range map[string]diag.Code{
		"":                          diag.CodeReferenceScheme,
		"localhost/a:v1":            diag.CodeReferenceScheme,
		"https://localhost/a:v1":    diag.CodeReferenceScheme,
		"OCI://localhost/a:v1":      diag.CodeReferenceScheme,
		" oci://localhost/a:v1":     diag.CodeReferenceScheme,
		"oci:///a:v1":               diag.CodeReferenceHost,
		"oci://-a/a:v1":             diag.CodeReferenceHost,
		"oci://a..b/a:v1":           diag.CodeReferenceHost,
		"oci://a_b/a:v1":            diag.CodeReferenceHost,
		"oci://a\x11b/a:v1":         diag.CodeReferenceHost,
		"oci://a b/a:v1":            diag.CodeReferenceHost,
		"oci://bücher.example/a:v1": diag.CodeReferenceHost,
		"oci://a:0/a:v1":            diag.CodeReferenceHost,
		"oci://a:080/a:v1":          diag.CodeReferenceHost,
		"oci://a:65536/a:v1":        diag.CodeReferenceHost,
		"oci://a:/a:v1":             diag.CodeReferenceHost,
		"oci://a:1:2/a:v1":          diag.CodeReferenceHost,
		"oci://127.0.0.256/a:v1":    diag.CodeReferenceHost,
		"oci://127.1/a:v1":          diag.CodeReferenceHost,
		"oci://2130706433/a:v1":     diag.CodeReferenceHost,
		"oci://0x7f000001/a:v1":     diag.CodeReferenceHost,
		"oci://::1/a:v1":            diag.CodeReferenceHost,
		"oci://[::1/a:v1":           diag.CodeReferenceHost,
		"oci://[::1]x/a:v1":         diag.CodeReferenceHost,
		"oci://[::1%25lo]/a:v1":     diag.CodeReferenceHost,
		"oci://[127.0.0.1]/a:v1":    diag.CodeReferenceHost,
		"oci://" + strings.Repeat("a", 64) + "/a:v1":      diag.CodeReferenceHost,
		"oci://" + strings.Repeat("a.", 126) + "abc/a:v1": diag.CodeReferenceHost,
		"oci://me:secret@a/a:v1":                          diag.CodeReferenceCredentials,
		"oci://me@a/a:v1":                                 diag.CodeReferenceCredentials,
		"oci://me:sec/ret@a/a:v1":                         diag.CodeReferenceHost,
		"oci://a/b:v1?token=secret":                       diag.CodeReferenceQuery,
		"oci://a/b:v1#secret":                             diag.CodeReferenceQuery,
		"oci://a?x/b:v1":                                  diag.CodeReferenceQuery,
		"oci://a":                                         diag.CodeReferenceRepository,
		"oci://a/":                                        diag.CodeReferenceRepository,
		"oci://a/:v1":                                     diag.CodeReferenceRepository,
		"oci://a/B:v1":                                    diag.CodeReferenceRepository,
		"oci://a/b/:v1":                                   diag.CodeReferenceRepository,
		"oci://a//b:v1":                                   diag.CodeReferenceRepository,
		"oci://a/../b:v1":                                 diag.CodeReferenceRepository,
		"oci://a/-b:v1":                                   diag.CodeReferenceRepository,
		"oci://a/b-:v1":                                   diag.CodeReferenceRepository,
		"oci://a/b..c:v1":                                 diag.CodeReferenceRepository,
		"oci://a/b___c:v1":                                diag.CodeReferenceRepository,
		"oci://a/b._c:v1":                                 diag.CodeReferenceRepository,
		"oci://a/b%2fc:v1":                                diag.CodeReferenceRepository,
		"oci://a/é:v1":                                    diag.CodeReferenceRepository,
		"oci://a/" + strings.Repeat("a", 256) + ":v1": diag.CodeReferenceRepository,
		"oci://a/b:":                            diag.CodeReferenceTag,
		"oci://a/b:.v1":                         diag.CodeReferenceTag,
		"oci://a/b:-v1":                         diag.CodeReferenceTag,
		"oci://a/b:v1:v2":                       diag.CodeReferenceTag,
		"oci://a/b:v1/c":                        diag.CodeReferenceTag,
		"oci://a/b:v 1":                         diag.CodeReferenceTag,
		"oci://a/b:" + strings.Repeat("t", 129): diag.CodeReferenceTag,
		"oci://a/b@":                            diag.CodeReferenceDigest,
		"oci://a/b@" + hex64:                    diag.CodeReferenceDigest,
		"oci://a/b:1@sha256:" + strings.Repeat("0", 64):  diag.CodeReferenceDigest,
		"oci://a/b@sha256:" + hex64[1:]:                  diag.CodeReferenceDigest,
		"oci://a/b@sha256:" + strings.ToUpper(hex64):     diag.CodeReferenceDigest,
		"oci://a/b@sha512:" + hex64 + hex64:              diag.CodeReferenceDigest,
		"oci://a/b@sha256:" + hex64 + "@sha256:" + hex64: diag.CodeReferenceDigest,
		"oci://a/b": diag.CodeReferenceIncomplete,
		"oci://a/" + strings.Repeat("a/", 600) + "b:v1": diag.CodeReferenceTooLong,
	} {
		got, err := registry.Parse(text)
		var f *registry.Fault
		if !errors.As(err, &f) {
			t.Errorf("%q is read as %+v", text, got)
			continue
		}
		if f.Problem.Code != want || f.Kind != registry.Malformed {
			t.Errorf("%q: %s of kind %d, want %s", text, f.Problem.Code, f.Kind, want)
		}
		for _, d := range f.Diagnostics() {
			if strings.Contains(d.Message()+f.Error(), "sec") {
				t.Errorf("%q: the message repeats a secret: %s", text, d.Message())
			}
		}
	}
}

// What is read is written as it was, and reading never panics.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"oci://localhost:5000/a/b:v1", "oci://[::1]/a@sha256:" + hex64, "oci://a:b@c/d?e#f", "oci://\x00/é:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := registry.Parse(text)
		if err == nil && ref.String() != text {
			t.Errorf("%q is written as %q", text, ref)
		}
	})
}
