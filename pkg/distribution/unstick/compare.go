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

// Node reads the transactions that a wallet has signed.
type Node interface {
	chain.Node
	// FinalizedClock returns the slot and time of the newest finalized block, by the chain's own
	// clock.
	FinalizedClock(ctx context.Context) (slot uint64, at time.Time, err error)
	// Opened reports whether a finalized transaction gave an account its first lamports.
	Opened(ctx context.Context, signature solana.Signature, account solana.PublicKey) (bool, error)
	// Signed returns a finalized transaction as signed, and reports whether the transaction failed.
	Signed(ctx context.Context, signature solana.Signature) (tx wire.Transaction, failed bool, err error)
}

// Forgotten is a transaction of the wallet that is missing in ledger and journal, and matches no
// payment of a known run.
type Forgotten struct {
	Signature solana.Signature
	Slot      uint64
	Why       string
}

const (
	// settling is the minimum time between the last signature of the other stack and the
	// comparison. Before, a transaction of the other stack may still land. A blockhash lives for
	// 150 blocks, which is a minute at 400 ms a slot. Finality takes 13 seconds more on a network
	// with Tower.
	settling = 3 * time.Minute
	// maxHistory is the maximum number of listed transactions of a wallet since its last proof. A
	// third party that sends dust to the wallet pays 5,000 lamports for every transaction.
	maxHistory = 1_000_000
)

// ErrTooSoon is returned while a transaction of the other stack may still land.
var ErrTooSoon = errors.New("it is too soon to compare: the chain must be 3 minutes past the time of the recovery")

var errNoNode = errors.New("no node is named that tells the wallet's history")

// compare compares the wallet's history on the chain since the last proof with ledger and journal,
// after both were brought forward. A missing transaction that belongs to a payment of a known run
// is entered. Any other missing transaction is returned. The recipients of such a transaction are
// not known, so the token stays stopped.
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
	// Enter all transactions or no transaction: the rest of the journal may arrive later, with the
	// same transactions under other payment IDs.
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

// signed returns the transactions that the wallet has signed since the anchor of the last proof in
// the ledger, oldest first, as the union over all nodes.
func (d Desk) signed(ctx context.Context, head run.Head, wallet solana.PublicKey) ([]past, error) {
	span := chain.Span{Most: maxHistory}
	if head.Last != nil {
		last, err := d.Restorer.Ledger.Run(ctx, head.Mint, head.Last.Slot)
		if err != nil {
			return nil, fmt.Errorf("read the run of the last proof: %w", err)
		}
		// An anchor that never landed marks no place, so the walk goes back to the wallet's first
		// transaction.
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

// whole returns an error unless a history goes back to the wallet's first lamports. A wallet
// without lamports cannot sign transactions.
func whole(ctx context.Context, node Node, wallet solana.PublicKey, history []chain.Listed) error {
	if len(history) > 0 {
		for _, l := range history { // the order within a slot may differ
			if l.Slot > history[0].Slot {
				break
			}
			if first, err := node.Opened(ctx, l.Signature, wallet); err != nil || first {
				return err
			}
		}
	}
	return fmt.Errorf("%w: no node shows the wallet's first transaction", chain.ErrHistoryIncomplete)
}

// past reads a transaction. ok reports whether the wallet signed the transaction.
func (d Desk) past(ctx context.Context, l chain.Listed, wallet solana.PublicKey) (p past, ok bool, err error) {
	for _, node := range d.Nodes {
		var landed chain.Transaction
		if landed, err = node.Landing(ctx, l.Signature); errors.Is(err, chain.ErrNotLanded) {
			continue // this node has pruned the transaction
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

// ended reports whether an attempt of the journal needs no entry, because the attempt failed or the
// ledger has the payment's end. Without an entry, the engine would wait endlessly for a payment
// whose receipt is closed.
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

// newestLast returns the payment with the given attempt as the last attempt.
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
