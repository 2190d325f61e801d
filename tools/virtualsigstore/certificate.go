package virtualsigstore

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The extensions that matter: the issuer of the token in its old and its new form, the list of signed certificate
// timestamps (RFC 6962 section 3.3), and the extended key usage.
func issuerExtension() asn1.ObjectIdentifier {
	return asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, 1}
}
func issuerExtension2() asn1.ObjectIdentifier {
	return asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, 8}
}
func timestampListExtension() asn1.ObjectIdentifier {
	return asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 11129, 2, 4, 2}
}

// newChain makes an authority.
func newChain(name string, usage x509.ExtKeyUsage, now time.Time) (chain, error) {
	var c chain
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return chain{}, err
	}
	template := authorityTemplate(name+" root", now)
	if c.root, err = certify(template, template, rootKey.Public(), rootKey); err != nil {
		return chain{}, err
	}
	if c.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return chain{}, err
	}
	template = authorityTemplate(name+" intermediate", now)
	template.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	c.intermediate, err = certify(template, c.root, c.key.Public(), rootKey)
	return c, err
}

func authorityTemplate(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name, Organization: []string{"virtual"}},
		NotBefore: now.Add(-authorityLifetime), NotAfter: now.Add(authorityLifetime),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign, BasicConstraintsValid: true, IsCA: true,
	}
}

// certifyStamps gives a timestamp authority the certificate of its own; its key is replaced by that certificate's.
func (c *chain) certifyStamps(now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "timestamp", Organization: []string{"virtual"}},
		NotBefore: now.Add(-authorityLifetime), NotAfter: now.Add(authorityLifetime), KeyUsage: x509.KeyUsageDigitalSignature,
		// RFC 3161 section 2.3: the extended key usage is critical.
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}
	if c.leaf, err = certify(template, c.intermediate, key.Public(), c.key); err != nil {
		return err
	}
	c.key = key
	return nil
}

func certify(template, parent *x509.Certificate, key crypto.PublicKey, by *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, by)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// issueCertificate answers as Fulcio's POST /api/v2/signingCert.
func (i *Instance) issueCertificate(r *http.Request) (response, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return response{}, errors.New("there is no identity token")
	}
	claims, err := i.checkToken(token)
	if err != nil {
		return response{}, err
	}
	var request struct {
		PublicKeyRequest struct {
			PublicKey         struct{ Algorithm, Content string }
			ProofOfPossession []byte
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return response{}, err
	}
	key, err := publicKey(request.PublicKeyRequest.PublicKey.Content)
	if err != nil {
		return response{}, err
	}
	sum := sha256.Sum256([]byte(claims.subject()))
	if !ecdsa.VerifyASN1(key, sum[:], request.PublicKeyRequest.ProofOfPossession) {
		return response{}, errors.New("the proof of possession does not hold")
	}
	leaf, err := i.leaf(key, claims)
	if err != nil {
		return response{}, err
	}
	var certificates []string
	for _, c := range []*x509.Certificate{leaf, i.authority.intermediate, i.authority.root} {
		certificates = append(certificates, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})))
	}
	body, err := json.Marshal(map[string]any{"signedCertificateEmbeddedSct": map[string]any{
		"chain": map[string]any{"certificates": certificates},
	}})
	return response{status: http.StatusOK, body: body}, err
}

func publicKey(text string) (*ecdsa.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the public key is not PEM")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("a key of type %T is not issued for", parsed)
	}
	return key, nil
}

// leaf issues a certificate; unless it is left out, the certificate log's signed timestamp is embedded: it is over the
// certificate as it would be without (RFC 6962 section 3.2).
func (i *Instance) leaf(key *ecdsa.PublicKey, claims claims) (*x509.Certificate, error) {
	now := i.Now()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	modern, err := asn1.MarshalWithParams(claims.Issuer, "utf8")
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, NotBefore: now, NotAfter: now.Add(Lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
		ExtraExtensions: []pkix.Extension{
			{Id: issuerExtension(), Value: []byte(claims.Issuer)},
			{Id: issuerExtension2(), Value: modern},
		},
	}
	names := i.Subjects
	if names == nil {
		names = []string{claims.subject()}
	}
	for _, name := range names {
		if strings.Contains(name, "://") {
			u, err := url.Parse(name)
			if err != nil {
				return nil, err
			}
			template.URIs = append(template.URIs, u)
		} else {
			template.EmailAddresses = append(template.EmailAddresses, name)
		}
	}
	bare, err := certify(template, i.authority.intermediate, key, i.authority.key)
	if err != nil || i.WithoutCertificateLog {
		return bare, err
	}
	list, err := i.certificateTimestamp(bare.RawTBSCertificate, now)
	if err != nil {
		return nil, err
	}
	template.ExtraExtensions = append(template.ExtraExtensions, pkix.Extension{Id: timestampListExtension(), Value: list})
	return certify(template, i.authority.intermediate, key, i.authority.key)
}

// certificateTimestamp is the value of the extension with one signed certificate timestamp.
func (i *Instance) certificateTimestamp(tbs []byte, now time.Time) ([]byte, error) {
	id, err := keyID(i.certificateLog.Public())
	if err != nil {
		return nil, err
	}
	issuer := sha256.Sum256(i.authority.intermediate.RawSubjectPublicKeyInfo)
	at := binary.BigEndian.AppendUint64(nil, uint64(now.UnixMilli()))

	signed := append([]byte{0, 0}, at...)       // version 1, certificate timestamp
	signed = append(signed, 0, 1)               // an entry for a certificate that is not issued yet
	signed = append(signed, issuer[:]...)       // whose issuer this is
	signed = append(signed, byte(len(tbs)>>16)) // and whose length takes three bytes
	signed = binary.BigEndian.AppendUint16(signed, uint16(len(tbs)))
	signed = append(append(signed, tbs...), 0, 0) // no extensions
	sum := sha256.Sum256(signed)
	signature, err := ecdsa.SignASN1(rand.Reader, i.certificateLog, sum[:])
	if err != nil {
		return nil, err
	}
	one := append(append([]byte{0}, id...), at...)
	one = append(one, 0, 0, 4, 3) // no extensions; SHA-256 with ECDSA
	one = binary.BigEndian.AppendUint16(one, uint16(len(signature)))
	one = append(one, signature...)
	list := binary.BigEndian.AppendUint16(nil, uint16(len(one)+2))
	list = binary.BigEndian.AppendUint16(list, uint16(len(one)))
	return asn1.Marshal(append(list, one...))
}
