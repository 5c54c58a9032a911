package unstick

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
)

// Node tells what a wallet has signed.
type Node interface {
	chain.Node
	// FinalizedClock is the time of the newest finalized block, by the chain's own clock.
	FinalizedClock(ctx context.Context) (slot uint64, at time.Time, err error)
	// Opened says whether a finalized transaction gave an account its first lamports.
	Opened(ctx context.Context, signature solana.Signature, account solana.PublicKey) (bool, error)
	// Signed gives a finalized transaction as it was signed, and whether it failed.
	Signed(ctx context.Context, signature solana.Signature) (tx wire.Transaction, failed bool, err error)
}

// Forgotten is a transaction of the wallet's that neither ledger nor journal knows, and that
// belongs to no payment of a run that they know.
type Forgotten struct {
	Signature solana.Signature
	Slot      uint64
	Why       string
}

const (
	// settling is how long after the other stack's last signature the chain must have come
	// before histories are compared: until then what it signed may still land. A blockhash
	// lives for 150 blocks: a minute where a slot takes 400 ms. Finality takes 13 seconds more
	// on a network with Tower.
	settling = 3 * time.Minute
	// mostHistory is how many transactions of a wallet are listed since its last proof. A
	// stranger who sends it dust pays 5,000 lamports for each.
	mostHistory = 1_000_000
)

// ErrTooSoon: what the other stack signed may still land.
var ErrTooSoon = errors.New("it is too soon to compare: the chain must be 3 minutes past the time of the recovery")

var errNoNode = errors.New("no node is named that tells the wallet's history")

// compare holds the wallet's history on the chain, since the last proof, to ledger and
// journal, which have been brought forward. What they have forgotten is entered where it
// belongs to a payment of a run that they know, and given where it does not: then it cannot be
// said what was paid to whom, and the token stays as it is.
func (d Desk) compare(ctx context.Context, head run.Head, wallet token.Wallet) (entered int, forgotten []Forgotten, err error) {
	if len(d.Nodes) == 0 {
		return 0, nil, errNoNode
	}
	for _, node := range d.Nodes {
		_, at, err := node.FinalizedClock(ctx)
		if err != nil {
			return 0, nil, fmt.Errorf("read the chain's clock: %w", err)
		}
		if at.Before(d.Recovered.Add(settling)) {
			return 0, nil, fmt.Errorf("%w; by the chain it is %s", ErrTooSoon, at.UTC().Format(time.RFC3339))
		}
	}
	signed, err := d.signed(ctx, head, wallet.Address)
	if err != nil || len(signed) == 0 {
		return 0, nil, err
	}
	known := map[solana.Signature]payout.Payment{}
	for p, err := range d.Engine.Journal.All(ctx, head.Mint) {
		if err != nil {
			return 0, nil, fmt.Errorf("read the journal of %s: %w", head.Mint, err)
		}
		for _, a := range p.Attempts {
			known[a.Signature] = p
		}
	}
	t := tracer{desk: d, wallet: wallet, at: map[string]place{}}
	type entry struct {
		payment payout.Payment
		landing payout.Landing
	}
	var entries []entry
	for _, s := range signed {
		p, ok := known[s.Signature]
		if ok {
			if ok, err = d.ended(ctx, p.ID, s); err != nil {
				return 0, nil, err
			} else if ok {
				continue
			}
			p = newestLast(p, s.Signature)
		} else {
			var why string
			if p, why, err = t.payment(ctx, head, s); err != nil {
				return 0, nil, err
			}
			if why != "" {
				forgotten = append(forgotten, Forgotten{Signature: s.Signature, Slot: s.Slot, Why: why})
				continue
			}
		}
		entries = append(entries, entry{p, s.Landing})
	}
	// All or nothing: the rest of the journal may come yet, and has them by other names.
	if len(forgotten) > 0 {
		return 0, forgotten, nil
	}
	for _, e := range entries {
		if err := d.Engine.Enter(ctx, e.payment, e.landing); err != nil {
			return 0, nil, fmt.Errorf("enter payment %s: %w", e.payment.ID, err)
		}
	}
	if len(entries) > 0 {
		if _, err := d.Engine.Rebuild(ctx, head.Mint); err != nil {
			return 0, nil, fmt.Errorf("rebuild the payments of %s: %w", head.Mint, err)
		}
	}
	return len(entries), nil, nil
}

