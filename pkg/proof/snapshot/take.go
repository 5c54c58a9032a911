package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/content"
)

// Snapshotter takes snapshots. Every field is required, except Folder, Chunk and
// Parallel.
type Snapshotter struct {
	// Sources are asked in turn, the best first.
	Sources []Source
	Chain   Chain
	Store   Store
	// Folder is where sorted runs and drafts are kept while a snapshot is taken: about
	// 120 bytes per account. Empty means that of the system. They vanish with the
	// process.
	Folder string
	// Chunk is how many owners and accounts are sorted in memory at once, 80 bytes
	// for both; 0 means 131,072.
	Chunk int
	// Parallel is how many look-ups of owners are made at once; 0 means 8.
	Parallel int
	// Pause waits, or returns the context's error when that ends first.
	Pause func(ctx context.Context, d time.Duration) error
}

// Request says what to take and where it is kept.
type Request struct {
	Mint   solana.PublicKey
	Policy Policy
	// Key is that of the holders' file.
	Key string
	// TaxKey, when it is not empty, is that of the file of accounts that hold tax,
	// which the same listing gives.
	TaxKey string
}

// Take takes a snapshot, unless there is one under the key, and gives the summary of
// the one that is there: of two that take it at once, one has written it. It fails
// with ErrDoesNotAddUp or ErrOtherSlot when no source gave a listing that can be
// believed; nothing is stored then.
func (t Snapshotter) Take(ctx context.Context, r Request) (Taken, error) {
	if s, err := t.taken(ctx, r); err == nil || !errors.Is(err, content.ErrNoObject) {
		return s, err
	}
	l, err := t.list(ctx, r.Mint, wanted{owners: true, tax: r.TaxKey != "", exact: true})
	if err != nil {
		return Taken{}, fmt.Errorf("take snapshot %s: %w", r.Key, err)
	}
	defer l.close()
	if r.TaxKey != "" {
		if err := t.storeTax(ctx, r.Mint, r.TaxKey, l); err != nil {
			return Taken{}, fmt.Errorf("take snapshot %s: %w", r.Key, err)
		}
	}
	if err := t.storeHolders(ctx, r, l); err != nil {
		return Taken{}, fmt.Errorf("take snapshot %s: %w", r.Key, err)
	}
	return t.taken(ctx, r)
}

// taken gives the summary of the snapshot that is stored.
func (t Snapshotter) taken(ctx context.Context, r Request) (Taken, error) {
	s, err := ReadSummary(ctx, t.Store, r.Key)
	if err == nil && s.Mint != r.Mint {
		err = fmt.Errorf("snapshot %s is of %s, not of %s", r.Key, s.Mint, r.Mint)
	}
	if err == nil && r.TaxKey != "" {
		_, err = ReadTaxSummary(ctx, t.Store, r.TaxKey)
	}
	return s, err
}

func (t Snapshotter) storeHolders(ctx context.Context, r Request, l *listing) error {
	d, err := newHoldersDraft(t.Folder, Summary{
		Mint: r.Mint, Span: l.span, Supply: l.mint.Supply, Balances: l.balances,
		WithheldInAccounts: l.withheld, WithheldOnMint: withheldOn(l.mint),
		Accounts: l.accounts, Minimum: r.Policy.Minimum,
	})
	if err != nil {
		return err
	}
	defer d.close()
	parallel := t.Parallel
	if parallel == 0 {
		parallel = defaultParallel
	}
	j := judge{chain: t.Chain, policy: r.Policy, from: l.span.Last, parallel: parallel, pause: t.Pause}
	if err := j.all(ctx, l.owners.sorted(), d.add); err != nil {
		return err
	}
	return d.store(ctx, t.Store, r.Key)
}
