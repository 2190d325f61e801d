package manifest

import "strings"

const fingerprint = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// formCases are documents of each kind, sound and not, one fault at a time.
func formCases() map[string][]formCase {
	return map[string][]formCase{
		"project": projectCases(), "catalogue": catalogueCases(), "tests": testsCases(), "lock": lockCases(),
	}
}

func good(texts ...string) []formCase { return withVerdict(true, texts) }
func bad(texts ...string) []formCase  { return withVerdict(false, texts) }

func withVerdict(ok bool, texts []string) []formCase {
	out := make([]formCase, len(texts))
	for i, text := range texts {
		out[i] = formCase{ok, strings.ReplaceAll(text, "FINGERPRINT", fingerprint)}
	}
	return out
}

func projectCases() []formCase {
	head := "schema: seif.context-project.v1\nname: p\n"
	profiles := "profiles: {a: {budget: {tokens: 10}}}\n"
	with := func(more string) string { return head + profiles + more }
	profile := func(inside string) string { return head + "profiles: {a: {budget: {tokens: 10}, " + inside + "}}\n" }
	return append(good(
		with(""), with("description: x"), with("catalogues: [a/*.yaml]\ntests: [t.yaml]"),
		with("inputs: {type: object, properties: {a: {type: string}}}"), with("forward: [a]"),
		with("objectives: {o: x}"), with("sources: {s: a.md}"), with("sources: {s: {path: a.md, trust: untrusted, placeholders: false}}"),
		with("sources: {s: {path: a.md, allow_characters: [{characters: x, reason: why}]}}"), with("sources: {s: {input: i}}"),
		with("tools: {t: }"), with("tools: {t: FINGERPRINT}"), with("tools: {t: {$ref: \"tool_contract:x\", fingerprint: FINGERPRINT}}"),
		with("tools: {t: {$ref: \"tool_contract:x\"}}"), with("policies: {p: {tools: all, deny: \"true\"}}"),
		with("policies: {p: {tools: [t], profiles: [a], objectives: [o], deny: a == b, message: m}}"),
		with("tool_contracts: {t: {schema: {type: object}}}"), with("revisions: {t: [{version: 1.0.0}]}"),
		with("suppressions: [{code: c, path: p, digest: d, reason: r}]"),
		profile("objectives: [o], requires: [i]"), profile("context: [s, {source: s, objectives: [o], when: a}]"),
		profile("tools: {include: [t, {tool: t, required: true, call_limit: 1, objectives: [o], when: x}], exclude: {u: why}}"),
	), bad(
		"schema: other\nname: p\n"+profiles, "name: p\n"+profiles, "schema: seif.context-project.v1\n"+profiles, head,
		"schema: seif.context-project.v1\nname: P\n"+profiles, with("unknown: 1"), with("description: 3"), with("description: \"\""),
		with("catalogues: a"), with("inputs: x"), with("forward: []"), with("forward: [a-b]"), with("objectives: {O: x}"), with("objectives: {o: }"),
		with("sources: {s: {trust: untrusted}}"), with("sources: {s: {input: i, trust: untrusted}}"), with("sources: {s: {path: a, trust: mine}}"),
		with("sources: {s: {path: a, allow_characters: [{characters: x}]}}"), with("tools: {t: 3}"), with("tools: {t: {fingerprint: FINGERPRINT}}"),
		with("tools: {t: {$ref: x}}"), with("tools: {t: {$ref: \"tool_contract:x\", more: 1}}"), with("policies: {p: {tools: some, deny: x}}"),
		with("policies: {p: {deny: x}}"), with("policies: {p: {tools: all}}"), with("policies: {p: {tools: [], deny: x}}"),
		with("suppressions: [{code: c}]"), head+"profiles: {a: {}}\n", head+"profiles: {a: {budget: {tokens: 0}}}\n", head+"profiles: {a: {budget: {tokens: x}}}\n",
		profile("objectives: []"), profile("context: [{when: x}]"), profile("tools: {include: [{required: true}]}"), profile("tools: {exclude: {u: }}"),
		profile("tools: {include: [{tool: t, call_limit: 0}]}"), profile("tools: {exclude: [u]}"),
	)...)
}

