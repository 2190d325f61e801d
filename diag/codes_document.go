package diag

// Codes that `document` reports.
var documentCodes = []Entry{}
