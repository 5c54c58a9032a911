package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// listing is the accounts of a mint, listed by a source.
type listing struct {
	owners *sorter // balances; nil if not requested
	tax    *sorter // withheld tax; nil if not requested

	span               Span
	balances, withheld uint64
	accounts           uint64

	mint token2022.Mint // at the slots of the listing
}

// wanted is a request for a listing.
type wanted struct {
	owners, tax bool
	// exact rejects a listing that does not add up.
	exact bool
}

func (t Snapshotter) newListing(w wanted) *listing {
	chunk := t.Chunk
	if chunk <= 0 {
		chunk = defaultChunk
	}
	l := &listing{}
	if w.owners {
		l.owners = &sorter{folder: t.Folder, limit: chunk, order: byKey, sum: true}
	}
	if w.tax {
		l.tax = &sorter{folder: t.Folder, limit: chunk, order: maxFirst}
	}
	return l
}

func (l *listing) close() {
	for _, s := range []*sorter{l.owners, l.tax} {
		if s != nil {
			s.close()
		}
	}
}

func (l *listing) add(a Account) error {
	l.accounts++
	ok := true
	l.balances, ok = plus(l.balances, a.Amount, ok)
	l.withheld, ok = plus(l.withheld, a.Withheld, ok)
	if !ok {
		return fmt.Errorf("more than 64 bits: %w", ErrDoesNotAddUp)
	}
	if l.tax != nil && a.Withheld > 0 {
		if err := l.tax.add(entry{a.Address, a.Withheld}); err != nil {
			return err
		}
	}
	if l.owners == nil || a.Amount == 0 {
		return nil
	}
	return l.owners.add(entry{a.Owner, a.Amount})
}

// addsUp reports whether the listing adds up to the supply of a mint.
func (l *listing) addsUp(m token2022.Mint) bool {
	total, ok := sum(l.balances, l.withheld, withheldOn(m))
	return ok && total == m.Supply
}

func withheldOn(m token2022.Mint) uint64 {
	if m.TransferFee == nil {
		return 0
	}
	return m.TransferFee.Withheld
}

// errMint is returned if an address is not a mint. A retry would not change the result.
var errMint = errors.New("there is no such mint")

func (t Snapshotter) mint(ctx context.Context, address solana.PublicKey) (m token2022.Mint, slot uint64, err error) {
	account, slot, found, err := t.Chain.FinalizedAccount(ctx, address)
	if err == nil && !found {
		err = errMint
	}
	if err == nil {
		if m, err = token2022.DecodeMint(account.Owner, account.Data); err != nil {
			err = fmt.Errorf("%w: %w", errMint, err)
		}
	}
	if err != nil {
		return m, 0, fmt.Errorf("read mint %s: %w", address, err)
	}
	return m, slot, nil
}

const (
	attemptPause = 500 * time.Millisecond
	// finalityTries is the maximum number of reads of the mint, a second apart, until the slots of
	// the listing are final: 32 slots of a network with Tower take about 13 s.
	finalityTries = 25
	finalityPause = time.Second
)

// list lists the accounts from one source after the other, until a listing adds up. Every source has
// two attempts, and the first source a third attempt. A listing that need not be exact is not checked.
func (t Snapshotter) list(ctx context.Context, mint solana.PublicKey, w wanted) (*listing, error) {
	var last error
	for i := range 2*len(t.Sources) + 1 {
		if i > 0 {
			if err := t.Pause(ctx, attemptPause); err != nil {
				break
			}
		}
		l := t.newListing(w)
		err := t.listOnce(ctx, t.Sources[i%len(t.Sources)], mint, w.exact, l)
		if err == nil {
			return l, nil
		}
		l.close()
		if last != nil {
			err = fmt.Errorf("%w (before: %v)", err, last) //nolint:errorlint // Only the last failure is the error.
		}
		last = err
		if errors.Is(err, errMint) || ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("list the accounts of %s: %w", mint, last)
}

func (t Snapshotter) listOnce(ctx context.Context, source Source, mint solana.PublicKey, exact bool, l *listing) error {
	before, from, err := t.mint(ctx, mint)
	if err != nil {
		return err
	}
	l.mint = before
	if l.span, err = source.TokenAccounts(ctx, mint, before, from, l.add); err != nil {
		return err
	}
	if l.span.First < from || l.span.Last < l.span.First {
		return fmt.Errorf("%w: %d to %d, and the mint was read at %d", ErrOtherSlot, l.span.First, l.span.Last, from)
	}
	if !exact {
		return nil
	}
	after, err := t.mintSince(ctx, mint, l.span.Last)
	if err != nil {
		return err
	}
	// The mint may have changed between the two readings. The listing is from before or after the
	// change.
	if !l.addsUp(before) {
		l.mint = after
	}
	if !l.addsUp(l.mint) {
		return fmt.Errorf("%w: %d in %d accounts, %d withheld in them and %d on the mint, of %d",
			ErrDoesNotAddUp, l.balances, l.accounts, l.withheld, withheldOn(l.mint), l.mint.Supply)
	}
	return nil
}

// mintSince reads the mint at the given finalized slot or later.
func (t Snapshotter) mintSince(ctx context.Context, mint solana.PublicKey, slot uint64) (token2022.Mint, error) {
	var reached uint64
	for i := range finalityTries {
		if i > 0 {
			if err := t.Pause(ctx, finalityPause); err != nil {
				return token2022.Mint{}, err
			}
		}
		m, at, err := t.mint(ctx, mint)
		if err != nil {
			return m, err
		}
		if reached = at; at >= slot {
			return m, nil
		}
	}
	return token2022.Mint{}, fmt.Errorf("%w: %d, and the chain is at %d", ErrOtherSlot, slot, reached)
}
