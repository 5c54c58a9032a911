package jupiter_test

import (
	"encoding/binary"
	"os"
	"testing"

	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/token/terms"
)

// For arbitrary responses of Jupiter, reading ends, and a returned swap calls its program once, for
// the quoted amounts, and fits.
func FuzzAnswers(f *testing.F) {
	for _, asset := range []string{"sol", "usdc"} {
		quote, err := os.ReadFile("testdata/quote-" + asset + ".json")
		if err != nil {
			f.Fatal(err)
		}
		swap, err := os.ReadFile("testdata/swap-" + asset + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(quote, swap, asset == "sol")
	}
	f.Fuzz(func(t *testing.T, quote, swap []byte, sol bool) {
		output := usdc
		if sol {
			output = terms.SOL
		}
		q, err := jupiter.ReadQuote(quote, order(output))
		if err != nil {
			return
		}
		s, err := jupiter.ReadSwap(swap, q)
		if err != nil {
			return
		}
		if err := s.Fits(); err != nil {
			t.Error(err)
		}
		calls := 0
		for _, in := range s.Instructions {
			if in.ProgramID() != jupiter.Program {
				continue
			}
			data, err := in.Data()
			if err != nil {
				t.Fatal(err)
			}
			if sold := binary.LittleEndian.Uint64(data[len(data)-19:]); sold != q.In {
				t.Errorf("%d are sold, %d were quoted", sold, q.In)
			}
			calls++
		}
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}
