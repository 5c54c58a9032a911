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

// A transaction says by itself which payment it was made for: its receipt's seed is an HMAC
// of the payment's id and generation under the wallet's secret. So the seeds of what a run
// may have paid are derived once more, and the one that it has is looked for; what the
// payment does must then be what the run's plan and facts lead to.

// place is a payment that a receipt's seed belongs to.
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
	tried  int // how many of the rounds of candidates
	at     map[string]place
	spare  int // how many payments without receipts were numbered
}

// payment gives the payment that a transaction was made for, with it as its newest attempt;
// why says in a sentence that it cannot be told.
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

// beyond is a number that no batch of a run comes to.
const beyond = 1_000_000

// harmless gives the payment of a transaction without a receipt, as what moves nothing out of
// the wallet has none: which one it is does not matter, for doing it again moves nothing.
func (t *tracer) harmless(ctx context.Context, attempt payout.Attempt, does []wire.Instruction) (p payout.Payment, why string, err error) {
	for _, r := range t.runs {
		kind, ok := signing.Harmless(r, does)
		for taken := ok; taken; { // by one that was entered before a crash
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

// open gives the runs whose payments no proof has: the one at work, and those that ended
// without one.
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

// generations is how many receipts of a payment are looked for: each but the last was blocked
// by a stranger.
const generations = 3

// find looks for the payment whose receipt has a seed: first among whole payments, then among
// halves of batches, halves of those, and so on.
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

// tries is how often exchanges and anchors are tried; see package run.
const tries = 3

// candidates lists the payments of a run that have receipts: in the first round those that
// are whole, then parts of batches, smaller ones in each.
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
			continue // it has none
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

// asks is how many seeds are asked for at once.
const asks = signing.MostOrders

// derive asks for the seeds of payments, of every generation.
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

// ErrSigner: the seeds of receipts are the signer's to derive.
var ErrSigner = errors.New("the wallet has signed what neither ledger nor journal knows: name the signer's function, which derives receipts")

// decided gives the payment as it was bound, by what its transaction does; ok says that this
// is what the run's plan and facts lead to.
func (d Desk) decided(ctx context.Context, at place, does []wire.Instruction) (p payout.Payment, ok bool, err error) {
	r, id := at.run, at.payment
	p = payout.Payment{ID: id, Mint: r.Mint}
	switch id.Kind {
	case payout.Pay:
		return d.batch(ctx, r, id, does)
	case payout.Exchange, payout.Fuel: // each quote differs: what it did is in its balances
		p.Asset = terms.Asset(r.Mint)
		p.Amount, _, ok = r.ForSale(id.Kind)
		return p, ok, nil
	case payout.Burn, payout.Creator, payout.Anchor:
		payload, asset, amount, err := r.Fixed(id)
		if err != nil {
			return p, false, nil //nolint:nilerr // the run has not come so far, as it is known here
		}
		p.Asset, p.Amount = asset, amount
		return p, len(does) == 0 || taken(does, payload.Instructions) == len(does) && len(does) == len(payload.Instructions), nil
	case payout.Setup, payout.Collect, payout.Return:
	}
	return p, false, nil
}

// way is how a record of a batch is paid: to an account as it is, to an account that requires a
// memo, or to one that is made first.
type way int

const (
	plain way = iota
	memo
	made
)

// batch gives the payment of a batch: whom of its records it pays, whose account it makes, and
// whom it leaves out.
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

// taken says how many instructions are the expected ones: all of those, or none.
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
