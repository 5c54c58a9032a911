package nonce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

const (
	// MaxRead is the maximum number of accounts in one read of the store.
	MaxRead = 100
	// all is larger than any pool.
	all = math.MaxInt
)

// Lease leases a nonce to the transaction with this ID until the given time. After an error no
// nonce is leased. It returns ErrExhausted if the pool is used up.
func (p Pool) Lease(ctx context.Context, id string, until time.Time) (transaction.Nonce, error) {
	if p.Memory == nil {
		p.Memory = &Memory{} // so that an account that is behind is not taken again
	}
	for range 3 {
		account, err := p.take(ctx, id, until)
		if err != nil {
			return transaction.Nonce{}, err
		}
		value, err := p.value(ctx, account)
		if err == nil {
			return transaction.Nonce{Account: account.Address, Value: value}, nil
		}
		p.releaseUnused(ctx, account, id)
		if !errors.Is(err, errBehind) {
			return transaction.Nonce{}, err
		}
		p.Memory.leased(account.Index, p.Now().Add(heldFor)) // take another
	}
	return transaction.Nonce{}, apperr.Upstream("The Solana network", errBehind)
}

// releaseWithin bounds the release of a lease, which continues after the caller has gone.
const releaseWithin = 2 * time.Second

// releaseUnused releases the lease of an unused account. If the release fails, the lease expires.
func (p Pool) releaseUnused(ctx context.Context, account Account, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
	defer cancel()
	if p.Store.Release(ctx, account.Address, id) == nil {
		p.Memory.leased(account.Index, p.Now())
	}
}

// Release releases a lease that is no longer needed.
func (p Pool) Release(ctx context.Context, n transaction.Nonce, id string) error {
	return p.Store.Release(ctx, n.Account, id)
}

// Ready returns the number of accounts that can be leased at now.
func (p Pool) Ready(ctx context.Context, now time.Time) (int, error) {
	free, _, err := p.free(ctx, now, all, false)
	return len(free), err
}

// Size returns the number of accounts in the pool.
func (p Pool) Size(ctx context.Context) (int, error) { return p.Store.Size(ctx) }

// Balance returns the balance of the authority, in lamports.
func (p Pool) Balance(ctx context.Context) (uint64, error) {
	key, err := p.Authority.PublicKey(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the key of the nonce authority: %w", err)
	}
	return p.Chain.Balance(ctx, key)
}

// take leases any free account, or a new account. take first tries a few accounts by Memory,
// because an attempt costs less than a read of the whole pool. Addresses are derived from numbers,
// and the store decides. take creates an account only after reading the whole pool and losing every
// free account to other requests.
func (p Pool) take(ctx context.Context, id string, until time.Time) (Account, error) {
	size, err := p.Memory.sizeOr(ctx, p.Store.Size)
	if err != nil {
		return Account{}, err
	}
	for _, index := range p.Memory.likely(size, p.Now()) {
		account, err := p.try(ctx, index, id, until)
		if !errors.Is(err, ErrTaken) {
			return account, err
		}
	}
	free, size, err := p.free(ctx, p.Now(), all, true)
	if err != nil {
		return Account{}, err
	}
	for _, seen := range free {
		account, err := p.try(ctx, seen.Index, id, until)
		if !errors.Is(err, ErrTaken) {
			return account, err
		}
	}
	return p.grow(ctx, size, id, until)
}

// try leases the account with this number, and stores the result in Memory.
func (p Pool) try(ctx context.Context, index int, id string, until time.Time) (Account, error) {
	addresses, err := p.addresses(ctx, []int{index})
	if err != nil {
		return Account{}, err
	}
	now := p.Now()
	account, err := p.Store.Take(ctx, addresses[0], id, now, until)
	switch {
	case err == nil:
		p.Memory.leased(index, until)
	case errors.Is(err, ErrTaken) && account.Free(now): // no account is registered under this number
		p.Memory.leased(index, now.Add(heldFor))
	case errors.Is(err, ErrTaken):
		p.Memory.saw(index, account, now)
	}
	return account, err
}

// free reads the pool until at least enough accounts are found that are free at now. The accounts
// are in random order, so concurrent requests seldom choose the same account. size is the size of
// the pool.
func (p Pool) free(ctx context.Context, now time.Time, enough int, latest bool) (free []Account, size int, err error) {
	if size, err = p.Store.Size(ctx); err != nil {
		return nil, 0, err
	}
	p.Memory.grown(size)
	for some := range slices.Chunk(rand.Perm(size), min(enough, MaxRead)) { //nolint:gosec // spreads load, guards nothing
		addresses, err := p.addresses(ctx, some)
		if err != nil {
			return nil, 0, err
		}
		accounts, err := p.Store.Accounts(ctx, addresses, latest)
		if err != nil {
			return nil, 0, err
		}
		for _, a := range accounts {
			p.Memory.saw(a.Index, a, now)
			if a.Free(now) {
				free = append(free, a)
			}
		}
		if len(free) >= enough {
			break
		}
	}
	rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] }) //nolint:gosec // as above
	return free, size, nil
}

// addresses derives the addresses of the accounts with these numbers.
func (p Pool) addresses(ctx context.Context, indexes []int) ([]solana.PublicKey, error) {
	authority, err := p.Authority.PublicKey(ctx)
	if err != nil {
		return nil, err
	}
	addresses := make([]solana.PublicKey, len(indexes))
	for i, index := range indexes {
		if addresses[i], err = systemprogram.AddressWithSeed(authority, seed(index), solana.SystemProgramID); err != nil {
			return nil, fmt.Errorf("derive nonce account %d: %w", index, err)
		}
	}
	return addresses, nil
}

// ErrExhausted is returned if the pool has Max accounts and no account is free.
var ErrExhausted = errors.New("no nonce is free")

// grow leases a new account of a pool that had this size.
func (p Pool) grow(ctx context.Context, size int, id string, until time.Time) (Account, error) {
	for {
		if size >= p.Max {
			return Account{}, ErrExhausted
		}
		addresses, err := p.addresses(ctx, []int{size})
		if err != nil {
			return Account{}, err
		}
		account := Account{Index: size, Address: addresses[0]}
		err = p.Store.Add(ctx, account, id, until)
		if errors.Is(err, ErrTaken) && ctx.Err() == nil {
			// Another request added this account; that counts as progress.
			if size, err = p.Store.Size(ctx); err == nil {
				continue
			}
		}
		if err != nil {
			return Account{}, err
		}
		p.Memory.grown(size + 1)
		p.Memory.leased(size, until)
		return account, nil
	}
}

func seed(index int) string { return fmt.Sprintf("nonce/v1/%d", index) }
