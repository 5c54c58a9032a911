// Package unstick finds out why nothing of a token moves, and sets it going again: what
// an operator does about a token that is frozen, or has payments of which it cannot be
// said what landed. It signs and sends nothing. Each write is conditional, and whatever
// crashes, Resolve goes on when it is called again.
package unstick

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
)

// Desk is where tokens are looked into.
type Desk struct {
	// Restorer brings the ledger forward; its Rebuild is set by the desk.
	Restorer journal.Restorer
	// Runs is the ledger with its copies.
	Runs journal.Runs
	// Engine judges payments. Its wallet derives receipts, and its records are read, where a
	// wallet's history is compared; otherwise it needs neither.
	Engine payout.Engine
	// Nodes tell histories, and Recovered is as in run.Machine: both are for the tokens of a
	// stack that was made of copies.
	Nodes     []Node
	Recovered time.Time
	Now       func() time.Time
}

// Case is why nothing of a token moves, or what of it is open.
type Case struct {
	Mint solana.PublicKey
	// Frozen is what the token is frozen for; empty when it is not.
	Frozen string
	// Behind: the ledger is older than its journal.
	Behind bool
	// Uncompared: the wallet's history has not been compared since the service was recovered.
	// Forgotten is what keeps that from its end, as Resolve has found it.
	Uncompared bool
	Forgotten  []Forgotten
	// Entered is how many transactions neither ledger nor journal knew that Resolve has
	// entered, for the chain and the run's plan say what they were.
	Entered int
	// Run is the run at work, or the one whose books did not balance; nil when there is
	// none. Lacks is what those books lacked.
	Run   *run.Run
	Lacks []run.Lack
	// Open are the payments of Run that may still land, Unknown those of any run of which
	// it cannot be said what landed.
	Open    []payout.Payment
	Unknown []Unknown
}

// Unknown is a payment with what is said of it.
type Unknown struct {
	Payment payout.Payment
	Slot    time.Time // of its run
	// Proven: a proof has been made, which has its amount as reserved.
	Proven bool
	// Readings are what the providers say, in their order.
	Readings []payout.Reading
	// Kept is how many entries the journal has of it.
	Kept int
}

// Why looks, and changes nothing.
func (d Desk) Why(ctx context.Context, mint solana.PublicKey, wallet token.Wallet) (Case, error) {
	c, _, err := d.look(ctx, mint)
	if err != nil {
		return c, err
	}
	for n, u := range c.Unknown {
		if c.Unknown[n].Readings, err = d.Engine.Readings(ctx, wallet, u.Payment); err != nil {
			return c, fmt.Errorf("ask what became of payment %s: %w", u.Payment.ID, err)
		}
		kept, err := d.Engine.Journal.Of(ctx, u.Payment)
		if err != nil {
			return c, fmt.Errorf("read the journal: %w", err)
		}
		c.Unknown[n].Kept = len(kept)
	}
	return c, nil
}

// look reads the ledger.
func (d Desk) look(ctx context.Context, mint solana.PublicKey) (Case, run.Head, error) {
	c := Case{Mint: mint}
	head, err := d.Restorer.Ledger.Head(ctx, mint)
	if err != nil {
		return c, head, err
	}
	head.Mint = mint
	c.Frozen, c.Uncompared = head.Frozen, head.Compared.Before(d.Recovered)
	if c.Behind, err = d.Restorer.Behind(ctx, mint); err != nil {
		return c, head, err
	}
	if c.Run, err = d.stuck(ctx, head); err != nil {
		return c, head, err
	}
	if c.Run != nil {
		if c.Run.End != nil {
			c.Lacks = c.Run.End.Lacks
		}
		for p, err := range run.All(ctx, d.Engine.Store, *c.Run) {
			if err != nil {
				return c, head, fmt.Errorf("list the payments of run %s: %w", c.Run.ID, err)
			}
			switch status := p.Status(); {
			case !status.Decided():
				c.Open = append(c.Open, p)
			case status == payout.Unknown:
				c.Unknown = append(c.Unknown, Unknown{Payment: p, Slot: c.Run.Slot, Proven: c.Run.Closing != nil})
			}
		}
	}
	for _, u := range head.Unknown {
		p, err := d.Engine.Store.Payment(ctx, u.ID)
		if err != nil {
			return c, head, fmt.Errorf("read payment %s: %w", u.ID, err)
		}
		c.Unknown = append(c.Unknown, Unknown{Payment: p, Slot: u.Slot, Proven: true})
	}
	return c, head, nil
}

// stuck gives the run at work, or the one whose books did not balance.
func (d Desk) stuck(ctx context.Context, head run.Head) (*run.Run, error) {
	slot := head.Active
	failed := slot.IsZero() && head.Ended == run.CodeBooks
	if failed {
		slot = head.LastSlot
	}
	if slot.IsZero() {
		return nil, nil
	}
	r, err := d.Restorer.Ledger.Run(ctx, head.Mint, slot)
	if errors.Is(err, run.ErrNotFound) {
		return nil, nil // the ledger is older than its journal
	}
	if err != nil {
		return nil, fmt.Errorf("read the run of %s: %w", slot.Format(time.RFC3339), err)
	}
	if failed && (r.End == nil || r.End.Code != run.CodeBooks) {
		return nil, nil
	}
	return &r, nil
}

