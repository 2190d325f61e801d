package sigstore_test

import (
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/sign/keyless/sigstore"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/tools/virtualsigstore"
)

func TestRightIdentityIsAccepted(t *testing.T) {
	instance := newInstance(t)
	for _, k := range kinds {
		for _, subject := range []string{person, workload} {
			t.Run(k.name+" "+subject, func(t *testing.T) {
				before := time.Now().Truncate(time.Second)
				d := signed(t, instance, k, subject)
				identity, err := sigstore.Verify(t.Context(), d)
				if err != nil {
					t.Fatal(describe(err))
				}
				if identity.Issuer != issuer || identity.Subject != subject {
					t.Errorf("the identity is %v", identity)
				}
				if identity.Time.Before(before) || identity.Time.After(time.Now()) {
					t.Errorf("the time is %s", identity.Time)
				}
				d.Issuer, d.Subject = "", ""
				if found, err := sigstore.Verify(t.Context(), d); err != nil || found != identity {
					t.Errorf("without a wanted identity: %v, %v", found, err)
				}
			})
		}
	}
}

// TestAttack29 has a signature that is right but for one thing that the verifier expects otherwise.
func TestAttack29(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	for _, k := range kinds {
		good := signed(t, instance, k, workload)
		cases := []struct {
			name   string
			change func(*keyless.Demand)
			want   diag.Code
		}{
			{"wrong subject", func(d *keyless.Demand) { d.Subject = person }, diag.CodeKeylessSubject},
			{"subject that is a prefix", func(d *keyless.Demand) { d.Subject = workload[:len(workload)-1] }, diag.CodeKeylessSubject},
			{"subject in another case", func(d *keyless.Demand) { d.Subject = "HTTPS" + workload[5:] }, diag.CodeKeylessSubject},
			{"subject that is a pattern", func(d *keyless.Demand) { d.Subject = ".*" }, diag.CodeKeylessSubject},
			{"wrong issuer", func(d *keyless.Demand) { d.Issuer = "https://other.example.test" }, diag.CodeKeylessIssuer},
			{"issuer with a slash more", func(d *keyless.Demand) { d.Issuer += "/" }, diag.CodeKeylessIssuer},
			{"root of another instance", func(d *keyless.Demand) {
				d.TrustedRoot = rootOf(t, other, virtualsigstore.Everything())
			}, diag.CodeKeylessOtherRoot},
			{"another artifact", func(d *keyless.Demand) { d.Artifact = digest.Of([]byte("another")) }, diag.CodeKeylessArtifact},
		}
		for _, c := range cases {
			t.Run(k.name+", "+c.name, func(t *testing.T) {
				d := good
				c.change(&d)
				refuses(t, d, c.want)
			})
		}
	}
}

// TestAttack28 is about time: a certificate is good for minutes, and only a trusted time says that it was used in them.
func TestAttack28(t *testing.T) {
	yesterday := time.Now().Add(-24 * time.Hour)
	t.Run("certificate that is good now, without a time", func(t *testing.T) {
		d := signed(t, newInstance(t), kinds[2], person)
		d.Bundle = changed(t, d.Bundle, "/verificationMaterial/timestampVerificationData", gone)
		refuses(t, d, diag.CodeKeylessNoTime)
	})
	t.Run("time of a log without its promise", func(t *testing.T) {
		d := signed(t, newInstance(t), kinds[1], person)
		d.Bundle = changed(t, d.Bundle, "/verificationMaterial/tlogEntries/0/inclusionPromise", gone)
		refuses(t, d, diag.CodeKeylessNoTime)
	})
	t.Run("expired certificate without a time", func(t *testing.T) {
		instance := newInstance(t)
		instance.Now = fixed(yesterday)
		d := signed(t, instance, kinds[2], person)
		d.Bundle = changed(t, d.Bundle, "/verificationMaterial/timestampVerificationData", gone)
		refuses(t, d, diag.CodeKeylessNoTime)
	})
	for _, k := range kinds {
		t.Run("expired certificate with its time, "+k.name, func(t *testing.T) {
			instance := newInstance(t)
			instance.Now = fixed(yesterday)
			d := signed(t, instance, k, person)
			identity, err := sigstore.Verify(t.Context(), d)
			if err != nil {
				t.Fatalf("it is to be accepted: %s", describe(err))
			}
			if got := identity.Time.Sub(yesterday).Abs(); got > time.Second {
				t.Errorf("the time is %s, %s away", identity.Time, got)
			}
		})
	}
	for _, late := range []time.Duration{-time.Hour, virtualsigstore.Lifetime + time.Minute, 24 * time.Hour} {
		t.Run("timestamp outside of the certificate by "+late.String(), func(t *testing.T) {
			instance := newInstance(t)
			instance.Now, instance.StampTime = fixed(yesterday), fixed(yesterday.Add(late))
			for _, k := range []kind{kinds[0], kinds[2]} {
				_, err := sigstore.Sign(t.Context(), order(t, instance, k, person))
				wantCode(t, err, diag.CodeKeylessTimeOutside)
			}
		})
		t.Run("log entry outside of the certificate by "+late.String(), func(t *testing.T) {
			instance := newInstance(t)
			instance.Now, instance.LogTime = fixed(yesterday), fixed(yesterday.Add(late))
			for _, k := range kinds[:2] {
				_, err := sigstore.Sign(t.Context(), order(t, instance, k, person))
				wantCode(t, err, diag.CodeKeylessTimeOutside)
			}
		})
	}
	t.Run("timestamp of another signature", func(t *testing.T) {
		instance := newInstance(t)
		d, other := signed(t, instance, kinds[2], person), signed(t, instance, kinds[2], person)
		const stamps = "/verificationMaterial/timestampVerificationData"
		d.Bundle = changed(t, d.Bundle, stamps, becomes(memberOf(t, other.Bundle, stamps)))
		refuses(t, d, diag.CodeKeylessTimeUnverified)
	})
	t.Run("timestamp of an authority that the root does not name", func(t *testing.T) {
		instance := newInstance(t)
		d := signed(t, instance, kinds[2], person)
		d.TrustedRoot = rootOf(t, instance, virtualsigstore.Parts{CertificateLog: true, Log: true, Log2: true})
		refuses(t, d, diag.CodeKeylessTimeUnverified)
	})
}

