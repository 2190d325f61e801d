package registry

import (
	"context"
	"sync"

	"github.com/seif-dev/seifc/digest"
)

// workers is how many blobs move at a time.
const workers = 6

// meter counts the bytes of an operation and tells the caller.
type meter struct {
	mu          sync.Mutex
	report      func(Progress)
	done, total int64
}

func (m *meter) expect(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total += bytes
}

// settle counts bytes of a blob; a negative number takes back what a try that failed had counted.
func (m *meter) settle(d digest.Digest, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += bytes
	if m.report != nil {
		m.report(Progress{Digest: d, Done: m.done, Total: m.total})
	}
}

// each runs a function for every item, a few at a time, and ends all with the first error.
func each[T any](ctx context.Context, items []T, run func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wait  sync.WaitGroup
		once  sync.Once
		first error
		queue = make(chan T)
	)
	for range min(workers, len(items)) {
		wait.Go(func() {
			for item := range queue {
				if err := run(ctx, item); err != nil {
					once.Do(func() { first = err })
					cancel(err)
					return
				}
			}
		})
	}
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		select {
		case queue <- item:
		case <-ctx.Done():
		}
	}
	close(queue)
	wait.Wait()
	if first == nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return first
}
