package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Machine advances runs. Any number of machines may work on the same run: each
// step is written with a condition, and a loser reads again.
type Machine struct {
	Store    Store
	Payments payout.Store
	Engine   Engine
	Claims   Claims
	Tokens   Tokens
	Origins  Origins
	Chain    Chain
	Holders  Holders
	Books    Books
	// Venue is where tokens are sold; nil when there is nowhere to sell them.
	Venue exchange.Venue
	// Vaults own the tokens in whatever pool the markets' programs have; see
	// Token.Vaults. They count for every token, so that a pool of which no record says
	// anything yet never shares.
	Vaults []solana.PublicKey
	// Stripes takes the stripes of a phase, unless they come one by one: those are worked on by the
	// machine itself.
	Stripes Hand
	// Stripe is the maximum number of batches in a stripe; zero: payout.MostStripe.
	Stripe int
	Rooms  Rooms
	Costs  Costs
	// Payouts is the version of transactions that holders are paid by, where the node
	// takes it. Runs whose payments are planned keep theirs.
	Payouts payout.Version
	// Recovered is since when no other stack signs for the wallets, in a stack that was made
	// of copies; zero in any other. See Head.Stopped.
	Recovered time.Time
	Now       func() time.Time
	Log       *slog.Logger
}

// Engine moves money; see payout.Engine.
type Engine interface {
	// Require makes the accounts that the wallet lacks, and says done then.
	Require(ctx context.Context, r payout.WalletRequirements) (payout.Next, error)
	// Advance brings a payment that is no batch one safe step further.
	Advance(ctx context.Context, wallet token.Wallet, payment payout.Payment, build Build) (payout.Payment, payout.Next, error)
	// Cancel decides that a payment is not made, unless it was begun.
	Cancel(ctx context.Context, payment payout.Payment, reason payout.Reason, detail string) (payout.Payment, error)
	// Work brings the batches of a stripe one safe step further.
	Work(ctx context.Context, work payout.Work) (payout.Next, error)
	// Return closes the receipts of payments that are at their end.
	Return(ctx context.Context, r payout.Returning) (payout.Next, error)
	// Takes says whether the node carries out transactions of version 1.
	Takes(ctx context.Context, wallet token.Wallet) (bool, error)
	// Signed gives the transaction of a payment that landed.
	Signed(ctx context.Context, payment payout.Payment) ([]byte, error)
	// Resolve writes the end of a payment that is undecided, as all providers or the word say,
	// or fails with payout.ErrUndecided.
	Resolve(ctx context.Context, wallet token.Wallet, p payout.Payment, word payout.Word) (payout.Payment, error)
	// Stop freezes a token whose ledger is older than its journal, and raises the alarm.
	Stop(ctx context.Context, mint solana.PublicKey, run string, cause error) error
}

// Rooms bounds what may leave wallets; see signing.Caps.
type Rooms interface {
	// Room returns what payments of a token's active run can move now of an asset, in base
	// units. A run plans within that and carries the rest, so that it never waits for a limit.
	Room(ctx context.Context, mint solana.PublicKey, run string, asset terms.Asset) (uint64, error)
}

// Build gives what a payment is to do, when it is bound.
type Build = func(ctx context.Context) (payout.Payload, error)

// Tokens reads token records.
type Tokens interface {
	// TokenAt gives a token with its settings as they stood at a slot. It fails with
	// token.ErrSettingsUnknown when they are not kept any more.
	TokenAt(ctx context.Context, mint solana.PublicKey, slot time.Time) (token.Record, error)
}

// Origins holds records to what creators signed; see package origin.
type Origins interface {
	// Check fails with origin.ErrForged when a record is not what its creator signed.
	Check(ctx context.Context, r token.Record) error
}

