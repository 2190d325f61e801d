package sign

import (
	"bytes"
	"crypto/x509"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Decode reads a Sigstore bundle v0.3 of at most [MaxBundle] bytes: strict JSON in which every member is known, a DSSE
// envelope with one in-toto statement and one signature, and either a key's hint or a certificate. The error is an
// [*Invalid].
func Decode(data []byte) (*Bundle, error) {
	value, err := canonical.Parse(data, limits())
	if err != nil {
		return nil, &Invalid{Problems: []diag.Problem{bundleProblem(err)}}
	}
	r := &reader{codes: memberCodes{diag.CodeBundleMemberUnknown, diag.CodeBundleMemberMissing, diag.CodeBundleMemberWrong}}
	b := &Bundle{raw: bytes.Clone(data)}
	members := r.object("", value, []string{"mediaType", "verificationMaterial"}, []string{"dsseEnvelope", "messageSignature"})
	if mediaType, ok := r.text("", members, "mediaType"); ok && mediaType != MediaType {
		r.add(diag.CodeBundleMediaType, "/mediaType", "found", strconv.QuoteToASCII(shown(mediaType)))
	}
	envelope, hasEnvelope := members["dsseEnvelope"]
	_, hasMessage := members["messageSignature"]
	switch {
	case hasEnvelope && hasMessage:
		r.add(diag.CodeBundleTwoContents, "")
	case hasMessage:
		r.add(diag.CodeBundleMessage, "/messageSignature")
	case hasEnvelope:
		r.envelope(envelope, b)
	case members != nil:
		r.add(r.codes.missing, "", "member", "/dsseEnvelope")
	}
	if value, ok := members["verificationMaterial"]; ok {
		b.material = r.material(value)
	}
	if len(r.problems) > 0 {
		return nil, &Invalid{Problems: r.problems}
	}
	var problems []diag.Problem
	if b.statement, problems = ParseStatement(b.payload); len(problems) > 0 {
		return nil, &Invalid{Problems: problems}
	}
	return b, nil
}

// bundleProblem names what the scan refused; a media type that stands there twice has its own name, because readers
// have taken the first for one version and the second for another.
func bundleProblem(err error) diag.Problem {
	p := bundleJSON().problem(err)
	if p.Code == diag.CodeBundleJSONDuplicate && p.Target.Pointer == "/mediaType" {
		p.Code = diag.CodeBundleMediaTypeTwice
	}
	return p
}

// envelope reads the DSSE envelope.
func (r *reader) envelope(value canonical.Value, b *Bundle) {
	const at = "/dsseEnvelope"
	members := r.object(at, value, []string{"payload", "payloadType", "signatures"}, nil)
	if found, ok := r.text(at, members, "payloadType"); ok && found != PayloadType {
		r.add(diag.CodeBundlePayloadType, at+"/payloadType", "found", strconv.QuoteToASCII(shown(found)))
	}
	b.payload = r.bytes(at, members, "payload")
	value, ok := members["signatures"]
	if !ok {
		return
	}
	signatures, ok := value.([]any)
	switch {
	case !ok:
		r.wrong(at+"/signatures", "an array", value)
		return
	case len(signatures) != 1:
		r.add(diag.CodeBundleSignatures, at+"/signatures", "found", strconv.Itoa(len(signatures)))
		return
	}
	const first = at + "/signatures/0"
	signature := r.object(first, signatures[0], []string{"sig"}, []string{"keyid"})
	b.keyID, _ = r.text(first, signature, "keyid")
	b.signature = r.bytes(first, signature, "sig")
	if text, ok := signature["sig"].(string); ok && (text == "" || len(b.signature) > maxSignature) {
		r.wrong(first+"/sig", "a signature of 1 to "+strconv.Itoa(maxSignature)+" bytes", text)
	}
}

// material is what a bundle has besides the envelope.
type material struct {
	hint        string
	certificate []byte
	logEntries  int
	timestamps  [][]byte
}

// material reads the verification material. It takes apart what bundles of keyless signers have, so that nothing
// unknown hides in it, and judges none of it but that a certificate is one.
func (r *reader) material(value canonical.Value) material {
	const at = "/verificationMaterial"
	var m material
	members := r.object(at, value, nil, []string{"certificate", "publicKey", "timestampVerificationData", "tlogEntries"})
	key, byKey := members["publicKey"]
	certificate, byCertificate := members["certificate"]
	if members != nil && byKey == byCertificate {
		r.add(diag.CodeBundleKeyMaterial, at)
	}
	if byKey {
		hint := r.object(at+"/publicKey", key, nil, []string{"hint"})
		m.hint, _ = r.text(at+"/publicKey", hint, "hint")
	}
	if byCertificate {
		holder := r.object(at+"/certificate", certificate, []string{"rawBytes"}, nil)
		m.certificate = r.bytes(at+"/certificate", holder, "rawBytes")
		if _, err := x509.ParseCertificate(m.certificate); err != nil && len(r.problems) == 0 {
			r.add(diag.CodeBundleCertificate, at+"/certificate/rawBytes")
		}
	}
	for i, entry := range r.list(at, members, "tlogEntries", maxProofs) {
		r.logEntry(canonical.JoinPointer(at, "tlogEntries", strconv.Itoa(i)), entry)
		m.logEntries++
	}
	if value, ok := members["timestampVerificationData"]; ok {
		m.timestamps = r.timestamps(at+"/timestampVerificationData", value)
	}
	return m
}

func (r *reader) timestamps(at string, value canonical.Value) [][]byte {
	var out [][]byte
	data := r.object(at, value, nil, []string{"rfc3161Timestamps"})
	for i, item := range r.list(at, data, "rfc3161Timestamps", maxProofs) {
		each := canonical.JoinPointer(at, "rfc3161Timestamps", strconv.Itoa(i))
		signed := r.object(each, item, []string{"signedTimestamp"}, nil)
		out = append(out, r.bytes(each, signed, "signedTimestamp"))
	}
	return out
}

// logEntry takes an entry of a transparency log apart. Every member may be absent: writers leave out zeros.
func (r *reader) logEntry(at string, value canonical.Value) {
	entry := r.object(at, value, nil, []string{
		"canonicalizedBody", "inclusionPromise", "inclusionProof", "integratedTime", "kindVersion", "logId", "logIndex",
	})
	r.decimal(at, entry, "logIndex")
	r.decimal(at, entry, "integratedTime")
	r.bytes(at, entry, "canonicalizedBody")
	if value, ok := entry["logId"]; ok {
		r.bytes(at+"/logId", r.object(at+"/logId", value, nil, []string{"keyId"}), "keyId")
	}
	if value, ok := entry["kindVersion"]; ok {
		kind := r.object(at+"/kindVersion", value, nil, []string{"kind", "version"})
		r.text(at+"/kindVersion", kind, "kind")
		r.text(at+"/kindVersion", kind, "version")
	}
	if value, ok := entry["inclusionPromise"]; ok {
		promise := r.object(at+"/inclusionPromise", value, nil, []string{"signedEntryTimestamp"})
		r.bytes(at+"/inclusionPromise", promise, "signedEntryTimestamp")
	}
	if value, ok := entry["inclusionProof"]; ok {
		r.inclusionProof(at+"/inclusionProof", value)
	}
}

func (r *reader) inclusionProof(at string, value canonical.Value) {
	proof := r.object(at, value, nil, []string{"checkpoint", "hashes", "logIndex", "rootHash", "treeSize"})
	r.decimal(at, proof, "logIndex")
	r.decimal(at, proof, "treeSize")
	r.bytes(at, proof, "rootHash")
	for i, item := range r.list(at, proof, "hashes", 64) {
		r.bytes(at+"/hashes", map[string]any{strconv.Itoa(i): item}, strconv.Itoa(i))
	}
	if value, ok := proof["checkpoint"]; ok {
		r.text(at+"/checkpoint", r.object(at+"/checkpoint", value, nil, []string{"envelope"}), "envelope")
	}
}

// decimal is a 64-bit integer that is not negative, as protocol buffers write it in JSON: a string.
func (r *reader) decimal(pointer string, members map[string]any, name string) {
	text, ok := r.text(pointer, members, name)
	if !ok {
		return
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != strings.TrimSpace(text) {
		r.wrong(canonical.JoinPointer(pointer, name), "a string of decimal digits", text)
	}
}
