// Package diag is how every room reports what is wrong.
//
// A check in a low room returns a [Problem]: a code, a JSON pointer into the document it looked at, and the data
// of the finding. It knows no file and makes no sentence. A higher room that knows where the document came from
// turns the pointer into a [Place] through a [Locator] and gets a [Diagnostic]; a printer at the edge turns that
// into text, JSON, SARIF or annotations. So each check is written once and serves an authored Project and a
// Build alike.
//
// Guarantees: a code keeps its meaning for ever and is never reused; [Print] sorts and drops repetitions, so that
// two runs over the same input give the same bytes; no printer lets a control or invisible character of an input
// reach its output (see [Escape]).
package diag
