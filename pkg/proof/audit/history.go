package audit

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/backoff"
	"tokenlaunch.example/service/pkg/proof/chain"
)

var (
	// ErrInconsistent is returned when a node contradicts itself.
	ErrInconsistent = errors.New("the node contradicts itself")
	// ErrTooLong is returned when the mint's history, or the histories of all destinations
	// together, have more than MaxTransactions transactions.
	ErrTooLong = errors.New("the history is too long")
)

const (
	// atOnce is the maximum number of concurrent requests for transactions.
	atOnce = 8
	// tries is the maximum number of requests to a node that does not respond. The pauses double
	// from firstPause to longestPause. Public nodes reject many requests in a second.
	tries        = 6
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// signatures is a set of signatures, by a hash with a seed that the node does not know.
type signatures struct {
	seed maphash.Seed
	set  map[uint64]struct{}
}

func newSignatures() signatures { return signatures{maphash.MakeSeed(), map[uint64]struct{}{}} }

func (s signatures) has(one solana.Signature) bool {
	_, ok := s.set[maphash.Comparable(s.seed, one)]
	return ok
}

// add adds a signature, and reports whether the signature is new.
func (s signatures) add(one solana.Signature) bool {
	before := len(s.set)
	s.set[maphash.Comparable(s.seed, one)] = struct{}{}
	return len(s.set) > before
}

// retry repeats a call while the node is unavailable, at most tries times. It does not repeat other
// errors.
func (a Auditor) retry(ctx context.Context, call func() error) error {
	for n := 1; ; n++ {
		err := call()
		if apperr.KindOf(err) != apperr.Unavailable || n == tries || ctx.Err() != nil || a.Pause == nil {
			return err
		}
		if waited := a.Pause(ctx, backoff.Pause(firstPause, longestPause, n)); waited != nil {
			return err
		}
	}
}

// list returns the transactions that name an address, the newest first, down to a slot. For a whole
// history list reports the progress. It returns ErrTooLong if the list exceeds most.
func (a Auditor) list(ctx context.Context, address solana.PublicKey, from uint64, most int) ([]chain.Listed, signatures, error) {
	var all []chain.Listed
	seen := newSignatures()
	for {
		var before solana.Signature
		if len(all) > 0 {
			before = all[len(all)-1].Signature
		}
		var page []chain.Listed
		err := a.retry(ctx, func() (err error) {
			page, err = a.Node.Page(ctx, address, before)
			return err
		})
		if err != nil {
			return nil, seen, fmt.Errorf("list the transactions of %s: %w", address, err)
		}
		if len(page) > chain.PageSize {
			return nil, seen, fmt.Errorf("list the transactions of %s: %w: %d on a page, at most %d", address, ErrInconsistent, len(page), chain.PageSize)
		}
		for _, l := range page {
			switch {
			case !seen.add(l.Signature):
				return nil, seen, fmt.Errorf("list the transactions of %s: %w: %s is there twice", address, ErrInconsistent, l.Signature)
			case len(all) > 0 && l.Slot > all[len(all)-1].Slot:
				return nil, seen, fmt.Errorf("list the transactions of %s: %w: slot %d comes after %d, the newest first",
					address, ErrInconsistent, l.Slot, all[len(all)-1].Slot)
			case l.Slot < from:
				return all, seen, nil
			case len(all) == most:
				return nil, seen, fmt.Errorf("list the transactions of %s: %w: over %d", address, ErrTooLong, most)
			}
			all = append(all, l)
		}
		if from == 0 {
			a.tell(len(all), -1, "listing")
		}
		// A node may return short pages. Only an empty page is the end.
		if len(page) == 0 {
			return all, seen, nil
		}
	}
}

// landed is a listed transaction, or missing if the node no longer has the transaction.
type landed struct {
	listed  chain.Listed
	tx      chain.Transaction
	missing bool
	err     error
}

// landings iterates over the listed transactions in order, and reads several transactions ahead. It
// stops after an error.
func (a Auditor) landings(ctx context.Context, list iter.Seq[chain.Listed]) iter.Seq2[landed, error] {
	return func(yield func(landed, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		queue := make(chan chan landed, atOnce-1)
		go func() {
			defer close(queue)
			for l := range list {
				one := make(chan landed, 1)
				select {
				case queue <- one:
				case <-ctx.Done():
					return
				}
				go func() { one <- a.landing(ctx, l) }()
			}
		}()
		for one := range queue {
			l := <-one
			if !yield(l, l.err) || l.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(landed{}, err)
		}
	}
}

func (a Auditor) landing(ctx context.Context, l chain.Listed) landed {
	read := landed{listed: l}
	err := a.retry(ctx, func() (err error) {
		read.tx, err = a.Node.Landing(ctx, l.Signature)
		return err
	})
	switch {
	case errors.Is(err, chain.ErrNotLanded):
		read.missing = true
	case err != nil:
		read.err = fmt.Errorf("read transaction %s: %w", l.Signature, err)
	case read.tx.Slot != l.Slot || read.tx.Signature != l.Signature:
		read.err = fmt.Errorf("%w: %s of slot %d was listed, and %s of slot %d given",
			ErrInconsistent, l.Signature, l.Slot, read.tx.Signature, read.tx.Slot)
	}
	return read
}
