package testsuite

import (
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/decide/resolve"
)

// Request is what a test asks for.
func Request(test Test) resolve.Request {
	return resolve.Request{Profile: test.Profile, Objective: test.Objective, Inputs: test.Inputs}
}

// Observations are what a test assumes of the executors: ready in their exact contract unless it says otherwise.
func Observations(def *definition.Definition, test Test) resolve.Observations {
	out := resolve.Observations{AssumeReady: true, Executors: map[string]resolve.Executor{}}
	for id, assumed := range test.Executors {
		tool, ok := def.Tools[id]
		if !ok {
			continue
		}
		out.Executors[id] = assumed.observed(tool)
	}
	return out
}

// observed is the executor as it would be observed: what the test does not say of it equals the contract's.
func (e Executor) observed(tool definition.Tool) resolve.Executor {
	out := resolve.Executor{Ready: !e.Unavailable, Version: tool.Contract.Version, Fingerprint: tool.Fingerprint}
	if e.Version != "" {
		out.Version = e.Version
	}
	if e.Fingerprint != nil {
		out.Fingerprint = *e.Fingerprint
	}
	return out
}
