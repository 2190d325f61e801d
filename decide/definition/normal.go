package definition

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
)

// DefaultName is the model-facing name of a contract that states none: its id with `.` and `-` as `_`.
func DefaultName(id string) string { return strings.NewReplacer(".", "_", "-", "_").Replace(id) }

// Normalized is the contract with every default written out, as it is hashed. The defaults are frozen with v1. A
// contract whose effect is undecided keeps those members empty that follow from the effect.
func (c Contract) Normalized() Contract {
	if c.Name == "" {
		c.Name = DefaultName(c.ID)
	}
	if c.TimeoutMS == 0 {
		c.TimeoutMS = DefaultTimeoutMS
	}
	switch c.Effect {
	case Read:
		c.Approval = orApproval(c.Approval, NoApproval)
		c.CallLimit = orInt(c.CallLimit, DefaultReadCallLimit)
	case Write:
		c.Approval = orApproval(c.Approval, OperatorApproval)
		c.CallLimit = orInt(c.CallLimit, DefaultWriteCallLimit)
	}
	return c
}

func orApproval(set, otherwise Approval) Approval {
	if set == "" {
		return otherwise
	}
	return set
}

func orInt(set, otherwise int) int {
	if set == 0 {
		return otherwise
	}
	return set
}

// Value is the contract as it is hashed: exactly id, name, version, description, effect, approval, timeout_ms,
// call_limit, schema and, if there is one, result (formats.md, rule 13).
func (c Contract) Value() canonical.Value {
	out := map[string]any{
		"id": c.ID, "name": c.Name, "version": c.Version, "description": c.Description,
		"effect": string(c.Effect), "approval": string(c.Approval),
		"timeout_ms": integer(c.TimeoutMS), "call_limit": integer(c.CallLimit), "schema": c.Schema,
	}
	if c.Result != nil {
		out["result"] = c.Result
	}
	return out
}

func integer(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// ErrUndecided refuses the fingerprint of a contract whose effect nobody has decided.
var ErrUndecided = errors.New("the effect is undecided")

// Fingerprint is SHA-256 over the RFC 8785 form of [Contract.Value].
func (c Contract) Fingerprint() (digest.Fingerprint, error) {
	return c.FingerprintBy(new(digest.Hasher))
}

// FingerprintBy is the fingerprint, computed by a hasher that many contracts share.
func (c Contract) FingerprintBy(h *digest.Hasher) (digest.Fingerprint, error) {
	if c.Effect != Read && c.Effect != Write {
		return digest.Fingerprint{}, ErrUndecided
	}
	return h.FingerprintOf(c.Value())
}

// SharedFingerprint is the fingerprint of a shared schema: over exactly {id, schema}.
func SharedFingerprint(id string, schema canonical.Value) (digest.Fingerprint, error) {
	return digest.FingerprintOf(map[string]any{"id": id, "schema": schema})
}
