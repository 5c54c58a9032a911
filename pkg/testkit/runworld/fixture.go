package runworld

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Fixture is a launched token and its distributions.
type Fixture struct {
	*Env
	Clock   *fault.Clock
	Heights *payouttest.Heights
	// Token is the record that runs read; tests change its settings.
	Token token.Record
	// Payouts is the version of the transactions that pay holders.
	Payouts payout.Version
	// Chunk is the machines' maximum number of batches in a chunk.
	Chunk int
	// Queued lets endpoints queue short waits, too, so that each step is a separate message.
	Queued  bool
	Creator solana.PrivateKey
	// Runs and Payments read the ledger without faults.
	Runs     ledgertable.Runs
	Payments ledgertable.Payments
	Orders   ledgertable.Claims
	// Log is the log of the workers.
	Log telemetrytest.Log
	// Prepare, if set, changes each worker before its start.
	Prepare func(*Worker)
	// Limits are the signer's limits: the production limits, unless a test changes them.
	Limits signing.Limits
	// Forged is the result of the check of the record's origin.
	Forged error

	queue queue
	// seeded reports that holders were written without transactions, so that no history shows the
	// holders.
	seeded bool
	// meddled reports that balances were changed without transactions, so that every history has a
	// gap.
	meddled bool
	// told has the settings that runs received last, and their version.
	told struct {
		sync.Mutex

		settings terms.Settings
		version  int64
	}
}

// The token of every fixture: a supply of a million with 6 decimals and a tax of 5 percent.
const (
	Decimals = 6
	Supply   = 1_000_000_000_000
	FeeBps   = 500
	// Funding is the initial balance of the distribution wallet, in lamports.
	Funding = 20_000_000
)

// Fixture launches a token with the default settings, every five minutes, and lets the maker pay 1
// SOL for 1,000 tokens.
func (g *Env) Fixture(t testing.TB) *Fixture {
	t.Helper()
	return g.Taxed(t, FeeBps)
}

// Taxed is Fixture with a tax of feeBps.
func (g *Env) Taxed(t testing.TB, feeBps int) *Fixture {
	t.Helper()
	db := dynamo.New(g.Config(nil))
	// Use the real time, because the chain and the maker have real clocks.
	now := time.Now().UTC().Truncate(time.Millisecond)
	w := &Fixture{
		Env: g, Clock: fault.NewClock(now), Creator: solana.NewWallet().PrivateKey,
		Payments: ledgertable.Payments{Client: db, Table: g.Table}, Orders: ledgertable.Claims{Client: db, Table: g.Table},
		Limits: signing.DefaultLimits,
	}
	w.Runs = ledgertable.Runs{Client: db, Table: g.Table, Now: w.Clock.Now}
	w.queue.now = w.Clock.Now
	w.Heights = payouttest.NewHeights(w.Clock.Now, 400*time.Millisecond)
	w.Heights.Block = func() { w.Ledger.PassSlots(t, 1) }
	id := uuid.NewString()
	address, err := g.Derivation(g.Config(nil)).Address(t.Context(), id)
	must.Do(t, err)
	mint := solana.NewWallet().PrivateKey
	settings := terms.Default(w.Creator.PublicKey())
	settings.Interval = terms.Every5Minutes
	w.Token = token.Record{
		ID: uuid.NewString(), Mint: mint.PublicKey(), Creator: w.Creator.PublicKey(), Name: "Tidal", Symbol: "TIDE",
		Status: token.Confirmed, Visible: true, Decimals: Decimals, Supply: Supply, TransferFeeBps: feeBps,
		Wallet: token.Wallet{ID: id, Address: address}, Settings: settings, SettingsVersion: terms.LaunchVersion, CreatedAt: now,
	}
	w.launch(t, mint)
	g.Launched(w.Token.Mint, w.Token.Creator)
	g.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 1_000_000_000, Out: solana.LAMPORTS_PER_SOL})
	g.Maker.Now = w.Clock.Now
	return w
}

