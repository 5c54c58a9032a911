package run_test

import (
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// newFullClaim is a full run before which two holders claim what the run before could not
// pay them.
func newFullClaim(t *testing.T, g *runworld.Env, alone bool) *fullRun {
	t.Helper()
	s := newFullRun(t, g, payout.Legacy)
	s.Give(t, s.holders[1], much)
	for range 2 {
		owner := solana.NewWallet().PublicKey()
		s.Give(t, owner, little)
		s.claimants = append(s.claimants, owner)
	}
	s.Settle(t)
	s.had = s.LamportsOf(t, s.holders)
	for i, says := range s.SaysEach(t, s.holders, terms.SOL) {
		s.had[i] -= says.Received
	}
	for i, says := range s.SaysEach(t, s.claimants, terms.SOL) {
		if says.Carried == 0 || says.Received > 0 {
			t.Fatalf("a claimant is owed %d", says.Carried)
		}
		owner := s.claimants[i]
		s.Pay(t, owner, rentExempt)
		s.holders, s.had = append(s.holders, owner), append(s.had, rentExempt)
	}
	s.alone, s.Queued = alone, true
	if !alone { // there is something to distribute
		s.Give(t, s.holders[0], 1_000_000_000)
	}
	return s
}

// TestClaimCrashMatrix kills the process that works on a claim at each call that changes something,
// in each fate of what it has sent last, lets others bring it to its end, and a distribution follow;
// and holds what arrived against the proofs.
func TestClaimCrashMatrix(t *testing.T) {
	type one struct {
		name  string
		kinds []string
		run   func(*testing.T, *runworld.Env)
	}
	s := newFullClaim(t, runworld.NewEnv(t), true)
	recorded := fault.NewProcess()
	s.net.On(recorded, runworld.Lands, 0)
	slot := s.begin(t)
	s.Drive(t, func() *fault.Process { return recorded })
	s.check(t, slot)
	if r := s.Look(t, slot); r.Claim == nil || r.Closing.Legs[0].PaidHolders != 2 {
		t.Fatalf("the run is %s, and no claim of two", r.Status())
	}
	var cases []one
	sent := 0 // with receipts, up to the call
	for _, call := range recorded.Calls() {
		if call.Operation == fault.SendTransaction {
			sent++
		}
		if fault.Reads(call) {
			continue
		}
		for _, fate := range fates {
			if fate != runworld.Lands && sent == 0 {
				continue // until something is sent, all fates are one
			}
			for _, hit := range hits {
				cases = append(cases, one{
					fmt.Sprintf("%s/%s/%s", fate, call, hit.name),
					[]string{fmt.Sprintf("%s %s/%s", call.Service, call.Operation, hit.name), fmt.Sprintf("%s/%s", fate, hit.name)},
					func(t *testing.T, g *runworld.Env) {
						crash(t, newFullClaim(t, g, true), fate, sent, func(p *fault.Process) { hit.on(p, fault.Exactly(call)) })
					},
				})
			}
		}
	}
	fault.Matrix[*runworld.Env, one]{
		What: "kill-point matrix of a claim", Cases: cases,
		Name: func(c one) string { return c.name }, Kinds: func(c one) []string { return c.kinds },
		NewEnv: runworldEnv, Share: 2,
		Play: func(t *testing.T, g *runworld.Env, c one) { c.run(t, g) },
	}.Run(t)
}

// TestClaimInterleavingMatrix sends the messages of a claim, and of the slot that comes
// meanwhile, to two workers, which interrupt each other at their shared calls, while deadlines
// and blockhashes pass and one of them dies; and holds what arrived against the proofs.
func TestClaimInterleavingMatrix(t *testing.T) {
	l := newFullClaim(t, runworld.NewEnv(t), false)
	calls := recorded(t, l)
	if t.Failed() {
		return
	}
	calls = calls[:l.over+1]                                                        // the rest is as in any run
	list := append(schedules(payout.Legacy, calls), schedules(payout.V1, calls)...) // each has half of them
	shared := 0
	for _, message := range calls {
		shared += len(message)
	}
	t.Logf("%d messages, %d shared calls, %d schedules", len(calls), shared, len(list))
	fault.Matrix[*runworld.Env, schedule]{
		What: "interleaving matrix of a claim and a run", Cases: list, Name: schedule.name, Kinds: schedule.kinds,
		NewEnv: runworldEnv, Share: 2,
		Play: func(t *testing.T, g *runworld.Env, s schedule) { s.play(t, newFullClaim(t, g, false)) },
	}.Run(t)
}
