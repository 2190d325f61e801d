// Package server serves the contexts of one Build over HTTP.
//
// It guarantees that a Build is served only if it is the one that the Bindings name by digest, verified as a whole
// and judged anew; that a context is what [resolve.Plan.Resolve] says and nothing else, so that it equals what
// preview and Context Tests showed; that every answer with content has its status and code from one table; and that
// no token and no value of an input is written to the log.
//
// Nothing is fetched: the only socket is the listener.
package server
