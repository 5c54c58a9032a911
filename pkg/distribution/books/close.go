package books

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Close creates and stores the rows, the lists and the manifest of a run.
func (k Bookkeeper) Close(ctx context.Context, r run.Run, order run.CloseOrder) (run.Closed, error) {
	w := write.New(k.Proofs)
	if r.Snapshot != nil && shareTerms(r).Held {
		w.Held()
	}
	holders, err := k.leaveOut(ctx, w, r)
	if err != nil {
		return run.Closed{}, err
	}
	closed := run.Closed{
		Holders: holders,
		Owed:    map[terms.Asset]uint64{}, Remainder: map[terms.Asset]uint64{},
		Reserved: map[terms.Asset]uint64{}, Stated: map[terms.Asset]uint64{},
	}
	m, err := manifest(r, order)
	if err != nil {
		return run.Closed{}, err
	}
	for number := range r.Payment.Legs {
		leg, late, err := k.closeLeg(ctx, w, r, number)
		if err != nil {
			return run.Closed{}, fmt.Errorf("close leg %d: %w", number, err)
		}
		closed.Late += late
		m.Legs = append(m.Legs, leg.manifest)
		closed.Legs = append(closed.Legs, leg.closed)
		if leg.sums.Carried > 0 {
			closed.Owed[leg.closed.Asset] = uint64(leg.sums.Carried)
		}
		if leg.manifest.RemainderOut > 0 {
			closed.Remainder[leg.closed.Asset] = uint64(leg.manifest.RemainderOut)
		}
	}
	for asset, amount := range r.Opening.Reserved {
		closed.Reserved[asset] += amount
	}
	for asset, amount := range order.Totals.Undecided {
		closed.Reserved[asset] += amount
	}
	if m.Receipts, err = k.transactions(ctx, w, r, order); err != nil {
		return run.Closed{}, err
	}
	if m.Statements, err = statements(r, order, m); err != nil {
		return run.Closed{}, err
	}
	for _, s := range m.Statements {
		asset, err := terms.ParseAsset(s.Asset)
		if err != nil {
			return run.Closed{}, err
		}
		closed.Stated[asset] = uint64(s.Closing)
	}
	kept, err := w.Close(ctx, m)
	if err != nil {
		return run.Closed{}, err
	}
	closed.Manifest, closed.Root, closed.Memo = kept.CID, kept.Root.String(), kept.Memo()
	return closed, nil
}

// leaveOut lists the owners without a share, with the reasons, and returns the figures of the
// snapshot.
func (k Bookkeeper) leaveOut(ctx context.Context, w *write.Writer, r run.Run) (*run.HolderFigures, error) {
	if r.Kind() != run.Distribution {
		return nil, nil //nolint:nilnil // nil is documented: a run without a snapshot has no figures
	}
	counted := census{creator: r.Token.Creator}
	terms := shareTerms(r)
	for o, err := range k.owners(ctx, r) {
		if _, counts := o.holding(terms); err == nil && !counts {
			err = w.LeftOut(ctx, format.LeftOut{Owner: o.Owner, Balance: o.Balance, Held: terms.Held, Before: o.before, Why: o.why()})
		}
		if err != nil {
			return nil, fmt.Errorf("list who has no share: %w", err)
		}
		counted.add(o.Row)
	}
	return counted.holders(ctx, k.Snapshotter.Chain, r.Snapshot), nil
}

// closedLeg is the result of a leg, in the terms of the manifest and of the run.
type closedLeg struct {
	manifest format.Leg
	closed   run.ClosedLeg
	sums     format.Sums
}

