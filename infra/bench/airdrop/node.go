// Package airdrop pays crowds on a simulated Solana node with the latencies, losses and limits of a
// real network, in virtual time. The payers are the service's own engine and the algorithms of its
// peers.
package airdrop

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// The properties of the network.
const (
	callTime      = 50 * time.Millisecond
	blockhashLife = 150 // slots
	// lossPercent is the percentage of sent transactions that never land, and of calls that fail.
	lossPercent = 1
	firstSlot   = 1_000
	signature   = 5_000 // lamports
	rentBytes   = 128
	rentPerByte = 6_960
)

// Limits are the calls in a second that a provider's plan allows; zero means no limit.
type Limits struct{ Calls, Sends int }

// Business is Helius' plan of that name: 200 calls a second, including 50 sends.
var Business = Limits{Calls: 200, Sends: 50}

var (
	errBusy   = errors.New("the node limits its rate")
	errFailed = errors.New("the node failed")
)

// Node is a node with its own network. Time is the bubble's time.
type Node struct {
	Limits Limits
	Pace   Pace

	mu       sync.Mutex
	began    time.Time
	random   *rand.Rand
	slot     uint64 // up to which transactions are executed
	lamports map[solana.PublicKey]uint64
	made     map[solana.PublicKey]uint64 // receipts, by the slot that created them
	pending  map[uint64][][]byte
	landed   map[solana.Signature]landing
	second   int64
	inSecond Limits

	calls, sent int // calls, including sends, and sends
}

type landing struct {
	slot      uint64
	raw       []byte
	pre, post uint64 // of the payer
	fee       uint64
	failed    bool
}

// Pace is the time of a slot, and the numbers of slots until a transaction is confirmed and final.
type Pace struct {
	Slot           time.Duration
	Confirm, Final uint64
}

// The measured networks.
var (
	// alpenglow is mainnet since October 2026. A block is final within 150 ms, which is in the next
	// slot (Solana Foundation, Alpenglow).
	alpenglow = Pace{Slot: 200 * time.Millisecond, Confirm: 1, Final: 1}
	// tower is a private network without Alpenglow: 32 slots of 400 ms, 12.8 s, as measured on
	// solana-test-validator 4.2.0.
	tower = Pace{Slot: 400 * time.Millisecond, Confirm: 2, Final: 32}
)

// Conditions are a plan's limits, and the seed of the losses. The zero Pace is alpenglow.
type Conditions struct {
	Limits

	Seed uint64
	Pace Pace
}

// NewNode starts a network now.
func NewNode(on Conditions) *Node {
	if on.Pace == (Pace{}) {
		on.Pace = alpenglow
	}
	return &Node{
		Limits: on.Limits, Pace: on.Pace, began: time.Now(), random: rand.New(rand.NewPCG(1, on.Seed)), slot: firstSlot, //nolint:gosec // the same each time
		lamports: map[solana.PublicKey]uint64{}, made: map[solana.PublicKey]uint64{}, pending: map[uint64][][]byte{},
		landed: map[solana.Signature]landing{},
	}
}

// call takes the time of a call, counts the call, and runs do in the middle of this time.
func (n *Node) call(method string, do func()) error {
	time.Sleep(callTime / 2)
	err := n.admit(method)
	if err == nil {
		n.mu.Lock()
		n.advance()
		do()
		n.mu.Unlock()
	}
	time.Sleep(callTime / 2)
	return err
}

func (n *Node) admit(method string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if second := int64(time.Since(n.began) / time.Second); second != n.second {
		n.second, n.inSecond = second, Limits{}
	}
	sends := method == "sendTransaction"
	if n.Limits.Calls > 0 && n.inSecond.Calls >= n.Limits.Calls || sends && n.Limits.Sends > 0 && n.inSecond.Sends >= n.Limits.Sends {
		return errBusy
	}
	n.inSecond.Calls++
	n.calls++
	if sends {
		n.inSecond.Sends++
		n.sent++
	}
	if n.loses() {
		return errFailed
	}
	return nil
}

