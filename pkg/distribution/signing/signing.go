// Package signing decides which messages distribution wallets sign, and produces the signatures.
// Only this package opens the wallets' keys.
//
// An order names a payment and carries the payment's message. The signer reads the ledger and signs
// the message on two conditions. The ledger must have the payment bound, in the token's active run.
// The message must do exactly what the ledger implies: create the receipt of this payment and
// generation, and contain the instructions that follow from the run's facts and plan. A venue's
// transaction cannot be predicted. Such a message must pass the exchange's rules and a simulation.
// Outflow of a wallet counts against caps before the signature.
//
// The signer does not trust the caller. Callers write the ledger, so the signer trusts the ledger
// only within the caps.
package signing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// now returns the present time.
func (c Core) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// MaxOrders is the maximum number of items in a request.
const MaxOrders = 100

// Core signs. Any number of cores may work at the same time.
type Core struct {
	Wallets  wallet.Signer
	Payments Payments
	Runs     run.Reader
	Records  payout.Records
	Chain    Chain
	Caps     Caps
	Limits   Limits
	// Programs are the programs of the venues that sell tokens. CoSigned reports whether a market
	// maker co-signs sales.
	Programs []solana.PublicKey
	CoSigned bool
	// Recovered is as in run.Machine.
	Recovered time.Time
	// Notes is the memory of hand-overs; nil if the signer hands nothing over. HandoverDelay is the
	// time between the signer's record of a creator's order and the hand-over.
	Notes         Notes
	HandoverDelay time.Duration
	Now           func() time.Time
	Log           *slog.Logger
}

// Payments reads payments; see payout.Store.
type Payments interface {
	Payment(ctx context.Context, id payout.ID) (payout.Payment, error)
}

// Chain is the subset of the RPC API that the signer needs: the effect of a sale, and the supply of
// a token.
type Chain interface {
	SimulateBalances(ctx context.Context, tx []byte, accounts []solana.PublicKey) (sim transaction.Simulation, before, after []exchange.Balance, err error)
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
	Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
	// AccountsAt is as in run.Chain.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
	// SignedLaunch is as in origin.Chain.
	SignedLaunch(ctx context.Context, signature solana.Signature) (wire.Transaction, error)
}

// RoomOrder requests the amount of an asset that payments of a token's active run can move now.
type RoomOrder struct {
	Mint  solana.PublicKey
	Run   string
	Asset terms.Asset
}

// Request asks for signatures, seeds, addresses and rooms: MaxOrders items at most in total.
type Request struct {
	Sign      []payout.Order     `json:"sign,omitempty"`
	Seeds     []payout.SeedOrder `json:"seeds,omitempty"`
	Addresses []string           `json:"addresses,omitempty"` // IDs of wallets
	Rooms     []RoomOrder        `json:"rooms,omitempty"`
	Notes     []NoteOrder        `json:"notes,omitempty"`
}

// Answer has a result for every item of the request, in order.
type Answer struct {
	Signed    []Result `json:"signed,omitempty"`
	Seeds     []Result `json:"seeds,omitempty"`
	Addresses []Result `json:"addresses,omitempty"`
	Rooms     []Result `json:"rooms,omitempty"`
	Notes     []Result `json:"notes,omitempty"`
}

// Result is the result of an item, or the cause of a failure.
type Result struct {
	Signature solana.Signature `json:"signature,omitzero"`
	Seed      string           `json:"seed,omitempty"`
	Address   solana.PublicKey `json:"address,omitzero"`
	Room      uint64           `json:"room,omitempty"` // in base units
	At        time.Time        `json:"at,omitzero"`    // from which a hand-over is signed
	// Code is empty on success. Cause is a sentence.
	Code  Code   `json:"code,omitempty"`
	Cause string `json:"cause,omitempty"`
}

// Code classifies a failure of the signer.
type Code string

// The codes.
const (
	Refused   Code = "refused" // the signer does not sign this message
	Capped    Code = "capped"  // a cap does not leave room for the outflow
	Stale     Code = "stale"   // another worker wrote first: read again
	Transient Code = "passing" // a dependency did not respond: try again
	Failed    Code = "failed"
)

