package payout_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// untilDeadline is the duration after its beginning in which new payments of a life are bound.
const untilDeadline = 10 * time.Minute

// blockhashLives is longer than attempts are valid by the heights of payouttest.
const blockhashLives = 61 * time.Second

// meanwhile is the event while the first worker is interrupted.
type meanwhile string

const (
	nothing      meanwhile = "nothing happens"
	deadlineGoes meanwhile = "the deadline passes"
	hashExpires  meanwhile = "the blockhash expires"
	firstDies    meanwhile = "the first worker dies"
	secondDies   meanwhile = "the second worker dies"
)

// interleaved are the fates of the lives that two workers share. For the second worker of
// twoLive and twoLiveBlocked the first one's attempt has expired while it lives, so that it
// signs another.
var interleaved = []string{"landed", notLanded, "failed on chain", "blocked", twoLive, twoLiveBlocked}

const (
	notLanded = "not landed, then landed"
	twoLive   = "two attempts live"
	// A stranger creates the receipt when the first of them is sent.
	twoLiveBlocked = "two attempts live, blocked"
)

// schedule is how two workers take turns who were given the same message: the first is
// interrupted before its shared call A, the second before its shared call B. Then the
// first one ends the message, and the second one all that is left.
type schedule struct {
	fate    string
	version payout.Version
	// batches are worked on at once, so that of several the calls come in any order.
	batches int
	// message counts those of the payment's life that were done before, by one worker.
	message int
	a       int
	// b is 0 when the second worker is not interrupted.
	b    int
	then meanwhile
	// callA and callB name the calls, as an undisturbed life makes them.
	callA, callB string
}

func (s schedule) name() string {
	b := "not"
	if s.b > 0 {
		b = fmt.Sprintf("%d %s", s.b, s.callB)
	}
	return fmt.Sprintf("%s/%d batches/message %d/%d %s/%s/%s", s.fate, s.batches, s.message, s.a, s.callA, b, s.then)
}

func (s schedule) kinds() []string {
	return []string{
		fmt.Sprintf("%s/%s", s.callA, s.then), fmt.Sprintf("second %s", s.callB), fmt.Sprintf("%s/%s/version %d", s.fate, s.then, s.version),
		fmt.Sprintf("%s/%d batches/message %d", s.fate, s.batches, s.message),
	}
}

func (s schedule) twoLive() bool { return s.fate == twoLive || s.fate == twoLiveBlocked }

// mine reports whether the schedule is for its version; see cell.mine.
func (s schedule) mine() bool {
	if only, err := strconv.Atoi(os.Getenv("PAYOUT_VERSION")); err == nil {
		return int(s.version) == only
	}
	return crc32.ChecksumIEEE([]byte(s.name()))%2 == uint32(s.version)
}

// worker handles the messages of a life, one after the other, in a process that asks two
// providers.
type worker struct {
	life    *life
	process *fault.Process
	engine  payout.Engine
	paid    bool // all that is left is to close receipts
	over    bool
}

func (l *life) worker(t *testing.T, paid bool) *worker {
	t.Helper()
	p := fault.NewProcess()
	l.network.On(p)
	w := &worker{life: l, process: p, engine: l.Engine(t, p), paid: paid}
	w.engine.Chains = append(w.engine.Chains, l.Node(t, p, l.Heights))
	return w
}

// handle does what the next message asks for, and lets the time pass that it asks for.
func (w *worker) handle(t *testing.T) {
	t.Helper()
	l := w.life
	var next payout.Next
	var err error
	if w.paid {
		next, err = w.engine.Return(t.Context(), payout.Returning{
			Run: l.Run, Mint: l.Mint, Wallet: l.Wallet, Of: []payout.ID{{Run: l.Run, Kind: payout.Pay}}, Version: l.phase.Version,
		})
	} else {
		next, err = w.engine.Work(t.Context(), l.Work(l.phase, 0))
	}
	switch {
	case err != nil:
		t.Errorf("a message fails: %v", err)
		w.over = true
	case next.Done:
		w.paid, w.over = true, w.paid
	default:
		l.Clock.Pass(max(next.After, l.pause))
	}
}

// late is the delay of messages that wait for a blockhash to expire, so that they are few.
const late = 25 * time.Second

// messages bounds how many a life takes.
const messages = 400

// finish handles messages until there are none.
func (w *worker) finish(t *testing.T) {
	t.Helper()
	for range messages {
		if w.handle(t); w.over {
			return
		}
	}
	t.Errorf("it has no end after %d messages", messages)
}

// life is a new one for the schedule.
func (s schedule) life(t *testing.T, g *payouttest.Env) *life {
	t.Helper()
	l := newLifeOf(t, g, fates[s.fate], s.version)
	switch s.fate {
	case twoLive:
		l.network.Fate = fates["landed"]
	case twoLiveBlocked:
		l.network.Fate = fates["blocked"]
	case notLanded:
		l.pause = late
	}
	if s.batches > 1 {
		l.list = holders(livesOf[s.version]*s.batches, 1_000_000)
	}
	l.phase.Deadline = l.Clock.Now().Add(untilDeadline)
	l.phase = l.Plan(l.phase, l.list)
	return l
}

// plays is the maximum number of lives in which a schedule reaches its calls: the number of a worker's requests to the
// chain depends on how fast the machine is.
const plays = 3

