package diag

// The codes of both programs about a whole Build.
const (
	CodeCorpusUnknown Code = "corpus_unknown"
	CodeSourceDiffers Code = "source_differs"
)

// Codes that `cmd/seifc` reports.
var commandCodes = []Entry{
	{
		Code: CodeCorpusUnknown, Severity: Error, Room: "cmd/seifc",
		Message: "the Build carries a corpus of inherited obligations, which this version cannot run",
		Help:    "use a seifc that knows it; a run that leaves obligations out would say more than it knows",
		Explain: "A Build with a baseline is bound to the tests and guards of those before it. They travel in its corpus. A version that cannot run them refuses the Build, because passing the Build's own tests alone is not what its line asks for.",
	},
	{
		Code: CodeSourceDiffers, Severity: Error, Room: "compiler/subject",
		Message: "{what} differs: the Build has {found}, the Project gives {source}",
		Help:    "check out the source that the Build was made of; if this is it, do not trust the Build",
		Explain: "A Build is a pure function of its Project and of what it inherits. So whoever has the source can build it again and must\n" +
			"get the same bytes. The lineage is taken from the Build, because it does not stand in the Project.",
	},
}