// TestLogEntryIsNeeded holds that a signature has to stand in a log of the root, also if it has a time.
func TestLogEntryIsNeeded(t *testing.T) {
	instance := newInstance(t)
	const entries = "/verificationMaterial/tlogEntries"
	for _, k := range []kind{kinds[0], kinds[2]} {
		good := signed(t, instance, k, person)
		other := signed(t, instance, k, person)
		t.Run("none, "+k.name, func(t *testing.T) {
			d := good
			d.Bundle = changed(t, d.Bundle, entries, gone)
			refuses(t, d, diag.CodeKeylessNoLogEntry)
		})
		t.Run("of a log that the root does not name, "+k.name, func(t *testing.T) {
			d := good
			d.TrustedRoot = rootOf(t, instance, virtualsigstore.Parts{CertificateLog: true, Log: k.version == 2, Log2: k.version == 1, Timestamps: true})
			refuses(t, d, diag.CodeKeylessNoLogEntry)
		})
		t.Run("of another signature, "+k.name, func(t *testing.T) {
			d := good
			d.Bundle = changed(t, d.Bundle, entries, becomes(memberOf(t, other.Bundle, entries)))
			refuses(t, d, diag.CodeKeylessLogUnverified)
		})
		t.Run("with a checkpoint of another entry, "+k.name, func(t *testing.T) {
			d := good
			const checkpoint = entries + "/0/inclusionProof/checkpoint"
			d.Bundle = changed(t, d.Bundle, checkpoint, becomes(memberOf(t, other.Bundle, checkpoint)))
			refuses(t, d, diag.CodeKeylessLogUnverified)
		})
	}
}

func TestCertificateLogIsNeededIfTheRootNamesOne(t *testing.T) {
	instance := newInstance(t)
	instance.WithoutCertificateLog = true
	o := order(t, instance, kinds[0], person)
	_, err := sigstore.Sign(t.Context(), o)
	wantCode(t, err, diag.CodeKeylessNotLogged)

	o.TrustedRoot = rootOf(t, instance, virtualsigstore.Parts{Log: true, Timestamps: true})
	if _, err := sigstore.Sign(t.Context(), o); err != nil {
		t.Errorf("a root that names no certificate log asks for none: %s", describe(err))
	}
}

func TestCertificateNamesOneSubject(t *testing.T) {
	for _, subjects := range [][]string{{person, "second@example.test"}, {workload, person}, {workload, workload + "2"}} {
		instance := newInstance(t)
		instance.Subjects = subjects
		o := order(t, instance, kinds[0], person)
		_, err := sigstore.Sign(t.Context(), o)
		wantCode(t, err, diag.CodeKeylessCertificate)
	}
}

// TestNothingInABundleIsLeftUnread adds what another instance says beside what is enough.
func TestNothingInABundleIsLeftUnread(t *testing.T) {
	instance, other := newInstance(t), newInstance(t)
	good, stranger := signed(t, instance, kinds[0], person), signed(t, other, kinds[0], person)
	for pointer, want := range map[string]diag.Code{
		"/verificationMaterial/tlogEntries":                                 diag.CodeKeylessLogUnverified,
		"/verificationMaterial/timestampVerificationData/rfc3161Timestamps": diag.CodeKeylessTimeUnverified,
	} {
		d := good
		d.Bundle = changed(t, d.Bundle, pointer, func(own canonical.Value) canonical.Value {
			return append(append([]any{}, own.([]any)...), memberOf(t, stranger.Bundle, pointer).([]any)...)
		})
		refuses(t, d, want)
	}
}
