package audit_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"reflect"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/audit"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

type wallet struct {
	solana.PublicKey
	key ed25519.PrivateKey
}

func newWallet(t *testing.T) wallet {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return wallet{solana.PublicKeyFromBytes(public), private}
}

// taxed is a mint on a local chain with a tax of 2.5 percent and a supply of 1,000,000.
type taxed struct {
	*localnet.Ledger
	*solanarpc.Client

	mint               solana.PublicKey
	creator, collector wallet
}

// finality is more slots than a finalized one lies back.
const finality = 40

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func newTaxed(t *testing.T) taxed {
	t.Helper()
	x := taxed{Ledger: localnet.Chain(t), creator: newWallet(t), collector: newWallet(t)}
	var err error
	if x.Client, err = solanarpc.New(x.RPCURL); err != nil {
		t.Fatal(err)
	}
	x.fund(t, x.creator, x.collector)
	mint := newWallet(t)
	x.mint = mint.PublicKey
	plan := creation.Creation{
		Payer: x.creator.PublicKey, Mint: x.mint, DistributionWallet: x.collector.PublicKey,
		Name: "Taxed", Symbol: "TAX", URI: "https://example.com/m", Decimals: 6, Supply: 1_000_000,
		TransferFeeBps: 250, FeeAdjustable: true,
	}
	if plan.MintRentLamports, err = x.MinimumBalance(within(t), token2022.MintSize(plan.Name, plan.Symbol, plan.URI)); err != nil {
		t.Fatal(err)
	}
	steps, err := plan.Steps()
	if err != nil {
		t.Fatal(err)
	}
	var list []solana.Instruction
	for _, s := range steps {
		list = append(list, s.Instruction)
	}
	x.execute(t, []wallet{x.creator, mint}, list...)
	return x
}

func (x taxed) fund(t *testing.T, wallets ...wallet) {
	t.Helper()
	for _, w := range wallets {
		x.Fund(t, w.String(), 1_000_000_000)
	}
}

