package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const head = `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"A","Output":"=== RUN   A\n"}
{"Action":"pass","Package":"p","Test":"A","Elapsed":0.5}
`

func TestRun(t *testing.T) {
	tests := map[string]struct {
		events  string
		noSkips bool
		allow   string
		exit    int
		out     string
		errs    string
	}{
		"a pass": {
			events: head + `{"Action":"pass","Package":"p","Elapsed":1}`,
			out:    "ok    p                                            1 tests     1.00s\n1 passed, 0 failed, 0 skipped\n",
		},
		"a failure shows its output": {
			events: head + `{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:3: no\n"}
{"Action":"fail","Package":"p","Test":"B"}
{"Action":"fail","Package":"p","Elapsed":1}`,
			exit: 1,
			out:  "---- p.B\n    b_test.go:3: no\nFAIL  p                                            2 tests     1.00s\n1 passed, 1 failed, 0 skipped\n",
		},
		"a crash counts as a failure and shows what was said": {
			events: head + `{"Action":"output","Package":"p","Test":"B","Output":"panic: x\n"}
{"Action":"fail","Package":"p","Elapsed":1}`,
			exit: 1,
			out:  "---- p.B\npanic: x\nFAIL  p                                            1 tests     1.00s\n1 passed, 1 failed, 0 skipped\n",
		},
		"a package that does not build": {
			events: head + `{"Action":"pass","Package":"p","Elapsed":1}
{"ImportPath":"q","Action":"build-output","Output":"q.go:1: wrong\n"}
{"ImportPath":"q","Action":"build-fail"}
{"Action":"start","Package":"q"}
{"Action":"fail","Package":"q","Elapsed":0,"FailedBuild":"q"}`,
			exit: 1,
			out: "ok    p                                            1 tests     1.00s\n---- build of q\nq.go:1: wrong\n" +
				"FAIL  q                                            0 tests     0.00s\n1 passed, 1 failed, 0 skipped\n",
		},
		"a skip is told with its reason": {
			events: head + `{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:3: no corpus\n"}
{"Action":"skip","Package":"p","Test":"B"}
{"Action":"pass","Package":"p","Elapsed":1}`,
			out: "ok    p                                            2 tests     1.00s\nskip  p.B: b_test.go:3: no corpus\n1 passed, 0 failed, 1 skipped\n",
		},
		"a skip where none may be": {
			events:  head + "{\"Action\":\"skip\",\"Package\":\"p\",\"Test\":\"B\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Elapsed\":1}",
			noSkips: true, allow: "^p[.]C$", exit: 1,
			out: "ok    p                                            2 tests     1.00s\nskip  p.B: no reason given  (none may be skipped here)\n1 passed, 0 failed, 1 skipped\n",
		},
		"a skip that is allowed": {
			events:  head + "{\"Action\":\"skip\",\"Package\":\"p\",\"Test\":\"B\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Elapsed\":1}",
			noSkips: true, allow: "^p[.]B$",
			out: "ok    p                                            2 tests     1.00s\nskip  p.B: no reason given\n1 passed, 0 failed, 1 skipped\n",
		},
		"a skip whose reason is allowed": {
			events:  head + "{\"Action\":\"skip\",\"Package\":\"p\",\"Test\":\"B\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Elapsed\":1}",
			noSkips: true, allow: "^p[.]B: no.reason",
			out: "ok    p                                            2 tests     1.00s\nskip  p.B: no reason given\n1 passed, 0 failed, 1 skipped\n",
		},
		"nothing ran": {exit: 1, out: "0 passed, 0 failed, 0 skipped\n", errs: "no test ran"},
		"a stream that was cut off": {
			events: head, exit: 1, errs: "before these packages: p",
		},
		"what is no event": {
			events: "FAIL: something\n", exit: 1, errs: "no event",
		},
		"a pattern that is none": {events: head, allow: "(", exit: 2, errs: "missing closing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if exit := run(strings.NewReader(test.events), &out, &errs, test.noSkips, test.allow); exit != test.exit {
				t.Errorf("exit %d, want %d", exit, test.exit)
			}
			if diff := cmp.Diff(test.out, out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if !strings.Contains(errs.String(), test.errs) || test.errs == "" && errs.Len() > 0 {
				t.Errorf("stderr %q, want %q in it", errs.String(), test.errs)
			}
		})
	}
}
