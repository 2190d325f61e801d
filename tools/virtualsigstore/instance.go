package virtualsigstore

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/testing/ca"
)

// Lifetime is how long a certificate is good, as in the public instance.
const Lifetime = 10 * time.Minute

// authorityLifetime is how far the certificates of the authorities reach on both sides of the making.
const authorityLifetime = 30 * 24 * time.Hour

// Instance is one Sigstore instance. [New] starts it, [Instance.Close] stops it.
type Instance struct {
	// Now is the clock of all services.
	Now func() time.Time
	// LogTime and StampTime, if set, are the clocks of the first log and of the timestamp authority.
	LogTime, StampTime func() time.Time
	// WithoutCertificateLog leaves the signed certificate timestamp out of certificates.
	WithoutCertificateLog bool
	// Subjects, if set, are the alternative names of certificates instead of the token's subject.
	Subjects []string
	// Fault, if set, answers a request instead of the service if it says so.
	Fault func(http.ResponseWriter, *http.Request) bool

	issuer                     *ecdsa.PrivateKey
	authority, stamping        chain
	certificateLog, log2       *ecdsa.PrivateKey
	log                        *ca.VirtualSigstore
	fulcio, rekor, rekor2, tsa *httptest.Server
	served                     atomic.Int64
	started                    time.Time
}

// chain is an authority: a root, an intermediate under it, and the key that certificates are signed with. The
// timestamp authority has a certificate of its own as well.
type chain struct {
	root, intermediate, leaf *x509.Certificate
	key                      *ecdsa.PrivateKey
}

// New makes the keys of an instance and starts its servers.
func New() (*Instance, error) {
	i := &Instance{Now: time.Now, started: time.Now()}
	for _, key := range []**ecdsa.PrivateKey{&i.issuer, &i.certificateLog, &i.log2} {
		made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		*key = made
	}
	var err error
	if i.log, err = ca.NewVirtualSigstore(); err != nil {
		return nil, fmt.Errorf("making the log: %w", err)
	}
	if i.authority, err = newChain("fulcio", x509.ExtKeyUsageCodeSigning, i.started); err != nil {
		return nil, fmt.Errorf("making the certificate authority: %w", err)
	}
	if i.stamping, err = newChain("timestamp", x509.ExtKeyUsageTimeStamping, i.started); err != nil {
		return nil, fmt.Errorf("making the timestamp authority: %w", err)
	}
	if err := i.stamping.certifyStamps(i.started); err != nil {
		return nil, fmt.Errorf("making the timestamp authority: %w", err)
	}
	i.fulcio = i.serve(http.MethodPost, "/api/v2/signingCert", i.issueCertificate)
	i.rekor = i.serve(http.MethodPost, "/api/v1/log/entries", i.logEntry)
	i.rekor2 = i.serve(http.MethodPost, "/api/v2/log/entries", i.logEntry2)
	i.tsa = i.serve(http.MethodPost, "/api/v1/timestamp", i.stamp)
	return i, nil
}

// Close stops the servers.
func (i *Instance) Close() {
	for _, server := range []*httptest.Server{i.fulcio, i.rekor, i.rekor2, i.tsa} {
		server.Close()
	}
}

// Served is how many requests have arrived.
func (i *Instance) Served() int { return int(i.served.Load()) }

// FulcioURL is where certificates are issued.
func (i *Instance) FulcioURL() string { return i.fulcio.URL }

// RekorURL is the log with the interface of version 1.
func (i *Instance) RekorURL() string { return i.rekor.URL }

// Rekor2URL is the log with the interface of version 2, which says no time.
func (i *Instance) Rekor2URL() string { return i.rekor2.URL }

// TimestampURL is the timestamp authority.
func (i *Instance) TimestampURL() string { return i.tsa.URL + "/api/v1/timestamp" }

// serve answers one method of one path, unless there is a fault.
func (i *Instance) serve(method, path string, answer func(*http.Request) (response, error)) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.served.Add(1)
		if i.Fault != nil && i.Fault(w, r) {
			return
		}
		if r.Method != method || r.URL.Path != path {
			http.Error(w, "no such service", http.StatusNotFound)
			return
		}
		out, err := answer(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for name, value := range out.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(out.status)
		// The client went away; there is nobody to tell.
		_, _ = w.Write(out.body)
	}))
}

// response is what a service answers.
type response struct {
	status int
	header map[string]string
	body   []byte
}

// Parts chooses what a trusted root names.
type Parts struct{ CertificateLog, Log, Log2, Timestamps bool }

// Everything is the whole instance.
func Everything() Parts { return Parts{CertificateLog: true, Log: true, Log2: true, Timestamps: true} }

// TrustedRoot is the trusted root of the instance as JSON.
func (i *Instance) TrustedRoot(parts Parts) ([]byte, error) {
	begin, end := i.started.Add(-authorityLifetime), i.started.Add(authorityLifetime)
	authorities := []root.CertificateAuthority{&root.FulcioCertificateAuthority{
		Root: i.authority.root, Intermediates: []*x509.Certificate{i.authority.intermediate},
		ValidityPeriodStart: begin, ValidityPeriodEnd: end, URI: "https://fulcio.invalid",
	}}
	logs, certificateLogs := map[string]*root.TransparencyLog{}, map[string]*root.TransparencyLog{}
	add := func(to map[string]*root.TransparencyLog, url string, key crypto.PublicKey) error {
		id, err := keyID(key)
		if err != nil {
			return err
		}
		to[string(id)] = &root.TransparencyLog{
			BaseURL: url, ID: id, ValidityPeriodStart: begin, ValidityPeriodEnd: end,
			HashFunc: crypto.SHA256, SignatureHashFunc: crypto.SHA256, PublicKey: key,
		}
		return nil
	}
	if parts.Log {
		for _, l := range i.log.RekorLogs() {
			if err := add(logs, "https://rekor.localhost", l.PublicKey); err != nil {
				return nil, err
			}
		}
	}
	if parts.Log2 {
		if err := add(logs, "https://"+origin2, i.log2.Public()); err != nil {
			return nil, err
		}
	}
	if parts.CertificateLog {
		if err := add(certificateLogs, "https://ctlog.invalid", i.certificateLog.Public()); err != nil {
			return nil, err
		}
	}
	var stamps []root.TimestampingAuthority
	if parts.Timestamps {
		stamps = append(stamps, &root.SigstoreTimestampingAuthority{
			Root: i.stamping.root, Intermediates: []*x509.Certificate{i.stamping.intermediate}, Leaf: i.stamping.leaf,
			ValidityPeriodStart: begin, ValidityPeriodEnd: end, URI: "https://timestamp.invalid",
		})
	}
	trusted, err := root.NewTrustedRoot(root.TrustedRootMediaType01, authorities, certificateLogs, stamps, logs)
	if err != nil {
		return nil, err
	}
	return trusted.MarshalJSON()
}

// keyID is the SHA-256 of a public key as logs name themselves (RFC 6962 section 3.2).
func keyID(key crypto.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(der)
	return sum[:], nil
}