func (k Bookkeeper) closeLeg(ctx context.Context, w *write.Writer, r run.Run, number int) (closedLeg, uint32, error) {
	leg := r.Payment.Legs[number]
	asset := leg.Currency.Asset
	claims, _, err := k.claims(ctx, r, number, leg.Currency, leg.Share)
	if err != nil {
		return closedLeg{}, 0, err
	}
	rows, shared, err := count(claims)
	if err != nil {
		return closedLeg{}, 0, err
	}
	outcomes := allocation.NewOutcomes(rows)
	if err := k.outcomes(ctx, r, number, outcomes); err != nil {
		return closedLeg{}, 0, err
	}
	w.Leg(asset)
	var late uint32
	for row, err := range outcomes.Close(asset, claims, leg.Worth) {
		if err == nil {
			err = w.Row(ctx, row)
		}
		if err != nil {
			return closedLeg{}, 0, err
		}
		if row.Reason == allocation.TimeOver {
			late++
		}
	}
	_, sums := w.Sums(number)
	creators := creatorShares(r, number)
	owedTo := map[solana.PublicKey]uint64{}
	var creatorOwed uint64
	for _, c := range creators {
		if left := uint64(c.Carried - c.Reserved); left > 0 {
			owedTo[solana.PublicKey(c.Wallet)] = left
			creatorOwed += left
		}
	}
	over := leg.Share - shared
	if number > 0 { // arrears have no shares; the remainder waits until the asset is the reward again
		over = r.Opening.Remainder[asset]
	}
	program := ""
	if !asset.IsSOL() {
		program = leg.Currency.Program.String()
	}
	return closedLeg{
		manifest: format.Leg{
			Asset: asset.String(), Program: program, Decimals: leg.Currency.Decimals,
			RemainderIn: format.Amount(r.Opening.Remainder[asset]), Total: format.Amount(leg.Share),
			RemainderOut: format.Amount(over), WorthPaying: format.Amount(leg.Worth), Creators: creators, Sums: sums,
		},
		closed: run.ClosedLeg{
			Asset: asset, Paid: uint64(sums.Paid), PaidHolders: uint32(sums.PaidTo), //nolint:gosec // counted in 32 bits
			Charged: uint64(sums.Charged), Carried: uint64(sums.Carried), CarriedTo: uint32(sums.CarriedTo), //nolint:gosec // as above
			CreatorOwed: creatorOwed, CreatorOwedTo: owedTo,
		},
		sums: sums,
	}, late, nil
}

// count returns the number of rows of a leg, and the sum of shares.
func count(claims iter.Seq2[allocation.Claim, error]) (rows uint32, shared uint64, err error) {
	for c, err := range claims {
		if err != nil {
			return 0, 0, err
		}
		rows++
		shared += c.Share // at most the leg's total
	}
	return rows, shared, nil
}

// creatorShares returns the results of the creator's part of a leg, by wallet.
func creatorShares(r run.Run, number int) (list []format.CreatorShare) {
	leg := r.Payment.Legs[number]
	for _, part := range r.CreatorParts(number) {
		c := format.CreatorShare{
			Wallet: format.Key(part.Wallet), PartBps: part.Bps, Share: format.Amount(part.Share), Owed: format.Amount(part.Owed),
		}
		if paid := part.Paid; paid.Why == "" && paid.Amount > 0 {
			c.Paid, c.Signature = format.Amount(paid.Amount), format.Signature(paid.Signature)
			c.Received = c.Paid - format.Amount(fee(leg.Currency).On(paid.Amount))
		} else {
			c.Carried, c.Reason = format.Amount(part.Amount()), allocation.Reason(paid.Reason)
			if c.Reason == allocation.Undecided {
				c.Reserved = c.Carried
			}
		}
		list = append(list, c)
	}
	return list
}

// fee returns a coin's own tax on transfers.
func fee(c run.Currency) token2022.TransferFee {
	return token2022.TransferFee{BasisPoints: c.FeeBps, MaximumFee: c.MaximumFee}
}

// outcomes adds the results of a leg's payments.
func (k Bookkeeper) outcomes(ctx context.Context, r run.Run, number int, into *allocation.Outcomes) (err error) {
	leg := r.Payment.Legs[number]
	if leg.Payments == 0 {
		return nil
	}
	content, err := k.Files.Open(ctx, leg.File)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	plan := planReader{from: bufio.NewReaderSize(content, 1<<16)}
	for batch, err := range k.Payments.Payments(ctx, r.ID, payout.Pay, number) {
		if err == nil {
			err = outcome(&plan, leg, batch, into)
		}
		if err != nil {
			return fmt.Errorf("payment %s: %w", batch.ID, err)
		}
	}
	return nil
}

