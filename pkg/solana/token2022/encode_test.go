package token2022_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// key returns a key of 32 equal bytes.
func key(b byte) solana.PublicKey { return solana.PublicKeyFromBytes(bytes.Repeat([]byte{b}, 32)) }

func hexOf(b byte) string { return strings.Repeat(hex.EncodeToString([]byte{b}), 32) }

// The bytes that were verified on the chain (design, chain.md). The comparison
// with the official clients is in package peertest.
func TestInstructionBytes(t *testing.T) {
	none := strings.Repeat("00", 32)
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: key(1), Destination: key(2), Authority: key(3), Sources: []solana.PublicKey{key(4), key(5)},
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	withdrawByMembers, err := token2022.WithdrawWithheldFromAccounts{
		Mint: key(1), Destination: key(2), Authority: key(3), Signers: []solana.PublicKey{key(6), key(7)},
		Sources: []solana.PublicKey{key(4), key(5)},
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in       solana.Instruction
		data     string
		accounts string // of each: w writable, s signer, - neither
	}{
		"InitializeTransferFeeConfig": {
			token2022.InitializeTransferFeeConfig{
				Mint: key(1), ConfigAuthority: key(2), WithdrawWithheldAuthority: key(3), BasisPoints: 258, MaximumFee: 5,
			}.Instruction(),
			"1a00" + "01" + hexOf(2) + "01" + hexOf(3) + "0201" + "0500000000000000", "w",
		},
		"InitializeTransferFeeConfig without authorities": {
			token2022.InitializeTransferFeeConfig{Mint: key(1)}.Instruction(),
			"1a00" + "00" + "00" + "0000" + "0000000000000000", "w",
		},
		"WithdrawWithheldFromAccounts":            {withdraw, "1a0302", "- w s w w"},
		"WithdrawWithheldFromAccounts by members": {withdrawByMembers, "1a0302", "- w - s s w w"},
		"WithdrawWithheldFromMint by members": {
			token2022.WithdrawWithheldFromMint{
				Mint: key(1), Destination: key(2), Authority: key(3), Signers: []solana.PublicKey{key(6), key(7)},
			}.Instruction(),
			"1a02", "w w - s s",
		},
		"SetAuthority by members": {
			token2022.SetAuthority{
				Account: key(1), Current: key(2), Type: token2022.AuthorityWithdrawWithheld, New: key(3), Signers: []solana.PublicKey{key(6), key(7)},
			}.Instruction(),
			"060501" + hexOf(3), "w - s s",
		},
		"InitializeMultisig2": {
			token2022.InitializeMultisig2{Account: key(1), Required: 2, Members: []solana.PublicKey{key(2), key(3), key(4)}}.Instruction(),
			"1302", "w - - -",
		},
		"HarvestWithheldToMint": {
			token2022.HarvestWithheldToMint{Mint: key(1), Sources: []solana.PublicKey{key(4)}}.Instruction(), "1a04", "w w",
		},
		"SetAuthority to none": {
			token2022.SetAuthority{Account: key(1), Current: key(2), Type: token2022.AuthorityMetadataPointer}.Instruction(),
			"060c00", "w s",
		},
		"SetAuthority": {
			token2022.SetAuthority{Account: key(1), Current: key(2), New: key(3)}.Instruction(), "060001" + hexOf(3), "w s",
		},
		"InitializeMetadataPointer": {
			token2022.InitializeMetadataPointer{Mint: key(1), Metadata: key(1)}.Instruction(), "2700" + none + hexOf(1), "w",
		},
		"InitializeMetadata": {
			token2022.InitializeMetadata{
				Mint: key(1), UpdateAuthority: key(2), MintAuthority: key(3), Name: "é", Symbol: "", URI: "u",
			}.Instruction(),
			"d2e11ea258b84d8d" + "02000000c3a9" + "00000000" + "0100000075", "w - - s",
		},
		"UpdateMetadataField with an empty key": {
			token2022.UpdateMetadataField{Mint: key(1), UpdateAuthority: key(2), Field: token2022.FieldKey(""), Value: "v"}.Instruction(),
			"dde9312db5cadcc8" + "03" + "00000000" + "0100000076", "w s",
		},
		"UpdateMetadataAuthority to none": {
			token2022.UpdateMetadataAuthority{Mint: key(1), Current: key(2)}.Instruction(), "d7e4a6e45464567b" + none, "w s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := c.in.Data()
			if err != nil || hex.EncodeToString(data) != c.data {
				t.Errorf("data %x, want %s (%v)", data, c.data, err)
			}
			var accounts []string
			for _, meta := range c.in.Accounts() {
				accounts = append(accounts, map[bool]string{true: "w"}[meta.IsWritable]+map[bool]string{true: "s"}[meta.IsSigner])
			}
			for i, a := range accounts {
				if a == "" {
					accounts[i] = "-"
				}
			}
			if got := strings.Join(accounts, " "); got != c.accounts {
				t.Errorf("accounts %s, want %s", got, c.accounts)
			}
		})
	}
}

// An instruction must not share bytes with one that was made before.
func TestInstructionsDoNotShareBytes(t *testing.T) {
	first := token2022.UpdateMetadataAuthority{Mint: key(1), Current: key(2), New: key(3)}.Instruction()
	_ = token2022.UpdateMetadataAuthority{Mint: key(1), Current: key(2), New: key(4)}.Instruction()
	data, err := first.Data()
	if err != nil || !bytes.Equal(data[8:], bytes.Repeat([]byte{3}, 32)) {
		t.Errorf("data %x, %v", data, err)
	}
}

func TestTooManySourcesAreRefused(t *testing.T) {
	in := token2022.WithdrawWithheldFromAccounts{Sources: slices.Repeat([]solana.PublicKey{key(1)}, 256)}
	if _, err := in.Instruction(); err == nil {
		t.Error("256 sources are accepted, and their number becomes 0")
	}
}

func TestAssociatedAddressOfTheOlderProgram(t *testing.T) {
	wallet, mint := key(7), solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	want, _, err := solana.FindAssociatedTokenAddress(wallet, mint)
	if err != nil {
		t.Fatal(err)
	}
	got, err := token2022.AssociatedAddress(wallet, mint, solana.TokenProgramID)
	if err != nil || got != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	if other, err := token2022.AssociatedAddress(wallet, mint, solana.PublicKey{}); err != nil || other == want {
		t.Errorf("Token-2022 has the same address: %s (%v)", other, err)
	}
}

func TestSizes(t *testing.T) {
	if token2022.MintSpace != 346 || token2022.AssociatedAccountSize != 182 {
		t.Errorf("mint space %d, account %d", token2022.MintSpace, token2022.AssociatedAccountSize)
	}
	// 4,635,360 lamports at 6,960 a byte, 128 bytes more.
	if got := token2022.MintSize(strings.Repeat("a", 32), strings.Repeat("b", 10), strings.Repeat("u", 66)); got != 4_635_360/6960-128 {
		t.Errorf("mint size %d", got)
	}
}
