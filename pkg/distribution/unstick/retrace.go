package unstick

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A transaction identifies its payment: the receipt's seed is an HMAC of the payment's ID and
// generation under the wallet's secret. The tracer derives the seeds of a run's possible payments
// again, and looks for the transaction's seed. The instructions must then match the run's plan and
// facts.

// place is the payment of a receipt's seed.
type place struct {
	run     run.Run
	payment payout.ID
	receipt payout.Receipt
}

// tracer finds payments by the seeds of their receipts.
type tracer struct {
	desk   Desk
	wallet token.Wallet
	runs   []run.Run
	tried  int // number of rounds of candidates so far
	at     map[string]place
	spare  int // number of payments without receipts so far
}

// payment returns the payment of a transaction, with the transaction as the newest attempt. why is
// the reason, as a sentence, why the payment is not known; empty on success.
func (t *tracer) payment(ctx context.Context, head run.Head, s past) (p payout.Payment, why string, err error) {
	if t.runs == nil {
		if t.runs, err = t.desk.open(ctx, head); err != nil {
			return p, "", err
		}
	}
	message := s.tx.Message()
	var does []wire.Instruction
	for _, in := range message.Instructions() {
		if in.ProgramID != solana.ComputeBudget {
			does = append(does, in)
		}
	}
	if message.FeePayer() != t.wallet.Address || len(does) == 0 {
		return p, "it is none of the service's", nil
	}
	attempt := payout.Attempt{Signature: s.Signature, Bytes: s.tx.Bytes(), SignedAt: t.desk.Now().UTC()}
	made, err := systemprogram.DecodeCreateAccountWithSeed(does[0].Keys(), does[0].Data)
	if receipted := err == nil && does[0].ProgramID == solana.SystemProgramID; !receipted {
		return t.harmless(ctx, attempt, does)
	}
	at, ok, err := t.find(ctx, made.Seed)
	if err != nil || !ok {
		return p, "it belongs to no payment of a run that is known", err
	}
	does = does[1:]
	attempt.RentLamports, attempt.Void = made.Lamports, len(does) == 0
	if p, ok, err = t.desk.decided(ctx, at, does); err != nil || !ok {
		return p, fmt.Sprintf("it is not what payment %s is by its run's plan", at.payment), err
	}
	stored, err := t.desk.Engine.Store.Payment(ctx, at.payment)
	switch {
	case errors.Is(err, payout.ErrNotFound):
	case err != nil:
		return p, "", fmt.Errorf("read payment %s: %w", at.payment, err)
	case stored.Status().Decided() && stored.Status() != payout.Unknown:
		return p, fmt.Sprintf("the ledger has payment %s as %s", at.payment, stored.Status()), nil
	default:
		p.Attempts = stored.Attempts
	}
	p.Receipt, p.BoundAt = &at.receipt, t.desk.Now().UTC()
	p.Attempts = append(p.Attempts[:len(p.Attempts):len(p.Attempts)], attempt)
	return p, "", nil
}

// beyond is larger than any batch number of a run.
const beyond = 1_000_000

// harmless returns a payment for a transaction without a receipt. Such a transaction moves nothing
// out of the wallet, so the payment's identity does not matter, because a repetition moves nothing
// either.
func (t *tracer) harmless(ctx context.Context, attempt payout.Attempt, does []wire.Instruction) (p payout.Payment, why string, err error) {
	for _, r := range t.runs {
		kind, ok := signing.Harmless(r, does)
		for taken := ok; taken; { // the ID is taken by a payment entered before a crash
			t.spare++
			p = payout.Payment{
				ID: payout.ID{Run: r.ID, Kind: kind, Batch: beyond + t.spare}, Mint: r.Mint, Asset: terms.SOL,
				BoundAt: t.desk.Now().UTC(), Attempts: []payout.Attempt{attempt},
			}
			if taken, err = t.desk.Engine.Journal.Has(ctx, p); err != nil {
				return p, "", fmt.Errorf("look for payment %s: %w", p.ID, err)
			}
		}
		if ok {
			return p, "", nil
		}
	}
	return p, "it is nothing that a known run does", nil
}

