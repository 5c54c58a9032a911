package peertest_test

import (
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// Locks are encoded, and escrows read, as a client of the program does it.
func TestLocksEqualTheClient(t *testing.T) {
	g := newGenerator(5)
	var cases []peertest.Case
	var ours []solana.Instruction
	var escrows []locker.Escrow
	for n := range 3 * perKind {
		program := []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID}[n%2]
		base, sender, recipient, mint, most := g.key(), g.key(), g.key(), g.key(), g.u64()
		s := locker.Schedule{Start: g.u64(), First: g.u64(), Period: g.u64(), Each: g.u64(), Times: g.u64()}
		escrow, err := locker.EscrowAddress(base)
		if err != nil {
			t.Fatal(err)
		}
		account := func(owner solana.PublicKey) solana.PublicKey {
			a, err := token2022.AssociatedAddress(owner, mint, program)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		e := locker.Escrow{Schedule: s, Recipient: recipient, Mint: mint, Creator: sender, Base: base, UpdateMode: uint8(g.IntN(4)), CancelMode: uint8(g.IntN(4)), Claimed: most}
		kind := []string{"create", "claim", "escrow"}[n%3]
		cases = append(cases, peertest.Case{
			"kind": kind, "base": base, "sender": sender, "recipient": recipient, "mint": mint, "program": program, "most": u64(most),
			"start": u64(s.Start), "period": u64(s.Period), "first": u64(s.First), "each": u64(s.Each), "times": u64(s.Times),
			"update": e.UpdateMode, "cancel": e.CancelMode,
		})
		var in solana.Instruction
		switch kind {
		case "create":
			in = locker.CreateEscrow{
				Schedule: s, Base: base, Escrow: escrow, EscrowToken: account(escrow), Sender: sender, SenderToken: account(sender),
				Recipient: recipient, Mint: mint, TokenProgram: program,
			}.Instruction()
		case "claim":
			in = locker.Claim{
				Max: most, Escrow: escrow, EscrowToken: account(escrow), Recipient: recipient, RecipientToken: account(recipient),
				Mint: mint, TokenProgram: program,
			}.Instruction()
		}
		ours, escrows = append(ours, in), append(escrows, e)
	}
	for i, got := range peertest.Locker(t, cases) {
		switch {
		case got.Error != "":
			t.Errorf("%v: the client refused: %s", cases[i], got.Error)
		case ours[i] != nil:
			if want := describe(t, ours[i]); !reflect.DeepEqual(want, *got.Instruction) {
				t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], want, *got.Instruction)
			}
		default:
			if read, err := locker.DecodeEscrow(locker.Program, got.Data); err != nil || read != escrows[i] || len(got.Data) != locker.EscrowSize {
				t.Errorf("%v: %d bytes are read as %+v, %v", cases[i], len(got.Data), read, err)
			}
		}
	}
}
