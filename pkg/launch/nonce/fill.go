package nonce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
)

// fillLease is the length of an account's lease during its creation.
const fillLease = time.Minute

// looks is the minimum number of free accounts that Fill looks up on the chain. With this minimum,
// Fill finds every registered account that was never created within some calls.
const looks = 25

// Filled is the state of a pool after Fill.
type Filled struct {
	// Free is the number of ready accounts among the accounts that Fill looked up.
	Free int
	// Made is the number of accounts that Fill created on the chain.
	Made int
}

// Fill creates accounts in advance, until the given number of free accounts is ready. Fill creates
// up to limit accounts in one call, and the pool never exceeds Max. Fill also creates accounts that
// were registered and never created. id identifies the call; concurrent calls need different IDs.
func (p Pool) Fill(ctx context.Context, id string, free, limit int) (Filled, error) {
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
		if filled.Made == limit {
			return filled, nil
		}
		account, err := p.Store.Take(ctx, address, id, p.Now(), until)
		if errors.Is(err, ErrTaken) {
			continue // the launch that leased the account creates the account
		}
		if err != nil {
			return filled, err
		}
		if err := p.ready(ctx, account, id, &filled); err != nil {
			return filled, err
		}
	}
	for filled.Free < free && filled.Made < limit {
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

// ready creates an account that is leased to id, and frees the account. If the creation fails, the
// lease stays until its end, so that no launch waits for an unresponsive chain.
func (p Pool) ready(ctx context.Context, account Account, id string, filled *Filled) error {
	if _, err := p.value(ctx, account); err != nil && !errors.Is(err, errBehind) {
		return fmt.Errorf("prepare nonce %s: %w", account.Address, err)
	}
	filled.Free++
	filled.Made++
	return p.Store.Release(ctx, account.Address, id)
}
