package signing_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
)

// Tax is collected from the mint or from accounts, only into the wallet's own account.
func TestHarmlessCollections(t *testing.T) {
	var r run.Run
	wallet := solana.NewWallet().PublicKey()
	r.Mint, r.Token.Wallet = solana.NewWallet().PublicKey(), token.Wallet{Address: wallet}
	own, err := token2022.AssociatedAddress(wallet, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	sources := []solana.PublicKey{solana.NewWallet().PublicKey(), own, solana.NewWallet().PublicKey()}
	from := func(change func(*token2022.WithdrawWithheldFromAccounts)) wire.Instruction {
		w := token2022.WithdrawWithheldFromAccounts{Mint: r.Mint, Destination: own, Authority: wallet, Sources: sources}
		change(&w)
		in, err := w.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		return instruction(in)
	}
	accounts := from(func(*token2022.WithdrawWithheldFromAccounts) {})
	mint := instruction(token2022.WithdrawWithheldFromMint{Mint: r.Mint, Destination: own, Authority: wallet}.Instruction())
	harvest := instruction(token2022.HarvestWithheldToMint{Mint: r.Mint, Sources: sources}.Instruction())
	miscounted, longer, older := from(func(*token2022.WithdrawWithheldFromAccounts) {}), accounts, accounts
	miscounted.Data[2]-- // the first source becomes a signer of the authority
	longer.Data = append(longer.Data[:len(longer.Data):len(longer.Data)], 0)
	older.ProgramID = solana.TokenProgramID
	for name, c := range map[string]struct {
		does []wire.Instruction
		want bool
	}{
		"from accounts":           {[]wire.Instruction{accounts}, true},
		"and from the mint":       {[]wire.Instruction{accounts, mint}, true},
		"and to the mint":         {[]wire.Instruction{harvest, mint}, false},
		"from no account":         {[]wire.Instruction{from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Sources = nil })}, true},
		"to another's account":    {[]wire.Instruction{from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Destination = attacker })}, false},
		"to one of its sources":   {[]wire.Instruction{from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Destination = sources[0] })}, false},
		"and elsewhere":           {[]wire.Instruction{accounts, from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Destination = attacker })}, false},
		"of another mint":         {[]wire.Instruction{from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Mint = attacker })}, false},
		"by another authority":    {[]wire.Instruction{from(func(w *token2022.WithdrawWithheldFromAccounts) { w.Authority = attacker })}, false},
		"with another number":     {[]wire.Instruction{miscounted}, false},
		"with more data":          {[]wire.Instruction{longer}, false},
		"of the older program":    {[]wire.Instruction{older}, false},
		"with too few accounts":   {[]wire.Instruction{{ProgramID: solana.Token2022ProgramID, Accounts: accounts.Accounts[:2], Data: accounts.Data}}, false},
		"with no account":         {[]wire.Instruction{{ProgramID: solana.Token2022ProgramID, Data: accounts.Data}}, false},
		"from the mint elsewhere": {[]wire.Instruction{accounts, instruction(token2022.WithdrawWithheldFromMint{Mint: r.Mint, Destination: attacker, Authority: wallet}.Instruction())}, false},
	} {
		if kind, ok := signing.Harmless(r, c.does); ok != c.want || ok && kind != payout.Collect {
			t.Errorf("%s: Harmless() = %q, %v; want %v", name, kind, ok, c.want)
		}
	}
}

// TestHarmlessGuardedCollections: the tax of a token with a guardian is collected by the account of
// the three members, signed by wallet and guardian.
func TestHarmlessGuardedCollections(t *testing.T) {
	var r run.Run
	wallet, guardian := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	r.Mint, r.Token.Wallet = solana.NewWallet().PublicKey(), token.Wallet{Address: wallet}
	r.Token.Creator, r.Token.Guardian = solana.NewWallet().PublicKey(), guardian
	own, err := token2022.AssociatedAddress(wallet, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	authority := r.Collector().Authority
	for name, c := range map[string]struct {
		change func(*token2022.WithdrawWithheldFromAccounts)
		want   bool
	}{
		"by both":             {func(*token2022.WithdrawWithheldFromAccounts) {}, true},
		"elsewhere":           {func(w *token2022.WithdrawWithheldFromAccounts) { w.Destination = attacker }, false},
		"by the wallet alone": {func(w *token2022.WithdrawWithheldFromAccounts) { w.Authority, w.Signers = wallet, nil }, false},
		"by one member":       {func(w *token2022.WithdrawWithheldFromAccounts) { w.Signers = []solana.PublicKey{wallet} }, false},
		"by another guardian": {func(w *token2022.WithdrawWithheldFromAccounts) { w.Signers = []solana.PublicKey{wallet, attacker} }, false},
		"by another account":  {func(w *token2022.WithdrawWithheldFromAccounts) { w.Authority = attacker }, false},
	} {
		w := token2022.WithdrawWithheldFromAccounts{
			Mint: r.Mint, Destination: own, Authority: authority, Signers: []solana.PublicKey{wallet, guardian}, Sources: []solana.PublicKey{attacker, own},
		}
		c.change(&w)
		in, err := w.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		fromMint := token2022.WithdrawWithheldFromMint{Mint: w.Mint, Destination: w.Destination, Authority: w.Authority, Signers: w.Signers}.Instruction()
		for _, does := range [][]wire.Instruction{{instruction(in)}, {instruction(fromMint)}, {instruction(in), instruction(fromMint)}} {
			if kind, ok := signing.Harmless(r, does); ok != c.want || ok && kind != payout.Collect {
				t.Errorf("%s: Harmless() = %q, %v; want %v", name, kind, ok, c.want)
			}
		}
	}
}
