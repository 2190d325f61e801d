package diag

// Codes that `manifest` reports.
var manifestCodes = []Entry{}
