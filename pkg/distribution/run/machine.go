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

// Machine advances runs. Any number of machines may work on the same run, because every step is a
// conditional write. A machine that loses a race reads again.
type Machine struct {
	Store    Store
	Payments payout.Store
	Engine   Engine
	Claims   Claims
	// Handovers are the hand-overs of tokens; nil if the program hands nothing over.
	// Notary is the signer's memory of the orders.
	Handovers Handovers
	Notary    Notary
	Tokens    Tokens
	Origins   Origins
	Chain     Chain
	Holders   Holders
	Books     Books
	// Venue sells tokens; nil if no venue is configured.
	Venue exchange.Venue
	// Vaults are the owners of the tokens in every pool of the markets' programs; see Token.Vaults.
	// Vaults apply to every token, so a pool without a record yet never shares.
	Vaults []solana.PublicKey
	// Chunks accepts the chunks of a phase. If a phase has only one chunk at a time, the machine
	// itself works on the chunk.
	Chunks Hand
	// Chunk is the maximum number of batches in a chunk; zero means payout.MaxStripe.
	Chunk int
	Rooms Rooms
	Costs Costs
	// Payouts is the version of the transactions that pay holders, if the node accepts the version.
	// Runs with planned payments keep their version.
	Payouts payout.Version
	// Recovered is the time since which no other stack signs for the wallets, in a stack recovered
	// from backups; zero in any other stack. See Head.Stopped.
	Recovered time.Time
	Now       func() time.Time
	Log       *slog.Logger
	// last reports that open opens the last distribution before a hand-over, or a distribution of the
	// tokens that the wallet has after the hand-over.
	last bool
}

// Engine moves money; see payout.Engine.
type Engine interface {
	// Require creates the accounts that the wallet lacks, and returns Done once all accounts exist.
	Require(ctx context.Context, r payout.WalletRequirements) (payout.Next, error)
	// Advance advances a payment that is not a batch by one safe step.
	Advance(ctx context.Context, wallet token.Wallet, payment payout.Payment, build Build) (payout.Payment, payout.Next, error)
	// Cancel cancels a payment unless the payment has begun.
	Cancel(ctx context.Context, payment payout.Payment, reason payout.Reason, detail string) (payout.Payment, error)
	// Work advances the batches of a chunk by one safe step.
	Work(ctx context.Context, work payout.Work) (payout.Next, error)
	// Return closes the receipts of decided payments.
	Return(ctx context.Context, r payout.Returning) (payout.Next, error)
	// Takes reports whether the node accepts transactions of version 1.
	Takes(ctx context.Context, wallet token.Wallet) (bool, error)
	// Signed returns the transaction of a landed payment.
	Signed(ctx context.Context, payment payout.Payment) ([]byte, error)
	// Resolve writes the end of an undecided payment, as all providers or the word say. It returns
	// payout.ErrUndecided if neither decides.
	Resolve(ctx context.Context, wallet token.Wallet, p payout.Payment, word payout.Word) (payout.Payment, error)
	// Stop freezes a token whose ledger is older than its journal, and raises the alarm.
	Stop(ctx context.Context, mint solana.PublicKey, run string, cause error) error
}

// Rooms bounds the outflow of wallets; see signing.Caps.
type Rooms interface {
	// Room returns the amount of an asset that payments of a token's active run can move now, in
	// base units. A run plans within this amount and carries the rest, so that a run never waits
	// for a limit.
	Room(ctx context.Context, mint solana.PublicKey, run string, asset terms.Asset) (uint64, error)
}

// Build returns the content of a payment, at the binding.
type Build = func(ctx context.Context) (payout.Payload, error)

// Tokens reads token records.
type Tokens interface {
	// TokenAt returns a token with the settings as of a slot. It returns token.ErrSettingsUnknown
	// if the settings of the slot are not stored any more.
	TokenAt(ctx context.Context, mint solana.PublicKey, slot time.Time) (token.Record, error)
}

// Origins compares records with creators' signatures; see package origin.
type Origins interface {
	// Check returns origin.ErrForged if a record differs from the creator's signed data.
	Check(ctx context.Context, r token.Record) error
}

