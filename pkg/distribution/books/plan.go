package books

import (
	"context"
	"fmt"
	"iter"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// Plan writes the payments of a leg to a file.
func (k Bookkeeper) Plan(ctx context.Context, r run.Run, o run.PlanOrder) (run.Plan, error) {
	claims, atMost, err := k.claims(ctx, r, o.Leg, o.Currency, o.Share)
	if err != nil {
		return run.Plan{}, err
	}
	plan, err := allocation.NewPlan(claims, o.Worth, atMost)
	if err != nil {
		return run.Plan{}, err
	}
	plan.Fit(o.Room)
	if plan.Len() > 0 {
		if err := k.Files.PutFile(ctx, o.File, snapshot.ContentType, plan.File(), plan.Size()); err != nil {
			return run.Plan{}, fmt.Errorf("keep the plan: %w", err)
		}
	}
	return run.Plan{Payments: plan.Len(), Due: plan.Amount}, nil
}

// claims returns the amounts due in a leg by owner: the shares of the holders, and earlier debts. A
// leg of arrears without a share has only earlier debts.
func (k Bookkeeper) claims(ctx context.Context, r run.Run, leg int, coin run.Currency, share uint64) (claims iter.Seq2[allocation.Claim, error], atMost int, err error) {
	owed, rows, err := k.owed(ctx, r, coin.Asset)
	if err != nil {
		return nil, 0, err
	}
	settled, err := k.settled(ctx, r, coin.Asset)
	if err != nil {
		return nil, 0, err
	}
	owed = settled.released(owed)
	if r.Kind() != run.Distribution {
		asked := allocation.Terms{Asked: r.Claim.Asked, Fee: r.Claim.Fees[coin.Asset]}
		return settled.arrived(asked.Claims(none[allocation.Holding](), owed)), int(rows), nil
	}
	if leg > 0 && share == 0 {
		return settled.arrived(allocation.Terms{}.Claims(none[allocation.Holding](), owed)), int(rows), nil
	}
	terms := shareTerms(r)
	terms.Total, terms.Eligible = share, r.Weight()
	return settled.arrived(terms.Claims(holdings(k.owners(ctx, r), terms), owed)), int(rows + r.Snapshot.Eligible), nil
}

// Records reads a range of a phase's file for the workers of the batches; see payout.Records.
func (k Bookkeeper) Records(ctx context.Context, phase payout.Phase, from, to uint32) ([]payout.Entry, error) {
	list := make([]payout.Entry, 0, to-from)
	if phase.Kind == payout.Collect {
		sources, err := snapshot.ReadTax(ctx, k.Files, phase.File, int(from), int(to-from))
		if err != nil {
			return nil, fmt.Errorf("read the accounts to collect from of run %s: %w", phase.Run, err)
		}
		for _, tax := range sources {
			list = append(list, payout.Entry{Owner: tax.Account, Amount: tax.Withheld})
		}
		return list, nil
	}
	first, end := allocation.Batch{From: from, To: to}.Bytes()
	content, err := k.Files.GetRange(ctx, phase.File, first, end-first)
	if err != nil {
		return nil, fmt.Errorf("read the plan of run %s: %w", phase.Run, err)
	}
	payments, err := allocation.DecodePayments(content)
	if err == nil && len(payments) != int(to-from) {
		err = fmt.Errorf("%d records of %d", len(payments), to-from)
	}
	if err != nil {
		return nil, fmt.Errorf("read the plan of run %s: %w", phase.Run, err)
	}
	for _, p := range payments {
		list = append(list, payout.Entry{Owner: p.Owner, Amount: p.Amount, Hold: p.Hold})
	}
	return list, nil
}
