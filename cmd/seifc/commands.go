package main

// commands lists the verbs in the order of the usage text.
func commands() []*command {
	return []*command{
		initCommand(),
		checkCommand(),
		pinCommand(),
		testCommand(),
		buildCommand(),
		previewCommand(),
		budgetCommand(),
		showCommand(),
		exportCommand(),
		keygenCommand(),
		signCommand(),
		verifyCommand(),
		pushCommand(),
		pullCommand(),
		importCommand(),
		driftCommand(),
		explainCommand(),
		schemaCommand(),
		completionCommand(),
		versionCommand(),
	}
}

// findingFormats are the formats of a command whose answer is findings.
func findingFormats(more ...string) []string {
	return append([]string{"text", "line", "json", "sarif", "github", "gitlab"}, more...)
}
