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

// locate says in which accounts, beside its subject, the effect of a transaction
// shows: its position. Of a new curve that is known by the key of the position's NFT,
// which signed this one transaction and nothing else.
func (m Markets) locate(ctx context.Context, w *watched) error {
	switch w.Kind {
	case transaction.KindCurve:
		if len(w.Cosigned) != 1 {
			return cannotRead("%d keys signed beside the caller, want that of the position", len(w.Cosigned))
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
			return nil // it is withdrawn from before it was seen: the index will tell
		}
		if err != nil {
			return fmt.Errorf("read the curve: %w", err)
		}
		w.addresses = append(w.addresses, w.curve.Position)
	case transaction.KindLaunch, transaction.KindTax, transaction.KindPool, transaction.KindBuy, transaction.KindSell, transaction.KindFees, transaction.KindLock, transaction.KindPromotion:
	}
	return nil
}

// see ends a transaction whose effect is there.
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
	return false, nil // nothing shows it: it expires
}

// unreadable is the error of an account that is not as this service knows it.
type unreadable struct{ error }

func (e unreadable) Unwrap() error { return e.error }

func cannotRead(format string, args ...any) error { return unreadable{fmt.Errorf(format, args...)} }

// seePool finds the pool at the address that was prepared, and who made it.
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

// seeCurve finds the position that only this transaction can have made. A pool
// without it is another's.
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
		// Deployed by another run already, and the candidate is gone with it.
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

// empty says that nothing but lamports is under an address: anyone can send some.
func empty(a *onchain.Account) bool {
	return a == nil || a.Owner == solana.SystemProgramID && len(a.Data) == 0
}
