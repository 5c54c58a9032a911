// Package unstick diagnoses tokens whose money does not move, and resumes such tokens. It carries
// out an operator's commands for a token that is frozen or has Unknown payments. It signs and sends
// no transactions. Every write is conditional. After a crash, another call of Resolve continues.
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

// Desk diagnoses and resumes tokens.
type Desk struct {
	// Restorer brings the ledger forward. The desk sets Rebuild.
	Restorer journal.Restorer
	// Runs is the ledger with its copies.
	Runs journal.Runs
	// Engine judges payments. The engine's wallet, which derives receipts, and the engine's records
	// are needed only for the comparison of a wallet's history.
	Engine payout.Engine
	// Nodes are the sources of histories, and Recovered is as in run.Machine. Both are for the
	// tokens of a stack that was recovered from backups.
	Nodes     []Node
	Recovered time.Time
	Now       func() time.Time
}

// Case is the diagnosis of a token: the causes of a standstill, and the undecided payments.
type Case struct {
	Mint solana.PublicKey
	// Frozen is the cause of the freeze; empty for a token that is not frozen.
	Frozen string
	// Behind: the ledger is older than its journal.
	Behind bool
	// Uncompared: the wallet's history has not been compared since the service was recovered.
	// Forgotten are the transactions that prevent the end of the comparison, as found by Resolve.
	Uncompared bool
	Forgotten  []Forgotten
	// Entered is the number of transactions missing in ledger and journal that Resolve has entered,
	// because the chain and the run's plan identify the payments.
	Entered int
	// Run is the active run, or the run with unbalanced books; nil without such a run. Lacks are
	// the differences of these books.
	Run           *run.Run
	Discrepancies []run.Discrepancy
	// Open are the payments of Run that may still land. Unknown are the Unknown payments of any
	// run.
	Open    []payout.Payment
	Unknown []Unknown
}

// Unknown is an Unknown payment with the evidence.
type Unknown struct {
	Payment payout.Payment
	Slot    time.Time // of the payment's run
	// Proven: a proof exists, and has the payment's amount as reserved.
	Proven bool
	// Readings are the providers' views, in the order of the providers.
	Readings []payout.Reading
	// Kept is the number of the journal's entries for the payment.
	Kept int
}

// Why returns the diagnosis, and changes nothing.
func (d Desk) Why(ctx context.Context, mint solana.PublicKey, wallet token.Wallet) (Case, error) {
	c, _, err := d.look(ctx, mint)
	if err != nil {
		return c, err
	}
	for n, u := range c.Unknown {
		if c.Unknown[n].Readings, err = d.Engine.Readings(ctx, wallet, u.Payment); err != nil {
			return c, fmt.Errorf("ask for the outcome of payment %s: %w", u.Payment.ID, err)
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
			c.Discrepancies = c.Run.End.Discrepancies
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

// stuck returns the active run, or the run with unbalanced books.
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

// Order is an operator's decision. All fields may be empty.
type Order struct {
	// Reason allows the proof of a run with unbalanced books to enter the missing amounts as an
	// adjustment. Reason is published. Reason is also stored with Landed and Lost.
	Reason string
	// Landed are attempts that landed. Lost are payments without a landed attempt, as text of their
	// IDs.
	Landed []solana.Signature
	Lost   []string
}

// word returns the order's decision for a payment.
func (o Order) word(p payout.Payment) payout.Word {
	w := payout.Word{Reason: o.Reason, Lost: slices.Contains(o.Lost, p.ID.String())}
	for _, a := range p.Attempts {
		if slices.Contains(o.Landed, a.Signature) {
			w.Landed = a.Signature
		}
	}
	return w
}

// ErrReason is returned when an operator's decision has no reason that can be published.
var ErrReason = fmt.Errorf("an operator's word needs a reason: plain text, at most %d characters", format.MaxAdjustmentReason)

// Resolve does all possible steps, releases the token, and returns the remaining problems. The
// steps, in order:
//
//  1. A ledger that is older than its journal is brought forward.
//  2. In a recovered stack, the wallet's history is compared. An unexplained transaction ends Resolve.
//  3. Undecided payments are judged again.
//  4. A run with unbalanced books is resumed, and creates its proof later.
//  5. The token is released. Books that still do not balance freeze the token again.
func (d Desk) Resolve(ctx context.Context, mint solana.PublicKey, wallet token.Wallet, order Order) (Case, error) {
	if spoken := len(order.Landed)+len(order.Lost) > 0; (spoken || order.Reason != "") && !format.ValidReason(order.Reason) {
		return Case{}, ErrReason
	}
	c, head, err := d.look(ctx, mint)
	if err != nil {
		return c, err
	}
	uncompared := c.Uncompared
	if c.Behind || uncompared { // the journal may have more than the copies of runs
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

// settle enters the outcome of a payment that a proof lists as undecided into the head.
func (d Desk) settle(ctx context.Context, head *run.Head, u Unknown, p payout.Payment) error {
	r, err := d.Restorer.Ledger.Run(ctx, head.Mint, u.Slot)
	if err != nil {
		return fmt.Errorf("read the run of payment %s: %w", p.ID, err)
	}
	*head = head.Settled(r, p)
	return nil
}

// release writes the head, and resumes the run with unbalanced books.
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
	for _, lack := range r.End.Discrepancies {
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
