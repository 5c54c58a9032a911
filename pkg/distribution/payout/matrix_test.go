package payout_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// fates of a payment's first transaction, or of all.
var fates = map[string]func(tx wire.Transaction, n int) payouttest.Fate{
	"landed":                  func(wire.Transaction, int) payouttest.Fate { return payouttest.Lands },
	"not landed, then landed": once(payouttest.Drops),
	"never landed":            all(payouttest.Drops),
	"failed on chain":         once(payouttest.Fails),
	"unknown":                 once(payouttest.Hides),
	"blocked":                 once(payouttest.Blocks),
}

func once(fate payouttest.Fate) func(wire.Transaction, int) payouttest.Fate {
	return func(_ wire.Transaction, n int) payouttest.Fate {
		if n == 0 {
			return fate
		}
		return payouttest.Lands
	}
}

func all(fate payouttest.Fate) func(wire.Transaction, int) payouttest.Fate {
	return func(wire.Transaction, int) payouttest.Fate { return fate }
}

// life is one batch that is to be paid, with its network.
type life struct {
	*payouttest.Fixture
	phase   payout.Phase
	list    []payout.Entry
	network *payouttest.Network
	before  uint64
	// pause lies between the messages of interleaved workers, at least.
	pause time.Duration
}

func newLife(t *testing.T, g *payouttest.Env, fate func(tx wire.Transaction, n int) payouttest.Fate) *life {
	t.Helper()
	return newLifeOf(t, g, fate, payout.Legacy)
}

// livesOf is the number of holders in the batch of a life: of version 1, more than a legacy
// transaction takes, for fewer are legacy.
var livesOf = map[payout.Version]int{payout.Legacy: 3, payout.V1: payout.SOLBatch + 1}

func newLifeOf(t *testing.T, g *payouttest.Env, fate func(tx wire.Transaction, n int) payouttest.Fate, version payout.Version) *life {
	t.Helper()
	n := livesOf[version]
	l := &life{Fixture: g.Fixture(t, sol/10), list: holders(n, 1_000_000)}
	// Few looks, because each of their calls is a case.
	l.Pace = payout.Pace{Soonest: 5 * time.Second, Resend: 5 * time.Second, Look: 70 * time.Second, Cancel: 2 * time.Minute, Patience: time.Minute}
	phase := payouttest.SOL(uint32(n))
	phase.Version = version
	l.phase = l.Plan(phase, l.list)
	l.network = l.NewNetwork(t, fate)
	l.before = l.Lamports(t, l.Wallet.Address)
	return l
}

// run works the batch off in a process.
func (l *life) run(t *testing.T, arrange ...func(*fault.Process)) *fault.Process {
	t.Helper()
	p := fault.NewProcess()
	l.network.On(p)
	for _, f := range arrange {
		f(p)
	}
	e := l.Engine(t, p)
	p.Run(func() {
		l.Pay(t, e, l.phase)
		l.Return(t, e, l.phase.Leg)
	})
	return p
}