// Chain reads accounts.
type Chain interface {
	// AccountsAt reads accounts at one finalized slot, which is from or later. A missing account is
	// nil. If the node has not reached the slot from, the error is transient.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
	// Newest returns the newest finalized transaction that names an address; zero if no transaction
	// does.
	Newest(ctx context.Context, address solana.PublicKey) (solana.Signature, error)
	// SimulateBalances simulates a transaction, and returns the balances of accounts before and
	// after.
	SimulateBalances(ctx context.Context, tx []byte, accounts []solana.PublicKey) (sim transaction.Simulation, before, after []exchange.Balance, err error)
	// Epoch returns the current epoch. A change of a token's tax takes effect at the start of an
	// epoch.
	Epoch(ctx context.Context) (uint64, error)
	// MinimumBalance returns the rent of an account of the given size, in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Holders reads the holders of a token; see package snapshot. An existing file is read, never
// written again.
type Holders interface {
	// Withheld writes the accounts with withheld tax to a file, largest amount first, and returns
	// the number of accounts to collect from.
	Withheld(ctx context.Context, r Run, choice Collectable, file string) (accounts uint32, withheld uint64, err error)
	// Snapshot writes the holders of the token to a file.
	Snapshot(ctx context.Context, r Run, file string) (Snapshot, error)
}

// ErrDoesNotAddUp is returned when the balances of a snapshot differ from the supply.
var ErrDoesNotAddUp = errors.New("the holders' balances do not add up to the supply")

// ErrDoesNotBalance is returned when the transactions and the wallet's balances do not agree. The
// error is an *Imbalance.
var ErrDoesNotBalance = errors.New("the books do not balance")

// Lack is the difference of the books in one asset, in base units.
type Discrepancy struct {
	Asset terms.Asset
	// Missing is the unexplained loss, allowed adjustments included. An adjustment may enter
	// Missing.
	Missing uint64
	// Short is the amount by which the wallet's balance is below the debts. An operator must send
	// this amount to the wallet.
	Short uint64
	Why   string
}

// Imbalance is the list of differences of the books.
type Imbalance struct{ Discrepancies []Discrepancy }

// Error returns the differences as a sentence.
func (i *Imbalance) Error() string {
	list := make([]string, len(i.Discrepancies))
	for n, lack := range i.Discrepancies {
		list[n] = lack.Why
	}
	return ErrDoesNotBalance.Error() + ": " + strings.Join(list, "; ")
}

// Is reports whether target is ErrDoesNotBalance.
func (i *Imbalance) Is(target error) bool { return target == ErrDoesNotBalance }

// Books plans the payments to holders, and proves the results.
type Books interface {
	// Plan writes the payments of a leg to a file, largest first. It is idempotent.
	Plan(ctx context.Context, r Run, order PlanOrder) (Plan, error)
	// Close creates the rows and the manifest of a run whose payments are decided, and publishes
	// the files. It returns ErrDoesNotBalance if the books do not balance.
	Close(ctx context.Context, r Run, order CloseOrder) (Closed, error)
	// Keep stores the signed transaction that anchors a proof, and returns the content ID.
	Keep(ctx context.Context, anchor []byte) (string, error)
}

// PlanOrder describes the payments of a leg to plan. Amounts are in base units of the coin.
type PlanOrder struct {
	Leg      int
	Currency Currency
	// Share is divided among holders. Share is zero for most legs of arrears.
	Share uint64
	// Worth is the minimum payment. Room is the maximum sum of all payments.
	Worth, Room uint64
	File        string
}

// Plan is the result of planning a leg.
type Plan struct {
	Payments uint32
	Due      uint64
}

// CloseOrder is the input of Close that the books cannot derive.
type CloseOrder struct {
	// Totals are the transfers since the last proof. Late is the part of Totals that had landed
	// before: see Run.Late.
	Totals   Totals
	Late     Totals
	Balances Balances
	Head     Head
	// Unlisted are the runs since the last proof that moved money and have no proof.
	Unlisted []Run
}

// Closed is a proof.
type Closed struct {
	Legs     []ClosedLeg
	Root     string // hex
	Manifest string // content ID
	Memo     string
	// The remaining fields are as in Closing.
	Owed      map[terms.Asset]uint64
	Remainder map[terms.Asset]uint64
	Reserved  map[terms.Asset]uint64
	Stated    map[terms.Asset]uint64
	Late      uint32
	Holders   *HolderFigures
}

// Hand accepts the chunks of a phase, one message for every chunk.
type Hand interface {
	Hand(ctx context.Context, work []payout.Work) error
}

// done and after are the results of steps.
var done = payout.Next{Done: true}

func after(d time.Duration) payout.Next { return payout.Next{After: d} }

const (
	// pollPause is the pause before a step that waits for another process, and the maximum pause
	// before the next request for a slot that is due.
	pollPause = 5 * time.Second
	// retryPause is the pause before a failed exchange is tried again.
	retryPause = 20 * time.Second
	// nextSlot is the minimum pause before the next request for a slot that is due. A slot takes
	// 200 ms.
	nextSlot = 200 * time.Millisecond
	// maxTries is the maximum number of tries of an exchange before the exchange is deferred.
	maxTries = 3
	// sweepLeg is the leg of the collection that only empties the mint.
	sweepLeg = 1
)

// Run opens the run of a slot, or advances the active run by one step. The tax of slots during an
// active run becomes part of the next run. A zero slot opens no run. Without an active run, Run
// first checks undecided payments of earlier runs. Run may be called any number of times.
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
			return after(0), nil // another worker has opened the run
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

// step does the next step of the run's status.
func (m Machine) step(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if head.Stopped(m.Recovered) {
		return done, nil // until an operator has investigated
	}
	if r.Release != nil {
		return m.releasing(ctx, head, r)
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

// save writes a run that has a new fact. The next step may follow at once.
func (m Machine) save(ctx context.Context, r Run) (payout.Next, error) {
	if err := m.Store.Save(ctx, r); err != nil {
		return payout.Next{}, err
	}
	return after(0), nil
}

// end writes the end of a run without a proof. The run's transfers are added to the transfers of
// the next proof.
func (m Machine) end(ctx context.Context, head Head, r Run, end End) (payout.Next, error) {
	moved, err := Sum(ctx, m.Payments, r)
	if err != nil {
		return payout.Next{}, err
	}
	end.At = m.Now().UTC()
	r.End = &end
	head.Active = time.Time{}
	head.HandedOver = head.handed(r)
	if r.Kind() == Distribution || end.Code == CodeBooks { // the code names the run to resume
		r.End.Again, head.Ended = head.Ended == end.Code, end.Code
	}
	// A run with unbalanced books is resumed and gets its own proof: see Store.Reopen.
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

// payment returns the ledger's record of a payment that is not a batch, or the plan if the ledger
// has no record.
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

// Requirements returns the accounts that the run's wallet needs.
func (r Run) Requirements() payout.WalletRequirements {
	g := payout.WalletRequirements{Run: r.ID, Mint: r.Mint, Wallet: r.Token.Wallet}
	for _, coin := range r.coins() {
		g.Accounts = append(g.Accounts, payout.TokenAccount{Mint: coin.Asset.Mint(), Program: coin.Program})
	}
	return g
}

// requirements returns Requirements at the beginning of the run. A claim omits accounts of assets
// without debts, such as a new reward.
func (r Run) requirements(head Head) payout.WalletRequirements {
	g := r.Requirements()
	g.Accounts = slices.DeleteFunc(g.Accounts, func(a payout.TokenAccount) bool { return r.Kind() != Distribution && !head.owes(terms.Asset(a.Mint)) })
	return g
}

// owes reports whether the token has debts in an asset.
func (h Head) owes(asset terms.Asset) bool { return h.Owed[asset] > 0 || h.CreatorOwed[asset] > 0 }

// cancel cancels a payment of the run that is not a batch. begun reports that the payment has
// begun, so the run has to continue the payment.
func (m Machine) cancel(ctx context.Context, r Run, kind payout.Kind, leg int, reason payout.Reason, why string) (begun bool, err error) {
	p, err := m.Engine.Cancel(ctx, payout.Payment{ID: payout.ID{Run: r.ID, Kind: kind, Leg: leg}, Mint: r.Mint}, reason, why)
	return p.Status() != payout.Cancelled, err
}
