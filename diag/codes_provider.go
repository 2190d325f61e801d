package diag

// CodeProviderAdvice is what is known about a provider's limits.
const CodeProviderAdvice Code = "provider_advice"

// Codes that `decide/provider` reports.
var providerCodes = []Entry{
	{
		Code: CodeProviderAdvice, Severity: Warning, Room: "decide/provider", Suppressible: true,
		Message: "{provider} was seen to refuse {tool}: {what} (seen {date})",
		Help:    "try a request with the tool before you rely on it",
		Explain: "Providers differ in what they take and change it without notice. What was seen is told as advice with its date; it never decides whether a Project compiles.",
	},
}