// Err returns the result's error, or nil on success.
func (r Result) Err() error {
	switch r.Code {
	case "":
		return nil
	case Refused:
		return fmt.Errorf("%w: %s", payout.ErrNotSigned, r.Cause)
	case Capped:
		return fmt.Errorf("%w: %s", payout.ErrCap, r.Cause)
	case Stale:
		return fmt.Errorf("%w: %s", payout.ErrConflict, r.Cause)
	case Transient:
		return apperr.Upstream("The signer", errors.New(r.Cause))
	case Failed:
	}
	return fmt.Errorf("the signer failed: %s", r.Cause)
}

func resultOf(err error) Result {
	switch {
	case err == nil:
		return Result{}
	case errors.Is(err, payout.ErrNotSigned):
		return Result{Code: Refused, Cause: err.Error()}
	case errors.Is(err, payout.ErrCap):
		return Result{Code: Capped, Cause: err.Error()}
	case errors.Is(err, payout.ErrConflict):
		return Result{Code: Stale, Cause: err.Error()}
	case apperr.KindOf(err) == apperr.Unavailable:
		return Result{Code: Transient, Cause: err.Error()}
	}
	return Result{Code: Failed, Cause: err.Error()}
}

// stale returns the error of an order that another worker has overtaken. The error is expected.
func stale(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{payout.ErrConflict}, args...)...)
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{payout.ErrNotSigned}, args...)...)
}

// Do carries out a request. An error concerns the request as a whole.
func (c Core) Do(ctx context.Context, r Request) (Answer, error) {
	if n := len(r.Sign) + len(r.Seeds) + len(r.Addresses) + len(r.Rooms) + len(r.Notes); n > MaxOrders {
		return Answer{}, fmt.Errorf("the request asks for %d things: %d are the most", n, MaxOrders)
	}
	keys := &ring{signer: c.Wallets}
	defer keys.close()
	var a Answer
	a.Signed = c.sign(ctx, keys, r.Sign)
	a.Seeds = each(r.Seeds, func(o payout.SeedOrder) Result {
		key, err := keys.open(ctx, o.Wallet)
		if err != nil {
			return resultOf(err)
		}
		return Result{Seed: key.Seed(o.Text())}
	})
	a.Addresses = each(r.Addresses, func(id string) Result {
		address, err := c.Wallets.Derivation.Address(ctx, id)
		result := resultOf(err)
		result.Address = address
		return result
	})
	reads := &facts{runs: c.Runs, recovered: c.Recovered}
	a.Rooms = each(r.Rooms, func(o RoomOrder) Result {
		room, err := c.room(ctx, reads, o)
		result := resultOf(err)
		result.Room = room
		return result
	})
	a.Notes = each(r.Notes, func(o NoteOrder) Result {
		at, err := c.note(ctx, o)
		result := resultOf(err)
		result.At = at
		return result
	})
	return a, nil
}

// atOnce is the maximum number of concurrent items of a request.
const atOnce = 16

// each calls do concurrently for every element of list, and returns the results in order. A call
// that does not return has failed.
func each[T any](list []T, do func(T) Result) []Result {
	results := make([]Result, len(list))
	if len(list) == 1 {
		results[0] = do(list[0])
		return results
	}
	for n := range results {
		results[n] = Result{Code: Failed, Cause: "it did not come to an end"}
	}
	parallel.Each(len(list), atOnce, func(n int) { results[n] = do(list[n]) })
	return results
}

// ring is the set of a request's keys. A ring opens every key once, and closes the keys at the end
// of the request.
type ring struct {
	signer wallet.Signer
	keys   once[token.Wallet, wallet.Key]
}

func (r *ring) open(ctx context.Context, w token.Wallet) (wallet.Key, error) {
	key, err := r.keys.get(w, func() (wallet.Key, error) { return r.signer.Open(ctx, w) })
	if errors.Is(err, wallet.ErrOtherAddress) {
		return key, refuse("%v", err)
	}
	return key, err
}

func (r *ring) close() {
	for _, opened := range r.keys.made {
		opened.value.Close()
	}
}