// past is a finalized transaction that the wallet signed.
type past struct {
	payout.Landing
	tx wire.Transaction
}

// signed lists what the wallet has signed since the anchor of the last proof that the ledger
// knows, the oldest first, as all nodes together tell it.
func (d Desk) signed(ctx context.Context, head run.Head, wallet solana.PublicKey) ([]past, error) {
	span := chain.Span{Most: mostHistory}
	if head.Last != nil {
		last, err := d.Restorer.Ledger.Run(ctx, head.Mint, head.Last.Slot)
		if err != nil {
			return nil, fmt.Errorf("read the run of the last proof: %w", err)
		}
		// One that never landed says nothing; the walk then goes back to the wallet's first.
		if a := last.Anchor; a != nil && a.ChainSlot > 0 {
			span.Seen, span.After = a.Signature, a.ChainSlot-1
		}
	}
	var histories [][]chain.Listed
	for _, node := range d.Nodes {
		history, err := chain.History(ctx, node, wallet, span)
		if err == nil && span.Seen.IsZero() {
			err = whole(ctx, node, wallet, history)
		}
		if err != nil {
			return nil, fmt.Errorf("list what wallet %s has signed: %w", wallet, err)
		}
		histories = append(histories, history)
	}
	var list []past
	for _, l := range chain.Merge(histories...) {
		if l.Signature == span.Seen {
			continue
		}
		p, ok, err := d.past(ctx, l, wallet)
		if err != nil {
			return nil, fmt.Errorf("read transaction %s: %w", l.Signature, err)
		}
		if ok {
			list = append(list, p)
		}
	}
	return list, nil
}

// whole fails unless a history goes back to the wallet's first lamports: before those it can
// have signed nothing.
func whole(ctx context.Context, node Node, wallet solana.PublicKey, history []chain.Listed) error {
	if len(history) > 0 {
		for _, l := range history { // of a slot's transactions the order may be another
			if l.Slot > history[0].Slot {
				break
			}
			if first, err := node.Opened(ctx, l.Signature, wallet); err != nil || first {
				return err
			}
		}
	}
	return fmt.Errorf("%w: no node shows the wallet's first transaction", chain.ErrNotWalked)
}

// past reads a transaction; ok says that the wallet signed it.
func (d Desk) past(ctx context.Context, l chain.Listed, wallet solana.PublicKey) (p past, ok bool, err error) {
	for _, node := range d.Nodes {
		var landed chain.Transaction
		if landed, err = node.Landing(ctx, l.Signature); errors.Is(err, chain.ErrNotLanded) {
			continue // this node has forgotten it
		}
		if err != nil || !landed.SignedBy(wallet) {
			return p, false, err
		}
		p.Landing = payout.Landing{Signature: l.Signature, Slot: landed.Slot, Failed: landed.Failed}
		p.tx, _, err = node.Signed(ctx, l.Signature)
		return p, true, err
	}
	return p, false, err
}

// ended says of an attempt that the journal has whether the ledger has its payment's end, or
// will find it like any other. One whose receipt may be closed it would wait for without end.
func (d Desk) ended(ctx context.Context, id payout.ID, s past) (bool, error) {
	if s.Failed != "" {
		return true, nil
	}
	p, err := d.Engine.Store.Payment(ctx, id)
	if err != nil {
		return false, fmt.Errorf("read payment %s: %w", id, err)
	}
	return p.Status().Decided() && p.Status() != payout.Unknown, nil
}

// newestLast gives a payment whose last attempt is the one with the signature.
func newestLast(p payout.Payment, signature solana.Signature) payout.Payment {
	var others, last []payout.Attempt
	for _, a := range p.Attempts {
		if a.Signature == signature {
			last = append(last, a)
		} else {
			others = append(others, a)
		}
	}
	p.Attempts, p.Outcome = append(others, last...), nil
	return p
}
