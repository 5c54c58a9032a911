package audit

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// FuzzInstructions: whatever, according to a node, a transaction did is taken down, or refused
// with a reason, without a panic. An input is instructions, each its number of accounts,
// these as one byte each, the length of its data, and the data; what is left are balances
// of the first accounts.
func FuzzInstructions(f *testing.F) {
	f.Add([]byte{4, 1, 0, 2, 3, 10, 12, 100, 0, 0, 0, 0, 0, 0, 0, 6, 200, 100})
	f.Add([]byte{4, 1, 0, 2, 3, 19, 26, 1, 100, 0, 0, 0, 0, 0, 0, 0, 6, 5, 0, 0, 0, 0, 0, 0, 0, 9, 9})
	f.Add([]byte{3, 0, 2, 3, 2, 26, 2, 2, 0, 1, 2, 26, 4, 3, 0, 1, 3, 9, 8, 100, 0, 0, 0, 0, 0, 0, 0, 6, 1, 2, 3})
	f.Add([]byte{1, 0, 14, 26, 0, 0, 0, 250, 0, 100, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 3, 6, 0, 0})
	f.Fuzz(func(t *testing.T, input []byte) {
		mint := address(0)
		b := newBook(mint)
		for slot := range uint64(2) { // The second finds what the first took down.
			tx := chain.Transaction{Slot: slot}
			var rest []byte
			tx.Instructions, rest = instructions(input)
			for i := 0; len(rest) >= 2; i, rest = i+1, rest[2:] {
				tx.Tokens = append(tx.Tokens, chain.TokenAccount{
					Address: address(byte(i + 1)), Mint: mint, OwnerBefore: address(200), OwnerAfter: address(201),
					Before: uint64(rest[0]), After: uint64(rest[1]),
				})
			}
			if err := b.apply(tx); err != nil && !errors.Is(err, ErrInconsistent) {
				t.Fatalf("%v is no %v", err, ErrInconsistent)
			}
		}
	})
}

func instructions(input []byte) (list []chain.Instruction, rest []byte) {
	take := func() ([]byte, bool) {
		if len(input) == 0 || int(input[0]) >= len(input) {
			return nil, false
		}
		part := input[1 : 1+int(input[0])]
		input = input[1+int(input[0]):]
		return part, true
	}
	for {
		accounts, ok := take()
		if !ok {
			return list, input
		}
		data, ok := take()
		if !ok {
			return list, input
		}
		in := chain.Instruction{Program: solana.Token2022ProgramID, Data: data, Inner: len(list)%2 == 1}
		for _, account := range accounts {
			in.Accounts = append(in.Accounts, address(account))
		}
		list = append(list, in)
	}
}

func address(i byte) (key solana.PublicKey) {
	binary.LittleEndian.PutUint64(key[:], uint64(i)+1)
	return key
}

// The seeds are of what the target is about.
func TestSeedsAreRead(t *testing.T) {
	list, _ := instructions([]byte{4, 1, 0, 2, 3, 10, 12, 100, 0, 0, 0, 0, 0, 0, 0, 6})
	if len(list) != 1 {
		t.Fatalf("%d instructions", len(list))
	}
	m, ok, err := token2022.ReadMovement(list[0].Accounts, list[0].Data)
	if err != nil || !ok || m.Amount != 100 || m.Mint != address(0) {
		t.Errorf("%+v, %t, %v", m, ok, err)
	}
}
