package peertest_test

import (
	"math"
	"math/rand/v2"

	"github.com/gagliardetto/solana-go"
)

// generator makes arguments. It has a fixed seed, so that a failure repeats.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 0))}
}

func (g generator) key() (key solana.PublicKey) {
	for i := range key {
		key[i] = byte(g.Uint32())
	}
	return key
}

// maybe returns a key, or none.
func (g generator) maybe() solana.PublicKey {
	if g.IntN(2) == 0 {
		return solana.PublicKey{}
	}
	return g.key()
}

func (g generator) keys(most int) []solana.PublicKey {
	list := make([]solana.PublicKey, g.IntN(most+1))
	for i := range list {
		list[i] = g.key()
	}
	return list
}

// u64 returns numbers of every length, the bounds among them.
func (g generator) u64() uint64 {
	switch g.IntN(8) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	case 2:
		return 1 << 53
	default:
		return g.Uint64() >> g.IntN(64)
	}
}

func (g generator) basisPoints() uint16 {
	switch g.IntN(4) {
	case 0:
		return 0
	case 1:
		return 10_000
	case 2:
		return 100
	default:
		return uint16(g.IntN(10_001))
	}
}

func (g generator) decimals() uint8 { return []uint8{6, 9}[g.IntN(2)] }

// alphabets have characters of one to four bytes of UTF-8.
var alphabets = [][]rune{
	[]rune("abcXYZ019 $-_"), []rune("äßéжяλψאבع"), []rune("中文日本語한국€�"), []rune("🚀🌕🐶𝔘𠜎👩"),
}

// text returns 1 to most characters, of one width or mixed.
func (g generator) text(most int) string {
	width := g.IntN(len(alphabets) + 1)
	runes := make([]rune, 1+g.IntN(most))
	for i := range runes {
		alphabet := alphabets[width%len(alphabets)]
		if width == len(alphabets) {
			alphabet = alphabets[g.IntN(len(alphabets))]
		}
		runes[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(runes)
}
