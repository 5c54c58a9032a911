package systemprogram_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// TestTransferWithSeed holds the bytes of SystemInstruction::TransferWithSeed: the tag
// 11, the lamports, the seed with its length as u64, and the owner.
func TestTransferWithSeed(t *testing.T) {
	from, base, to, owner := solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{3}, solana.PublicKey{4}
	in := systemprogram.TransferWithSeed{From: from, Base: base, Seed: "a-seed", Owner: owner, To: to, Lamports: 650_240}.Instruction()
	got, err := in.Data()
	want := slices.Concat([]byte{11, 0, 0, 0, 0x00, 0xec, 0x09, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0}, []byte("a-seed"), owner[:])
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x, want %x (%v)", got, want, err)
	}
	accounts := []solana.AccountMeta{
		{PublicKey: from, IsWritable: true}, {PublicKey: base, IsSigner: true}, {PublicKey: to, IsWritable: true},
	}
	for n, meta := range in.Accounts() {
		if n >= len(accounts) || *meta != accounts[n] {
			t.Errorf("account %d is %+v", n, *meta)
		}
	}
	if len(in.Accounts()) != len(accounts) || in.ProgramID() != solana.SystemProgramID {
		t.Errorf("%d accounts of %s", len(in.Accounts()), in.ProgramID())
	}
}
