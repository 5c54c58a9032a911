package nonce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
)

// fillLease is how long an account is held while it is made.
const fillLease = time.Minute

// looks is how many free accounts Fill looks for on the chain, at least: so in some calls it
// sees each that was registered and never created.
const looks = 25

// Filled says how a pool stands after Fill.
type Filled struct {
	// Free is how many accounts stand ready, of those that Fill looked at.
	Free int
	// Made is how many accounts were created on the chain.
	Made int
}

// Fill makes accounts ahead of those who lease them, until so many are free, but
// most of them in one call and never more than Max in all. Accounts that were
// registered and never created are created too. id names the call; calls at the
// same time need different ones.
func (p Pool) Fill(ctx context.Context, id string, free, most int) (Filled, error) {
	until := p.Now().Add(fillLease)
	accounts, size, err := p.free(ctx, p.Now(), max(free, looks), false)
	if err != nil {
		return Filled{}, err
	}
	accounts = accounts[:min(len(accounts), max(free, looks))]
	addresses := make([]solana.PublicKey, len(accounts))
	for i, a := range accounts {
		addresses[i] = a.Address
	}
	missing, err := p.Chain.Missing(ctx, addresses...)
	if err != nil {
		return Filled{}, err
	}
	filled := Filled{Free: len(accounts) - len(missing)}
	for _, address := range missing {
		if filled.Made == most {
			return filled, nil
		}
		account, err := p.Store.Take(ctx, address, id, p.Now(), until)
		if errors.Is(err, ErrTaken) {
			continue // the launch that leased it creates it
		}
		if err != nil {
			return filled, err
		}
		if err := p.ready(ctx, account, id, &filled); err != nil {
			return filled, err
		}
	}
	for filled.Free < free && filled.Made < most {
		account, err := p.grow(ctx, size, id, until)
		if errors.Is(err, ErrExhausted) {
			return filled, nil
		}
		if err != nil {
			return filled, err
		}
		size = account.Index + 1
		if err := p.ready(ctx, account, id, &filled); err != nil {
			return filled, err
		}
	}
	return filled, nil
}

// ready creates an account that is leased to id, and frees it. When the creation
// fails the lease stays until its end, so that no other launch waits for a chain
// that does not answer.
func (p Pool) ready(ctx context.Context, account Account, id string, filled *Filled) error {
	if _, err := p.value(ctx, account); err != nil && !errors.Is(err, errBehind) {
		return fmt.Errorf("prepare nonce %s: %w", account.Address, err)
	}
	filled.Free++
	filled.Made++
	return p.Store.Release(ctx, account.Address, id)
}