// execute carries instructions out; the first signer pays.
func (x taxed) execute(t *testing.T, signers []wallet, instructions ...solana.Instruction) solana.Signature {
	t.Helper()
	recent, err := x.LatestBlockhash(within(t))
	if err != nil {
		t.Fatal(err)
	}
	message, err := wire.Compile(signers[0].PublicKey, recent, instructions)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	for _, s := range signers {
		if err := tx.Sign(s.key); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Execute(within(t), tx.Bytes()); err != nil {
		t.Fatal(err)
	}
	id, _ := tx.ID()
	return id
}

// account returns a wallet's token account, which it makes.
func (x taxed) account(t *testing.T, w wallet) solana.PublicKey {
	t.Helper()
	in, address, err := token2022.CreateAssociatedIdempotent{Payer: x.creator.PublicKey, Wallet: w.PublicKey, Mint: x.mint}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	x.execute(t, []wallet{x.creator}, in)
	return address
}

func (x taxed) transfer(from solana.PublicKey, owner wallet, to solana.PublicKey, amount uint64) solana.Instruction {
	return token2022.TransferChecked{Source: from, Mint: x.mint, Destination: to, Owner: owner.PublicKey, Amount: amount, Decimals: 6}.Instruction()
}

func (x taxed) withdraw(t *testing.T, by wallet, to solana.PublicKey, sources ...solana.PublicKey) solana.Instruction {
	t.Helper()
	in, err := token2022.WithdrawWithheldFromAccounts{Mint: x.mint, Destination: to, Authority: by.PublicKey, Sources: sources}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func sum(n uint64) audit.Sum { return audit.SumOf(n) }

// The report on one of our mints, to the unit: two authorities withdraw, from the mint and
// from accounts, and spend a part.
func TestLocalMintIsReportedExactly(t *testing.T) {
	x := newTaxed(t)
	second, alice, bob := newWallet(t), newWallet(t), newWallet(t)
	x.fund(t, second)
	from, collected, own := x.account(t, x.creator), x.account(t, x.collector), x.account(t, second)
	toAlice, toBob := x.account(t, alice), x.account(t, bob)
	creator, collector := []wallet{x.creator}, []wallet{x.collector}

	x.execute(t, creator, x.transfer(from, x.creator, toAlice, 10_001)) // withholds 251
	x.execute(t, creator, x.transfer(from, x.creator, toBob, 20_000),   // 500, and 750
		token2022.TransferCheckedWithFee{
			Source: from, Mint: x.mint, Destination: toBob, Owner: x.creator.PublicKey, Amount: 30_000, Decimals: 6, Fee: 750,
		}.Instruction())
	x.execute(t, creator, token2022.HarvestWithheldToMint{Mint: x.mint, Sources: []solana.PublicKey{toAlice}}.Instruction())
	fromMint := x.execute(t, collector, token2022.WithdrawWithheldFromMint{Mint: x.mint, Destination: collected, Authority: x.collector.PublicKey}.Instruction())
	x.execute(t, collector, token2022.SetAuthority{
		Account: x.mint, Current: x.collector.PublicKey, Type: token2022.AuthorityWithdrawWithheld, New: second.PublicKey,
	}.Instruction())
	x.execute(t, []wallet{second}, x.withdraw(t, second, own, toBob))         // 1,250
	x.execute(t, collector, x.transfer(collected, x.collector, toAlice, 100), // 3
		token2022.BurnChecked{Account: collected, Mint: x.mint, Owner: x.collector.PublicKey, Amount: 51, Decimals: 6}.Instruction())
	x.execute(t, []wallet{second}, x.transfer(own, second, toAlice, 1_000)) // 25
	x.execute(t, creator, token2022.SetTransferFee{Mint: x.mint, Authority: x.creator.PublicKey, BasisPoints: 100, MaximumFee: 7}.Instruction())
	// A deposit and a withdrawal at once: 10 and 28.
	x.execute(t, []wallet{x.creator, second}, x.transfer(from, x.creator, own, 400), x.withdraw(t, second, own, toAlice))
	// The owner is not named with the mint here.
	x.execute(t, []wallet{second}, solana.NewInstruction(solana.Token2022ProgramID, solana.AccountMetaSlice{
		solana.NewAccountMeta(own, true, false), solana.NewAccountMeta(alice.PublicKey, false, false), solana.NewAccountMeta(second.PublicKey, false, true),
	}, []byte{4, 9, 0, 0, 0, 0, 0, 0, 0}))
	x.execute(t, creator, x.transfer(from, x.creator, toBob, 40)) // 1
	x.execute(t, creator, token2022.TransferCheckedWithFee{       // To itself, which withholds nothing.
		Source: from, Mint: x.mint, Destination: from, Owner: x.creator.PublicKey, Amount: 1_000, Decimals: 6, Fee: 25,
	}.Instruction())
	x.PassSlots(t, finality)

	r, err := audit.Auditor{Node: x.Client}.Audit(within(t), x.mint)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if c.Verdict != audit.Agrees {
			t.Errorf("%s %s: %s", c.Verdict, c.Name, c.Detail)
		}
	}
	if !r.History.Complete || r.History.Created == nil {
		t.Errorf("history %+v", r.History)
	}
	if want := (audit.Supply{AtCreation: sum(1_000_000), Burned: sum(51), Now: sum(999_949)}); r.Supply != want {
		t.Errorf("supply %+v", r.Supply)
	}
	if want := (audit.Tax{
		Withheld: sum(251 + 1_250 + 3 + 25 + 10 + 1), Transfers: 8, ByBalances: sum(251 + 500 + 3 + 25 + 1), Stated: sum(750), Computed: sum(10),
		Harvests: 1, Harvested: sum(251), Withdrawn: sum(251 + 1_250 + 28), InAccounts: sum(10 + 1), Listed: true,
	}); r.Tax != want {
		t.Errorf("tax %+v\nwant %+v", r.Tax, want)
	}
	type withdrawal struct {
		from               string
		authority, account solana.PublicKey
		owner              solana.PublicKey
		amount             uint64
		basis              audit.Basis
	}
	var got []withdrawal
	for _, w := range r.Withdrawals {
		got = append(got, withdrawal{w.From, w.Authority, w.Account, w.Owner, w.Amount, w.Basis})
	}
	if want := []withdrawal{
		{"mint", x.collector.PublicKey, collected, x.collector.PublicKey, 251, audit.ByBalances},
		{"accounts", second.PublicKey, own, second.PublicKey, 1_250, audit.ByBalances},
		{"accounts", second.PublicKey, own, second.PublicKey, 28, audit.ByFee},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("withdrawals %+v\nwant %+v", got, want)
	}
	if len(r.Withdrawals) > 0 && r.Withdrawals[0].Signature != fromMint {
		t.Errorf("%s withdrew, want %s", r.Withdrawals[0].Signature, fromMint)
	}
	if want := []audit.Destination{
		{Account: own, Owner: second.PublicKey, Withdrawn: sum(1_278), Left: sum(1_000), Still: sum(278)},
		{Account: collected, Owner: x.collector.PublicKey, Withdrawn: sum(251), Left: sum(151), Still: sum(100)},
	}; !reflect.DeepEqual(r.Destinations, want) {
		t.Errorf("destinations %+v\nwant %+v", r.Destinations, want)
	}
	var movements []audit.Movement
	for _, m := range r.First {
		m.First, m.Last = audit.Place{}, audit.Place{}
		movements = append(movements, m)
	}
	if want := []audit.Movement{
		{Account: own, Owner: second.PublicKey, Authority: second.PublicKey, Way: audit.Transferred, To: alice.PublicKey, Amount: sum(1_000), Times: 1},
		{Account: collected, Owner: x.collector.PublicKey, Authority: x.collector.PublicKey, Way: audit.Transferred, To: alice.PublicKey, Amount: sum(100), Times: 1},
		{Account: collected, Owner: x.collector.PublicKey, Authority: x.collector.PublicKey, Way: audit.Burned, Amount: sum(51), Times: 1},
	}; !reflect.DeepEqual(movements, want) {
		t.Errorf("movements %+v\nwant %+v", movements, want)
	}
	if len(r.FeeChanges) != 2 || r.FeeChanges[1].Fee != (audit.Fee{Bps: 100, Maximum: 7}) || r.FeeChanges[1].Authority != x.creator.PublicKey {
		t.Errorf("fees %+v", r.FeeChanges)
	}
	if n := len(r.AuthorityChanges); n != 2 || r.AuthorityChanges[0].Kind != "mint" || !r.AuthorityChanges[0].To.IsZero() ||
		r.AuthorityChanges[1].Kind != "withdraw" || r.AuthorityChanges[1].From != x.collector.PublicKey || r.AuthorityChanges[1].To != second.PublicKey {
		t.Errorf("authorities %+v", r.AuthorityChanges)
	}
	if len(r.AccountChanges) != 1 || r.AccountChanges[0].What != "delegate" || r.AccountChanges[0].Account != own || r.AccountChanges[0].To != alice.PublicKey {
		t.Errorf("account changes %+v", r.AccountChanges)
	}
	if want := []audit.Withholding{
		{Account: toBob, Owner: bob.PublicKey, Withheld: sum(1_251)},
		{Account: toAlice, Owner: alice.PublicKey, Withheld: sum(279)},
		{Account: own, Owner: second.PublicKey, Withheld: sum(10)},
	}; !reflect.DeepEqual(r.WithheldBy, want) {
		t.Errorf("withheld by %+v\nwant %+v", r.WithheldBy, want)
	}
}