func (w *Fixture) launch(t testing.TB, mint solana.PrivateKey) {
	t.Helper()
	// A launch without a metadata file promises nothing to holders. Tests change the settings of the
	// launch directly, so a file would contradict the proofs.
	const uri = ""
	w.Pay(t, w.Creator.PublicKey(), solana.LAMPORTS_PER_SOL)
	rent, err := w.Node.MinimumBalance(t.Context(), token2022.MintSize(w.Token.Name, w.Token.Symbol, uri))
	must.Do(t, err)
	steps, err := creation.Creation{
		Payer: w.Creator.PublicKey(), Mint: mint.PublicKey(), DistributionWallet: w.Token.Wallet.Address,
		Name: w.Token.Name, Symbol: w.Token.Symbol, URI: uri, Decimals: Decimals, Supply: Supply,
		TransferFeeBps:  uint16(w.Token.TransferFeeBps), //nolint:gosec // at most 10,000
		FundingLamports: Funding, MintRentLamports: rent,
	}.Steps()
	must.Do(t, err)
	var instructions []solana.Instruction
	for _, step := range steps {
		instructions = append(instructions, step.Instruction)
	}
	w.Execute(t, []solana.PrivateKey{w.Creator, mint}, instructions...)
	w.Token.Signature, err = w.Node.Newest(t.Context(), w.Token.Mint)
	must.Do(t, err)
}

// Pay sends lamports of the bank to an address.
func (w *Fixture) Pay(t testing.TB, to solana.PublicKey, lamports uint64) {
	t.Helper()
	w.Execute(t, nil, systemprogram.Transfer{From: w.Bank.PublicKey(), To: to, Lamports: lamports}.Instruction())
}

// Account returns the address of an owner's account of the token.
func (w *Fixture) Account(t testing.TB, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, w.Token.Mint, solana.Token2022ProgramID)
	must.Do(t, err)
	return address
}

// Give transfers tokens of the creator to an owner, whose account withholds the tax. The owner then
// has SOL for rent.
func (w *Fixture) Give(t testing.TB, to solana.PublicKey, amount uint64) {
	t.Helper()
	create, account, err := token2022.CreateAssociatedIdempotent{
		Payer: w.Bank.PublicKey(), Wallet: to, Mint: w.Token.Mint, Program: solana.Token2022ProgramID,
	}.Instruction()
	must.Do(t, err)
	w.Execute(t, []solana.PrivateKey{w.Bank, w.Creator}, create, token2022.TransferChecked{
		Source: w.Account(t, w.Creator.PublicKey()), Mint: w.Token.Mint, Destination: account, Owner: w.Creator.PublicKey(),
		Amount: amount, Decimals: Decimals,
	}.Instruction())
}

// Holders creates owners with an existing wallet. The i-th owner receives i times the amount, i
// from 1.
func (w *Fixture) Holders(t testing.TB, n int, amount uint64) []solana.PublicKey {
	t.Helper()
	const rent = 890_880
	list := make([]solana.PublicKey, n)
	for i := range list {
		list[i] = solana.NewWallet().PublicKey()
		w.Pay(t, list[i], rent)
		w.Give(t, list[i], amount*uint64(i+1))
	}
	return list
}

// Lamports returns the balance of an address.
func (g *Env) Lamports(t testing.TB, address solana.PublicKey) uint64 {
	t.Helper()
	lamports, err := g.Node.Balance(t.Context(), address)
	must.Do(t, err)
	return lamports
}

// Tokens returns an owner's balance of a mint in the associated account; zero without an account.
func (g *Env) Tokens(t testing.TB, owner, mint, program solana.PublicKey) uint64 {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, mint, program)
	must.Do(t, err)
	account, found, err := g.Node.Account(t.Context(), address)
	must.Do(t, err)
	if !found {
		return 0
	}
	state, err := token2022.DecodeAccount(account.Owner, account.Data)
	must.Do(t, err)
	return state.Amount
}

// Supply returns the supply of the token.
func (w *Fixture) Supply(t testing.TB) uint64 {
	t.Helper()
	stored, _, err := w.Node.Account(t.Context(), w.Token.Mint)
	must.Do(t, err)
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	must.Do(t, err)
	return mint.Supply
}

// record returns the token for runs. Settings that a test has changed get a new version.
func (w *Fixture) record(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	if mint != w.Token.Mint {
		return token.Record{}, fmt.Errorf("%s: %w", mint, token.ErrNotFound)
	}
	w.told.Lock()
	defer w.told.Unlock()
	if w.Token.Settings != w.told.settings {
		w.told.settings = w.Token.Settings
		w.told.version++
	}
	told := w.Token
	told.SettingsVersion = w.told.version
	return told, nil
}

type records func(context.Context, solana.PublicKey) (token.Record, error)

// TokenAt returns a record, whatever the slot, because tests change settings between slots.
func (f records) TokenAt(ctx context.Context, mint solana.PublicKey, _ time.Time) (token.Record, error) {
	return f(ctx, mint)
}

// Check accepts the record, because the service did not launch the fixture's token. The tests of
// package origin use launched tokens.
func (w *Fixture) Check(context.Context, token.Record) error { return w.Forged }
