package server

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// bodyDepth lets inputs be as deep as anywhere else (32): they stand one level below the body.
const bodyDepth = 33

// readJSON reads the body of a request as one JSON value, at most so many bytes of it.
func readJSON(w http.ResponseWriter, r *http.Request, most int) (canonical.Value, *refusal) {
	if !plainJSON(r.Header) {
		return nil, refused(diag.CodeUnsupportedMedia)
	}
	if r.ContentLength > int64(most) {
		return nil, tooLarge(most)
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(most)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge(most)
	case err != nil:
		return nil, refused(diag.CodeBodyUnreadable)
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: most, Depth: bodyDepth})
	if err != nil {
		return nil, refused(jsonCode(err), "problem", err.Error())
	}
	return value, nil
}

func tooLarge(most int) *refusal { return refused(diag.CodeBodyTooLarge, "most", strconv.Itoa(most)) }

// plainJSON tells whether the headers announce JSON in UTF-8 as it is.
func plainJSON(header http.Header) bool {
	types := header.Values("Content-Type")
	if len(types) != 1 || len(header.Values("Content-Encoding")) > 0 {
		return false
	}
	kind, parameters, err := mime.ParseMediaType(types[0])
	if err != nil || kind != "application/json" {
		return false
	}
	for name, value := range parameters {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return false
		}
	}
	return true
}

// jsonCode tells a text that is not JSON from one that readers take differently (RFC 7493).
func jsonCode(err error) diag.Code {
	var fault *canonical.Error
	if errors.As(err, &fault) {
		switch fault.Kind {
		case canonical.DuplicateMember, canonical.InvalidUTF8, canonical.LoneSurrogate, canonical.InexactNumber:
			return diag.CodeNotIJSON
		}
	}
	return diag.CodeMalformedJSON
}