// sign signs the orders that pass all checks.
func (c Core) sign(ctx context.Context, keys *ring, orders []payout.Order) []Result {
	reads := &facts{runs: c.Runs, recovered: c.Recovered}
	charges := make([]Charge, len(orders))
	numbers := make([]int, len(orders))
	for n := range numbers {
		numbers[n] = n
	}
	results := each(numbers, func(n int) Result {
		var err error
		charges[n], err = c.look(ctx, keys, reads, orders[n])
		return resultOf(err)
	})
	// Orders of the same run and wallet are counted together. If the sum exceeds a cap, every order
	// is counted separately.
	groups := map[string][]int{}
	for n, o := range orders {
		if results[n].Code == "" {
			group := o.Payment.Run + o.Wallet.Address.String()
			groups[group] = append(groups[group], n)
		}
	}
	var together [][]int
	for _, group := range groups {
		together = append(together, group)
	}
	each(together, func(group []int) Result {
		r, err := reads.of(ctx, orders[group[0]].Mint)
		if err == nil {
			err = c.observe(ctx, r)
		}
		if err != nil {
			for _, n := range group {
				results[n] = resultOf(err)
			}
			return Result{}
		}
		c.count(ctx, orders, charges, group, results)
		return Result{}
	})
	for n, o := range orders {
		if results[n].Code == "" {
			key, err := keys.open(ctx, o.Wallet)
			if results[n] = resultOf(err); err == nil {
				results[n].Signature = key.Sign(o.Message)
			}
		}
		c.tell(ctx, o, results[n])
	}
	return results
}

// count counts the outflow of a group of orders, and sets the results of rejected orders.
func (c Core) count(ctx context.Context, orders []payout.Order, charges []Charge, group []int, results []Result) {
	spend := Spend{Run: orders[group[0]].Payment.Run, Wallet: orders[group[0]].Wallet.Address}
	for _, n := range group {
		spend.Charges = append(spend.Charges, charges[n])
	}
	limits, err := c.limits(ctx, spend)
	if err == nil {
		spend.Limits = limits
		err = c.Caps.Spend(ctx, spend)
	}
	if errors.Is(err, payout.ErrCap) && len(group) > 1 {
		for _, n := range group {
			c.count(ctx, orders, charges, []int{n}, results)
		}
		return
	}
	for _, n := range group {
		results[n] = resultOf(err)
	}
}

// tell logs a rejected message, and raises the alarm.
func (c Core) tell(ctx context.Context, o payout.Order, r Result) {
	var what string
	var rings metric.Value
	switch r.Code {
	case Refused:
		what, rings = "the signer rejected a message", SigningRefused.Is(1)
	case Capped:
		what, rings = "a cap of the signer is reached", SigningCapped.Is(1)
	case "", Stale, Transient, Failed:
		return
	}
	metric.Log(ctx, c.Log, what, metric.Line{Values: []metric.Value{rings}, As: slog.LevelError},
		slog.String("payment", o.Payment.String()), slog.String(terms.LogMint, o.Mint.String()),
		slog.String("wallet", o.Wallet.Address.String()), slog.String("cause", r.Cause))
}

// Direct is a signer in the same process. Direct implements payout.Wallet.
type Direct struct{ Core Core }

// Sign signs a message.
func (d Direct) Sign(ctx context.Context, o payout.Order) (solana.Signature, error) {
	a, err := d.Core.Do(ctx, Request{Sign: []payout.Order{o}})
	if err != nil {
		return solana.Signature{}, err
	}
	return a.Signed[0].Signature, a.Signed[0].Err()
}

// Seed returns the seed of a receipt.
func (d Direct) Seed(ctx context.Context, o payout.SeedOrder) (string, error) {
	a, err := d.Core.Do(ctx, Request{Seeds: []payout.SeedOrder{o}})
	if err != nil {
		return "", err
	}
	return a.Seeds[0].Seed, a.Seeds[0].Err()
}

// Room returns the amount of an asset that payments of a token's active run can move now, in base
// units; see run.Rooms.
func (d Direct) Room(ctx context.Context, mint solana.PublicKey, run string, asset terms.Asset) (uint64, error) {
	a, err := d.Core.Do(ctx, Request{Rooms: []RoomOrder{{Mint: mint, Run: run, Asset: asset}}})
	if err != nil {
		return 0, err
	}
	return a.Rooms[0].Room, a.Rooms[0].Err()
}
