package bench

import (
	"bytes"
	"fmt"
)

// testFile gives the file that begins with the i-th test.
func (p *project) testFile(i int) []byte {
	var out bytes.Buffer
	out.WriteString(`schema: seif.context-tests.v1
defaults:
  objective: act
  inputs: {account_id: a-1, region: west, is_manager: false}
tests:
`)
	for k := i; k < min(i+testsPerFile, p.size.Tests); k++ {
		p.writeTest(&out, k)
	}
	return out.Bytes()
}

// writeTest writes one test, about one tool: what it accepts, what it refuses, and who may not call it.
func (p *project) writeTest(out *bytes.Buffer, k int) {
	index := k % len(p.tools)
	t := p.tools[index]
	fmt.Fprintf(out, "  test-%05d:\n    profile: profile-%04d\n    expect: {tokens: {max: 100000}}\n    calls:\n", k, p.profileOf(index))
	if t.write {
		fmt.Fprintf(out, "      - {tool: %s, call_id: a, arguments: %s, expect: approval_required}\n", t.id, t.arguments("a-1"))
		fmt.Fprintf(out, "      - {tool: %s, call_id: a, arguments: %s, approval: valid, expect: allowed}\n", t.id, t.arguments("a-1"))
	} else {
		fmt.Fprintf(out, "      - {tool: %s, arguments: %s, expect: allowed}\n", t.id, t.arguments("a-1"))
	}
	fmt.Fprintf(out, "      - {tool: %s, arguments: %s, expect: arguments_invalid, pointer: /account_id}\n", t.id, t.arguments("nobody"))
	if policy, found := p.policyOver(index); found && !t.write {
		fmt.Fprintf(out, "      - {tool: %s, arguments: %s, expect: policy_denied, policy: policy-%04d}\n", t.id, t.arguments("a-2"), policy)
	}
}

// policyOver gives a policy that denies a call of the tool for another account.
func (p *project) policyOver(index int) (int, bool) {
	for i := index / 3; i < p.policies; i += max(1, len(p.tools)) {
		if denies(i) {
			return i, true
		}
	}
	return 0, false
}
