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
		executor := resolve.Executor{Ready: !assumed.Unavailable, Version: tool.Contract.Version, Fingerprint: tool.Fingerprint}
		if assumed.Version != "" {
			executor.Version = assumed.Version
		}
		if assumed.Fingerprint != nil {
			executor.Fingerprint = *assumed.Fingerprint
		}
		out.Executors[id] = executor
	}
	return out
}
