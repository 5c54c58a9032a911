package wire_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

func TestCompileV1KeepsToTheLimits(t *testing.T) {
	size := func(n int) (int, error) {
		m, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{UnitLimit: 1}, []solana.Instruction{
			instruction(strings.Repeat("x", n), meta(2, false, true)),
		})
		return m.TransactionSize(), err
	}
	overhead, err := size(2_000)
	if err != nil {
		t.Fatal(err)
	}
	room := wire.MaxV1TransactionSize - (overhead - 2_000)
	if got, err := size(room); err != nil || got != wire.MaxV1TransactionSize {
		t.Errorf("%d bytes, %v", got, err)
	}
	if _, err := size(room + 1); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
	if _, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{}, []solana.Instruction{
		instruction("", slices.Repeat([]*solana.AccountMeta{meta(2, false, false)}, 256)...),
	}); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("256 accounts of an instruction: %v", err)
	}
	signers := func(n byte) error {
		var metas []*solana.AccountMeta
		for i := range n - 1 { // and the payer
			metas = append(metas, meta(i+2, false, true))
		}
		_, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{}, []solana.Instruction{instruction("", metas...)})
		return err
	}
	if err := signers(wire.MaxV1Signers); err != nil {
		t.Errorf("12 signers: %v", err)
	}
	if err := signers(wire.MaxV1Signers + 1); err == nil || !strings.Contains(err.Error(), "13 signers") {
		t.Errorf("13 signers: %v", err)
	}
}