// Chain reads accounts.
type Chain interface {
	// Holdings reads accounts at one finalized slot, which is from or later; nil where
	// there is none. A node that has not come so far is an error that passes.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
	// Newest gives the newest finalized transaction that names an address; zero when there
	// is none.
	Newest(ctx context.Context, address solana.PublicKey) (solana.Signature, error)
	// SimulateBalances says what a transaction would do to accounts.
	SimulateBalances(ctx context.Context, tx []byte, accounts []solana.PublicKey) (sim transaction.Simulation, before, after []exchange.Balance, err error)
	// Epoch is the present epoch, in which a change of a token's tax may begin to hold.
	Epoch(ctx context.Context) (uint64, error)
	// MinimumBalance is the rent of an account of so many bytes, in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Holders reads who holds a token; see package snapshot. A file that is there is
// read, never made again.
type Holders interface {
	// Withheld writes down the accounts with withheld tax, most first, and says how many
	// of them are collected from.
	Withheld(ctx context.Context, r Run, choice Collectable, file string) (accounts uint32, withheld uint64, err error)
	// Snapshot writes down who holds the token.
	Snapshot(ctx context.Context, r Run, file string) (Snapshot, error)
}

// ErrDoesNotAddUp: the balances of a snapshot are not the supply.
var ErrDoesNotAddUp = errors.New("the holders' balances do not add up to the supply")

// ErrDoesNotBalance: what the transactions did and what the wallet has do not
// agree. It is an *Imbalance.
var ErrDoesNotBalance = errors.New("the books do not balance")

// Lack says in what the books of an asset do not balance, in base units.
type Lack struct {
	Asset terms.Asset
	// Missing is what is gone and nothing explains, what is allowed already included: an
	// adjustment may enter it.
	Missing uint64
	// Short is what the wallet has less than it holds for others: it must be sent there.
	Short uint64
	Why   string
}

// Imbalance is what all assets lack.
type Imbalance struct{ Lacks []Lack }

// Error says it in a sentence.
func (i *Imbalance) Error() string {
	list := make([]string, len(i.Lacks))
	for n, lack := range i.Lacks {
		list[n] = lack.Why
	}
	return ErrDoesNotBalance.Error() + ": " + strings.Join(list, "; ")
}

// Is says that it is ErrDoesNotBalance.
func (i *Imbalance) Is(target error) bool { return target == ErrDoesNotBalance }

// Books plans who is paid what, and proves what became of it.
type Books interface {
	// Plan writes the payments of a leg to a file, largest first. It is idempotent.
	Plan(ctx context.Context, r Run, order PlanOrder) (Plan, error)
	// Close makes the rows and the manifest of a run whose movements are decided, and
	// keeps them as files that anyone can read. It fails with ErrDoesNotBalance.
	Close(ctx context.Context, r Run, order CloseOrder) (Closed, error)
	// Keep keeps the signed transaction that anchors a proof, and gives its content id.
	Keep(ctx context.Context, anchor []byte) (string, error)
}

// PlanOrder describes the payments of a leg to plan. Amounts are in base units of the coin.
type PlanOrder struct {
	Leg  int
	Coin Coin
	// Share is divided among holders, zero for most legs of arrears.
	Share uint64
	// Worth is the smallest payment, and Room the maximum of all payments together.
	Worth, Room uint64
	File        string
}

// Plan is what a leg is to pay.
type Plan struct {
	Payments uint32
	Due      uint64
}

// CloseOrder is what the books cannot know by themselves.
type CloseOrder struct {
	// Totals is what moved since the last proof, and Late the part of it that had moved
	// before: see Run.Late.
	Totals   Totals
	Late     Totals
	Balances Balances
	Head     Head
	// Unlisted are the runs since the last proof that moved something and came to none.
	Unlisted []Run
}

// Closed is a proof.
type Closed struct {
	Legs     []ClosedLeg
	Root     string // hex
	Manifest string // content id
	Memo     string
	// The others are as in Closing.
	Owed      map[terms.Asset]uint64
	Remainder map[terms.Asset]uint64
	Reserved  map[terms.Asset]uint64
	Stated    map[terms.Asset]uint64
	Late      uint32
}

// Hand takes the stripes of a phase: one message each.
type Hand interface {
	Hand(ctx context.Context, work []payout.Work) error
}

// Done and after: what a step asks for.
var done = payout.Next{Done: true}

func after(d time.Duration) payout.Next { return payout.Next{After: d} }

const (
	// pollPause is the pause before a step that waits for another process, and the longest before
	// the chain is asked again for a slot that is due.
	pollPause = 5 * time.Second
	// retryPause is the pause before an exchange that failed is tried again.
	retryPause = 20 * time.Second
	// nextSlot is the shortest pause before the chain is asked again for a slot that is due: a slot
	// takes 200 ms.
	nextSlot = 200 * time.Millisecond
	// maxTries is how often an exchange is tried before it is put off.
	maxTries = 3
	// sweepLeg is the leg of the collection that only empties the mint.
	sweepLeg = 1
)

// Run opens the run of a slot, or brings the active one a step further: slots
// that come while a run is at work are part of the next. A zero slot opens
// nothing. Undecided payments of earlier runs are looked at first where none is active. It
// may be called any number of times.
func (m Machine) Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (payout.Next, error) {
	head, err := m.Store.Head(ctx, mint)
	if err != nil {
		return payout.Next{}, fmt.Errorf("read the head of %s: %w", mint, err)
	}
	head.Mint = mint
	if head.Active.IsZero() {
		head, err = m.lookAgain(ctx, head)
		if errors.Is(err, ErrConflict) {
			return after(0), nil
		}
		if err != nil {
			return payout.Next{}, err
		}
		if slot.IsZero() || !slot.After(head.LastSlot) {
			return done, nil
		}
		next, err := m.open(ctx, head, slot)
		if errors.Is(err, ErrConflict) {
			return after(0), nil // another worker has opened it
		}
		return next, err
	}
	r, err := m.Store.Run(ctx, mint, head.Active)
	if err != nil {
		return payout.Next{}, fmt.Errorf("read the active run of %s: %w", mint, err)
	}
	next, err := m.step(ctx, head, r)
	if err == nil && r.Kind() != Distribution && slot.After(head.LastSlot) && !head.Stopped(m.Recovered) {
		if next.Done {
			return after(0), nil // the slot had to wait for the claim
		}
		return after(min(next.After, pollPause)), nil
	}
	switch {
	case errors.Is(err, ErrConflict), errors.Is(err, payout.ErrConflict):
		return after(0), nil
	case errors.Is(err, payout.ErrRestored):
		return done, m.Engine.Stop(ctx, mint, r.ID, err)
	}
	if err != nil {
		return payout.Next{}, fmt.Errorf("run %s of %s, %s: %w", r.ID, mint, r.Status(), err)
	}
	return next, nil
}

// step does what comes next in the run's state.
func (m Machine) step(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if head.Stopped(m.Recovered) {
		return done, nil // until people have looked
	}
	switch r.Status() {
	case Opened:
		return m.begin(ctx, head, r)
	case InCollecting:
		return m.collect(ctx, head, r)
	case Snapshotting:
		return m.snapshot(ctx, head, r)
	case Burning:
		return m.burn(ctx, head, r)
	case Exchanging:
		return m.exchange(ctx, head, r)
	case Paying:
		return m.pay(ctx, head, r)
	case Settled, Skipped, Failed:
	}
	return done, nil
}

// save writes a run that has a new fact; the next step may follow at once.
func (m Machine) save(ctx context.Context, r Run) (payout.Next, error) {
	if err := m.Store.Save(ctx, r); err != nil {
		return payout.Next{}, err
	}
	return after(0), nil
}

// end writes how a run ended before its time. What it has moved is added to what
// the next proof accounts for.
func (m Machine) end(ctx context.Context, head Head, r Run, end End) (payout.Next, error) {
	moved, err := Sum(ctx, m.Payments, r)
	if err != nil {
		return payout.Next{}, err
	}
	end.At = m.Now().UTC()
	r.End = &end
	head.Active = time.Time{}
	if r.Kind() == Distribution || end.Code == CodeBooks { // by which an operator finds what is to be resumed
		r.End.Again, head.Ended = head.Ended == end.Code, end.Code
	}
	// A run that had paid is resumed, and comes to a proof of its own: see Store.Reopen.
	if end.Code != CodeBooks {
		head.Unproven = head.Unproven.Plus(moved)
		if moved.ChainSlot > 0 {
			head.Unlisted = append(head.Unlisted, r.Slot)
		}
		if moved.Lent > 0 {
			head.Unreturned = append(head.Unreturned, r.receipts()...)
		}
	}
	if err := m.Store.End(ctx, r, head); err != nil {
		return payout.Next{}, err
	}
	m.ended(ctx, r)
	return done, nil
}

// payment gives what the ledger has of a payment that is no batch, and, when it has
// nothing, the payment as it is to be.
func (m Machine) payment(ctx context.Context, r Run, kind payout.Kind, leg int) (payout.Payment, error) {
	return m.paymentOf(ctx, r, payout.ID{Run: r.ID, Kind: kind, Leg: leg})
}

func (m Machine) paymentOf(ctx context.Context, r Run, id payout.ID) (payout.Payment, error) {
	stored, err := m.Payments.Payment(ctx, id)
	if errors.Is(err, payout.ErrNotFound) {
		return payout.Payment{ID: id, Mint: r.Mint}, nil
	}
	return stored, err
}

// Requirements are what the run's wallet needs.
func (r Run) Requirements() payout.WalletRequirements {
	g := payout.WalletRequirements{Run: r.ID, Mint: r.Mint, Wallet: r.Token.Wallet}
	for _, coin := range r.coins() {
		g.Accounts = append(g.Accounts, payout.TokenAccount{Mint: coin.Asset.Mint(), Program: coin.Program})
	}
	return g
}

// requirements are Requirements when the run begins: a claim makes no account of what nothing
// is owed in, such as a reward that is new.
func (r Run) requirements(head Head) payout.WalletRequirements {
	g := r.Requirements()
	g.Accounts = slices.DeleteFunc(g.Accounts, func(a payout.TokenAccount) bool { return r.Kind() != Distribution && !head.owes(terms.Asset(a.Mint)) })
	return g
}

// owes says whether anything is owed in an asset.
func (h Head) owes(asset terms.Asset) bool { return h.Owed[asset] > 0 || h.CreatorOwed[asset] > 0 }

// cancel decides that a payment of the run which is no batch is not made. begun says that
// it was begun: then the run has to go on with it.
func (m Machine) cancel(ctx context.Context, r Run, kind payout.Kind, leg int, reason payout.Reason, why string) (begun bool, err error) {
	p, err := m.Engine.Cancel(ctx, payout.Payment{ID: payout.ID{Run: r.ID, Kind: kind, Leg: leg}, Mint: r.Mint}, reason, why)
	return p.Status() != payout.Cancelled, err
}
