package ed25519curve_test

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/ed25519curve"
)

// TestContainsIsWhatDecompressionSays: of random addresses, and of those around 0, the
// field's order and 2^255, where encodings are not the only ones.
func TestContainsIsWhatDecompressionSays(t *testing.T) {
	var on int
	check := func(key solana.PublicKey) {
		t.Helper()
		want := solana.IsOnCurve(key[:])
		if ed25519curve.Contains(key) != want {
			t.Errorf("%x: %v, want %v", key[:], !want, want)
		}
		if want {
			on++
		}
	}
	const random = 20_000
	source := rand.NewPCG(1, 2)
	for range random {
		var key solana.PublicKey
		for at := 0; at < len(key); at += 8 {
			binary.LittleEndian.PutUint64(key[at:], source.Uint64())
		}
		check(key)
	}
	if on < random*2/5 || on > random*3/5 {
		t.Errorf("%d of %d are on the curve, and half should be", on, random)
	}
	half := new(big.Int).Lsh(big.NewInt(1), 255)
	for _, around := range []*big.Int{new(big.Int), new(big.Int).Sub(half, big.NewInt(19)), half, new(big.Int).Lsh(half, 1)} {
		for by := int64(-200); by <= 200; by++ {
			at := new(big.Int).Add(around, big.NewInt(by))
			if at.Sign() < 0 || at.BitLen() > 256 {
				continue
			}
			var key solana.PublicKey
			big := at.FillBytes(make([]byte, 32))
			for i, b := range big {
				key[31-i] = b
			}
			check(key)
		}
	}
	// Few bits, and many in a row.
	for first := range 256 {
		for second := range first + 1 {
			n := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(first)), new(big.Int).Lsh(big.NewInt(1), uint(second)))
			var key solana.PublicKey
			for i, b := range n.FillBytes(make([]byte, 32)) {
				key[31-i] = b
			}
			check(key)
		}
	}
}

// TestJacobiIsThatOfTheLibrary: of numbers of every length, of those near a fraction of the
// prime, where the numbers come to be nearly equal, and that it is sure of all.
func TestJacobiIsThatOfTheLibrary(t *testing.T) {
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	check := func(n *big.Int) {
		t.Helper()
		if n.Sign() <= 0 || n.Cmp(prime) >= 0 {
			return
		}
		var words [4]uint64
		raw := n.FillBytes(make([]byte, 32))
		for i := range words {
			words[3-i] = binary.BigEndian.Uint64(raw[8*i:])
		}
		if symbol, sure := ed25519curve.Jacobi(words); !sure || symbol != big.Jacobi(n, prime) {
			t.Errorf("%x: %d, %v, want %d", n, symbol, sure, big.Jacobi(n, prime))
		}
	}
	source := rand.New(rand.NewPCG(3, 4))
	for length := range uint(256) {
		for range 40 {
			n := new(big.Int)
			for range 4 {
				n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(source.Uint64()))
			}
			check(n.Rsh(n, 256-length))
		}
	}
	for by := int64(1); by <= 200; by++ {
		for _, shift := range []uint{0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 192, 224, 250} {
			near := new(big.Int).Div(prime, big.NewInt(by))
			near.Rsh(near, shift)
			for _, off := range []int64{-2, -1, 0, 1, 2} {
				check(new(big.Int).Add(near, big.NewInt(off)))
				check(new(big.Int).Sub(prime, new(big.Int).Add(near, big.NewInt(off))))
			}
			check(new(big.Int).Lsh(big.NewInt(by), shift))
			check(new(big.Int).Sub(prime, new(big.Int).Lsh(big.NewInt(by), shift)))
		}
	}
}

// FuzzContains: as above, of any address.
func FuzzContains(f *testing.F) {
	f.Add(make([]byte, 32))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) != 32 {
			return
		}
		if key := solana.PublicKey(raw); ed25519curve.Contains(key) != solana.IsOnCurve(raw) {
			t.Errorf("%x: %v", raw, ed25519curve.Contains(key))
		}
	})
}

func BenchmarkContains(b *testing.B) {
	key := solana.TokenProgramID
	for i := 0; b.Loop(); i++ {
		binary.LittleEndian.PutUint64(key[3:], uint64(i)*0x9e3779b97f4a7c15)
		ed25519curve.Contains(key)
	}
}

func BenchmarkDecompression(b *testing.B) {
	key := solana.TokenProgramID
	for i := 0; b.Loop(); i++ {
		binary.LittleEndian.PutUint64(key[3:], uint64(i)*0x9e3779b97f4a7c15)
		solana.IsOnCurve(key[:])
	}
}