func catalogueCases() []formCase {
	head := "schema: seif.tool-catalogue.v1\nname: c\n"
	with := func(inside string) string { return head + "tool_contracts: {t: {" + inside + "}}\n" }
	return append(good(
		head+"tool_contracts: {}", with("schema: {type: object}"), with("schema: true"),
		with("name: nm, version: 1.0.0, description: d, effect: read, approval: none, timeout_ms: 1, call_limit: 1, schema: {}, result: {}, status: retired, claims: {a: 1}, effect_reason: r, fingerprint: FINGERPRINT"),
		with("schema: {$ref: \"tool_contract:x\", fingerprint: FINGERPRINT}"), with("schema: {$ref: \"#/$defs/a\", $defs: {a: {}}}"),
		with("schema: {}")+"revisions: {t: [{version: 1.0.0}]}",
	), bad(
		head, with("effect: maybe"), with("approval: yes-please"), with("timeout_ms: 0"), with("call_limit: 1001"), with("call_limit: 1.5"), with("status: new"),
		with("claims: [a]"), with("descripton: d"), with("schema: {$ref: \"tool_contract:x\", fingerprint: FINGERPRINT, title: x}"),
		with("schema: {$ref: \"tool_contract:X\"}"), head+"tool_contracts: {T: {schema: {}}}", with("schema: {}")+"revisions: {t: []}",
		with("schema: {}")+"revisions: {t: {version: 1.0.0}}", "schema: seif.tool-catalogue.v1\ntool_contracts: {}",
	)...)
}

func testsCases() []formCase {
	head := "schema: seif.context-tests.v1\n"
	with := func(inside string) string { return head + "tests: {t: {" + inside + "}}\n" }
	return append(good(
		head+"tests: {}", with(""), with("profile: p, objective: o, inputs: {a: null, b: [1]}"), with("executors: {t: unavailable, u: {version: 1.0.0}, v: ready, w: {}}"),
		with("expect: {disclosed: [], withheld: {t: excluded}, segments: [s], text: {contains: [a], excludes: [b]}, tokens: {max: 0}, blocked: {}}"),
		with("calls: [{tool: t, arguments: {}, expect: allowed}]"),
		with("calls: [{tool: t, call_id: a, arguments: null, approval: valid, at: 2m, times: 2, expect: x, policy: p, pointer: \"\"}]"),
		with("calls: [{tool: t, arguments: {}, expect: executor_incompatible, executor: {version: 2.0.0}}, {tool: t, arguments: {}, expect: allowed, executor: ready}]"),
		with("incident: {id: I}"), head+"defaults: {profile: p}\ntests: {\"any id at all\": {}}",
	), bad(
		head, with("profle: p"), with("profile: \"\""), with("inputs: [a]"), with("inputs: {a-b: 1}"), with("executors: {t: down}"), with("executors: {t: {state: x}}"),
		with("expect: {disclosed: t}"), with("expect: {disclosd: []}"), with("expect: {withheld: [t]}"), with("expect: {tokens: {max: -1}}"), with("expect: {text: {contain: []}}"),
		with("calls: {}"), with("calls: [{tool: t, arguments: {}}]"), with("calls: [{tool: t, expect: allowed}]"), with("calls: [{arguments: {}, expect: allowed}]"),
		with("calls: [{tool: t, arguments: {}, expect: allowed, approval: maybe}]"), with("calls: [{tool: t, arguments: {}, expect: allowed, times: 0}]"),
		with("calls: [{tool: t, arguments: {}, expect: allowed, executor: down}]"), with("incident: {}"), with("incident: I"), head+"defaults: {expect: {}}\ntests: {}",
	)...)
}

func lockCases() []formCase {
	head := "schema: seif.lock.v1\n"
	return append(good(
		head+"pins: {}", head+"pins: {t: {catalogue: c, fingerprint: FINGERPRINT, contract: {id: t}}}",
	), bad(
		head, head+"pins: []", head+"pins: {t: {catalogue: c, fingerprint: FINGERPRINT}}", head+"pins: {t: {catalogue: c, fingerprint: \"sha256:abc\", contract: {}}}",
		head+"pins: {t: {catalogue: c, fingerprint: FINGERPRINT, contract: x}}", head+"pins: {t: {catalogue: c, fingerprint: FINGERPRINT, contract: {}, more: 1}}",
	)...)
}
