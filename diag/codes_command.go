package diag

// Codes that `cmd/seifc` reports.
var commandCodes = []Entry{}
