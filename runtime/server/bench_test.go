package server

import "testing"

// What a start costs beyond an unsigned one: the policy, the signatures and the floor.
func BenchmarkLoad(b *testing.B) {
	e := newEnvironment(b)
	e.withFloor(b, 3)
	e.seal(b, e.release(b, e.ann, "stable", 7), e.passedTests(b, e.tester))
	b.Run("signed", func(b *testing.B) {
		for b.Loop() {
			e.load(b)
		}
	})
	path, build := written(b, textsOnly(b))
	options := Options{Build: path, Bindings: bound(b, build.Digest(), ""), AllowUnsigned: true}
	b.Run("unsigned", func(b *testing.B) {
		for b.Loop() {
			if s, _, err := Load(b.Context(), options); s == nil || err != nil {
				b.Fatal(err)
			}
		}
	})
}
