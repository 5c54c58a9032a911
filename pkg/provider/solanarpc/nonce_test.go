package solanarpc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

func TestNonceAccounts(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	if _, found, err := l.Nonce(ctx, newWallet(t).PublicKey); err != nil || found {
		t.Errorf("an unused address: found %v, %v", found, err)
	}
	if _, found, err := l.Nonce(ctx, l.payer.PublicKey); err != nil || found {
		t.Errorf("an address with lamports only: found %v, %v", found, err)
	}
	if _, _, err := l.Nonce(ctx, solana.Token2022ProgramID); !errors.Is(err, systemprogram.ErrNotNonce) {
		t.Errorf("a program: %v", err)
	}

	address := l.nonceAccount(t, l.payer, "nonce/v1/0")
	first := l.nonce(t, address)
	if first.Authority != l.payer.PublicKey || first.Value.IsZero() {
		t.Errorf("nonce account = %+v, want the payer's authority and a value", first)
	}
	advance := systemprogram.AdvanceNonceAccount{Nonce: address, Authority: l.payer.PublicKey}.Instruction()
	// With AdvanceNonceAccount first and an ordinary blockhash, the local chain
	// takes the blockhash for a nonce's value and drops the transaction.
	l.execute(t, []wallet{l.payer}, computebudget.SetUnitLimit(10_000), advance)
	second := l.nonce(t, address)
	if second.Value == first.Value {
		t.Error("the nonce has not advanced")
	}

	// A transaction on a used nonce value never lands, whatever the node's response to sending it.
	to := newWallet(t)
	transfer := systemprogram.Transfer{From: l.payer.PublicKey, To: to.PublicKey, Lamports: lamportsPerSOL}.Instruction()
	old := sign(t, first.Value, []wallet{l.payer}, advance, transfer)
	_ = l.Send(ctx, old)
	if simulation, err := l.Simulate(ctx, old); err != nil || simulation.OK || !strings.Contains(simulation.Detail, "one-time number") {
		t.Errorf("Simulate() of a used nonce = %+v, %v; want that the one-time number is used", simulation, err)
	}
	if err := l.Execute(ctx, sign(t, second.Value, []wallet{l.payer}, advance, transfer)); err != nil {
		t.Error(err)
	}
	if got, err := l.Balance(ctx, to.PublicKey); err != nil || got != lamportsPerSOL {
		t.Errorf("%d lamports arrived, %v", got, err)
	}

	heir := newWallet(t)
	l.execute(t, []wallet{l.payer}, systemprogram.AuthorizeNonceAccount{
		Nonce: address, Authority: l.payer.PublicKey, NewAuthority: heir.PublicKey,
	}.Instruction())
	if got := l.nonce(t, address).Authority; got != heir.PublicKey {
		t.Errorf("the authority is %s", got)
	}
	rent, err := l.Balance(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	l.execute(t, []wallet{l.payer, heir}, systemprogram.WithdrawNonceAccount{
		Nonce: address, To: l.payer.PublicKey, Authority: heir.PublicKey, Lamports: rent,
	}.Instruction())
	if _, found, err := l.Nonce(ctx, address); err != nil || found {
		t.Errorf("the closed nonce: found %v, %v", found, err)
	}
}

// Addresses with a seed can be foretold, and anyone can send lamports there;
// CreateAccountWithSeed then always fails, AllocateWithSeed does not.
func TestNonceAtFundedAddress(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	const seed = "nonce/v1/7"
	address, err := systemprogram.AddressWithSeed(l.payer.PublicKey, seed, solana.SystemProgramID)
	if err != nil {
		t.Fatal(err)
	}
	l.Fund(t, address.String(), 890_880)
	rent, err := l.MinimumBalance(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		t.Fatal(err)
	}
	recent, err := l.LatestBlockhash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = l.Execute(ctx, sign(t, recent, []wallet{l.payer}, systemprogram.CreateAccountWithSeed{
		Payer: l.payer.PublicKey, Account: address, Base: l.payer.PublicKey, Seed: seed,
		Lamports: rent, Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
	}.Instruction()))
	if err == nil || !strings.Contains(err.Error(), "already in use") {
		t.Errorf("creating it: %v", err)
	}
	l.execute(t, []wallet{l.payer},
		systemprogram.Transfer{From: l.payer.PublicKey, To: address, Lamports: rent - 890_880}.Instruction(),
		systemprogram.AllocateWithSeed{
			Account: address, Base: l.payer.PublicKey, Seed: seed,
			Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.InitializeNonceAccount{Nonce: address, Authority: l.payer.PublicKey}.Instruction())
	if got := l.nonce(t, address).Authority; got != l.payer.PublicKey {
		t.Errorf("the authority is %s", got)
	}
}

func TestOutcomesOnTheChain(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	recent, err := l.LatestBlockhash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	to := newWallet(t)
	good := sign(t, recent, []wallet{l.payer}, systemprogram.Transfer{From: l.payer.PublicKey, To: to.PublicKey, Lamports: lamportsPerSOL}.Instruction())
	for range 2 { // The same transaction twice is carried out once.
		if err := l.Execute(ctx, good); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := l.Balance(ctx, to.PublicKey); err != nil || got != lamportsPerSOL {
		t.Errorf("%d lamports arrived, %v", got, err)
	}
	bad := sign(t, recent, []wallet{l.payer}, systemprogram.Transfer{From: l.payer.PublicKey, To: to.PublicKey, Lamports: 1 << 62}.Instruction())
	if err := l.Execute(ctx, bad); err == nil || !strings.Contains(err.Error(), "Instruction 1 failed: The paying account does not have enough SOL.") {
		t.Errorf("too much money: %v", err)
	}
	statuses, err := l.Statuses(ctx, signatureOf(t, good), solana.Signature{1}, signatureOf(t, bad))
	if err != nil {
		t.Fatal(err)
	}
	if s := statuses[0]; !s.At(solanarpc.Confirmed) || s.Err != nil || s.Slot == 0 {
		t.Errorf("the good one: %+v", s)
	}
	if statuses[1].Found {
		t.Error("one that never was is found")
	}
	if s := statuses[2]; s.Found && s.Err == nil {
		t.Errorf("the bad one: %+v", s)
	}
	notMint, err := l.Simulate(ctx, sign(t, recent, []wallet{l.payer},
		token2022.MintTo{Mint: to.PublicKey, Account: to.PublicKey, Authority: l.payer.PublicKey, Amount: 1}.Instruction()))
	if err != nil || notMint.OK || notMint.Reason != transaction.ProgramError || len(notMint.Logs) == 0 {
		t.Errorf("Simulate() of a transaction that mints to a wallet = %+v, %v; want ProgramError with logs", notMint, err)
	}
}

func signatureOf(t *testing.T, tx []byte) solana.Signature {
	t.Helper()
	var s solana.Signature
	copy(s[:], tx[1:])
	return s
}

func TestNetwork(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	if err := l.Health(ctx); err != nil {
		t.Error(err)
	}
	if hash, err := l.Genesis(ctx); err != nil || hash.IsZero() {
		t.Errorf("Genesis() = %s, %v; want a hash", hash, err)
	}
	if rent, err := l.MinimumBalance(ctx, 0); err != nil || rent != 890_880 {
		t.Errorf("MinimumBalance(0) = %d, %v; want 890880", rent, err)
	}
	if stored, found, err := l.Account(ctx, l.payer.PublicKey); err != nil || !found || stored.Owner != solana.SystemProgramID || len(stored.Data) != 0 {
		t.Errorf("Account() of the payer = %+v, %t, %v; want a wallet", stored, found, err)
	}
}
