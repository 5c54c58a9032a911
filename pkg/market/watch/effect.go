package watch

import (
	"context"
	"errors"
	"fmt"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// locate finds the accounts, in addition to the subject, for the effect of a transaction: the
// position of a curve. The key of the position's NFT, which signed only this transaction,
// identifies the position of a new curve.
func (m Markets) locate(ctx context.Context, w *watched) error {
	switch w.Kind {
	case transaction.KindCurve:
		if len(w.Cosigned) != 1 {
			return cannotRead("%d keys signed in addition to the caller, want the position's key", len(w.Cosigned))
		}
		accounts, err := meteora.Addresses(w.Mint, solana.PublicKey{}, w.Cosigned[0].Signer)
		if err != nil {
			return err
		}
		w.addresses = append(w.addresses, accounts.Position)
	case transaction.KindCancel:
		var err error
		w.curve, err = m.Store.Curve(ctx, w.Mint)
		if errors.Is(err, market.ErrNotFound) {
			return nil // withdrawn before the curve was seen: the index will notice
		}
		if err != nil {
			return fmt.Errorf("read the curve: %w", err)
		}
		w.addresses = append(w.addresses, w.curve.Position)
	case transaction.KindLaunch, transaction.KindTax, transaction.KindPool, transaction.KindBuy, transaction.KindSell, transaction.KindFees, transaction.KindLock, transaction.KindPromotion:
	}
	return nil
}

// see ends a transaction whose effect is on the chain.
func (m Markets) see(ctx context.Context, w *watched) (bool, error) {
	switch w.Kind {
	case transaction.KindPool:
		return m.seePool(ctx, w)
	case transaction.KindCurve:
		return m.seeCurve(ctx, w)
	case transaction.KindCancel:
		if len(w.found) < 2 {
			return false, nil
		}
		_, gone, err := index.Withdrawn(w.curve, w.found[0], w.found[1])
		if err != nil {
			return false, unreadable{err}
		}
		if !gone {
			return false, nil
		}
		return true, m.Store.CancelSeen(ctx, w.Issued, m.Now())
	case transaction.KindLaunch, transaction.KindTax, transaction.KindBuy, transaction.KindSell, transaction.KindFees, transaction.KindLock, transaction.KindPromotion:
	}
	return false, nil // no account shows the effect: the transaction expires
}

// unreadable is the error of an account with an unknown layout or content.
type unreadable struct{ error }

func (e unreadable) Unwrap() error { return e.error }

func cannotRead(format string, args ...any) error { return unreadable{fmt.Errorf(format, args...)} }

// seePool finds the pool at the prepared address, and the pool's creator.
func (m Markets) seePool(ctx context.Context, w *watched) (bool, error) {
	if empty(w.found[0]) {
		return false, nil
	}
	state, err := m.Raydium.DecodePool(w.found[0].Owner, w.found[0].Data)
	if err != nil {
		return false, cannotRead("read the pool %s: %w", w.Subject, err)
	}
	at, err := m.Raydium.AddressesAt(w.Mint, w.Subject)
	if err != nil {
		return false, err
	}
	want := [2]solana.PublicKey{w.Mint, solana.WrappedSol}
	if !at.TokenFirst {
		want[0], want[1] = want[1], want[0]
	}
	if state.Mints != want || state.LPMint != at.LPMint {
		return false, cannotRead("the pool %s is one of %v: %w", w.Subject, state.Mints, raydium.ErrNotPool)
	}
	return true, m.Store.PoolSeen(ctx, w.Issued, token.Pool{
		Kind: token.RaydiumCPMM, Address: at.Pool, Mint: w.Mint, Creator: state.Creator,
		TokenVault: at.TokenVault, SOLVault: at.SOLVault, Authority: at.Authority, LPMint: state.LPMint,
		CreatedAt: m.Now(),
	})
}

// seeCurve finds the position that only this transaction can have created. A pool without the
// position was created by another transaction.
func (m Markets) seeCurve(ctx context.Context, w *watched) (bool, error) {
	if empty(w.found[0]) || empty(w.found[1]) {
		return false, nil
	}
	pool, err := meteora.DecodePool(w.found[0].Owner, w.found[0].Data)
	if err != nil {
		return false, cannotRead("read the pool %s: %w", w.Subject, err)
	}
	position, err := meteora.DecodePosition(w.found[1].Owner, w.found[1].Data)
	if err != nil {
		return false, cannotRead("read the position %s: %w", w.addresses[1], err)
	}
	if position.Pool != w.Subject {
		return false, nil
	}
	candidate, err := m.Store.Candidate(ctx, w.Issued)
	if errors.Is(err, market.ErrNotFound) {
		// Another run has deployed the candidate, which deleted the candidate.
		if there, err := m.Store.Curve(ctx, w.Mint); err == nil && there.ID == w.ID {
			return true, nil
		}
	}
	if err != nil {
		return false, fmt.Errorf("read the candidate: %w", err)
	}
	if pool.MintA != w.Mint || pool.Creator != candidate.Creator || candidate.Address != w.Subject || candidate.Position != w.addresses[1] ||
		pool.InitSqrtPrice.Cmp(candidate.StartSqrtPrice) != 0 {
		return false, cannotRead("the pool %s is not the one that was prepared", w.Subject)
	}
	candidate.CreatedAt = m.Now()
	if at, ok := pool.OpenedAt(); ok && candidate.StartsAt.IsZero() {
		candidate.CreatedAt = at
	}
	return true, m.Store.Deploy(ctx, candidate, w.ID)
}

// empty reports that an address has at most lamports, which anyone can send.
func empty(a *onchain.Account) bool {
	return a == nil || a.Owner == solana.SystemProgramID && len(a.Data) == 0
}
