package run

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// collect moves withheld tax into the wallet. Tax comes from the accounts that Holders.Withheld
// selects. If no account is selected, tax comes from the mint, because third parties may have
// harvested tax to the mint. The run itself does not harvest to the mint first: harvesting writes the
// mint, which every trade of the token reads, so collections and trades would exclude each other.
func (m Machine) collect(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Collecting == nil && head.HandedOver != nil { // the tax is another address's
		r.Collecting = &Collecting{Done: true, ChainSlot: r.Opening.ChainSlot}
		return m.save(ctx, r)
	}
	if r.Collecting == nil {
		file := collectFile(r)
		version, err := m.version(ctx, r)
		if err != nil {
			return payout.Next{}, err
		}
		size := version.CollectBatch(r.Collector().Guarded())
		choice, err := m.collectable(ctx, head, r, size)
		if err != nil {
			return payout.Next{}, err
		}
		accounts, withheld, err := m.Holders.Withheld(ctx, r, choice, file)
		if err != nil {
			return payout.Next{}, err
		}
		c := Collecting{Accounts: accounts, Withheld: withheld, BatchSize: size, Version: version}
		if accounts > 0 {
			c.File = file
			c.Chunks = m.chunksOf(math.MaxInt32, batches(accounts, c.BatchSize)) // without receipts
		}
		r.Collecting = &c
		return m.save(ctx, r)
	}
	c := *r.Collecting
	if c.Accounts == 0 {
		if next, err := m.sweep(ctx, head, r); err != nil || !next.Done {
			return next, err
		}
	} else {
		if next, sent, err := m.phase(ctx, head, r, payout.Collect, 0, &c.Chunks); err != nil || !next.Done {
			r.Collecting = &c
			return m.saveSent(ctx, r, next, sent, err)
		}
	}
	moved, err := Sum(ctx, m.Payments, r)
	if err != nil {
		return payout.Next{}, err
	}
	c.Done, c.Collected, c.ChainSlot = true, moved.Collected, moved.ChainSlot
	r.Collecting = &c
	return m.save(ctx, r)
}

// collectable returns the facts that decide the number of accounts to collect from. The wallet
// keeps enough lamports for the rest of the run. perTransaction is the number of accounts in a
// transaction.
func (m Machine) collectable(ctx context.Context, head Head, r Run, perTransaction uint32) (Collectable, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return Collectable{}, err
	}
	own := r.own().Asset
	held := r.Opening.ForOthers(own)
	return Collectable{
		Price: head.price(), Known: r.Opening.Tokens - min(held, r.Opening.Tokens),
		PerTransaction: perTransaction, Transaction: m.collectCost(r), Others: overhead + r.more(),
		Spare: r.ownLamports(r.Opening.Balances), Keep: (1+singles+r.more())*rent + (overhead+r.more())*m.Costs.Transaction,
	}, nil
}

// collectCost returns the cost of a transaction that collects tax, with the fee of the guardian's
// signature.
func (m Machine) collectCost(r Run) uint64 {
	if r.Collector().Guarded() {
		return m.Costs.Transaction + baseFeeLamports
	}
	return m.Costs.Transaction
}

// sweep withdraws the tax on the mint if the amount is worth the cost.
func (m Machine) sweep(ctx context.Context, head Head, r Run) (payout.Next, error) {
	payment, err := m.payment(ctx, r, payout.Collect, sweepLeg)
	if err != nil {
		return payout.Next{}, err
	}
	if payment.Version == 0 {
		accounts, _, err := m.Chain.AccountsAt(ctx, r.Opening.ChainSlot, r.Mint)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		if accounts[0] == nil {
			return payout.Next{}, fmt.Errorf("mint %s does not exist", r.Mint)
		}
		mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		fee := mint.TransferFee
		if fee == nil || fee.Withheld == 0 || !head.price().Covers(fee.Withheld, m.collectCost(r)) {
			begun, err := m.cancel(ctx, r, payout.Collect, sweepLeg, reasonBelowCost, "What lies on the mint is not worth its collection.")
			return payout.Next{Done: !begun}, err
		}
	}
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
	if err != nil || !payment.Status().Decided() {
		return next, err
	}
	return done, nil
}

// Phase returns the phase of a message. It returns payout.ErrFrozen while the token is frozen.
func (p Phases) Phase(ctx context.Context, work payout.Work) (payout.Phase, error) {
	head, err := p.Store.Head(ctx, work.Mint)
	if err != nil {
		return payout.Phase{}, fmt.Errorf("read the head of %s: %w", work.Mint, err)
	}
	if head.Stopped(p.Recovered) {
		return payout.Phase{}, payout.ErrFrozen
	}
	r, err := p.Store.Run(ctx, work.Mint, work.Slot)
	if err != nil {
		return payout.Phase{}, fmt.Errorf("read run %s: %w", work.Run, err)
	}
	return r.Phase(work.Kind, work.Leg)
}

// Freeze stops a token until an operator has resolved the cause. An earlier cause stays. If the
// store rejects all writes with payout.ErrFrozen, the token is stopped already.
func (p Phases) Freeze(ctx context.Context, mint solana.PublicKey, why string) error {
	for range freezeTries {
		head, err := p.Store.Head(ctx, mint)
		if err == nil && head.Frozen == "" {
			head.Mint, head.Frozen = mint, why
			err = p.Store.SaveHead(ctx, head)
		}
		switch {
		case err == nil, errors.Is(err, payout.ErrFrozen):
			return nil
		case !errors.Is(err, ErrConflict):
			return fmt.Errorf("write the head of %s: %w", mint, err)
		}
	}
	return ErrConflict
}
