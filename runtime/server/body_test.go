package server

import (
	"errors"
	"net/http/httptest"
	"testing"
	"testing/iotest"

	"github.com/seif-dev/seifc/diag"
)

// A body that breaks off is refused as such, and not as JSON that ends too early.
func TestABodyThatBreaksOff(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/contexts", iotest.ErrReader(errors.New("connection reset")))
	r.Header.Set("Content-Type", "application/json")
	_, refused := readJSON(httptest.NewRecorder(), r, 100)
	if refused == nil || refused.problem.Code != diag.CodeBodyUnreadable {
		t.Errorf("%+v", refused)
	}
}
