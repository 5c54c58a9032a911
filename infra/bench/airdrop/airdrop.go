package airdrop

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Figures are the costs of a way of paying.
type Figures struct {
	Recipients, Transactions int
	// Paid is the time until the last recipient had the money by a confirmed transaction. Took is
	// the time until the payer reported the end. Returned is the time until the rent of the
	// receipts, Lent, was back.
	Paid, Took, Returned time.Duration
	Lent                 uint64
	Calls                int // while paying
	Resent               int // transactions that were sent repeatedly, or signed again
	BaseFee, Fees        uint64
	Twice, Unpaid        int
	CPU                  time.Duration
	PeakKiB              int64
}

// amount is the amount owed to recipient i, in lamports.
func amount(i int) uint64 { return 1_000_000 + uint64(i%1000) } //nolint:gosec // small

// start is the initial balance of every recipient: the rent of a wallet.
const start = rentBytes * rentPerByte

// wealth is the balance of the paying wallet.
const wealth = 10_000 * solana.LAMPORTS_PER_SOL

// crowd creates recipients with existing wallets.
func crowd(node *Node, count int) []payout.Entry {
	people := make([]payout.Entry, count)
	for i := range people {
		var owner solana.PublicKey
		binary.BigEndian.PutUint64(owner[:], uint64(i)+1)
		people[i] = payout.Entry{Owner: owner, Amount: amount(i)}
		node.give(owner, start)
	}
	return people
}

// paid counts the landed transactions after the end of the payments, and the recipients with more
// or less than the owed amount.
func (f *Figures) paid(node *Node, people []payout.Entry, began time.Time) {
	f.Took, f.Recipients = time.Since(began), len(people)
	time.Sleep(time.Duration(node.Pace.Final+2) * node.Pace.Slot) //nolint:gosec // a few dozen // everything lands, and is final
	node.mu.Lock()
	defer node.mu.Unlock()
	node.advance()
	last := uint64(0)
	for _, l := range node.landed {
		f.Transactions++
		f.BaseFee += signature
		f.Fees += l.fee
		last = max(last, l.slot)
	}
	f.Paid = node.at(last + node.Pace.Confirm).Sub(began)
	for _, p := range people {
		switch has := node.lamports[p.Owner] - start; {
		case has > p.Amount:
			f.Twice++
		case has < p.Amount:
			f.Unpaid++
		}
	}
}

// ways are the compared ways of paying.
var ways = map[string]func(ctx context.Context, people int, on Conditions) (Figures, error){
	"ours": func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return pay(ctx, people, on, payout.Legacy)
	},
	"ours, version 1": func(ctx context.Context, people int, on Conditions) (Figures, error) {
		return pay(ctx, people, on, payout.V1)
	},
	peer:            airshipPays,
	"solana-tokens": solanaTokensPays,
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
	if err := o.pay(ctx); err != nil {
		return f, err
	}
	f.Calls = node.calls
	f.paid(node, people, began)
	f.Resent = node.sent - f.Transactions
	f.Lent = uint64(len(node.made)) * start
	if err := o.giveBack(ctx); err != nil {
		return f, err
	}
	f.Returned = time.Since(began)
	f.BaseFee, f.Fees = node.fees()
	for i, err := range o.Memory.Payments(ctx, o.phase.Run, payout.Pay, 0) {
		if err != nil {
			return f, err
		}
		if i.Status() != payout.Landed {
			return f, fmt.Errorf("payment %s is %s", i.ID, i.Status())
		}
	}
	return f, nil
}

// fees returns the fees of all landed transactions.
func (n *Node) fees() (base, all uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.advance()
	for _, l := range n.landed {
		base, all = base+signature, all+l.fee
	}
	return base, all
}
