// Package sigstore is the Sigstore code behind bundle/sign/keyless: what the program seifc-keyless runs.
//
// [Verify] reaches no network and no clock. The judgement is that of sigstore-go's verifier, configured in one place;
// what this package adds is strict reading before it, one exact identity after it, and, for a bundle that it refuses,
// the finding of a reason that has its own code. The reason never turns a refusal into an acceptance.
//
// [Sign] speaks with the services that it is given and with no other, and gives out only what [Verify] accepts. It
// follows no redirect, so that the identity token goes to the certificate authority alone.
package sigstore
