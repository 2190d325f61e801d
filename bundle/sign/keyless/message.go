package keyless

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Protocol is the name and version of the protocol between this package and the program.
//
// Each side writes messages: four bytes of length, the most significant first, and as many bytes of one JSON object in
// RFC 8785 form whose member `protocol` is this name. The client writes a request and reads one answer, as often as it
// likes; the program ends with its input. Bytes stand in base64 (RFC 4648 section 4). No member may be absent that is
// not said to be optional, and none may be added.
//
//	verify: operation, trusted_root, bundle, artifact; optional: issuer and subject
//	sign:   operation, trusted_root, payload, artifact, fulcio, rekor, rekor_version, token; optional: timestamp,
//	        issuer and subject
//	answer: outcome `done` with issuer, subject, time and, for sign, bundle
//	        outcome `refused` with problems, outcome `failed` with one: each has code, pointer and data
const Protocol = "seif.keyless.v1"

// Bounds of a message.
const (
	maxMessage = 4 << 20
	maxDepth   = 5
	maxValues  = 4_000
	headSize   = 4
)

// ErrMessage is what every error about the form of a message is.
var ErrMessage = errors.New("not a message of " + Protocol)

func malformed(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrMessage, fmt.Sprintf(format, values...))
}

// ReadMessage reads one message. At the end of the input it is [io.EOF]; within a message that is an error of its own.
// No more memory is taken than what arrives.
func ReadMessage(in io.Reader) ([]byte, error) {
	var head [headSize]byte
	if n, err := io.ReadFull(in, head[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, malformed("it ends within its length: %v", err)
	}
	size := binary.BigEndian.Uint32(head[:])
	if size == 0 || size > maxMessage {
		return nil, malformed("its length is said to be %d bytes", size)
	}
	body, err := io.ReadAll(io.LimitReader(in, int64(size)))
	if err != nil {
		return nil, malformed("%v", err)
	}
	if len(body) != int(size) {
		return nil, malformed("it ends after %d of %d bytes", len(body), size)
	}
	return body, nil
}

// WriteMessage writes one message, whole.
func WriteMessage(out io.Writer, body []byte) error {
	if len(body) == 0 || len(body) > maxMessage {
		return malformed("it has %d bytes", len(body))
	}
	_, err := out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

// parse reads the object of a message and its protocol.
func parse(body []byte) (*members, string, error) {
	limits := canonical.Limits{Bytes: maxMessage, Depth: maxDepth, Values: maxValues}
	if err := canonical.IsCanonical(body, limits); err != nil {
		return nil, "", malformed("%v", err)
	}
	value, err := canonical.Parse(body, limits)
	if err != nil {
		return nil, "", malformed("%v", err)
	}
	m := newMembers(value)
	protocol := m.text("protocol", 64)
	return m, protocol, m.err
}

// build writes the object of a message. What is written here can always be written.
func build(object map[string]any) []byte {
	object["protocol"] = Protocol
	body, err := canonical.Marshal(object)
	if err != nil {
		// A text that is no UTF-8 came from a certificate or a service. It is not repeated.
		body = []byte(`{"outcome":"failed","problems":[{"code":"keyless_program_failed","data":{},"pointer":""}],"protocol":"` + Protocol + `"}`)
	}
	return body
}
