package diag

// The codes of Context Tests.
const (
	CodeTestsUnreadable      Code = "tests_unreadable"
	CodeTestsMalformed       Code = "tests_malformed"
	CodeTestIDInvalid        Code = "test_id_invalid"
	CodeTestChecksNothing    Code = "test_checks_nothing"
	CodeTestNamesUnknown     Code = "test_names_unknown"
	CodeTestNeedsObjective   Code = "test_needs_objective"
	CodeTestOutOfBounds      Code = "test_out_of_bounds"
	CodeTestTimesWithID      Code = "test_times_with_id"
	CodeTestMemberMisplaced  Code = "test_member_misplaced"
	CodeTestBesideBlocked    Code = "test_beside_blocked"
	CodeTestApprovalNeedless Code = "test_approval_needless"
	CodeCallIDInvalid        Code = "call_id_invalid"
	CodeExpectationEmpty     Code = "expectation_empty"
	CodeExpectationFailed    Code = "expectation_failed"
	CodeTestRefused          Code = "test_refused"
	CodeNoTests              Code = "no_tests"
	CodeTestNotCovered       Code = "not_covered"
)

// Codes that `testsuite` reports.
var testsuiteCodes = []Entry{
	{
		Code: CodeTestsUnreadable, Severity: Error, Room: "testsuite",
		Message: "tests.json cannot be read: {why}",
		Help:    "the Build was not written by seifc, or was changed afterwards; get it again from where it was built",
		Explain: "A Build carries its Context Tests as one canonical JSON document. It is accepted only byte for byte as seifc writes it, so that no member can be read in two ways.",
	},
	{
		Code: CodeTestsMalformed, Severity: Error, Room: "testsuite",
		Message: "tests.json has something else where it must have {want}",
		Help:    "the Build was not written by seifc, or by a later one; rebuild it",
		Explain: "Every member of tests.json is known by name and type. What a reader does not know it refuses: an expectation that is skipped would pass.",
	},
	{
		Code: CodeTestIDInvalid, Severity: Error, Room: "testsuite",
		Message: "the test id {id} is empty, longer than 128 characters, or has a character that cannot be seen",
		Help:    "use up to 128 printable characters",
		Explain: "Test ids stand in reports and in the corpus of later Builds. A character that nobody sees would make two ids look the same.",
	},
	{
		Code: CodeTestChecksNothing, Severity: Error, Room: "testsuite",
		Message: "the test {id} expects nothing: it has neither `expect` nor `calls`",
		Help:    "say what must hold under `expect`, or list `calls` with their outcomes",
		Explain: "A test without an expectation passes whatever the Project does. It would count as evidence and be none.",
	},
	{
		Code: CodeTestNamesUnknown, Severity: Error, Room: "testsuite",
		Message: "there is no {what} {name}",
		Help:    "[[did you mean {nearest}? ]]a test that names what does not exist is an error, not a failed expectation",
		Explain: "A misspelled tool in an expectation such as `withheld` would otherwise never be disclosed, and the test would pass for the wrong reason.",
	},
	{
		Code: CodeTestNeedsObjective, Severity: Error, Room: "testsuite",
		Message: "the profile {profile} has objectives, so the test must name one",
		Help:    "add `objective:` with one of {objectives}",
		Explain: "A request to a profile with objectives names exactly one. So does a test of it, on its own or in `defaults`.",
	},
	{
		Code: CodeTestOutOfBounds, Severity: Error, Room: "testsuite",
		Message: "{what} is {value}[[, the least is {least}]][[, the most is {most}]]",
		Help:    "stay within the bounds",
		Explain: "Tests are bounded so that a run always ends soon and a Build stays small.",
	},
	{
		Code: CodeTestTimesWithID, Severity: Error, Room: "testsuite",
		Message: "`times` repeats a call with fresh ids, so it cannot stand beside the call_id {id}",
		Help:    "drop `call_id`, or write the calls out one by one",
		Explain: "The same call id a second time is not a second call: it gets the receipt of the first. Repeating with one id would test something else than it says.",
	},
	{
		Code: CodeTestMemberMisplaced, Severity: Error, Room: "testsuite",
		Message: "`{member}` says something only with `expect: {expect}`",
		Help:    "change `expect`, or drop `{member}`",
		Explain: "A member that is never looked at would look like a check and be none.",
	},
	{
		Code: CodeTestBesideBlocked, Severity: Error, Room: "testsuite",
		Message: "`{member}` is about a context, and this test expects that there is none",
		Help:    "drop it, or look at the context in a test without `blocked`",
		Explain: "A blocked resolution shows nothing: no segment, no tool, no text. `excludes`, `disclosed: []` or `tokens` would hold of it whatever the Project says, and look like a check. `withheld` may stand beside `blocked`: a blocked resolution keeps its reasons.",
	},
	{
		Code: CodeTestApprovalNeedless, Severity: Error, Room: "testsuite",
		Message: "calls of {tool} need no approval, so `approval` says nothing",
		Help:    "drop `approval`",
		Explain: "An operator can grant only a call that waits for a grant. A test that assumes a grant, an expired or a wrong one for a tool without approval tests something that never happens.",
	},
	{
		Code: CodeCallIDInvalid, Severity: Error, Room: "testsuite",
		Message: "the call id {id} is not 1 to 128 of the characters A-Z a-z 0-9 . _ : -",
		Help:    "choose a plain id, such as `a` or `order-1`",
		Explain: "Call ids are chosen by the caller and stand in receipts, logs and headers.",
	},
	{
		Code: CodeExpectationEmpty, Severity: Error, Room: "testsuite",
		Message: "this expectation is empty and holds of everything",
		Help:    "say what is expected, or drop it; `disclosed: []`, `segments: []` and `blocked: {}` do expect something: none",
		Explain: "An empty subset is part of every set and an empty text is part of every text. Such an expectation can never fail.",
	},
	{
		Code: CodeExpectationFailed, Severity: Error, Room: "testsuite",
		Message: "{test}: {what}: expected {expected}, got {actual}[[: {difference}]]",
		Help:    "change the Project so that it does what the test says, or the test if it is what is wrong",
		Explain: "The Context Test ran through the same code as the runtime and the result is not what the test says. The message shows the smallest difference.",
	},
	{
		Code: CodeTestRefused, Severity: Error, Room: "testsuite",
		Message: "{test}: the request is refused ({code}): {why}",
		Help:    "give the test inputs that the Project accepts",
		Explain: "The test's profile, objective or inputs are not a valid request, so there is no context to look at and no expectation can hold.",
	},
	{
		Code: CodeNoTests, Severity: Error, Room: "testsuite",
		Message: "no Context Test ran",
		Help:    "add a test file and list it under `tests:`, or check the pattern of --run",
		Explain: "A run of no tests proves nothing and is not green. A suite that moved away or a pattern that matches nothing would otherwise pass silently.",
	},
	{
		Code: CodeTestNotCovered, Severity: Warning, Room: "testsuite",
		Message: "no test reaches {what}", Suppressible: true,
		Help:    "add a test that reaches it",
		Explain: "`seifc test --coverage` lists profiles, objectives, tools, deny rules and withheld reasons that no Context Test reaches. Promotion refuses some of these gaps.",
	},
}
