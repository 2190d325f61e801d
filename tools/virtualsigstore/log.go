package virtualsigstore

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/sigstore/sigstore-go/pkg/tlog"

	"github.com/seif-dev/seifc/digest/canonical"
)

// logIndex is the number of every entry of the first log over all its trees; within its own tree each is the first.
const logIndex = 4711

// origin2 is the name under which the second log signs its checkpoints.
const origin2 = "rekor2.localhost"

// logEntry answers as Rekor's POST /api/v1/log/entries for an entry of kind dsse.
func (i *Instance) logEntry(r *http.Request) (response, error) {
	var proposed struct {
		Kind string
		Spec struct {
			ProposedContent struct {
				Envelope  string
				Verifiers [][]byte
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&proposed); err != nil {
		return response{}, err
	}
	content := proposed.Spec.ProposedContent
	if proposed.Kind != "dsse" || len(content.Verifiers) != 1 {
		return response{}, errors.New("only a dsse entry with one verifier is taken")
	}
	var envelope dsse.Envelope
	if err := json.Unmarshal([]byte(content.Envelope), &envelope); err != nil {
		return response{}, err
	}
	certificate, signature, err := signer(content.Verifiers[0], envelope)
	if err != nil {
		return response{}, err
	}
	now := i.Now()
	if i.LogTime != nil {
		now = i.LogTime()
	}
	entry, err := i.log.GenerateTlogEntry(certificate, &envelope, signature, now.Unix(), true)
	if err != nil {
		return response{}, err
	}
	told := entry.TransparencyLogEntry()
	proof := told.GetInclusionProof()
	logID := hex.EncodeToString(told.GetLogId().GetKeyId())
	promise, err := i.log.RekorSignPayload(tlog.RekorPayload{
		Body: base64.StdEncoding.EncodeToString(told.GetCanonicalizedBody()), IntegratedTime: now.Unix(),
		LogIndex: logIndex, LogID: logID,
	})
	if err != nil {
		return response{}, err
	}
	hashes := []string{}
	for _, h := range proof.GetHashes() {
		hashes = append(hashes, hex.EncodeToString(h))
	}
	leaf := sha256.Sum256(append([]byte{0}, told.GetCanonicalizedBody()...))
	uuid := hex.EncodeToString(leaf[:])
	body, err := json.Marshal(map[string]any{uuid: map[string]any{
		"body": told.GetCanonicalizedBody(), "integratedTime": told.GetIntegratedTime(),
		"logID": logID, "logIndex": logIndex,
		"verification": map[string]any{
			"signedEntryTimestamp": promise,
			"inclusionProof": map[string]any{
				"checkpoint": proof.GetCheckpoint().GetEnvelope(), "hashes": hashes, "logIndex": proof.GetLogIndex(),
				"rootHash": hex.EncodeToString(proof.GetRootHash()), "treeSize": proof.GetTreeSize(),
			},
		},
	}})
	return response{
		status: http.StatusCreated,
		header: map[string]string{
			"Content-Type": "application/json", "ETag": uuid, "Location": "/api/v1/log/entries/" + uuid,
		},
		body: body,
	}, err
}

// signer verifies the signature of an envelope, as the log does before it takes it.
func signer(verifier []byte, envelope dsse.Envelope) (*x509.Certificate, []byte, error) {
	block, _ := pem.Decode(verifier)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, nil, errors.New("the verifier is no certificate")
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, nil, err
	}
	payload, err := envelope.DecodeB64Payload()
	if err != nil || len(envelope.Signatures) != 1 {
		return nil, nil, fmt.Errorf("the envelope has %d signatures: %w", len(envelope.Signatures), err)
	}
	signature, err := base64.StdEncoding.DecodeString(envelope.Signatures[0].Sig)
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256(dsse.PAE(envelope.PayloadType, payload))
	key, ok := certificate.PublicKey.(*ecdsa.PublicKey)
	if !ok || !ecdsa.VerifyASN1(key, sum[:], signature) {
		return nil, nil, errors.New("the signature does not hold")
	}
	return certificate, signature, nil
}

// logEntry2 answers as Rekor's POST /api/v2/log/entries: an entry of kind hashedrekord over the digest of what was
// signed, with an inclusion proof and without a time.
func (i *Instance) logEntry2(r *http.Request) (response, error) {
	var request struct {
		HashedRekordRequestV002 struct {
			Digest    []byte
			Signature struct {
				Content  []byte
				Verifier struct {
					KeyDetails      string
					X509Certificate struct{ RawBytes []byte }
				}
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return response{}, err
	}
	asked := request.HashedRekordRequestV002
	certificate, err := x509.ParseCertificate(asked.Signature.Verifier.X509Certificate.RawBytes)
	if err != nil {
		return response{}, err
	}
	key, ok := certificate.PublicKey.(*ecdsa.PublicKey)
	if !ok || !ecdsa.VerifyASN1(key, asked.Digest, asked.Signature.Content) {
		return response{}, errors.New("the signature does not hold")
	}
	encode := base64.StdEncoding.EncodeToString
	entry, err := canonical.Marshal(map[string]any{
		"apiVersion": "0.0.2", "kind": "hashedrekord",
		"spec": map[string]any{"hashedRekordV002": map[string]any{
			"data": map[string]any{"algorithm": "SHA2_256", "digest": encode(asked.Digest)},
			"signature": map[string]any{
				"content": encode(asked.Signature.Content),
				"verifier": map[string]any{
					"keyDetails":      asked.Signature.Verifier.KeyDetails,
					"x509Certificate": map[string]any{"rawBytes": encode(certificate.Raw)},
				},
			},
		}},
	})
	if err != nil {
		return response{}, err
	}
	id, err := keyID(i.log2.Public())
	if err != nil {
		return response{}, err
	}
	root := sha256.Sum256(append([]byte{0}, entry...))
	checkpoint, err := i.checkpoint2(id, root[:])
	if err != nil {
		return response{}, err
	}
	body, err := json.Marshal(map[string]any{
		"logIndex": "0", "logId": map[string]any{"keyId": encode(id)},
		"kindVersion": map[string]any{"kind": "hashedrekord", "version": "0.0.2"},
		"inclusionProof": map[string]any{
			"logIndex": "0", "treeSize": "1", "rootHash": encode(root[:]), "checkpoint": map[string]any{"envelope": checkpoint},
		},
		"canonicalizedBody": encode(entry),
	})
	return response{status: http.StatusCreated, header: map[string]string{"Content-Type": "application/json"}, body: body}, err
}

// checkpoint2 is the signed head of the log with one leaf.
func (i *Instance) checkpoint2(id, root []byte) (string, error) {
	text := origin2 + "\n1\n" + base64.StdEncoding.EncodeToString(root) + "\n"
	sum := sha256.Sum256([]byte(text))
	signature, err := ecdsa.SignASN1(rand.Reader, i.log2, sum[:])
	if err != nil {
		return "", err
	}
	return text + "\n\u2014 " + origin2 + " " + base64.StdEncoding.EncodeToString(append(id[:4:4], signature...)) + "\n", nil
}
