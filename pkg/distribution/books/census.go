package books

import (
	"cmp"
	"context"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/locker"
)

// topTen is the number of largest holders in the figures.
const topTen = 10

// census counts the rows of a snapshot for the figures. Memory is bounded for any number of rows.
type census struct {
	creator solana.PublicKey

	owners uint32
	held   uint64 // by creator
	// wallets are the largest owners. programs are the largest owners without a key, which may be
	// escrows.
	wallets, programs largest
}

// add counts a row.
func (c *census) add(r snapshot.Row) {
	switch r.Standing {
	case snapshot.DistributionWallet, snapshot.Vault, snapshot.Incinerator:
		return
	case snapshot.OffCurve:
		c.programs.add(r, snapshot.MaxPrograms)
	case snapshot.Eligible, snapshot.BelowMinimum, snapshot.ProgramOwned:
		c.wallets.add(r, topTen)
	}
	c.owners++
	if r.Owner == c.creator {
		c.held = r.Balance
	}
}

// holders returns the figures. Figures are only for display, so a failed look-up of escrows leaves
// out one figure and never fails the run.
func (c *census) holders(ctx context.Context, chain snapshot.Chain, s *run.Snapshot) *run.HolderFigures {
	h := &run.HolderFigures{ChainSlot: s.ChainSlot, Supply: s.Supply, Owners: c.owners, Creator: c.held}
	escrow, known := c.escrows(ctx, chain, s.ChainSlot)
	var locked uint64
	for i, r := range c.programs {
		if known && escrow[i] {
			locked += r.Balance
			continue
		}
		c.wallets.add(r, topTen)
	}
	if known {
		h.Locked = &locked
	}
	for _, r := range c.wallets {
		h.TopTen += r.Balance
	}
	return h
}

// escrows reports which of programs are escrows of Jupiter Lock. known is false if the look-up
// failed. The owning programs decide and not a list of our own locks, which would lack locks that
// were made elsewhere.
func (c *census) escrows(ctx context.Context, chain snapshot.Chain, from uint64) (is []bool, known bool) {
	if len(c.programs) == 0 {
		return nil, true
	}
	addresses := make([]solana.PublicKey, len(c.programs))
	for i, r := range c.programs {
		addresses[i] = r.Owner
	}
	programs, err := chain.Programs(ctx, addresses, from)
	if err != nil || len(programs) != len(addresses) {
		return nil, false
	}
	for _, program := range programs {
		is = append(is, program == locker.Program)
	}
	return is, true
}

// largest are rows in the order of their balances, largest first.
type largest []snapshot.Row

// add inserts a row, and drops the smallest row of more than most rows.
func (l *largest) add(r snapshot.Row, most int) {
	if len(*l) == most && r.Balance <= (*l)[most-1].Balance {
		return
	}
	at, _ := slices.BinarySearchFunc(*l, r.Balance, func(in snapshot.Row, balance uint64) int { return cmp.Compare(balance, in.Balance) })
	*l = slices.Insert(*l, at, r)
	*l = (*l)[:min(len(*l), most)]
}
