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
	// Sources are tried in order, the best source first.
	Sources []Source
	Chain   Chain
	Store   Store
	// Folder is the directory of temporary files: about 120 bytes per account. Empty means the
	// system's directory. The files end with the process.
	Folder string
	// Chunk is the number of owners and accounts that are sorted in memory, 80 bytes per pair; 0
	// means 131,072.
	Chunk int
	// Parallel is the number of concurrent look-ups of owners; 0 means 8.
	Parallel int
	// Pause waits, or returns the context's error if the context ends first.
	Pause func(ctx context.Context, d time.Duration) error
}

// Request selects a snapshot and the keys of the files.
type Request struct {
	Mint   solana.PublicKey
	Policy Policy
	// Key is the key of the holders' file.
	Key string
	// TaxKey is the key of the file of accounts with withheld tax. If TaxKey is not empty, the
	// same listing also fills that file.
	TaxKey string
}

// Take takes a snapshot, unless the key has a snapshot already, and returns the stored summary. If two
// callers take the same snapshot, both return the snapshot of the first writer. It returns
// ErrDoesNotAddUp or ErrOtherSlot, and stores nothing, if no source has a valid listing.
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

// taken returns the summary of the stored snapshot.
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
