package diag

// Codes that `decide/definition` reports.
var definitionCodes = []Entry{}
