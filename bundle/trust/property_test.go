package trust_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/bundle/trust"
	"github.com/seif-dev/seifc/digest"
)

// pool holds signatures of all kinds about a Build; the last ones are forged: they name a key of the policy and do not
// verify with it.
func pool(t *testing.T, keys map[string]key) (honest, forged [][]byte) {
	t.Helper()
	b, other := readBuild(t, plain), readBuild(t, withCorpus)
	untrue := releaseOf(b, "stable", 3)
	untrue.Definition = digest.Of([]byte("another"))
	for _, name := range []string{"ann", "bob", "cyd", "stranger"} {
		for _, sequence := range []int64{3, 9} {
			honest = append(honest, release(t, keys[name], b, "stable", sequence))
		}
		honest = append(honest, release(t, keys[name], b, "beta", 3), release(t, keys[name], other, "stable", 9))
	}
	honest = append(honest,
		passedTests(t, keys["pipeline"], b), passedTests(t, keys["pipeline"], b), failedTests(t, keys["pipeline"], b),
		passedTests(t, keys["ann"], b), release(t, keys["pipeline"], b, "stable", 9), signed(t, keys["ann"], untrue.Statement(b.Digest())),
		signed(t, keys["ann"], sign.CosignStatement(b.Digest())), []byte("no bundle"), []byte("{}"),
	)
	payload := payloadOf(t, releaseOf(b, "stable", 9).Statement(b.Digest()))
	return honest, [][]byte{forced(t, keys["stranger"], payload, keys["ann"].public.Hint(), "")}
}

// Adding a signature never turns a verified Build into one that is not, unless it is forged; taking one away never
// turns a Build that is not verified into one that is, unless that one was forged.
func TestMoreSignaturesNeverHarm(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	honest, forged := pool(t, keys)
	revoked := strings.Replace(twoOfThree, "{pem: KEY:cyd, roles: [release]}", "{pem: KEY:cyd, roles: [release], revoked: {reason: lost}}", 1)
	closed := strings.Replace(twoOfThree, "{pem: KEY:bob, roles: [release]}", "{pem: KEY:bob, roles: [release], not_after: 2026-06-01}", 1)
	policies := []*trust.Policy{
		policy(t, releaseByAnn, keys), policy(t, twoOfThree, keys), policy(t, twoOfThree+"floor: {stable: 5}\n", keys),
		policy(t, revoked, keys), policy(t, closed, keys), trust.ForKey(keys["ann"].public),
	}
	random := rand.New(rand.NewPCG(7, 11))
	verdicts := map[trust.Verdict]int{}
	for round := range 72 {
		p := policies[round%len(policies)]
		change := func(req *trust.Request) {
			req.Channel = []string{"", "stable", "beta"}[round/len(policies)%3]
			req.Now = noon.Add(time.Duration(round%2) * 48 * time.Hour)
		}
		shuffled := slices.Clone(honest)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		was := trust.NotVerified
		for n := range shuffled {
			if n%4 != 0 {
				continue // steps of four keep the test short
			}
			r := verify(layout(t, b, shuffled[:n]...), p, change)
			verdicts[r.Verdict]++
			if was == trust.Verified && r.Verdict != trust.Verified {
				t.Fatalf("more signatures made it worse:\n%s", textOf(t, r))
			}
			was = r.Verdict
		}
		if round%10 == 0 {
			withForged := verify(layout(t, b, append(shuffled, forged...)...), p, change)
			if withForged.Verdict == trust.Verified {
				t.Fatal("a forged signature passed")
			}
		}
	}
	if verdicts[trust.Verified] < 50 || verdicts[trust.NotVerified] < 50 {
		t.Errorf("the rounds are one-sided: %v", verdicts)
	}
}

// What is attached and what is detached, and in which order, makes no difference.
func TestOrderOfSignaturesDoesNotMatter(t *testing.T) {
	keys := newKeys(t)
	b := readBuild(t, plain)
	honest, _ := pool(t, keys)
	p := policy(t, twoOfThree, keys)
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		chosen := slices.Clone(honest)
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:random.IntN(len(chosen))]
		cut := random.IntN(len(chosen) + 1)
		whole := verify(layout(t, b, chosen...), p)
		split := verify(layout(t, b, chosen[:cut]...), p, func(req *trust.Request) { req.Detached = chosen[cut:] })
		if whole.Verdict != split.Verdict {
			t.Fatalf("attached: %s\ndetached: %s", textOf(t, whole), textOf(t, split))
		}
		for _, name := range []string{"channel", "role release", "role tests", "tests"} {
			if a, b := whole.Check(name), split.Check(name); a.Status != b.Status {
				t.Errorf("%s: %+v, %+v", name, a, b)
			}
		}
	}
}
