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

// ErrNoFee is returned when an account is not a Token-2022 mint with a transfer fee.
var ErrNoFee = errors.New("the account is no Token-2022 mint with a transfer fee")

// Node is the subset of the RPC API that an audit needs. A node that also implements
// snapshot.Source lists the accounts with withheld tax. Public nodes reject this request.
type Node interface {
	chain.Node
	// FinalizedAccount returns the account at an address, with the slot of the read. found is false
	// for a missing account.
	FinalizedAccount(ctx context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error)
}

// MaxTransactions is the default maximum length of a history.
const MaxTransactions = 2_000_000

// Auditor creates reports. Only Node is required.
type Auditor struct {
	Node Node
	// Progress receives the progress of the audit. steps is -1 while the number of steps is
	// unknown.
	Progress func(done, steps int, what string)
	// Pause waits between two requests to a node that does not respond. If Pause is nil, the
	// auditor does not repeat requests.
	Pause func(ctx context.Context, d time.Duration) error
	// MaxTransactions is the maximum length of the mint's history, and of the destinations'
	// histories together. Zero means the package's MaxTransactions.
	MaxTransactions int
}

func (a Auditor) most() int { return cmp.Or(a.MaxTransactions, MaxTransactions) }

func (a Auditor) tell(done, steps int, what string) {
	if a.Progress != nil {
		a.Progress(done, steps, what)
	}
}

// now is the node's present state.
type now struct {
	mint token2022.Mint
	// slot is the slot of the mint's state, and listedAt the slot of the accounts.
	slot, listedAt uint64
	inAccounts     Sum
	unlisted       string // reason for not listing the accounts
}

// Audit returns a report on a mint. It returns ErrNoFee, ErrInconsistent, ErrTooLong, or an error
// of the node.
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
	// List the history after reading the state: the list then has every transaction that led to the
	// state.
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

// now reads the mint and the accounts with withheld tax.
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

// marks are the sums of the history at the slots of the node's state.
type marks struct {
	// at the slot of the mint
	supply, onMint Sum
	// at the slot of the accounts
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

// own is the result of reading the destinations' histories.
type own struct {
	read    int // transactions that do not name the mint
	missing int
	// hidden is the first transaction that moved tokens and is missing in the mint's history.
	hidden *Place
}

// destinations reads the transactions of the destinations that are not in the mint's history, from
// the first withdrawal.
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
				if _, err := b.ops(l.tx); err != nil { // records account changes
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

// moves reports whether a transaction changed an account's balance, or names the mint.
func moves(t chain.Transaction, mint, account solana.PublicKey) bool {
	return names(t, mint) || slices.ContainsFunc(t.Tokens, func(row chain.TokenAccount) bool {
		return row.Address == account && row.Mint == mint && row.Before != row.After
	})
}

// sorted returns the destinations, the largest first.
func (b *book) sorted() []*destination {
	return slices.SortedFunc(maps.Values(b.destinations), func(x, y *destination) int {
		return cmp.Or(y.Withdrawn.Compare(x.Withdrawn), bytes.Compare(x.Account[:], y.Account[:]))
	})
}

// supply returns the supply by the history.
func (b *book) supply() Sum { return b.atCreation.plus(b.minted).less(b.burned) }