// play plays the schedule, in another life where one had not its calls.
func (s schedule) play(t *testing.T, g *payouttest.Env) {
	t.Helper()
	for range plays {
		if s.live(t, s.life(t, g)) {
			return
		}
	}
	t.Fatal("the first worker never came to the call")
}

// live lets two workers take turns by the schedule, and a third one bring to an end what
// they leave. It reports whether the first one came to its call: one that was done before
// leaves a life without a second one, which has to be right, too.
func (s schedule) live(t *testing.T, l *life) (came bool) {
	t.Helper()
	before := l.worker(t, false)
	for range s.message {
		before.handle(t)
	}
	first, second := l.worker(t, before.paid), l.worker(t, before.paid)
	a, b := payouttest.NewTurns(first.process), payouttest.NewTurns(second.process)
	if s.twoLive() {
		second.engine.Chains[0] = ahead{second.engine.Chains[0]}
	}
	a.Begin(func() { first.handle(t) })
	if a.Before(s.a) && s.batches == 1 {
		l.worker(t, before.paid).finish(t)
		l.check(t)
		return false
	}
	switch s.then {
	case deadlineGoes:
		l.Clock.Pass(max(0, l.phase.Deadline.Sub(l.Clock.Now())))
	case hashExpires:
		l.Clock.Pass(blockhashLives)
	case firstDies:
		a.Kill()
	case nothing, secondDies:
	}
	b.Begin(func() { second.finish(t) })
	switch {
	case s.b == 0:
		b.Finish()
		l.check(t) // what follows changes nothing
	case s.then == secondDies:
		b.Before(s.b)
		b.Kill()
	default:
		b.Before(s.b)
	}
	a.Finish()
	b.Finish()
	l.worker(t, before.paid).finish(t)
	l.check(t)
	return true
}

// recorded returns the shared calls of an undisturbed life, message by message.
// closings counts the messages about receipts.
func recorded(t *testing.T, l *life) (list [][]fault.Call, closings int) {
	t.Helper()
	w := l.worker(t, false)
	seen := 0
	for range messages {
		if w.paid {
			closings++
		}
		w.handle(t)
		calls := w.process.Calls()
		var shared []fault.Call
		for _, c := range calls[seen:] {
			if payouttest.Shared(c) {
				shared = append(shared, c)
			}
		}
		list, seen = append(list, shared), len(calls)
		if w.over {
			return list, closings
		}
	}
	t.Fatal("the life has no end")
	return nil, 0
}

func short(c fault.Call) string { return c.Service + " " + c.Operation }

// schedules returns those of a life, of which these are the shared calls. The deadline is
// that of payments: the messages after them, of which there are closings, have none. Of
// several batches it returns those where the second worker is not interrupted.
func schedules(fate string, version payout.Version, batches int, calls [][]fault.Call, closings int) (list []schedule) {
	add := func(s schedule, then meanwhile) {
		s.then = then
		if s.twoLive() && (then == deadlineGoes || then == hashExpires) {
			return // the first of them would not live
		}
		if s.mine() && (then != deadlineGoes || s.message < len(calls)-closings) {
			list = append(list, s)
		}
	}
	for m, message := range calls {
		left := slices.Concat(calls[m:]...)
		for a, callA := range message {
			s := schedule{fate: fate, version: version, batches: batches, message: m, a: a + 1, callA: short(callA), callB: "none"}
			for _, then := range []meanwhile{nothing, deadlineGoes, hashExpires} {
				add(s, then)
			}
			if payouttest.Acts(callA) {
				add(s, firstDies)
			}
			for b, callB := range left {
				if b == 0 || batches > 1 {
					continue // as if it had not begun
				}
				s.b, s.callB = b+1, short(callB)
				for _, then := range []meanwhile{nothing, deadlineGoes, hashExpires} {
					add(s, then)
				}
				if payouttest.Acts(callB) {
					add(s, secondDies)
				}
			}
		}
	}
	return list
}

// TestInterleavingMatrix lets two workers handle the same messages about one payout, by
// every schedule with up to two interruptions at their shared calls, while deadlines and
// blockhashes pass and one of them dies, for everything that may become of the first
// transaction. Every holder is paid exactly once, or what they are owed is carried or
// reserved.
func TestInterleavingMatrix(t *testing.T) {
	var list []schedule
	g := payouttest.NewEnv(t)
	for _, fate := range interleaved {
		for version := range livesOf {
			for batches := range 2 {
				l := schedule{fate: fate, version: version, batches: batches + 1}.life(t, g)
				calls, closings := recorded(t, l)
				l.check(t)
				n := len(list)
				list = append(list, schedules(fate, version, batches+1, calls, closings)...)
				t.Logf("%s, version %d, %d batches: %d messages, %d shared calls, %d schedules",
					fate, version, batches+1, len(calls), len(slices.Concat(calls...)), len(list)-n)
			}
		}
	}
	if t.Failed() {
		return
	}
	fault.Matrix[*payouttest.Env, schedule]{
		What: "interleaving matrix of one payout", Cases: list, Name: schedule.name, Kinds: schedule.kinds,
		NewEnv: func(t *testing.T) *payouttest.Env { return payouttest.NewEnv(t) }, Share: 6,
		Play: func(t *testing.T, g *payouttest.Env, s schedule) { s.play(t, g) },
	}.Run(t)
}
