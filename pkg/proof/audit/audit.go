package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// ErrNoFee appears when an account is no Token-2022 mint with a transfer fee.
var ErrNoFee = errors.New("the account is no Token-2022 mint with a transfer fee")

// Node is what an audit asks. One that is a snapshot.Source too also lists the accounts
// that hold withheld tax; public nodes refuse to.
type Node interface {
	chain.Node
	// FinalizedAccount gives what is stored under an address, and the slot at which it was
	// read; found is false when nothing is.
	FinalizedAccount(ctx context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error)
}

// MaxTransactions is how long a history may be, unless an Auditor says otherwise.
const MaxTransactions = 2_000_000

// Auditor makes reports. Only Node is needed.
type Auditor struct {
	Node Node
	// Progress is told how far the reading has come; steps is -1 while it is not known.
	Progress func(done, steps int, what string)
	// Pause waits between two calls of a node that does not answer. Without it there is
	// one call.
	Pause func(ctx context.Context, d time.Duration) error
	// MaxTransactions bounds the history of the mint, and those of the destinations together;
	// zero is the package's.
	MaxTransactions int
}

func (a Auditor) most() int { return cmp.Or(a.MaxTransactions, MaxTransactions) }

func (a Auditor) tell(done, steps int, what string) {
	if a.Progress != nil {
		a.Progress(done, steps, what)
	}
}

// now is what the node has now.
type now struct {
	mint token2022.Mint
	// slot is when the mint was read, listedAt when its accounts were.
	slot, listedAt uint64
	inAccounts     Sum
	unlisted       string // why they were not
}

// Audit reports on a mint. It fails with ErrNoFee, ErrInconsistent, ErrTooLong, or as the
// node does.
func (a Auditor) Audit(ctx context.Context, mint solana.PublicKey) (Report, error) {
	r, err := a.audit(ctx, mint)
	if err != nil {
		return Report{}, fmt.Errorf("audit %s: %w", mint, err)
	}
	return r, nil
}

func (a Auditor) audit(ctx context.Context, mint solana.PublicKey) (Report, error) {
	n, err := a.now(ctx, mint)
	if err != nil {
		return Report{}, err
	}
	// What is listed after the state was read has all that made it.
	list, seen, err := a.list(ctx, mint, 0, a.most())
	if err != nil {
		return Report{}, err
	}
	b := newBook(mint)
	for _, f := range []token2022.TransferFee{n.mint.TransferFee.Older, n.mint.TransferFee.Newer} {
		b.offer(Fee{f.BasisPoints, f.MaximumFee})
	}
	last := max(n.slot, n.listedAt)
	for len(list) > 0 && list[0].Slot > last {
		list = list[1:]
		b.history.Newer++
	}
	b.history.Transactions = len(list)
	slices.Reverse(list)
	at, err := a.walk(ctx, b, list, n)
	if err != nil {
		return Report{}, err
	}
	own, err := a.destinations(ctx, b, seen, last)
	if err != nil {
		return Report{}, err
	}
	return b.report(n, at, own), nil
}

