package sigstore

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/diag"
)

// Serve answers requests in the protocol of bundle/sign/keyless, one after the other, until there are no more. A
// message that cannot be read is answered once and ends it with an error, because where the next one begins is unknown.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	for {
		message, err := keyless.ReadMessage(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reply, fault := answer(ctx, message)
		if err := keyless.WriteMessage(out, reply); err != nil {
			return err
		}
		if fault != nil {
			return fault
		}
	}
}

// answer answers one request. The error is that of a request that was none.
func answer(ctx context.Context, message []byte) (reply []byte, fault error) {
	defer func() {
		// A fault in the reading of a hostile bundle is an answer that verifies nothing.
		if reason := recover(); reason != nil {
			fault = fmt.Errorf("a defect: %v", reason)
			reply = keyless.EncodeFailure(keyless.NewFailure(fault, diag.CodeKeylessProgramFailed, "why", fault.Error()))
		}
	}()
	request, err := keyless.DecodeRequest(message)
	if err != nil {
		failure := &keyless.Failure{}
		if !errors.As(err, &failure) {
			failure = keyless.NewFailure(err, diag.CodeKeylessProgramFailed, "why", "a request could not be read")
		}
		return keyless.EncodeFailure(failure), err
	}
	switch {
	case request.Demand != nil:
		identity, err := Verify(ctx, *request.Demand)
		return keyless.EncodeAnswer(keyless.Signed{Identity: identity}, err), nil
	default:
		signed, err := Sign(ctx, *request.Order)
		return keyless.EncodeAnswer(signed, err), nil
	}
}
