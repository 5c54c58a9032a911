package radix_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/radix"
)

type element struct {
	number uint64
	text   [3]byte
}

func number(e *element) uint64     { return e.number }
func ties(a, b element) int        { return bytes.Compare(a.text[:], b.text[:]) }
func compare(a, b element) int     { return cmp.Or(cmp.Compare(a.number, b.number), ties(a, b)) }
func sorted(l []element) []element { return slices.SortedFunc(slices.Values(l), compare) }

// TestSortIsThatOfTheLibrary: of numbers that are spread over a few values, over few bits
// or all, at either end, or all but alike.
func TestSortIsThatOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		width := rapid.IntRange(0, 64).Draw(r, "bits")
		base := rapid.Uint64().Draw(r, "base")
		texts := rapid.Uint32Range(1, 1<<24).Draw(r, "texts")
		skewed := rapid.Bool().Draw(r, "skewed")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		list := make([]element, rapid.IntRange(0, 3000).Draw(r, "length"))
		for i := range list {
			n := source.Uint64()
			if skewed { // Lengths of all kinds.
				n >>= source.IntN(64)
			}
			text := source.Uint32N(texts)
			list[i] = element{base + n&(1<<width-1), [3]byte{byte(text >> 16), byte(text >> 8), byte(text)}}
		}
		want := sorted(list)
		if radix.Sort(list, number, ties); !slices.Equal(list, want) {
			r.Errorf("%v, want %v", list, want)
		}
	})
}

// TestNoListIsSlow: neither where all have one number but a few, nor where all but the
// last bits are the same, does it compare more than sorting by comparisons does.
func TestNoListIsSlow(t *testing.T) {
	const length = 50_000
	for name, of := range map[string]func(i int) uint64{
		"one number":          func(int) uint64 { return 7 },
		"one that is far off": func(i int) uint64 { return uint64(max(i, 1)-1) / (length - 2) << 63 },
		"neighbours":          func(i int) uint64 { return 1<<63 + uint64(i%2) },
		"each half as many":   func(i int) uint64 { return 1 << min(63, i) },
	} {
		source := rand.New(rand.NewPCG(1, 1))
		list := make([]element, length)
		for i := range list {
			text := source.Uint32()
			list[i] = element{of(i), [3]byte{byte(text >> 16), byte(text >> 8), byte(text)}}
		}
		want := sorted(list)
		compared, asked := 0, 0
		radix.Sort(list, func(e *element) uint64 { asked++; return e.number }, func(a, b element) int { compared++; return ties(a, b) })
		if !slices.Equal(list, want) {
			t.Errorf("%s: out of order", name)
		}
		if compared > 30*length || asked > 30*length {
			t.Errorf("%s: %d were compared, and %d asked for their number", name, compared, asked)
		}
	}
}

func BenchmarkSort(b *testing.B) {
	source := rand.New(rand.NewPCG(1, 1))
	list, copied := make([]element, 1<<17), make([]element, 1<<17)
	for i := range list {
		list[i].number = source.Uint64()
	}
	for b.Loop() {
		copy(copied, list)
		radix.Sort(copied, number, ties)
	}
}

func BenchmarkSortOfTheLibrary(b *testing.B) {
	source := rand.New(rand.NewPCG(1, 1))
	list, copied := make([]element, 1<<17), make([]element, 1<<17)
	for i := range list {
		list[i].number = source.Uint64()
	}
	for b.Loop() {
		copy(copied, list)
		slices.SortFunc(copied, compare)
	}
}
