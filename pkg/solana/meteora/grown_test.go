package meteora_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Fields that an upgrade adds after the known fields of a pool, a position or an event are ignored.
// Another layout is unreadable; an account of another program is not.
func TestGrownAccountsAreRead(t *testing.T) {
	more := bytes.Repeat([]byte{0xa5}, 300)
	pool, err := meteora.DecodePool(meteora.Program, append(poolData(), more...))
	if err != nil {
		t.Fatal(err)
	}
	checkPool(t, pool, poolData())
	position, err := meteora.DecodePosition(meteora.Program, append(positionData(), more...))
	if err != nil {
		t.Fatal(err)
	}
	checkPosition(t, position, positionData())
	swap, ok := meteora.DecodeSwap(append(swapData(), more...))
	if !ok {
		t.Fatal("an event that grew is not understood")
	}
	checkSwap(t, swap, swapData())

	for name, change := range map[string]func([]byte) []byte{
		"a new kind": func(b []byte) []byte { b[0]++; return b },
		"cut off":    func(b []byte) []byte { return b[:100] },
	} {
		_, poolErr := meteora.DecodePool(meteora.Program, change(poolData()))
		_, positionErr := meteora.DecodePosition(meteora.Program, change(positionData()))
		for _, err := range []error{poolErr, positionErr} {
			if !errors.Is(err, onchain.ErrUnreadable) || apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("%s: %v, want ErrUnreadable of kind Unavailable", name, err)
			}
		}
	}
	if _, err := meteora.DecodePool(solana.TokenProgramID, poolData()); errors.Is(err, onchain.ErrUnreadable) {
		t.Errorf("another program's: %v", err)
	}
}
