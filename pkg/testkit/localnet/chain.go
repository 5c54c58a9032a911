package localnet

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// Ledger is a Solana chain for a single test, offline, with the native programs: System, Token,
// Token-2022, associated accounts, Memo, lookup tables, compute budget. The methods fail the test
// if the chain rejects a call, and skip the test if a real validator cannot carry out the call.
type Ledger struct {
	RPCURL string
	WSURL  string
	// Real reports that a validator runs the chain, which finalizes blocks in its own time.
	Real bool

	chain *localchain.Chain
}

// Options are the options of the chain's programs. Chain starts one of the programs.
type Options struct {
	Surfpool surfpool.Options
	Agave    agave.Options
}

// ChainOption changes the start of a chain by Chain.
type ChainOption func(*Options)

// WithClock produces a slot every slotTime. Without WithClock each transaction is a slot, except on
// a validator, whose slots always take time.
func WithClock(slotTime time.Duration) ChainOption {
	return func(o *Options) {
		o.Surfpool.BlockProduction = surfpool.ByClock
		o.Surfpool.SlotTime = slotTime
	}
}

// Chain starts a fresh chain that ends with the test: Surfpool, or the validator that the
// environment variable CHAIN selects; see package agave. Chain skips the test in short mode and
// fails the test if the program is not installed.
func Chain(t testing.TB, options ...ChainOption) *Ledger {
	t.Helper()
	skipInShortMode(t, "Surfpool")
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	var o Options
	for _, option := range options {
		option(&o)
	}
	var chain *localchain.Chain
	consensus, real := agave.Asked()
	if real {
		o.Agave.Consensus = consensus
		chain, err = agave.Start(context.Background(), folder, o.Agave)
	} else {
		chain, err = surfpool.Start(context.Background(), folder, o.Surfpool)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(chain.Stop)
	return &Ledger{RPCURL: chain.RPCURL, WSURL: chain.WSURL, Real: real, chain: chain}
}

// Payer returns a wallet with at least lamports. On a validator the wallet may issue USDC and USDT.
func (l *Ledger) Payer(t testing.TB, lamports uint64) solana.PrivateKey {
	t.Helper()
	if l.chain.Issuer != nil {
		return l.chain.Issuer
	}
	payer := solana.NewWallet().PrivateKey
	l.Fund(t, payer.PublicKey().String(), lamports)
	return payer
}

// Local returns the chain for code that is not a test.
func (l *Ledger) Local() *localchain.Chain { return l.chain }

// callTimeout bounds a call to the chain.
const callTimeout = 30 * time.Second

func (l *Ledger) do(t testing.TB, call func(context.Context) error) {
	t.Helper()
	l.doWithin(t, callTimeout, call)
}

func (l *Ledger) doWithin(t testing.TB, most time.Duration, call func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	err := call(ctx)
	if errors.Is(err, localchain.ErrPower) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Fund adds lamports, at least 890,880, to the address.
func (l *Ledger) Fund(t testing.TB, address string, lamports uint64) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.Fund(ctx, address, lamports) })
}

// FundToken sets the balance of the owner's associated token account, in base
// units. tokenProgram is surfpool.TokenProgram or surfpool.Token2022Program.
func (l *Ledger) FundToken(t testing.TB, owner, mint string, amount uint64, tokenProgram string) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.FundToken(ctx, owner, mint, amount, tokenProgram) })
}

// SetAccount sets the account at the address.
func (l *Ledger) SetAccount(t testing.TB, address string, account surfpool.Account) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.SetAccount(ctx, address, account) })
}

// CreateMints creates the mints of USDC and USDT at their mainnet addresses.
func (l *Ledger) CreateMints(t testing.TB) {
	t.Helper()
	l.do(t, l.chain.CreateMints)
}

// TimeTravel sets the chain's clock, only forwards. TimeTravel does not expire blockhashes;
// PassSlots does.
func (l *Ledger) TimeTravel(t testing.TB, to time.Time) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.TimeTravel(ctx, to) })
}

// PassSlots lets at least n slots pass; a blockhash lives for 150.
func (l *Ledger) PassSlots(t testing.TB, n int) {
	t.Helper()
	// A validator's slots take time, especially on a busy machine.
	l.doWithin(t, callTimeout+time.Duration(n)*2*time.Second, func(ctx context.Context) error { return l.chain.PassSlots(ctx, n) })
}

// Call makes a JSON-RPC call and decodes its result, unless result is nil.
func (l *Ledger) Call(t testing.TB, result any, method string, params ...any) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.Call(ctx, result, method, params...) })
}
