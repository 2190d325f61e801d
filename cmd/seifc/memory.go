package main

import (
	"math"
	"runtime"
	"runtime/debug"
)

// quietHeap is the heap below which collecting garbage is not worth its time: a small Project compiles without a
// collection, and a large one has fewer while it grows.
const quietHeap = 88 << 20

// heapGrowth is by how many per cent the heap may grow between collections. It is a little less than Go's own 100, for
// Projects of many thousand tools.
const heapGrowth = 80

// deferCollection puts the first garbage collection off until the heap has reached quietHeap; from then on the
// collector works as it always does, with heapGrowth.
func deferCollection() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(quietHeap)
	sentinel := new([16]byte)
	runtime.SetFinalizer(sentinel, func(*[16]byte) {
		debug.SetGCPercent(heapGrowth)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}
