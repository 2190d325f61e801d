package definition

// Limits of a definition and its contracts. They are part of the format: whoever raises one publishes a new version of
// it, because older readers refuse what is above.
const (
	// MaxBytes bounds the bytes of a definition (formats.md, rule 28).
	MaxBytes = 64 << 20
	// MaxIDBytes bounds ids and names of inputs (rule 15), and model-facing names.
	MaxIDBytes = 64
	// MaxVersionBytes bounds the version of a contract.
	MaxVersionBytes = 64
	// MaxDescription bounds the description of a contract, in code points.
	MaxDescription = 8192
	// MaxTimeoutMS and MaxCallLimit bound what a contract may ask of a runtime; both begin at 1.
	MaxTimeoutMS = 600_000
	MaxCallLimit = 1000
	// MaxBudgetTokens bounds the budget of a profile, which begins at 1.
	MaxBudgetTokens = 10_000_000
)

// Bounds of what is reported. Each says itself how much it leaves out.
const (
	// maxDecodeProblems bounds the findings of [Decode]; what is wrong in more places than this was not written here.
	maxDecodeProblems = 100
	// maxTextProblems bounds how many control characters of one text are reported one by one.
	maxTextProblems = 20
	// maxComparisons bounds how often an unknown name is compared with a known one to find what was meant.
	maxComparisons = 100_000
	// maxSecrets bounds the secrets found in one text.
	maxSecrets = 20
)