// Order is what an operator says. All of it may be empty.
type Order struct {
	// Reason lets the proof of a run whose books did not balance enter what is missing as
	// an adjustment; it is published. It is also kept with Landed and Lost.
	Reason string
	// Landed are attempts that landed, Lost payments of which none did, by their text.
	Landed []solana.Signature
	Lost   []string
}

// word is what the order says of a payment.
func (o Order) word(p payout.Payment) payout.Word {
	w := payout.Word{Reason: o.Reason, Lost: slices.Contains(o.Lost, p.ID.String())}
	for _, a := range p.Attempts {
		if slices.Contains(o.Landed, a.Signature) {
			w.Landed = a.Signature
		}
	}
	return w
}

// ErrReason: an operator's word needs a reason that can be published.
var ErrReason = fmt.Errorf("an operator's word needs a reason: plain text, at most %d characters", format.MaxAdjustmentReason)

// Resolve does what can be done, lets the token go on, and says what is still open. In
// order: a ledger that is older than its journal is brought forward; in a stack that was
// recovered the wallet's history is compared, and what nothing explains ends it here; payments that are
// undecided are judged again; a run whose books did not balance is resumed, and makes its
// proof when it goes on; the token is released. Books that still do not balance then
// freeze it again.
func (d Desk) Resolve(ctx context.Context, mint solana.PublicKey, wallet token.Wallet, order Order) (Case, error) {
	if spoken := len(order.Landed)+len(order.Lost) > 0; (spoken || order.Reason != "") && !format.ValidReason(order.Reason) {
		return Case{}, ErrReason
	}
	c, head, err := d.look(ctx, mint)
	if err != nil {
		return c, err
	}
	uncompared := c.Uncompared
	if c.Behind || uncompared { // the journal may have more than the copies of runs say
		if err := d.restore(ctx, mint, uncompared); err != nil {
			return c, err
		}
		if c, head, err = d.look(ctx, mint); err != nil {
			return c, err
		}
	}
	entered := 0
	if uncompared {
		if entered, c.Forgotten, err = d.compare(ctx, head, wallet); err != nil || len(c.Forgotten) > 0 {
			return c, err
		}
		head.Compared = d.Now().UTC()
		if err := d.Runs.SaveHead(ctx, head); err != nil {
			return c, fmt.Errorf("write that %s is compared: %w", mint, err)
		}
		if c, head, err = d.look(ctx, mint); err != nil {
			return c, err
		}
	}
	changed := false
	for _, u := range c.Unknown {
		p, err := d.Engine.Resolve(ctx, wallet, u.Payment, order.word(u.Payment))
		switch {
		case errors.Is(err, payout.ErrUndecided):
			continue
		case err != nil:
			return c, fmt.Errorf("resolve payment %s: %w", u.Payment.ID, err)
		case u.Proven:
			if err := d.settle(ctx, &head, u, p); err != nil {
				return c, err
			}
			changed = true
		}
	}
	if err := d.release(ctx, head, c.Run, changed, order); err != nil {
		return c, err
	}
	c, err = d.Why(ctx, mint, wallet)
	c.Entered = entered
	return c, err
}

// restore brings the ledger forward from the journal.
func (d Desk) restore(ctx context.Context, mint solana.PublicKey, stopped bool) error {
	restorer := d.Restorer
	restorer.Stopped = stopped
	restorer.Rebuild = func(ctx context.Context, mint solana.PublicKey) error {
		_, err := d.Engine.Rebuild(ctx, mint)
		return err
	}
	_, err := restorer.Restore(ctx, mint)
	return err
}

// settle tells the head what became of a payment that a proof has as undecided.
func (d Desk) settle(ctx context.Context, head *run.Head, u Unknown, p payout.Payment) error {
	r, err := d.Restorer.Ledger.Run(ctx, head.Mint, u.Slot)
	if err != nil {
		return fmt.Errorf("read the run of payment %s: %w", p.ID, err)
	}
	*head = head.Settled(r, p)
	return nil
}

// release writes the head, and resumes the run whose books did not balance.
func (d Desk) release(ctx context.Context, head run.Head, r *run.Run, changed bool, order Order) error {
	if r == nil || r.End == nil {
		if head.Frozen == "" && !changed {
			return nil
		}
		head.Frozen = ""
		if err := d.Runs.SaveHead(ctx, head); err != nil {
			return fmt.Errorf("release %s: %w", head.Mint, err)
		}
		return nil
	}
	again := *r
	again.End, again.Allowed = nil, slices.Clone(r.Allowed)
	for _, lack := range r.End.Lacks {
		if order.Reason != "" && lack.Missing > 0 {
			again.Allowed = append(again.Allowed, run.Adjustment{Asset: lack.Asset, UpTo: lack.Missing, Reason: order.Reason, At: d.Now().UTC()})
		}
	}
	head.Active, head.Frozen = r.Slot, ""
	if err := d.Runs.Reopen(ctx, again, head); err != nil {
		return fmt.Errorf("resume run %s: %w", r.ID, err)
	}
	return nil
}
