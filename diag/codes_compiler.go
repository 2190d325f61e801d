package diag

// Codes that `compiler` reports.
var compilerCodes = []Entry{}
