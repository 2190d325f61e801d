package sign

import "strconv"

// Preauthenticated is what is signed: the DSSE v1 pre-authentication encoding of a payload of type [PayloadType].
func Preauthenticated(payload []byte) []byte {
	out := make([]byte, 0, len(payload)+len(PayloadType)+32)
	out = append(out, "DSSEv1 "...)
	out = strconv.AppendInt(out, int64(len(PayloadType)), 10)
	out = append(out, " "+PayloadType+" "...)
	out = strconv.AppendInt(out, int64(len(payload)), 10)
	out = append(out, ' ')
	return append(out, payload...)
}