// open returns the runs whose payments have no proof: the active run, and runs that ended without a
// proof.
func (d Desk) open(ctx context.Context, head run.Head) ([]run.Run, error) {
	slots := append([]time.Time{}, head.Unlisted...)
	if head.Ended == run.CodeBooks {
		slots = append(slots, head.LastSlot)
	}
	if !head.Active.IsZero() {
		slots = append(slots, head.Active)
	}
	runs := []run.Run{}
	for _, slot := range slots {
		r, err := d.Restorer.Ledger.Run(ctx, head.Mint, slot)
		if err != nil {
			return nil, fmt.Errorf("read the run of %s: %w", slot.Format(time.RFC3339), err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// generations is the maximum number of receipts of a payment to look for. A third party blocked
// every receipt before the last.
const generations = 3

// find looks for the payment whose receipt has a seed: first among whole payments, then among
// halves of batches, halves of halves, and so on.
func (t *tracer) find(ctx context.Context, seed string) (place, bool, error) {
	for {
		if at, ok := t.at[seed]; ok {
			return at, true, nil
		}
		var ids []place
		for _, r := range t.runs {
			ids = append(ids, candidates(r, t.tried)...)
		}
		if len(ids) == 0 {
			return place{}, false, nil
		}
		t.tried++
		if err := t.derive(ctx, ids); err != nil {
			return place{}, false, err
		}
	}
}

// tries is the maximum number of tries of exchanges and anchors; see package run.
const tries = 3

// candidates returns the payments of a run that have receipts: whole payments in the first round,
// then parts of batches, smaller parts in every round.
func candidates(r run.Run, round int) (list []place) {
	add := func(id payout.ID) {
		id.Run = r.ID
		list = append(list, place{run: r, payment: id})
	}
	if round == 0 {
		add(payout.ID{Kind: payout.Burn})
		for leg := range tries {
			add(payout.ID{Kind: payout.Exchange, Leg: leg})
			add(payout.ID{Kind: payout.Fuel, Leg: leg})
			add(payout.ID{Kind: payout.Anchor, Leg: leg})
			add(payout.ID{Kind: payout.Handover, Leg: leg})
		}
	}
	if r.Payment == nil {
		return list
	}
	for leg := range r.Payment.Legs {
		if round == 0 {
			for i := range r.CreatorParts(leg) {
				add(payout.ID{Kind: payout.Creator, Leg: leg, Batch: i})
			}
		}
		phase, err := r.Phase(payout.Pay, leg)
		if err != nil {
			continue // the leg has no payments to holders
		}
		for batch := range phase.Batches() {
			for part := range 1 << round {
				id := payout.ID{Run: r.ID, Kind: payout.Pay, Leg: leg, Batch: batch}
				if round > 0 {
					id.Part = fmt.Sprintf("%0*b", round, part)
				}
				if _, ok := phase.Planned(id); ok {
					add(id)
				}
			}
		}
	}
	return list
}

// asks is the maximum number of concurrent requests for seeds.
const asks = signing.MaxOrders

// derive requests the seeds of payments, for every generation.
func (t *tracer) derive(ctx context.Context, ids []place) error {
	if t.desk.Engine.Wallet == nil {
		return ErrSigner
	}
	var mu sync.Mutex
	var failed error
	parallel.Each(len(ids)*generations, asks, func(n int) {
		at, generation := ids[n/generations], n%generations
		seed, err := t.desk.Engine.Wallet.Seed(ctx, payout.SeedOrder{Wallet: t.wallet, Payment: at.payment, Generation: generation})
		var address solana.PublicKey
		if err == nil {
			address, err = systemprogram.AddressWithSeed(t.wallet.Address, seed, solana.SystemProgramID)
		}
		mu.Lock()
		defer mu.Unlock()
		at.receipt = payout.Receipt{Address: address, Seed: seed, Generation: generation}
		if t.at[seed] = at; err != nil {
			failed = fmt.Errorf("derive the receipt of payment %s: %w", at.payment, err)
		}
	})
	return failed
}

// ErrSigner is returned without a signer, because only the signer derives the seeds of receipts.
var ErrSigner = errors.New("the wallet has signed what neither ledger nor journal knows: name the signer's function, which derives receipts")

// decided returns the payment as it was bound, reconstructed from the transaction's instructions.
// ok reports whether the instructions match the run's plan and facts.
func (d Desk) decided(ctx context.Context, at place, does []wire.Instruction) (p payout.Payment, ok bool, err error) {
	r, id := at.run, at.payment
	p = payout.Payment{ID: id, Mint: r.Mint}
	switch id.Kind {
	case payout.Pay:
		return d.batch(ctx, r, id, does)
	case payout.Exchange, payout.Fuel: // every quote differs: the balances show the effect
		p.Asset = terms.Asset(r.Mint)
		p.Amount, _, ok = r.ForSale(id.Kind)
		return p, ok, nil
	case payout.Burn, payout.Creator, payout.Anchor, payout.Handover:
		payload, asset, amount, err := r.Fixed(id)
		if err != nil {
			return p, false, nil //nolint:nilerr // the run has not come so far, as it is known here
		}
		p.Asset, p.Amount = asset, amount
		return p, len(does) == 0 || taken(does, payload.Instructions) == len(does) && len(does) == len(payload.Instructions), nil
	case payout.Setup, payout.Collect, payout.Return, payout.Release, payout.Refund:
	}
	return p, false, nil
}

// way is the form of a payment to a record: to an existing account, to an account that requires a
// memo, or to a new account.
type way int

const (
	plain way = iota
	memo
	made
)

// batch returns the payment of a batch, with the records that the transaction pays, the accounts
// that the transaction creates, and the skipped records.
func (d Desk) batch(ctx context.Context, r run.Run, id payout.ID, does []wire.Instruction) (p payout.Payment, ok bool, err error) {
	phase, err := r.Phase(payout.Pay, id.Leg)
	if err != nil {
		return p, false, err
	}
	if p, ok = phase.Planned(id); !ok {
		return p, false, nil
	}
	void := len(does) == 0
	list, err := d.Engine.Records.Records(ctx, phase, p.From, p.To)
	if err != nil {
		return p, false, fmt.Errorf("read records %d to %d of run %s: %w", p.From, p.To, r.ID, err)
	}
	for n, entry := range list {
		record := p.From + uint32(n)
		one := payout.Payment{From: record, To: record + 1}
		paid, amount := 0, entry.Amount
		for _, way := range []way{plain, memo, made} {
			if way != plain && phase.Asset.IsSOL() || way == made && entry.Amount < phase.AccountCharge {
				break
			}
			one.Made, one.Memos = nil, nil
			switch way {
			case made:
				one.Made = []uint32{record}
			case memo:
				one.Memos = []uint32{record}
			case plain:
			}
			want, err := phase.Pays(one, []payout.Entry{entry})
			if err != nil {
				return p, false, err
			}
			if paid = taken(does, want.Instructions); paid > 0 {
				if p.Made, p.Memos = append(p.Made, one.Made...), append(p.Memos, one.Memos...); way == made {
					amount -= phase.AccountCharge
				}
				break
			}
		}
		if paid == 0 && !void {
			p.Skips = append(p.Skips, payout.Skip{Record: record, Reason: payout.ReasonLate})
			continue
		}
		does = does[paid:]
		p.Amount += amount
	}
	return p, len(does) == 0, nil
}

// taken returns len(want) if the instructions begin with the expected instructions, and 0
// otherwise.
func taken(does []wire.Instruction, want []solana.Instruction) int {
	if len(does) < len(want) {
		return 0
	}
	for n, in := range want {
		if !does[n].Same(in) {
			return 0
		}
	}
	return len(want)
}
