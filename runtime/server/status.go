package server

import (
	"net/http"

	"github.com/seif-dev/seifc/diag"
)

// row is the HTTP form of one code.
type row struct {
	code   diag.Code
	status int
	// retryable says that the same request may succeed later, and that nothing was done.
	retryable bool
}

// statuses is the only place that gives a code its HTTP status (R88). docs/runtime.md has the same table.
var statuses = [...]row{
	{diag.CodeMalformedJSON, http.StatusBadRequest, false},
	{diag.CodeNotIJSON, http.StatusBadRequest, false},
	{diag.CodeRequestMalformed, http.StatusBadRequest, false},
	{diag.CodeUnsupportedMedia, http.StatusBadRequest, false},
	{diag.CodeQueryUnknown, http.StatusBadRequest, false},
	{diag.CodeBodyUnreadable, http.StatusBadRequest, true},
	{diag.CodeUnauthenticated, http.StatusUnauthorized, false},
	{diag.CodeCredentialForbidden, http.StatusForbidden, false},
	{diag.CodeProfileForbidden, http.StatusForbidden, false},
	{diag.CodeRequestInputFixed, http.StatusForbidden, false},
	{diag.CodeRouteUnknown, http.StatusNotFound, false},
	{diag.CodeMethodNotAllowed, http.StatusMethodNotAllowed, false},
	{diag.CodeBodyTooLarge, http.StatusRequestEntityTooLarge, false},
	{diag.CodeRequestRefused, http.StatusUnprocessableEntity, false},
	{diag.CodeDisclosureNotSupported, http.StatusUnprocessableEntity, false},
	{diag.CodeTooManyInFlight, http.StatusTooManyRequests, true},
	{diag.CodeServerDefect, http.StatusInternalServerError, false},
	{diag.CodeDraining, http.StatusServiceUnavailable, true},
}

// rowOf finds the row of a code. A code without one is a defect, and answered as one.
func rowOf(code diag.Code) row {
	for _, r := range statuses {
		if r.code == code {
			return r
		}
	}
	return row{diag.CodeServerDefect, http.StatusInternalServerError, false}
}
