package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// quietHeap is the heap below which collecting garbage is not worth its time: a small Project compiles without a
// collection, and a large one has fewer while it grows.
const quietHeap = 98 << 20

// heapGrowth is by how many per cent the heap may grow between collections once it is large. It is a little less than
// Go's own 100, for Projects of many thousand tools.
const heapGrowth = 80

// deferCollection puts garbage collections off until the heap reaches quietHeap, again and again for as long as at most
// half of that is in use; from then on the collector works as it always does, with heapGrowth.
func deferCollection() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(quietHeap)
	afterCollection(func() (again bool) {
		if heapInUse() <= quietHeap/2 {
			return true
		}
		debug.SetGCPercent(heapGrowth)
		debug.SetMemoryLimit(math.MaxInt64)
		return false
	})
}

// afterCollection calls f after the next garbage collection, and after each further one for as long as f wants it.
func afterCollection(f func() (again bool)) {
	sentinel := new([16]byte)
	runtime.SetFinalizer(sentinel, func(*[16]byte) {
		if f() {
			afterCollection(f)
		}
	})
}

// heapInUse is what the last collection found to be in use, in bytes.
func heapInUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return math.MaxUint64 // this version of Go does not tell; be careful with memory
	}
	return live[0].Value.Uint64()
}
