package airdrop

import (
	"context"
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// AirShip's parameters (github.com/helius-labs/airship, version 0.5.4 of
// helius-airship-core): packages/core/src/config/constants.ts.
const (
	airshipAddresses = 15                     // maxAddressesPerTransaction
	airshipUnits     = 550_000                // computeUnitLimit
	airshipPrice     = 10_000                 // computeUnitPrice, micro-lamports
	airshipQueue     = 100                    // .limit(100) in services/send.ts and poll.ts
	airshipPause     = 100 * time.Millisecond // sleep(100) after each queue, both
	airshipIdle      = 5 * time.Second        // sleep(5000) when all transactions are sent
)

// queued is a row of AirShip's transaction_queue.
type queued struct {
	people    []payout.Entry
	signature *solana.Signature
	last      uint64    // last_valid_block_height
	tried     time.Time // last_attempted_at
	confirmed bool
	attempts  int
}

// airship simulates AirShip's two workers, which share the queue: a sender and a poller. The
// simulation follows AirShip's source, with transfers of SOL in place of compressed tokens, and
// with a database without latency.
type airship struct {
	node *Node
	key  ed25519.PrivateKey
	rows []*queued
}

// airshipPays pays like AirShip.
func airshipPays(_ context.Context, count int, on Conditions) (f Figures, err error) {
	node := NewNode(on)
	people := crowd(node, count)
	a := &airship{node: node, key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	node.give(a.wallet(), wealth)
	for part := range slices.Chunk(people, airshipAddresses) {
		a.rows = append(a.rows, &queued{people: part})
	}
	began := time.Now()
	done := make(chan error, 1)
	go func() { done <- a.send() }()
	a.poll()
	if err := <-done; err != nil {
		return f, err
	}
	f.Calls = node.calls
	f.paid(node, people, began)
	for _, r := range a.rows {
		f.Resent += r.attempts - 1
	}
	return f, nil
}

func (a *airship) wallet() solana.PublicKey { return solana.PublicKey(a.key[ed25519.SeedSize:]) }

// pending returns at most a hundred rows that satisfy is. all reports whether all rows are
// confirmed.
func (a *airship) pending(is func(*queued) bool) (rows []*queued, all bool) {
	a.node.mu.Lock()
	defer a.node.mu.Unlock()
	all = true
	for _, r := range a.rows {
		all = all && r.confirmed
		if is(r) {
			rows = append(rows, r)
		}
	}
	return rows, all
}

// send is services/send.ts: for each transaction in turn a blockhash and the sending.
func (a *airship) send() error {
	for {
		rows, all := a.pending(func(r *queued) bool { return r.signature == nil })
		if all {
			return nil
		}
		if len(rows) == 0 {
			time.Sleep(airshipIdle)
			continue
		}
		for _, r := range rows[:min(len(rows), airshipQueue)] {
			if err := a.sendOne(r); err != nil {
				return err
			}
		}
		time.Sleep(airshipPause)
	}
}

// sendOne leaves the row unchanged if a call fails, so the row is processed again.
func (a *airship) sendOne(r *queued) error {
	hash, last, err := latestBlockhash(a.node, a.node.Pace.Confirm)
	if err != nil {
		return nil //nolint:nilerr // logged and tried again, as there
	}
	instructions := []solana.Instruction{computebudget.SetUnitLimit(airshipUnits), computebudget.SetUnitPrice(airshipPrice)}
	for _, p := range r.people {
		instructions = append(instructions, systemprogram.Transfer{From: a.wallet(), To: p.Owner, Lamports: p.Amount}.Instruction())
	}
	id, raw, err := signed(a.key, hash, instructions)
	if err != nil {
		return err
	}
	if a.node.call("sendTransaction", func() { a.node.take(raw) }) != nil {
		return nil
	}
	a.node.mu.Lock()
	defer a.node.mu.Unlock()
	r.signature, r.last, r.tried, r.attempts = &id, last, time.Now(), r.attempts+1
	return nil
}

// poll is services/poll.ts: each transaction in turn, the oldest attempt first, until all
// transactions are confirmed. A transaction that is not found and whose blockhash has expired is
// sent again.
func (a *airship) poll() {
	for {
		rows, all := a.pending(func(r *queued) bool { return r.signature != nil && !r.confirmed })
		if all {
			return
		}
		slices.SortStableFunc(rows, func(x, y *queued) int { return x.tried.Truncate(time.Second).Compare(y.tried.Truncate(time.Second)) })
		for _, r := range rows[:min(len(rows), airshipQueue)] {
			a.pollOne(r)
		}
		time.Sleep(airshipPause)
	}
}

func (a *airship) pollOne(r *queued) {
	found := false
	err := a.node.call("getSignatureStatuses", func() {
		l, ok := a.node.landed[*r.signature]
		found = ok
		r.confirmed = ok && a.node.slot >= l.slot+a.node.Pace.Confirm
	})
	if err != nil || found {
		return
	}
	_ = a.node.call("getBlockHeight", func() { // a failed call is repeated at the next turn
		if a.node.slot-a.node.Pace.Confirm > r.last {
			r.signature = nil
		}
	})
}

// latestBlockhash returns the blockhash of ago slots ago, and its last valid slot.
func latestBlockhash(node *Node, ago uint64) (hash solana.Hash, last uint64, err error) {
	err = node.call("getLatestBlockhash", func() {
		hash, last = blockhash(node.slot-ago), node.slot-ago+blockhashLife
	})
	return hash, last, err
}

// signed returns a signed transaction.
func signed(key ed25519.PrivateKey, hash solana.Hash, instructions []solana.Instruction) (id solana.Signature, raw []byte, err error) {
	message, err := wire.Compile(solana.PublicKey(key[ed25519.SeedSize:]), hash, instructions)
	if err != nil {
		return id, nil, err
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(key); err != nil {
		return id, nil, err
	}
	id, _ = tx.ID()
	return id, tx.Bytes(), nil
}
