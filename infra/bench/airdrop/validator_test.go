package airdrop

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// asked returns the project and the consensus of the validator that CHAIN asks for, or skips the test.
func asked(t *testing.T) (project.Folder, agave.Consensus) {
	t.Helper()
	consensus, ok := agave.Asked()
	if !ok {
		t.Skip("no validator is asked for: make test-agave sets CHAIN=agave")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	return folder, consensus
}

// A crowd is paid once each: payOnValidator itself reads every wallet.
func TestAgavePaysACrowd(t *testing.T) {
	folder, consensus := asked(t)
	row, err := payOnValidator(t.Context(), folder, consensus, 601)
	if err != nil {
		t.Fatal(err)
	}
	if row[1] != "11" { // of 60 recipients each
		t.Errorf("601 recipients took %s transactions, not 11", row[1])
	}
	t.Log(row)
}

// All withheld tax arrives at the wallet: collectOnValidator itself checks every account.
func TestAgaveCollectsWithheldTax(t *testing.T) {
	folder, consensus := asked(t)
	for version, want := range map[payout.Version]string{payout.V1: "11", payout.Legacy: "22"} { // of 60 and of 28 accounts each
		row, err := collectOnValidator(t.Context(), folder, consensus, version, 601)
		if err != nil {
			t.Fatal(err)
		}
		if row[2] != want {
			t.Errorf("601 accounts take %s transactions of version %d, want %s", row[2], version, want)
		}
		t.Log(row)
	}
}

// The token of the genesis is as the programs lay it out, and its balances and tax add up to its supply.
func TestTaxedGenesisAddsUp(t *testing.T) {
	token, err := newTaxed(3)
	if err != nil {
		t.Fatal(err)
	}
	wallet := solana.NewWallet().PublicKey()
	own, accounts, err := token.genesis(wallet)
	if err != nil {
		t.Fatal(err)
	}
	mint, err := token2022.DecodeMint(solana.Token2022ProgramID, accounts[token.mint.String()].Data)
	if err != nil {
		t.Fatal(err)
	}
	if mint.TransferFee == nil || mint.TransferFee.WithdrawWithheldAuthority != wallet || mint.TransferFee.At(0).BasisPoints == 0 {
		t.Errorf("the mint's tax is %+v", mint.TransferFee)
	}
	if _, ok := accounts[own.String()]; !ok {
		t.Error("the wallet has no account of the token")
	}
	sum, tokenAccounts := uint64(0), 0
	for address, a := range accounts {
		state, err := token2022.DecodeAccount(solana.Token2022ProgramID, a.Data)
		if err != nil {
			continue // the mint and the wallet
		}
		if len(a.Data) != token2022.AssociatedAccountSize || state.Mint != token.mint {
			t.Errorf("the account %s has %d bytes and is %+v", address, len(a.Data), state)
		}
		sum += state.Amount + state.Withheld
		tokenAccounts++
	}
	if sum != mint.Supply || tokenAccounts != 4 {
		t.Errorf("%d accounts add up to %d, want 4 and the supply of %d", tokenAccounts, sum, mint.Supply)
	}
}
