package keyless

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// Request is what the program is asked: one of the two.
type Request struct {
	Demand *Demand
	Order  *Order
}

const (
	operationVerify = "verify"
	operationSign   = "sign"
)

// encodeDemand writes a request to verify.
func encodeDemand(d Demand) []byte {
	object := map[string]any{
		"operation": operationVerify, "trusted_root": encode(d.TrustedRoot), "bundle": encode(d.Bundle), "artifact": d.Artifact.String(),
	}
	putIdentity(object, d.Issuer, d.Subject)
	return build(object)
}

// encodeOrder writes a request to sign.
func encodeOrder(o Order) []byte {
	object := map[string]any{
		"operation": operationSign, "trusted_root": encode(o.TrustedRoot), "payload": encode(o.Payload), "artifact": o.Artifact.String(),
		"fulcio": o.Services.Fulcio, "rekor": o.Services.Rekor, "token": o.Token,
		"rekor_version": json.Number(strconv.Itoa(o.Services.RekorVersion)),
	}
	if o.Services.Timestamp != "" {
		object["timestamp"] = o.Services.Timestamp
	}
	putIdentity(object, o.Issuer, o.Subject)
	return build(object)
}

func putIdentity(object map[string]any, issuer, subject string) {
	if issuer != "" {
		object["issuer"], object["subject"] = issuer, subject
	}
}

// DecodeRequest reads a request: the program's side. The error is [ErrMessage], or a [*Failure] if the request speaks
// another version of the protocol.
func DecodeRequest(body []byte) (Request, error) {
	m, protocol, err := parse(body)
	if err != nil {
		return Request{}, err
	}
	if protocol != Protocol {
		return Request{}, NewFailure(nil, diag.CodeKeylessProgramVersion, "expected", Protocol, "found", protocol)
	}
	switch operation := m.text("operation", 16); operation {
	case operationVerify:
		d := Demand{
			TrustedRoot: m.bytes("trusted_root", MaxTrustedRoot), Bundle: m.bytes("bundle", sign.MaxBundle), Artifact: m.artifact(),
		}
		d.Issuer, d.Subject = m.identity()
		return Request{Demand: &d}, m.done()
	case operationSign:
		o := Order{
			TrustedRoot: m.bytes("trusted_root", MaxTrustedRoot), Payload: m.bytes("payload", MaxPayload), Artifact: m.artifact(),
			Token: m.text("token", MaxToken),
			Services: Services{
				Fulcio: m.text("fulcio", MaxText), Rekor: m.text("rekor", MaxText), RekorVersion: m.small("rekor_version"),
				Timestamp: m.optional("timestamp", MaxText),
			},
		}
		o.Issuer, o.Subject = m.identity()
		return Request{Order: &o}, m.done()
	default:
		m.fail("its operation is unknown")
		return Request{}, m.err
	}
}

func (m *members) artifact() digest.Digest {
	d, err := digest.Parse(m.text("artifact", 80))
	if err != nil {
		m.fail("artifact is no digest")
	}
	return d
}

func (m *members) identity() (issuer, subject string) {
	return m.optional("issuer", MaxText), m.optional("subject", MaxText)
}

func encode(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
