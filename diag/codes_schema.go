package diag

// Codes that `decide/schema` reports.
var schemaCodes = []Entry{}
