// Package books keeps the books of distribution runs: the holders, the payments due, and the proof
// of the results. The package joins the packages snapshot, allocation and proof for package run,
// and has no rules of its own.
//
// Every file is written once. A step that is repeated after a crash or by another worker reads the
// existing file, so the step has the same result.
package books

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Bookkeeper keeps books. Every field is required.
type Bookkeeper struct {
	// Snapshotter lists accounts and takes snapshots.
	Snapshotter snapshot.Snapshotter
	// Files are the private files of the ledger: snapshots and plans.
	Files snapshot.Store
	// Proofs stores the public files, and Public reads the public files.
	Proofs write.Store
	Public Objects
	// Payments reads the ledger's payments.
	Payments run.Payments
}

// Objects reads the files of proofs by key. It returns content.ErrNoObject for a missing file.
type Objects interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Source reads the files of proofs by content ID.
type Source struct{ Objects Objects }

// File returns a file, or format.ErrNoFile.
func (s Source) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	body, err := s.Objects.Get(ctx, kind.Key(cid))
	if errors.Is(err, content.ErrNoObject) {
		return nil, fmt.Errorf("%s: %w", cid, format.ErrNoFile)
	}
	return body, err
}

// owed returns the debts of earlier runs in an asset, and the number of creditors.
func (k Bookkeeper) owed(ctx context.Context, r run.Run, in terms.Asset) (iter.Seq2[allocation.AmountsOwed, error], uint32, error) {
	if r.Opening.PreviousManifest == "" {
		return none[allocation.AmountsOwed](), 0, nil
	}
	source := Source{k.Public}
	previous, err := format.ReadManifest(ctx, source, r.Opening.PreviousManifest)
	if err != nil {
		return nil, 0, fmt.Errorf("read what is owed from before: %w", err)
	}
	var creditors uint64
	for _, leg := range previous.Legs {
		if leg.Asset == in.String() {
			creditors = leg.Sums.CarriedTo
		}
	}
	if !slices.ContainsFunc(previous.Legs, func(l format.Leg) bool { return l.Asset == in.String() }) {
		return none[allocation.AmountsOwed](), 0, nil
	}
	return previous.AmountsOwed(ctx, source, in), uint32(creditors), nil
}

// Keep stores the signed transaction that anchors a proof.
func (k Bookkeeper) Keep(ctx context.Context, anchor []byte) (string, error) {
	return write.KeepAnchor(ctx, k.Proofs, anchor)
}

// Withheld writes the accounts with withheld tax to a file, largest amount first, and returns the
// number of accounts to collect from, with the sum of tax.
func (k Bookkeeper) Withheld(ctx context.Context, r run.Run, choice run.Collectable, file string) (accounts uint32, withheld uint64, err error) {
	if _, err := k.Snapshotter.Collectable(ctx, r.Mint, file); err != nil {
		return 0, 0, fmt.Errorf("list the accounts with withheld tax: %w", err)
	}
	list, err := snapshot.OpenTax(ctx, k.Files, file)
	if err != nil {
		return 0, 0, fmt.Errorf("read the accounts with withheld tax: %w", err)
	}
	accounts, withheld, err = choice.Choose(list.Each())
	if err = errors.Join(err, list.Close()); err != nil {
		return 0, 0, fmt.Errorf("read the accounts with withheld tax: %w", err)
	}
	return accounts, withheld, nil
}

// Snapshot writes the holders of the token to a file.
func (k Bookkeeper) Snapshot(ctx context.Context, r run.Run, file string) (run.Snapshot, error) {
	taken, err := k.Snapshotter.Take(ctx, snapshot.Request{
		Mint: r.Mint, Key: file,
		Policy: snapshot.Policy{
			Distribution: r.Token.Wallet.Address, Vaults: r.Token.Vaults, Minimum: r.Settings.MinimumHolding,
		},
	})
	if errors.Is(err, snapshot.ErrDoesNotAddUp) || errors.Is(err, snapshot.ErrOtherSlot) {
		return run.Snapshot{}, fmt.Errorf("%w: %w", run.ErrDoesNotAddUp, err)
	}
	if err != nil {
		return run.Snapshot{}, fmt.Errorf("take a snapshot: %w", err)
	}
	eligible := taken.Eligible()
	s := run.Snapshot{
		File: file, SHA256: hex.EncodeToString(taken.Digest[:]), ChainSlot: taken.Slot(), Supply: taken.Supply,
		Balances: taken.Balances, WithheldInAccounts: taken.WithheldInAccounts, WithheldOnMint: taken.WithheldOnMint,
		Accounts: uint32(taken.Accounts), Owners: uint32(taken.Owners()), //nolint:gosec // counted in 32 bits
		Eligible: uint32(eligible.Owners), EligibleBalance: eligible.Balance, //nolint:gosec // counted in 32 bits
	}
	if shareTerms(r).Held {
		if err := k.weigh(ctx, r, &s); err != nil {
			return run.Snapshot{}, fmt.Errorf("compare with the snapshot before: %w", err)
		}
	}
	return s, nil
}

// none returns an empty sequence.
func none[T any]() iter.Seq2[T, error] { return func(func(T, error) bool) {} }
