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
	SetupCalls        int
	Calls             int // while paying
	Methods           map[string]int
	Refused, Lost     int
	Resent            int // transactions that were sent more than once, or signed again
	BaseFee, Fees     uint64
	Twice, Unpaid     int
	CPU               time.Duration
	PeakKB            int64
}

// amount is what recipient i is owed, in lamports.
func amount(i int) uint64 { return 1_000_000 + uint64(i%1000) } //nolint:gosec // small

// start is what every recipient has: the rent of a wallet.
const start = rentBytes * rentPerByte

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

// check counts who has more or less than he is owed.
func (f *Figures) check(node *Node, people []payout.Payment) {
	f.Recipients = len(people)
	node.settleAll()
	for _, p := range people {
		switch has := node.has(p.Owner) - start; {
		case has > p.Amount:
			f.Twice++
		case has < p.Amount:
			f.Unpaid++
		}
	}
}

// sums reads from the node what landed since the paying began.
func (f *Figures) sums(node *Node, before map[solana.Signature]bool, began time.Time) {
	node.mu.Lock()
	defer node.mu.Unlock()
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
	f.Refused, f.Lost = node.Refused, node.Lost
}

const wealth = 10_000 * solana.LAMPORTS_PER_SOL

// Ours pays with the service's engine.
func Ours(ctx context.Context, count int, on Conditions, setting Setting) (f Figures, err error) {
	node := NewNode(on)
	people := crowd(node, count)
	o, err := newOurs(ctx, node, people, setting)
	if err != nil {
		return f, err
	}
	node.give(o.phase.Wallet.Address, wealth)
	began := time.Now()
	if err := o.setup(ctx); err != nil {
		return f, fmt.Errorf("make %d lanes: %w", setting.Lanes, err)
	}
	f.Setup, f.SetupCalls = time.Since(began), node.calls()
	before := map[solana.Signature]bool{}
	for id := range node.landed {
		before[id] = true
	}
	node.Calls = map[string]int{}
	began = time.Now()
	if err := o.pay(ctx); err != nil {
		return f, err
	}
	f.Took, f.Calls, f.Methods = time.Since(began), node.calls(), node.Calls
	f.sums(node, before, began)
	for i, err := range o.Memory.Intents(ctx, o.phase.Run, payout.Pay, 0) {
		if err != nil {
			return f, err
		}
		if i.Status() != payout.Settled {
			return f, fmt.Errorf("intent %s is %s", i.ID, i.Status())
		}
	}
	f.Resent = f.Methods["sendTransaction"] - f.Transactions
	f.check(node, people)
	return f, nil
}

// Way is one of those that are compared.
type Way func(ctx context.Context, people int, on Conditions) (Figures, error)

// Names of the ways.
const (
	Now, NowV1              = "ours", "version-1"
	AirshipName, TokensName = "AirShip", "solana-tokens"
)

// ways are all of them, in no order.
var ways = map[string]Way{
	Now: func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return Ours(ctx, people, on, Setting{Lanes: LanesFor(people, payout.Legacy)})
	},
	NowV1: func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return Ours(ctx, people, on, Setting{Lanes: LanesFor(people, payout.V1), Version: payout.V1})
	},
	// Seven lanes are what the usual wallet can pay for at once.
	"lanes-7":   setting(Setting{Lanes: 7}),
	"lanes-16":  setting(Setting{Lanes: 16}),
	"lanes-128": setting(Setting{Lanes: 128}),
	"lanes-512": setting(Setting{Lanes: 512}),
	"alone":     setting(Setting{Lanes: 128, Alone: true}),
	AirshipName: func(_ context.Context, people int, on Conditions) (Figures, error) { return Airship(people, on) },
	TokensName:  func(_ context.Context, people int, on Conditions) (Figures, error) { return Tokens(people, on) },
}

func setting(s Setting) Way {
	return func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return Ours(ctx, people, on, s)
	}
}

// LanesFor is how many lanes a run makes for so many recipients, if its wallet has the
// means: one for each batch (package run).
func LanesFor(people int, version payout.Version) int {
	batch := int(version.Batch(terms.SOL))
	return min((people+batch-1)/batch, payout.MostLanes)
}
