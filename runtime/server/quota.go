package server

import (
	"github.com/seif-dev/seifc/runtime/bindings"
)

// quota bounds the authenticated requests that are worked on at the same time.
type quota struct {
	all  chan struct{}
	each map[string]chan struct{} // by credential id; never changes
}

func newQuota(b *bindings.Bindings) *quota {
	q := &quota{all: make(chan struct{}, b.Quotas.RequestsInFlight), each: map[string]chan struct{}{}}
	for _, c := range b.Credentials {
		q.each[c.ID] = make(chan struct{}, b.Quotas.PerCredential)
	}
	return q
}

// enter takes a place, or says whose places are taken. Who enters has to leave.
func (q *quota) enter(credential string) (leave func(), full string) {
	own := q.each[credential]
	select {
	case own <- struct{}{}:
	default:
		return nil, "credential"
	}
	select {
	case q.all <- struct{}{}:
	default:
		<-own
		return nil, "server"
	}
	return func() {
		<-q.all
		<-own
	}, ""
}

func (q *quota) inFlight() int { return len(q.all) }
