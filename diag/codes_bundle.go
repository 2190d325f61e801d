package diag

// Codes that `bundle` reports.
var bundleCodes = []Entry{}