// outcome adds the result of a batch.
func outcome(plan *planReader, leg run.Leg, batch payout.Payment, into *allocation.Outcomes) error {
	out := allocation.Outcome{}
	switch batch.Status() {
	case payout.Landed:
		out.Signature = batch.Outcome.Signature
	case payout.Dead, payout.Void, payout.Cancelled:
		out.Reason = allocation.Reason(batch.Refused)
	case payout.Unknown:
		out.Reason = allocation.Undecided
	case payout.Split, payout.Planned, payout.Bound:
		return nil // the halves have the result, or the batch was not begun
	case payout.Sent:
		return errors.New("it may still land")
	}
	payments, err := plan.read(batch.From, batch.To)
	if err != nil {
		return err
	}
	skipped := make(map[uint32]payout.Skip, len(batch.Skips))
	for _, skip := range batch.Skips {
		skipped[skip.Record] = skip
	}
	charged := make(map[uint32]uint64, len(batch.Made))
	for _, record := range batch.Made {
		charged[record] = leg.AccountCharge
	}
	for i, payment := range payments {
		record := batch.From + uint32(i)
		this := out
		this.Payment = payment
		if skip, ok := skipped[record]; ok {
			this.Signature, this.Reason, this.Hold = solana.Signature{}, allocation.Reason(skip.Reason), allocation.Hold(skip.Hold)
		} else if !this.Signature.IsZero() {
			this.Charged = charged[record]
			sent := payment.Amount - this.Charged
			this.Received = sent - fee(leg.Currency).On(sent)
		}
		if err := into.Add(this); err != nil {
			return err
		}
	}
	return nil
}

// planReader reads ranges of a plan's records in ascending order.
type planReader struct {
	from *bufio.Reader
	next uint32
}

func (p *planReader) read(from, to uint32) ([]allocation.Payment, error) {
	if from < p.next || to < from {
		return nil, fmt.Errorf("the records %d to %d are asked for after those up to %d", from, to, p.next)
	}
	if _, err := p.from.Discard(int(from-p.next) * allocation.PaymentSize); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	content := make([]byte, int(to-from)*allocation.PaymentSize)
	if _, err := io.ReadFull(p.from, content); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	p.next = to
	return allocation.DecodePayments(content)
}

// transactions lists the landed transactions, including the anchor of the previous proof, and
// returns the effect of these transactions on receipts.
func (k Bookkeeper) transactions(ctx context.Context, w *write.Writer, r run.Run, order run.CloseOrder) (format.Receipts, error) {
	var named run.Totals
	list := func(r run.Run, only payout.Kind) error {
		for payment, err := range run.All(ctx, k.Payments, r) {
			if err == nil && payment.Outcome != nil && (only == "" || only == payment.ID.Kind) {
				before := only != "" && order.Head.Rotated != nil && len(order.Head.Rotated.Before) > 0 // of the wallet before
				purpose := format.Purpose(payment.ID.Kind)
				if payment.Outcome.Void {
					purpose = format.Void
				}
				if !before {
					err = named.Add(r, payment)
				}
				err = errors.Join(err, w.Transaction(ctx, format.Transaction{
					Purpose: purpose, Signature: payment.Outcome.Signature, Slot: payment.Outcome.Slot,
				}))
			}
			if err != nil {
				return fmt.Errorf("list the transactions of run %s: %w", r.ID, err)
			}
		}
		return nil
	}
	if last := order.Head.Last; last != nil {
		if err := list(run.Run{ID: last.Run, Mint: r.Mint}, payout.Anchor); err != nil {
			return format.Receipts{}, err
		}
	}
	for _, r := range append(slices.Clone(order.Unlisted), r) {
		if err := list(r, ""); err != nil {
			return format.Receipts{}, err
		}
	}
	for _, s := range r.Opening.Resolved {
		if !s.Landed() {
			continue
		}
		if err := errors.Join(named.Add(r, s.Payment), w.Transaction(ctx, format.Transaction{
			Purpose: format.Pay, Signature: s.Payment.Outcome.Signature, Slot: s.Payment.Outcome.Slot,
		})); err != nil {
			return format.Receipts{}, fmt.Errorf("list the late payment %s: %w", s.Payment.ID, err)
		}
	}
	return format.Receipts{Lent: format.Amount(named.Lent), Returned: format.Amount(named.Returned)}, nil
}
