package diag

// Codes that `testsuite` reports.
var testsuiteCodes = []Entry{}
