package diag

// Codes that `compiler/importer` reports.
var importerCodes = []Entry{}
