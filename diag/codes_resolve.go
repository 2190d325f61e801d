package diag

// Codes that `decide/resolve` reports.
var resolveCodes = []Entry{}
