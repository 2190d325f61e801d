package diag

// The codes of both programs about a whole Build.
const (
	CodeCorpusUnknown Code = "corpus_unknown"
)

// Codes that `cmd/seifc` reports.
var commandCodes = []Entry{
	{
		Code: CodeCorpusUnknown, Severity: Error, Room: "cmd/seifc",
		Message: "the Build carries a corpus of inherited obligations, which this version cannot run",
		Help:    "use a seifc that knows it; a run that leaves obligations out would say more than it knows",
		Explain: "A Build with a baseline is bound to the tests and guards of those before it. They travel in its corpus. A version that cannot run them refuses the Build, because passing the Build's own tests alone is not what its line asks for.",
	},
}
