package payout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Returning selects the receipts to close.
type Returning struct {
	Run    string // the run that pays
	Mint   solana.PublicKey
	Wallet token.Wallet
	// Of are the runs, kinds and legs whose payments have the receipts.
	Of      []ID
	Version Version
	// Final ends the returns of the run once no receipt can be closed, so that the run's
	// books can be closed.
	Final bool
}

// returnRounds is the maximum number of failed Return transactions in a run. The remaining receipts
// wait for a later run.
const returnRounds = 6

// Return closes the receipts of decided payments, and returns Done when the last Return is final. A
// receipt is closed only when the journal has the outcome and every attempt has landed, failed or
// expired. A live attempt would find the address free, and pay a second time.
func (e Engine) Return(ctx context.Context, r Returning) (Next, error) {
	next, err := e.giveBack(ctx, r)
	if err == nil {
		return next, nil
	}
	id := ID{Run: r.Run, Kind: Return}
	if next, ok := e.passes(ctx, err, id); ok {
		return next, nil
	}
	return Next{}, fmt.Errorf("return the receipts of run %s: %w", r.Run, err)
}

func (e Engine) giveBack(ctx context.Context, r Returning) (Next, error) {
	recent := e.recent(r.Wallet)
	soonest := Next{After: lookAgain}
	number, failed, open := 0, 0, false
	for p, err := range e.Store.Payments(ctx, r.Run, Return, 0) {
		if err != nil {
			return Next{}, err
		}
		number = max(number, p.ID.Batch+1)
		if !p.Status().Decided() {
			var next Next
			if p, next, err = e.step(ctx, movement{wallet: r.Wallet, plan: p, recent: recent, build: gone}); err != nil {
				return Next{}, err
			}
			if !p.Status().Decided() {
				open, soonest.After = true, min(soonest.After, next.After)
			}
		}
		if p.Refused == reasonFinal {
			return Next{Done: true}, nil
		}
		if p.Status().Decided() && p.Status() != Landed {
			failed++
		}
	}
	if open {
		return soonest, nil
	}
	plan := func() Payment {
		number++
		return Payment{ID: ID{Run: r.Run, Kind: Return, Batch: number - 1}, Mint: r.Mint, Asset: terms.SOL}
	}
	closing, wait, err := e.closable(ctx, r)
	switch {
	case err != nil:
		return Next{}, err
	case wait > 0 && len(closing) == 0:
		return Next{After: wait}, nil
	case len(closing) > 0 && failed < returnRounds:
	case r.Final:
		p, err := e.cancel(ctx, plan(), reasonFinal, "The run closes no more receipts.")
		return Next{Done: p.Refused == reasonFinal}, err
	default:
		return Next{Done: true}, nil
	}
	most := ReturnBatch
	if r.Version == V1 {
		most = ReturnBatchV1
	}
	most = max(most>>failed, 1) // in the end only the failing receipt remains
	soonest = e.pace().next(e.pace().Resend)
	for len(closing) > 0 {
		part := closing[:min(most, len(closing))]
		closing = closing[len(part):]
		version := Legacy
		if len(part) > ReturnBatch {
			version = V1
		}
		_, next, err := e.step(ctx, movement{
			wallet: r.Wallet, plan: plan(), version: version, recent: recent,
			build: func(context.Context, Payment) (Payload, error) {
				does := make([]solana.Instruction, len(part))
				for n, c := range part {
					does[n] = c.receipt.giveBack(r.Wallet.Address, c.lamports)
				}
				return Payload{Instructions: does}, nil
			},
		})
		if errors.Is(err, ErrConflict) { // another worker uses this batch number
			continue
		}
		if err != nil {
			return Next{}, err
		}
		soonest.After = min(soonest.After, next.After)
	}
	return soonest, nil
}

// gone refuses a Return that another call left unsigned. The receipts of the Return are found again.
func gone(context.Context, Payment) (Payload, error) {
	return Payload{}, &Refusal{Reason: ReasonNoRecipient, Detail: "What it was to close is closed by another."}
}

// closing is a receipt with the receipt's lamports.
type closing struct {
	receipt  Receipt
	lamports uint64
}

// closable returns the open receipts that may be closed. wait is not zero while a receipt must stay
// open for now.
func (e Engine) closable(ctx context.Context, r Returning) (list []closing, wait time.Duration, err error) {
	var receipts []Receipt
	for _, id := range r.Of {
		for p, err := range e.Store.Payments(ctx, id.Run, id.Kind, id.Leg) {
			if err != nil {
				return nil, 0, err
			}
			if p.Receipt == nil || p.Outcome == nil && len(p.Blocked) == 0 {
				continue
			}
			if p.Outcome != nil && !p.Quiet {
				if p, err = e.settle(ctx, r, p); err != nil {
					return nil, 0, err
				}
				if !p.Quiet {
					wait = e.pace().Look
					continue
				}
			}
			receipts = append(receipts, p.Blocked...)
			if p.Outcome != nil {
				receipts = append(receipts, *p.Receipt)
			}
		}
	}
	addresses := make([]solana.PublicKey, len(receipts))
	for n, receipt := range receipts {
		addresses[n] = receipt.Address
	}
	accounts, err := e.Chains[0].Holders(ctx, addresses...)
	if err != nil {
		return nil, 0, fmt.Errorf("read %d receipts: %w", len(receipts), err)
	}
	for n, a := range accounts {
		if a != nil && a.Lamports >= signatureLamports {
			list = append(list, closing{receipts[n], a.Lamports})
		}
	}
	return list, wait, nil
}

// settle writes the cost of a payment's failed attempts, once every attempt has landed, failed or
// expired.
func (e Engine) settle(ctx context.Context, r Returning, p Payment) (Payment, error) {
	m := movement{wallet: r.Wallet}
	readings := make([]Reading, len(e.Chains))
	for n, chain := range e.Chains {
		var err error
		if readings[n], err = ask(ctx, chain, m, p); err != nil {
			return p, err
		}
	}
	counted, err := e.count(ctx, p, readings)
	if err != nil || !counted.Quiet {
		return p, err
	}
	if err := e.Store.Quiet(ctx, counted); err != nil {
		return p, err
	}
	counted.Version++
	return counted, nil
}
