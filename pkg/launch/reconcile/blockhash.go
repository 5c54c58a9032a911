package reconcile

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// lookOnBlockhash advances a launch on blockhashes. Several messages of the launch may have been
// submitted, but at most one message can have succeeded, because all messages create the same mint.
//
// The mint is read before the outcomes. So a node that shows the mint also knows the outcome of the
// transaction that created the mint.
func (r Reconciler) lookOnBlockhash(ctx context.Context, l launch.Launch, report *Report) error {
	observed, err := r.Chain.ObserveMint(ctx, l.Mint)
	if err != nil {
		return fmt.Errorf("read its mint: %w", err)
	}
	submitted := l.Submitted()
	outcomes, err := r.Chain.Outcomes(ctx, launch.Signatures(submitted)...)
	if err != nil {
		return fmt.Errorf("ask for its outcome: %w", err)
	}
	refused, reason := 0, NeverLanded
	for i, outcome := range outcomes {
		switch outcome.State {
		case transaction.Succeeded:
			if observed.Height > l.LastValid() && !observed.MintFound {
				return fmt.Errorf("the node reports that %s has landed, and that its mint does not exist", submitted[i].Signature)
			}
			l.Signature = submitted[i].Signature
			return r.settle(ctx, l, transaction.Confirmed, "", report)
		case transaction.Refused:
			refused, reason = refused+1, outcome.Detail
		case transaction.Unknown:
		}
	}
	switch DecideOnBlockhash(l, observed, refused == len(submitted), r.Now()) {
	case Landed:
		if len(submitted) == 1 {
			return r.settle(ctx, l, transaction.Confirmed, "", report)
		}
		report.Unclear++
		r.Log.WarnContext(ctx, "launch landed, and the node does not say by which transaction", "transactionId", l.ID, "mint", l.Mint.String())
	case Dead:
		return r.settle(ctx, l, transaction.Failed, reason, report)
	case MayLand:
		report.Resent++
		return r.sendAll(ctx, l)
	case Waiting, Unclear:
		report.Waiting++
	}
	return nil
}
