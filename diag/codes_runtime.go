package diag

// Codes that `runtime/server` reports.
var runtimeCodes = []Entry{}
