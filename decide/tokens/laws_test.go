package tokens_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seif-dev/seifc/decide/tokens"
)

// apart is how far the counts of two parts and of their whole may differ. The state at the seam can change the
// prices of a bounded stretch only: at most 17 letters of a word by 9 units each, one code point by up to 4 tokens,
// two repetitions, one group of digits, one token owed, half a token of debt, and the rounding of three counts.
const apart = 16

func checkLaws(t *testing.T, text string) {
	t.Helper()
	count := tokens.Count(text)
	if count < 0 || count > len(text) || count == 0 && text != "" {
		t.Fatalf("Count of %d bytes is %d", len(text), count)
	}
	if most := tokens.Maximum(utf8.RuneCountInString(text)); count > most {
		t.Fatalf("Count %d exceeds the maximum %d: %q", count, most, text)
	}
	if again := tokens.Count(text); again != count {
		t.Fatalf("Count is %d, then %d", count, again)
	}
}

func checkSeam(t *testing.T, a, b string) {
	t.Helper()
	if whole, part := tokens.Count(a+b), tokens.Count(a); whole < part {
		t.Fatalf("Count falls from %d to %d when %q continues %q", part, whole, b, a)
	} else if parts := part + tokens.Count(b); whole > parts+apart || parts > whole+apart {
		t.Fatalf("the parts count %d, the whole %d: %q and %q", parts, whole, a, b)
	}
}

// seamless is the valid UTF-8 in a text, so that it can end anywhere between two code points.
func seamless(text string) string { return strings.ToValidUTF8(text, "") }

var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyz", "qzxjwvk", "aA", "ABCXYZ", "0123456789", "0aF", " \n\t", "\"{}[]:,", "\x00\x1b\x7f\r",
	"éßžảø\u0301", "жяѬӘ", "ΑωᾶשسދकকகกກཀကაሀᏣក", "学生龘㐀かカｶ한뷁", "😀🫠👩🏽\u200d\ufe0f🇧𒀀𝒜\U0010fffd", "word Wort 学 7,\n",
}

func randomText(random *rand.Rand, longest int) string {
	var b strings.Builder
	for range random.IntN(4) {
		alphabet := []rune(alphabets[random.IntN(len(alphabets))])
		for range random.IntN(longest) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
	}
	return b.String()
}

// rounds is a number of rounds, less of them in a short run.
func rounds(whole int) int {
	if testing.Short() {
		return whole / 10
	}
	return whole
}

func TestLawsHoldForRandomText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds(20000) {
		a, b := randomText(random, 40), randomText(random, 40)
		checkLaws(t, a)
		checkSeam(t, a, b)
	}
}

func TestLawsHoldForRandomBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range rounds(20000) {
		raw := make([]byte, random.IntN(60))
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		checkLaws(t, string(raw))
	}
}

func TestLawsHoldForEveryCodePoint(t *testing.T) {
	every := rune(1)
	if testing.Short() {
		every = 7
	}
	for r := rune(0); r <= utf8.MaxRune; r += every {
		if text := string(r); tokens.Count(text) < 1 || tokens.Count(text) > len(text) {
			t.Fatalf("%U counts %d", r, tokens.Count(text))
		}
	}
	for c := range 0x100 {
		checkLaws(t, string([]byte{byte(c)}))
		checkLaws(t, string([]byte{byte(c), byte(c), 'a', byte(c)}))
	}
}

// The maximum is reached, so no smaller constant would do.
func TestMaximumIsReached(t *testing.T) {
	text := strings.Repeat("𒀀", 1000)
	if got, want := tokens.Count(text), tokens.Maximum(1000); got != want {
		t.Errorf("Count is %d, want %d", got, want)
	}
}

func TestMaximumSaturates(t *testing.T) {
	for _, c := range []struct{ codePoints, want int }{
		{math.MinInt, 0},
		{-1, 0},
		{0, 0},
		{1, tokens.MaxPerCodePoint},
		{2000, 8000},
		{math.MaxInt / tokens.MaxPerCodePoint, math.MaxInt / tokens.MaxPerCodePoint * tokens.MaxPerCodePoint},
		{math.MaxInt/tokens.MaxPerCodePoint + 1, math.MaxInt},
		{math.MaxInt, math.MaxInt},
	} {
		if got := tokens.Maximum(c.codePoints); got != c.want {
			t.Errorf("Maximum(%d) is %d, want %d", c.codePoints, got, c.want)
		}
	}
}

// Need 40: two tools of different size never show the same cost merely because both are tools.
func TestSizesTell(t *testing.T) {
	small := `{"description":"Returns one grade.","name":"lookup","schema":{"type":"object"}}`
	large := `{"description":"Returns one student's grade for one course, with the day on which it was given.",` +
		`"name":"lookup_grade","schema":{"properties":{"course":{"type":"string"},"student":{"type":"string"}},` +
		`"type":"object"}}`
	if a, b := tokens.Count(small), tokens.Count(large); a >= b || a == 0 {
		t.Errorf("the small tool counts %d, the large one %d", a, b)
	}
}

// Ten megabytes of anything, 300 KB in a short run, are counted in one pass that keeps nothing: the laws hold at
// that length, the units count in proportion, and nothing is allocated. Time that grew with the square of the length
// would not let this test end.
func TestTenMegabytes(t *testing.T) {
	size := 10_000_000
	if testing.Short() {
		size = 300_000
	}
	for _, unit := range []string{"a", "\x1b", " ", "9", "\xff", "学", "Ana Аня 花子 نور 😀 ", `{"id":1},`} {
		text := strings.Repeat(unit, size/len(unit))
		checkLaws(t, text)
		half := text[:len(unit)*(size/len(unit)/2)]
		checkSeam(t, half, text[len(half):])
		if allocated := testing.AllocsPerRun(1, func() { tokens.Count(half) }); allocated > 0 {
			t.Errorf("counting %q again and again allocates %v times", unit, allocated)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, a := range alphabets {
		f.Add(a, a+a)
	}
	f.Add("\xe4\xbd", "\xa0")
	f.Add("\x1b[31m", "")
	f.Add("internationali", "sation")
	f.Add("12", "34567")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkLaws(t, a)
		checkLaws(t, a+b)
		checkSeam(t, seamless(a), seamless(b))
	})
}

func BenchmarkCount(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"prose", "Before you schedule a review, read the lesson notes and make sure that the student agreed.\n"},
		{"json", `{"description":"Returns one grade.","name":"lookup","schema":{"type":"object"}}`},
		{"scripts", "Прежде чем назначить повторение, 请先阅读课堂笔记。복습 일정을 잡기 전에 😀\n"},
	} {
		text := strings.Repeat(c.text, 1_000_000/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tokens.Count(text)
			}
		})
	}
}
