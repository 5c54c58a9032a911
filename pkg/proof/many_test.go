package proof_test

import (
	"context"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The node of the figures: how long a call takes, and how many a second it answers at most.
const (
	latency = 50 * time.Millisecond
	rate    = 50
)

// distant is a node at the other end of a network, with a plan.
type distant struct {
	*sim

	mutex        sync.Mutex
	next         time.Time
	pages, reads int
	others       int
}

// wait lets a call take its time. In a bubble of testing/synctest that costs none.
func (d *distant) wait(count *int) {
	d.mutex.Lock()
	*count++
	now := time.Now()
	if d.next.Before(now) {
		d.next = now
	}
	at := d.next
	d.next = d.next.Add(time.Second / rate)
	d.mutex.Unlock()
	time.Sleep(at.Sub(now) + latency)
}

func (d *distant) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	d.wait(&d.pages)
	return d.sim.Page(ctx, address, before)
}

func (d *distant) Landing(ctx context.Context, id solana.Signature) (chain.Transaction, error) {
	d.wait(&d.reads)
	return d.sim.Landing(ctx, id)
}

func (d *distant) TokenAccountsOf(ctx context.Context, owner, mint solana.PublicKey) ([]solana.PublicKey, error) {
	d.wait(&d.others)
	return d.sim.TokenAccountsOf(ctx, owner, mint)
}

func (d *distant) Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	d.wait(&d.others)
	return d.sim.Withdrawer(ctx, mint)
}

// What it takes to verify the runs of many holders: a token's first, whose holders each got
// their tokens by a transaction, and the next, before which a tenth more got some. With the
// node time is virtual, and what the verifier computes takes none of it. CROWD adds as many
// holders.
func TestVerifyingTheRunsOfManyHolders(t *testing.T) {
	sizes := []int{1_000}
	if crowd := os.Getenv("CROWD"); crowd != "" {
		sizes = append(sizes, must(strconv.Atoi(crowd)))
	}
	for _, holders := range sizes {
		s := newShelf()
		first := s.run(t, script{holders: holders, minimum: 1, reward: terms.SOL, proceeds: 1 << 40, slot: hour, apart: true, batch: 60}, nil)
		second := s.run(t, script{
			holders: holders + holders/10, minimum: 1, reward: terms.SOL, proceeds: 1 << 40, slot: hour.Add(time.Hour), apart: true, batch: 60,
		}, &first)
		for _, of := range []struct {
			name string
			run  run
		}{{"the first run", first}, {"the next", second}} {
			began := time.Now()
			report, err := verify.Bundle(t.Context(), s.folder(), of.run.anchor, verify.Options{})
			check(t, err)
			offline := time.Since(began)
			if !report.OK() {
				t.Fatalf("offline: %+v", report.Checks)
			}
			node := &distant{sim: onChain(t, of.run)}
			var asked time.Duration
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				report, err := verify.Bundle(t.Context(), s.folder(), of.run.anchor, verify.Options{Node: node})
				check(t, err)
				asked = time.Since(began)
				if !report.Complete() {
					t.Fatalf("with a node: %+v", report.Checks)
				}
			})
			m := of.run.closed.Manifest
			figures.Show(t, "verify: %d holders, %s, %d transactions of the wallet's: offline %.1f s; with a node of %d ms and %d calls a second %d calls (%d pages, %d transactions), %.0f s",
				m.Snapshot.Eligible.Owners+m.Snapshot.LeftOut.Owners, of.name, m.Transactions.Lines, offline.Seconds(), latency.Milliseconds(), rate,
				node.pages+node.reads+node.others, node.pages, node.reads, asked.Seconds())
			if most := 2*int(m.Transactions.Lines) + holders + holders/2; node.reads > most {
				t.Errorf("%d transactions are read, at most %d are one each", node.reads, most)
			}
		}
	}
}