func (n *Node) loses() bool { return n.random.IntN(100) < lossPercent }

// at returns the time at which the network reaches a slot.
func (n *Node) at(slot uint64) time.Time {
	return n.began.Add(time.Duration(slot-firstSlot) * n.Pace.Slot) //nolint:gosec // far less than a day
}

// now returns the current slot of the network.
func (n *Node) now() uint64 { return firstSlot + uint64(time.Since(n.began)/n.Pace.Slot) } //nolint:gosec // never negative

func blockhash(slot uint64) solana.Hash {
	return sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("blockhash"), slot))
}

// advance executes the due transactions.
func (n *Node) advance() {
	for now := n.now(); n.slot < now; {
		n.slot++
		for _, raw := range n.pending[n.slot] {
			n.execute(raw)
		}
		delete(n.pending, n.slot)
	}
}

// take lands a transaction in the next slot, unless the transaction is lost.
func (n *Node) take(raw []byte) {
	if n.loses() {
		return
	}
	n.pending[n.slot+1] = append(n.pending[n.slot+1], raw)
}

// lives reports whether a blockhash can be used in the slot.
func (n *Node) lives(hash solana.Hash) bool {
	for slot := n.slot; slot+blockhashLife > n.slot && slot > 0; slot-- {
		if blockhash(slot) == hash {
			return true
		}
	}
	return false
}

// execute executes a transaction atomically. Only the instructions of payments are supported. Other
// instructions, and payments without funds, end the bench.
func (n *Node) execute(raw []byte) {
	tx, err := wire.ParseOwn(raw)
	id, signed := tx.ID()
	if err != nil || !signed {
		panic("a transaction without a signature was sent")
	}
	if _, again := n.landed[id]; again {
		return
	}
	m := tx.Message()
	instructions := m.Instructions()
	if !n.lives(m.Recent()) {
		return
	}
	payer := m.FeePayer()
	fee := feeOf(m)
	l := landing{slot: n.slot, raw: raw, pre: n.lamports[payer], fee: fee}
	if l.pre < fee {
		panic("a wallet has paid more than it had")
	}
	n.lamports[payer] -= fee
	if tagOf(instructions[0]) == tagCreateWithSeed && n.lamports[instructions[0].Accounts[1].PublicKey] > 0 {
		l.failed = true // the receipt exists
	} else {
		for _, in := range instructions {
			n.instruct(in)
		}
	}
	l.post = n.lamports[payer]
	n.landed[id] = l
}

// Tags of the system program's instructions (SystemInstruction).
const (
	tagTransfer, tagCreateWithSeed, tagTransferWithSeed = 2, 3, 11
)

func tagOf(in wire.Instruction) byte {
	if in.ProgramID != solana.SystemProgramID {
		return 255
	}
	return in.Data[0]
}

func (n *Node) instruct(in wire.Instruction) {
	switch tagOf(in) {
	case tagTransfer:
		n.move(in.Accounts[0].PublicKey, in.Accounts[1].PublicKey, binary.LittleEndian.Uint64(in.Data[4:]))
	case tagCreateWithSeed:
		c, err := systemprogram.DecodeCreateAccountWithSeed(in.Keys(), in.Data)
		if err != nil {
			panic(err)
		}
		n.made[c.Account] = n.slot
		n.move(c.Payer, c.Account, c.Lamports)
	case tagTransferWithSeed:
		t, err := systemprogram.DecodeTransferWithSeed(in.Keys(), in.Data)
		if err != nil {
			panic(err)
		}
		n.move(t.From, t.To, t.Lamports)
	}
}

func (n *Node) move(from, to solana.PublicKey, lamports uint64) {
	if n.lamports[from] < lamports {
		panic("a wallet pays what it has not")
	}
	n.lamports[from] -= lamports
	n.lamports[to] += lamports
}

func (n *Node) give(address solana.PublicKey, lamports uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lamports[address] += lamports
}
