package virtualsigstore

import (
	"crypto"
	"encoding/asn1"
	"io"
	"net/http"

	"github.com/digitorus/timestamp"
)

// stamp answers as an RFC 3161 authority.
func (i *Instance) stamp(r *http.Request) (response, error) {
	query, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		return response{}, err
	}
	asked, err := timestamp.ParseRequest(query)
	if err != nil {
		return response{}, err
	}
	now := i.Now()
	if i.StampTime != nil {
		now = i.StampTime()
	}
	made := timestamp.Timestamp{
		HashAlgorithm: asked.HashAlgorithm, HashedMessage: asked.HashedMessage, Nonce: asked.Nonce, Time: now,
		Policy: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 2}, ExtraExtensions: asked.Extensions,
	}
	body, err := made.CreateResponseWithOpts(i.stamping.leaf, i.stamping.key, crypto.SHA256)
	return response{
		status: http.StatusCreated, header: map[string]string{"Content-Type": "application/timestamp-reply"}, body: body,
	}, err
}
