package diag

// Codes that `decide/expr` reports.
var exprCodes = []Entry{}