// check holds the ledger against the chain: every holder has exactly what the
// ledger says, no holder has more than they are owed, and no lamport is lost.
func (l *life) check(t *testing.T) (paid, unknown int) {
	t.Helper()
	if n, err := l.Store.ChunksDone(t.Context(), l.Run, payout.Pay, 0); n != 1 || err != nil {
		t.Errorf("%d stripes are done, %v", n, err)
	}
	state := map[uint32]payout.Status{}
	for _, i := range l.Payments(t, payout.Pay, 0) {
		if !i.Status().Decided() {
			t.Errorf("payment %s is %s", i.ID, i.Status())
		}
		for record := i.From; record < i.To; record++ {
			if was, twice := state[record]; twice {
				t.Errorf("record %d is %s and %s", record, was, i.Status())
			}
			state[record] = i.Status()
		}
	}
	left := l.before
	owners := make([]solana.PublicKey, len(l.list))
	for n, h := range l.list {
		owners[n] = h.Owner
	}
	accounts, err := l.Chain.Holders(t.Context(), owners...)
	if err != nil {
		t.Fatal(err)
	}
	for n, h := range l.list {
		got := uint64(0)
		if accounts[n] != nil {
			got = accounts[n].Lamports
		}
		left -= got
		switch status := state[uint32(n)]; {
		case status == "":
			t.Errorf("nothing is decided about holder %d", n)
		case status == payout.Unknown:
			unknown++
			if got != 0 && got != h.Amount {
				t.Errorf("holder %d is owed %d and has %d", n, h.Amount, got)
			}
		case status == payout.Landed && got == h.Amount:
			paid++
		case status == payout.Landed || got != 0:
			t.Errorf("holder %d is owed %d, has %d, and the ledger says %s", n, h.Amount, got, status)
		}
	}
	left += l.network.Strangers // what they lost comes to the wallet
	for _, kind := range []payout.Kind{payout.Pay, payout.Return} {
		for p, err := range l.Store.Payments(t.Context(), l.Run, kind, 0) {
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Failures {
				left -= f.FeeLamports
			}
			if p.Outcome != nil {
				left -= p.Outcome.FeeLamports
			}
			if p.Receipt != nil && p.Outcome != nil && l.Lamports(t, p.Receipt.Address) != 0 {
				t.Errorf("the receipt of %s is not closed", p.ID)
			}
		}
	}
	if has := l.Lamports(t, l.Wallet.Address); unknown == 0 && has != left {
		t.Errorf("the wallet has %d lamports, want %d", has, left)
	}
	return paid, unknown
}

// cell is a case: one call at which a process dies, in one fate.
type cell struct {
	fate    string
	at      fault.Call
	after   bool
	version payout.Version
}

func (c cell) name() string { return fmt.Sprintf("%s/%s/after=%v", c.fate, c.at, c.after) }

func (c cell) kinds() []string {
	return []string{
		fmt.Sprintf("%s %s/after=%v", c.at.Service, c.at.Operation, c.after), fmt.Sprintf("%s/after=%v", c.fate, c.after),
		fmt.Sprintf("%s/version %d", c.fate, c.version),
	}
}

// mine reports whether the case is for its version: each is for one of them, by its name, or
// all are for the one that PAYOUT_VERSION names.
func (c cell) mine() bool {
	if only, err := strconv.Atoi(os.Getenv("PAYOUT_VERSION")); err == nil {
		return int(c.version) == only
	}
	return crc32.ChecksumIEEE([]byte(c.name()))%2 == uint32(c.version)
}

// TestCrashMatrix crashes one batch's life at every call that changes something, before
// and after, for everything that may become of its transaction; another process goes
// on. Every holder is paid exactly once, or what they are owed is carried or reserved.
func TestCrashMatrix(t *testing.T) {
	var cells []cell
	g := payouttest.NewEnv(t)
	for name, fate := range fates {
		for version, n := range livesOf {
			l := newLifeOf(t, g, fate, version)
			p := l.run(t)
			paid, unknown := l.check(t)
			want := map[string][2]int{"never landed": {0, 0}, "unknown": {0, n}}
			if w, ok := want[name]; !ok && paid != n || ok && w != [2]int{paid, unknown} {
				t.Errorf("%s, version %d: %d paid, %d unknown", name, version, paid, unknown)
			}
			for _, call := range p.Calls() {
				if fault.Reads(call) {
					continue
				}
				for _, c := range []cell{{name, call, false, version}, {name, call, true, version}} {
					if c.mine() {
						cells = append(cells, c)
					}
				}
			}
		}
	}
	if t.Failed() {
		return
	}
	fault.Matrix[*payouttest.Env, cell]{
		What: "crash matrix of one payout", Cases: cells, Name: cell.name, Kinds: cell.kinds,
		NewEnv: func(t *testing.T) *payouttest.Env { return payouttest.NewEnv(t) }, Share: 6,
		Play: func(t *testing.T, g *payouttest.Env, c cell) {
			l := newLifeOf(t, g, fates[c.fate], c.version)
			killed := l.run(t, func(p *fault.Process) {
				if c.after {
					p.KillAfter(fault.Exactly(c.at))
				} else {
					p.KillBefore(fault.Exactly(c.at))
				}
			})
			if !killed.Dead() {
				t.Fatal("it never came to the call")
			}
			l.Clock.Pass(l.Pace.Look)
			l.run(t)
			l.check(t)
		},
	}.Run(t)
}
