package snapshot

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Policy decides which owners share.
type Policy struct {
	// Distribution is the distribution wallet, which never shares.
	Distribution solana.PublicKey
	// Vaults are the owners of the tokens in known pools and curves. Vaults never share.
	Vaults []solana.PublicKey
	// Listed are owners without a key, or owned by a program, that share because the creator
	// has listed the owners.
	Listed []solana.PublicKey
	// Minimum is the minimum balance of an owner, in base units.
	Minimum uint64
}

// known returns an owner's standing from the policy. sure is false if the owner's account decides.
func (p Policy) known(e entry) (s Standing, sure bool) {
	switch {
	case e.key == p.Distribution:
		return DistributionWallet, true
	case slices.Contains(p.Vaults, e.key):
		return Vault, true
	case e.key == IncineratorAddress:
		return Incinerator, true
	case e.amount < p.Minimum:
		return BelowMinimum, true
	case onchain.Reserved(e.key):
		return ProgramOwned, true
	case slices.Contains(p.Listed, e.key):
		return Eligible, true
	}
	return Eligible, false
}

const (
	// windowRows is the maximum number of rows that wait for look-ups, 48 bytes per row.
	windowRows = 1 << 14
	// defaultParallel is the default number of concurrent look-ups.
	defaultParallel = 8
	// lookUpAttempts is the maximum number of attempts of a look-up. lookUpPause is the first
	// pause, and every further pause is twice as long.
	lookUpAttempts = 4
	lookUpPause    = time.Second
)

// judge determines the standing of every owner with a balance, in the order of owners.
type judge struct {
	chain    Chain
	policy   Policy
	from     uint64 // the slot from which accounts are looked up
	parallel int
	pause    func(ctx context.Context, d time.Duration) error

	rows    []Row
	unclear []int // indexes in rows
}

func (j *judge) all(ctx context.Context, owners iter.Seq2[entry, error], each func(Row) error) error {
	for e, err := range owners {
		if err != nil {
			return err
		}
		if e.amount == 0 {
			continue
		}
		standing, sure := j.policy.known(e)
		if !sure {
			j.unclear = append(j.unclear, len(j.rows))
		}
		j.rows = append(j.rows, Row{Owner: e.key, Balance: e.amount, Standing: standing})
		if len(j.rows) == windowRows || len(j.unclear) == j.parallel*MaxPrograms {
			if err := j.flush(ctx, each); err != nil {
				return err
			}
		}
	}
	return j.flush(ctx, each)
}

// flush looks up the unclear rows, and passes all rows to each.
func (j *judge) flush(ctx context.Context, each func(Row) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	for group := range slices.Chunk(j.unclear, MaxPrograms) {
		wait.Go(func() {
			if err := j.lookUp(ctx, group); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, r := range j.rows {
		if err := each(r); err != nil {
			return err
		}
	}
	j.rows, j.unclear = j.rows[:0], j.unclear[:0]
	return nil
}

// lookUp sets the standing of rows from the owners' accounts.
func (j *judge) lookUp(ctx context.Context, group []int) error {
	addresses, at := make([]solana.PublicKey, 0, len(group)), make([]int, 0, len(group))
	for _, i := range group {
		row := &j.rows[i]
		if !row.Owner.IsOnCurve() {
			row.Standing = OffCurve
			continue
		}
		addresses, at = append(addresses, row.Owner), append(at, i)
	}
	if len(addresses) == 0 {
		return nil
	}
	programs, err := j.programs(ctx, addresses)
	if err != nil {
		return fmt.Errorf("look up %d owners: %w", len(addresses), err)
	}
	for i, program := range programs {
		if program != solana.SystemProgramID {
			j.rows[at[i]].Standing = ProgramOwned
		}
	}
	return nil
}

// programs looks up accounts, and retries failures. A million owners need thousands of calls, and one
// failure of a node must not waste the other calls.
func (j *judge) programs(ctx context.Context, addresses []solana.PublicKey) ([]solana.PublicKey, error) {
	for attempt := 0; ; attempt++ {
		programs, err := j.chain.Programs(ctx, addresses, j.from)
		if err == nil && len(programs) != len(addresses) {
			err = fmt.Errorf("%d of %d answered", len(programs), len(addresses))
		}
		if err == nil {
			return programs, nil
		}
		if attempt == lookUpAttempts-1 || j.pause(ctx, lookUpPause<<attempt) != nil {
			return nil, err
		}
	}
}
