package airdrop

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Figures are what a way of paying took.
type Figures struct {
	Recipients, Transactions int
	// Setup is how long the lanes took to make. Paid is how long the paying took until the
	// last recipient had his money by a confirmed transaction, and Took until whoever paid
	// called it done.
	Setup, Paid, Took time.Duration
	Calls             int // while paying
	Resent            int // transactions that were sent more than once, or signed again
	BaseFee, Fees     uint64
	Twice, Unpaid     int
	CPU               time.Duration
	PeakKiB           int64
}

// amount is what recipient i is owed, in lamports.
func amount(i int) uint64 { return 1_000_000 + uint64(i%1000) } //nolint:gosec // small

// start is what every recipient has: the rent of a wallet.
const start = rentBytes * rentPerByte

// wealth is what the wallet that pays has.
const wealth = 10_000 * solana.LAMPORTS_PER_SOL

// crowd makes people who exist.
func crowd(node *Node, count int) []payout.Payment {
	people := make([]payout.Payment, count)
	for i := range people {
		var owner solana.PublicKey
		binary.BigEndian.PutUint64(owner[:], uint64(i)+1)
		people[i] = payout.Payment{Owner: owner, Amount: amount(i)}
		node.give(owner, start)
	}
	return people
}

// paid counts what landed since the paying began, when that is over, and who has more or
// less than he is owed.
func (f *Figures) paid(node *Node, people []payout.Payment, before map[solana.Signature]bool, began time.Time) {
	f.Took, f.Recipients = time.Since(began), len(people)
	time.Sleep((finalSlots + 2) * slotTime) // everything lands, and is final
	node.mu.Lock()
	defer node.mu.Unlock()
	node.advance()
	last := uint64(0)
	for id, l := range node.landed {
		if !before[id] {
			f.Transactions++
			f.BaseFee += signature
			f.Fees += l.fee
			last = max(last, l.slot)
		}
	}
	f.Paid = node.at(last + confirmSlots).Sub(began)
	for _, p := range people {
		switch has := node.lamports[p.Owner] - start; {
		case has > p.Amount:
			f.Twice++
		case has < p.Amount:
			f.Unpaid++
		}
	}
}

// ways are those that are compared.
var ways = map[string]func(ctx context.Context, people int, on Conditions) (Figures, error){
	"ours": func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return pay(ctx, people, on, payout.Legacy)
	},
	"ours, version 1": func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return pay(ctx, people, on, payout.V1)
	},
	peer: airshipPays,
}

// pay pays with the service's engine.
func pay(ctx context.Context, count int, on Conditions, version payout.Version) (f Figures, err error) {
	node := NewNode(on)
	people := crowd(node, count)
	o, err := newOurs(ctx, node, people, version)
	if err != nil {
		return f, err
	}
	node.give(o.phase.Wallet.Address, wealth)
	began := time.Now()
	if err := o.setup(ctx); err != nil {
		return f, fmt.Errorf("make %d lanes: %w", o.phase.Lanes, err)
	}
	f.Setup = time.Since(began)
	before := map[solana.Signature]bool{}
	for id := range node.landed {
		before[id] = true
	}
	node.calls, node.sent = 0, 0
	began = time.Now()
	if err := o.pay(ctx); err != nil {
		return f, err
	}
	f.Calls = node.calls
	f.paid(node, people, before, began)
	f.Resent = node.sent - f.Transactions
	for i, err := range o.Memory.Intents(ctx, o.phase.Run, payout.Pay, 0) {
		if err != nil {
			return f, err
		}
		if i.Status() != payout.Settled {
			return f, fmt.Errorf("intent %s is %s", i.ID, i.Status())
		}
	}
	return f, nil
}

// lanesFor is how many lanes a run makes for so many recipients, if its wallet has the
// means: one for each batch (package run).
func lanesFor(people int, version payout.Version) int {
	batch := int(version.Batch(terms.SOL))
	return min((people+batch-1)/batch, payout.MostLanes)
}
