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

// Ledger is a Solana chain of one test's own, offline, with the native programs:
// System, Token, Token-2022, associated accounts, Memo, lookup tables, compute
// budget. Its methods fail the test when the chain refuses, and skip it when no validator
// could do that.
type Ledger struct {
	RPCURL string
	WSURL  string
	// Real says that the chain is a validator's, which finds blocks final in its own time.
	Real bool

	chain *localchain.Chain
}

// Options are those of the chain's programs, of which one is started.
type Options struct {
	Surfpool surfpool.Options
	Agave    agave.Options
}

// ChainOption changes how Chain starts the chain.
type ChainOption func(*Options)

// WithClock lets a slot pass every slotTime. Without it each transaction is a
// slot of its own, except on a validator, whose slots always take their time.
func WithClock(slotTime time.Duration) ChainOption {
	return func(o *Options) {
		o.Surfpool.BlockProduction = surfpool.ByClock
		o.Surfpool.SlotTime = slotTime
	}
}

// Chain starts a fresh chain that ends with the test: Surfpool, or the validator that the
// environment variable CHAIN asks for, see package agave. It skips the test in
// short mode and fails it when the program is not installed.
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

// Payer is a wallet with at least so many lamports. On a validator it may issue USDC and USDT.
func (l *Ledger) Payer(t testing.TB, lamports uint64) solana.PrivateKey {
	t.Helper()
	if l.chain.Issuer != nil {
		return l.chain.Issuer
	}
	payer := solana.NewWallet().PrivateKey
	l.Fund(t, payer.PublicKey().String(), lamports)
	return payer
}

// Local is the chain for what takes one outside of tests.
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

// SetAccount makes the address hold exactly this.
func (l *Ledger) SetAccount(t testing.TB, address string, account surfpool.Account) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.SetAccount(ctx, address, account) })
}

// CreateMints makes the mints of USDC and USDT exist at their mainnet addresses.
func (l *Ledger) CreateMints(t testing.TB) {
	t.Helper()
	l.do(t, l.chain.CreateMints)
}

// TimeTravel sets the chain's clock, forwards only. Blockhashes do not expire by
// it: PassSlots does that.
func (l *Ledger) TimeTravel(t testing.TB, to time.Time) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.TimeTravel(ctx, to) })
}

// PassSlots lets at least n slots pass; a blockhash lives for 150.
func (l *Ledger) PassSlots(t testing.TB, n int) {
	t.Helper()
	// A validator's slots take their time, and more on a busy machine.
	l.doWithin(t, callTimeout+time.Duration(n)*2*time.Second, func(ctx context.Context) error { return l.chain.PassSlots(ctx, n) })
}

// Call makes a JSON-RPC call and decodes its result, unless result is nil.
func (l *Ledger) Call(t testing.TB, result any, method string, params ...any) {
	t.Helper()
	l.do(t, func(ctx context.Context) error { return l.chain.Call(ctx, result, method, params...) })
}
