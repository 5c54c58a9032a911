package run_test

import (
	"fmt"
	"hash/crc32"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// meanwhile is the event while the first worker is interrupted.
type meanwhile string

const (
	undisturbed  meanwhile = "nothing happens"
	deadlineGoes meanwhile = "the deadline passes"
	hashExpires  meanwhile = "the blockhash expires"
	firstDies    meanwhile = "the first worker dies"
	secondDies   meanwhile = "the second worker dies"
)

// How long they take: a deadline is before the next slot, and blockhashes live for a
// minute by the heights of payouttest.
const (
	untilSlot      = 5 * time.Minute
	blockhashLives = 61 * time.Second
)

// looks is the maximum number of messages by which two undisturbed runs differ.
const looks = 3

// interleavedFates are those of the first transaction with a receipt that the second
// worker sends.
var interleavedFates = []runworld.Fate{runworld.Lands, runworld.Vanishes, runworld.Fails, runworld.ReplyLost}

// schedule is how two workers take turns that were both given a message of a run: the first
// is interrupted before its shared call a, the second, who continues with the messages that
// follow, before its shared call b. Then the first one ends the message, and the second one
// the run.
type schedule struct {
	// message counts those that were handled before, by one worker.
	message int
	// messages is the number of messages of an undisturbed run.
	messages int
	a        int
	// b is 0 when the second worker is not interrupted.
	b            int
	callA, callB string
	reads        bool // callA changes nothing
	then         meanwhile
	fate         runworld.Fate
	version      payout.Version
}

func (s schedule) name() string {
	b := "not"
	if s.b > 0 {
		b = fmt.Sprintf("%d %s", s.b, s.callB)
	}
	return fmt.Sprintf("message %d/%d %s/%s/%s/%s", s.message, s.a, s.callA, b, s.then, s.fate)
}

func (s schedule) kinds() []string {
	first := s.callA
	if s.reads { // what the first has read then may be old, whatever it has read
		first = "reads"
	}
	return []string{
		fmt.Sprintf("first %s", first), fmt.Sprintf("second %s", s.callB), fmt.Sprintf("%s/version %d", s.then, s.version),
		fmt.Sprintf("%s/%s", s.then, s.fate), fmt.Sprintf("message %d", s.message),
	}
}

// play lets two workers take turns by the schedule, and a third one bring to an end what
// they leave. The next run pays what this one has left.
func (s schedule) play(t *testing.T, l *fullRun) {
	t.Helper()
	process := func(fate runworld.Fate) *fault.Process {
		return l.net.Process(fate, 1)
	}
	slot := l.begin(t)
	before := l.Served(t, process(runworld.Lands))
	m, ok := l.Receive(t)
	for n := 0; ok && n < s.message; n++ {
		before.Answer(t, m)
		m, ok = l.Receive(t)
	}
	if !ok {
		// The chain's time decides how many looks wait for the anchor, which come last.
		if s.message < s.messages-looks {
			t.Fatalf("the run has no message %d", s.message)
		}
		l.check(t, slot)
		return
	}
	one, two := process(runworld.Lands), process(s.fate)
	first, second := l.Served(t, one), l.Served(t, two)
	a, b := payouttest.NewTurns(one), payouttest.NewTurns(two)
	a.Begin(func() { first.Answer(t, m) })
	a.Before(s.a)
	switch s.then {
	case deadlineGoes:
		l.Clock.Pass(untilSlot)
	case hashExpires:
		l.Clock.Pass(blockhashLives)
	case firstDies:
		a.Kill()
	case undisturbed, secondDies:
	}
	l.Redeliver(m)
	b.Begin(func() { second.Serve(t) })
	if s.b == 0 {
		b.Finish()
	} else {
		b.Before(s.b)
		if s.then == secondDies {
			b.Kill()
		}
	}
	a.Finish()
	b.Finish()
	l.Redeliver(m)
	l.Served(t, process(runworld.Lands)).Serve(t)
	l.check(t, slot)

	l.Give(t, l.holders[0], 1_000_000_000)
	l.Slot()
	l.Served(t, process(runworld.Lands)).Serve(t)
	l.check(t, slot)
	for i, says := range l.SaysEach(t, l.holders, terms.SOL) {
		if says.Carried != says.Reserved {
			t.Errorf("holder %d is still owed %d, of which %d are reserved", i, says.Carried, says.Reserved)
		}
	}
}

// recorded returns the shared calls of an undisturbed run, message by message.
func recorded(t *testing.T, l *fullRun) (list [][]fault.Call) {
	t.Helper()
	p := l.net.Process(runworld.Lands)
	w := l.Served(t, p)
	slot := l.begin(t)
	for seen := 0; ; {
		m, ok := l.Receive(t)
		if !ok {
			break
		}
		w.Answer(t, m)
		calls := p.Calls()
		var shared []fault.Call
		for _, c := range calls[seen:] {
			if payouttest.Shared(c) {
				shared = append(shared, c)
			}
		}
		list, seen = append(list, shared), len(calls)
		if r, err := l.Runs.Run(t.Context(), l.Token.Mint, l.Head(t).LastSlot); err == nil && r.Claim != nil {
			l.over = len(list)
		}
	}
	l.check(t, slot)
	return list
}

// schedules returns those of a run, of which these are the shared calls. The second worker is
// interrupted before whatever it changes in the same message and the next; each of these
// schedules is for one of what happens meanwhile, by its name.
func schedules(version payout.Version, calls [][]fault.Call) (list []schedule) {
	add := func(s schedule) {
		s.fate = interleavedFates[crc32.ChecksumIEEE([]byte(s.name()))%uint32(len(interleavedFates))]
		if mine(s.name(), version) {
			list = append(list, s)
		}
	}
	thens := []meanwhile{undisturbed, deadlineGoes, hashExpires, secondDies}
	for m, message := range calls {
		next := message
		if m+1 < len(calls) {
			next = append(next[:len(next):len(next)], calls[m+1]...)
		}
		for a, callA := range message {
			s := schedule{version: version, message: m, messages: len(calls), a: a + 1, callA: callA.Service + " " + callA.Operation, callB: "none", reads: fault.Reads(callA)}
			for _, s.then = range []meanwhile{undisturbed, deadlineGoes, hashExpires} {
				add(s)
			}
			if payouttest.Acts(callA) {
				s.then = firstDies
				add(s)
			}
			for b, callB := range next {
				if b == 0 || !payouttest.Acts(callB) {
					continue
				}
				s.b, s.callB, s.then = b+1, callB.Service+" "+callB.Operation, ""
				s.then = thens[crc32.ChecksumIEEE([]byte(s.name()))%uint32(len(thens))]
				add(s)
			}
		}
	}
	return list
}

// newQueued is a full run whose steps are messages of their own: between any two of them another
// worker may take over.
func newQueued(t *testing.T, g *runworld.Env, version payout.Version) *fullRun {
	t.Helper()
	l := newFullRun(t, g, version)
	l.Queued = true
	return l
}

// TestInterleavingMatrix sends the messages of a run to the endpoints distributor and payer
// of two workers, which interrupt each other at their shared calls, while deadlines and
// blockhashes pass and one of them dies; and holds what arrived against the proofs.
func TestInterleavingMatrix(t *testing.T) {
	var list []schedule
	for _, version := range []payout.Version{payout.Legacy, payout.V1} {
		calls := recorded(t, newQueued(t, runworld.NewEnv(t), version))
		n, shared := len(list), 0
		for _, message := range calls {
			shared += len(message)
		}
		list = append(list, schedules(version, calls)...)
		t.Logf("version %d: %d messages, %d shared calls, %d schedules", version, len(calls), shared, len(list)-n)
	}
	if t.Failed() {
		return
	}
	fault.Matrix[*runworld.Env, schedule]{
		What: "interleaving matrix of a run", Cases: list, Name: schedule.name, Kinds: schedule.kinds,
		NewEnv: runworldEnv, Share: 2,
		Play: func(t *testing.T, g *runworld.Env, s schedule) { s.play(t, newQueued(t, g, s.version)) },
	}.Run(t)
}

// TestKilledOpeningIsRepeated tests that a slot during the payment of a claim is not lost, when the worker
// that opens the run dies.
func TestKilledOpeningIsRepeated(t *testing.T) {
	l := newFullClaim(t, runworld.NewEnv(t), false)
	slot := l.begin(t)
	for lived := true; lived; {
		m, ok := l.Receive(t)
		if !ok {
			t.Fatal("the slot was not opened")
		}
		p := l.net.Process(runworld.Lands)
		if head := l.Head(t); head.Active.IsZero() && !run.Scheduled(head.LastSlot) { // the claim is over
			p.KillBefore(payouttest.Acts)
		}
		w := l.Served(t, p)
		lived = p.Run(func() { w.Answer(t, m) })
	}
	l.Served(t, nil).Serve(t)
	l.check(t, slot)
}