// now reads the mint, and the accounts that hold withheld tax.
func (a Auditor) now(ctx context.Context, mint solana.PublicKey) (n now, err error) {
	var stored onchain.Account
	var found bool
	if err := a.retry(ctx, func() (err error) {
		stored, n.slot, found, err = a.Node.FinalizedAccount(ctx, mint)
		return err
	}); err != nil {
		return now{}, fmt.Errorf("read the mint: %w", err)
	}
	if !found {
		return now{}, fmt.Errorf("%w: there is nothing", ErrNoFee)
	}
	if n.mint, err = token2022.DecodeMint(stored.Owner, stored.Data); err != nil {
		return now{}, fmt.Errorf("%w: %w", ErrNoFee, err)
	}
	if n.mint.TransferFee == nil {
		return now{}, ErrNoFee
	}
	source, ok := a.Node.(snapshot.Source)
	if !ok {
		n.unlisted = "the node was not asked"
		return n, nil
	}
	span, err := source.TokenAccounts(ctx, mint, n.mint, n.slot, func(one snapshot.Account) error {
		n.inAccounts.add(one.Withheld)
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return now{}, ctx.Err()
	case err != nil:
		n.inAccounts, n.unlisted = Sum{}, fmt.Sprintf("the node did not list them: %v", err)
	case span.First != span.Last || span.Last < n.slot:
		n.inAccounts, n.unlisted = Sum{}, "the node listed them as of several slots, or of an old one"
	default:
		n.listedAt = span.Last
	}
	return n, nil
}

// marks are what the history says for the slots at which the node's state was read.
type marks struct {
	// Of the mint's slot.
	supply, onMint Sum
	// Of the listing's.
	inAccounts Sum
}

// walk reads the mint's history, the oldest first.
func (a Auditor) walk(ctx context.Context, b *book, list []chain.Listed, n now) (at marks, err error) {
	done, mint, accounts := 0, false, false
	mark := func(slot uint64) {
		if !mint && slot > n.slot {
			mint, at.supply, at.onMint = true, b.supply(), b.onMint
		}
		if !accounts && slot > n.listedAt {
			accounts, at.inAccounts = true, b.inAccounts
		}
	}
	for l, err := range a.landings(ctx, slices.Values(list)) {
		if err != nil {
			return marks{}, err
		}
		mark(l.listed.Slot)
		switch {
		case l.missing:
			b.history.Missing++
		case !names(l.tx, b.mint):
			return marks{}, fmt.Errorf("%w: transaction %s does not name the mint", ErrInconsistent, l.listed.Signature)
		case l.tx.Failed != "":
			b.history.Failed++
		default:
			if err := b.apply(l.tx); err != nil {
				return marks{}, err
			}
		}
		done++
		a.tell(done, len(list)+1, "reading")
	}
	mark(^uint64(0))
	return at, nil
}

func names(t chain.Transaction, address solana.PublicKey) bool {
	return slices.ContainsFunc(t.Accounts, func(a chain.Account) bool { return a.Address == address })
}

// own is what the destinations' own histories say.
type own struct {
	read    int // transactions that do not name the mint
	missing int
	// hidden is the first one that moved tokens, and is not in the mint's history.
	hidden *Place
}

// destinations reads what the histories of the destinations have beyond the mint's, from
// the first withdrawal on.
func (a Auditor) destinations(ctx context.Context, b *book, seen signatures, last uint64) (o own, err error) {
	done, most := 0, a.most()
	for _, d := range b.sorted() {
		list, _, err := a.list(ctx, d.Account, d.from, most)
		if err != nil {
			return own{}, err
		}
		most -= len(list)
		list = slices.DeleteFunc(list, func(l chain.Listed) bool { return l.Slot > last || seen.has(l.Signature) })
		slices.Reverse(list)
		for l, err := range a.landings(ctx, slices.Values(list)) {
			if err != nil {
				return own{}, err
			}
			o.read++
			switch {
			case l.missing:
				o.missing++
			case l.tx.Failed != "":
			case o.hidden == nil && moves(l.tx, b.mint, d.Account):
				o.hidden = &Place{l.listed.Signature, l.listed.Slot}
			default:
				if _, err := b.ops(l.tx); err != nil { // takes down what it does to the account
					return own{}, err
				}
			}
		}
		done++
		a.tell(b.history.Transactions+done, b.history.Transactions+len(b.destinations)+1, "destinations")
	}
	slices.SortStableFunc(b.accountChanges, func(x, y AccountChange) int { return cmp.Compare(x.Slot, y.Slot) })
	return o, nil
}

// moves says whether a transaction changed an account's balance, or names the mint.
func moves(t chain.Transaction, mint, account solana.PublicKey) bool {
	return names(t, mint) || slices.ContainsFunc(t.Tokens, func(row chain.TokenAccount) bool {
		return row.Address == account && row.Mint == mint && row.Before != row.After
	})
}

// sorted gives the destinations, the largest first.
func (b *book) sorted() []*destination {
	return slices.SortedFunc(maps.Values(b.destinations), func(x, y *destination) int {
		return cmp.Or(y.Withdrawn.Compare(x.Withdrawn), bytes.Compare(x.Account[:], y.Account[:]))
	})
}

// supply is what there is by the history.
func (b *book) supply() Sum { return b.atCreation.plus(b.minted).less(b.burned) }
