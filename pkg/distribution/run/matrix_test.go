package run_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

var hits = []struct {
	name string
	on   func(*fault.Process, fault.Match)
}{
	{"crash before", (*fault.Process).KillBefore},
	{"crash after", (*fault.Process).KillAfter},
}

var fates = []runworld.Fate{runworld.Lands, runworld.Vanishes, runworld.ReplyLost, runworld.Fails, runworld.Hides}

// fullRun is a run with everything in it: tax to collect, a burn, an exchange, a
// creator and two holders to pay, a proof.
type fullRun struct {
	*runworld.Fixture
	net *runworld.Network
	// creators are two in version 1, who share what the creator gets.
	creators []solana.PublicKey
	holders  []solana.PublicKey
	had      []uint64
	minted   uint64
	// verified are the proofs that check has verified, by their anchors' transactions. A file of
	// theirs cannot change: its name is that of its content.
	verified map[string]bool
	// claimants ask to be paid before the slot. alone reports that the slot comes when they
	// were.
	claimants []solana.PublicKey
	alone     bool
	// over is the number of messages until a claim was over.
	over int
}

// begin asks for the run of the next slot, and before that for claims.
func (s *fullRun) begin(t *testing.T) time.Time {
	t.Helper()
	if len(s.claimants) > 0 {
		s.Claim(t, s.claimants...)
	}
	if s.alone {
		return s.Head(t).LastSlot.Add(time.Second)
	}
	return s.Slot()
}

func newFullRun(t *testing.T, g *runworld.Env, version payout.Version) *fullRun {
	t.Helper()
	s := &fullRun{Fixture: g.Fixture(t), creators: []solana.PublicKey{solana.NewWallet().PublicKey()}, verified: map[string]bool{}}
	s.net = s.NewNetwork(t)
	s.Token.Settings.BurnBps, s.Token.Settings.DeveloperFeeBps = 1_000, 900
	s.Token.Settings.DeveloperWallet = s.creators[0]
	s.holders = s.Holders(t, 2, 1_000_000_000)
	if s.Payouts = version; version == payout.V1 { // fewer would be paid by a legacy transaction
		s.Chunk = 1 // so that there are several, which are handed out
		members := make([]runworld.Member, payout.SOLBatch)
		for i := range members {
			members[i] = runworld.Member{Owner: solana.NewWallet().PublicKey(), Balance: 1_000_000_000, Lamports: rentExempt}
			s.holders = append(s.holders, members[i].Owner)
		}
		s.SeedHolders(t, members)
		s.creators = append(s.creators, solana.NewWallet().PublicKey())
		s.Token.Settings.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: s.creators[0], Bps: 6_667}, {Wallet: s.creators[1], Bps: 3_333}})
	}
	s.had = s.LamportsOf(t, s.holders)
	s.minted = s.Supply(t)
	return s
}

func runworldEnv(t *testing.T) *runworld.Env { return runworld.NewEnv(t) }

// TestCrashMatrix kills the process that works on a run at
// each call that changes something, in each fate of what it has sent last, lets others
// bring the run to its end, and another run follow; and holds what arrived against
// the proofs.
func TestCrashMatrix(t *testing.T) {
	g := runworld.NewEnv(t)
	type one struct {
		name  string
		kinds []string
		run   func(*testing.T, *runworld.Env)
	}
	var cases []one
	for _, version := range []payout.Version{payout.Legacy, payout.V1} {
		s := newFullRun(t, g, version)
		recorded := fault.NewProcess()
		s.net.On(recorded, runworld.Lands, 0)
		s.Slot()
		s.Drive(t, func() *fault.Process { return recorded })
		s.check(t, s.Settled(t)[0].Slot)
		if leg := s.Settled(t)[0].Payment.Legs[0]; leg.Version != version {
			t.Fatalf("paid by version %d, not %d", leg.Version, version)
		}
		sent := 0 // with receipts, up to the call
		for _, call := range recorded.Calls() {
			if call.Operation == fault.SendTransaction && call.N > setups {
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
					name := fmt.Sprintf("%s/%s/%s", fate, call, hit.name)
					if !mine(name, version) {
						continue
					}
					cases = append(cases, one{
						name,
						[]string{
							fmt.Sprintf("%s %s/%s", call.Service, call.Operation, hit.name), fmt.Sprintf("%s/%s", fate, hit.name),
							fmt.Sprintf("%s/version %d", fate, version),
						},
						func(t *testing.T, g *runworld.Env) {
							crash(t, newFullRun(t, g, version), fate, sent, func(p *fault.Process) { hit.on(p, fault.Exactly(call)) })
						},
					})
				}
			}
		}
	}
	fault.Matrix[*runworld.Env, one]{
		What: "kill-point matrix of a run", Cases: cases,
		Name: func(c one) string { return c.name }, Kinds: func(c one) []string { return c.kinds },
		NewEnv: runworldEnv, Share: 2,
		Play: func(t *testing.T, g *runworld.Env, c one) { c.run(t, g) },
	}.Run(t)
}

// mine reports whether a case is for a version: each is for one of them, by its name, or all
// are for the one that PAYOUT_VERSION names.
func mine(name string, version payout.Version) bool {
	if only, err := strconv.Atoi(os.Getenv("PAYOUT_VERSION")); err == nil {
		return int(version) == only
	}
	return crc32.ChecksumIEEE([]byte(name))%2 == uint32(version)
}

// setups is the number of transactions that come first and have no receipt: those that make the
// wallet's accounts, and collect.
const setups = 2

// crash lets the first process die of the strike, and the others live.
func crash(t *testing.T, s *fullRun, fate runworld.Fate, sent int, strike func(*fault.Process)) {
	t.Helper()
	first := true
	slot := s.begin(t)
	s.Drive(t, func() *fault.Process {
		p := fault.NewProcess()
		if first {
			s.net.On(p, fate, sent)
			strike(p)
		} else {
			s.net.On(p, runworld.Lands, 0)
		}
		first = false
		return p
	})
	s.check(t, slot)

	// The next run pays what this one has left.
	s.Give(t, s.holders[0], 1_000_000_000)
	s.Slot()
	s.Drive(t, func() *fault.Process { return s.net.Process(runworld.Lands) })
	s.check(t, slot)
	for i, says := range s.SaysEach(t, s.holders, terms.SOL) {
		if says.Carried != says.Reserved {
			t.Errorf("holder %d is still owed %d, of which %d are reserved", i, says.Carried, says.Reserved)
		}
	}
}

// check holds what arrived against what the proofs say.
func (s *fullRun) check(t *testing.T, slot time.Time) {
	t.Helper()
	r, err := s.Runs.Run(t.Context(), s.Token.Mint, slot)
	must.Do(t, err)
	head, err := s.Runs.Head(t.Context(), s.Token.Mint)
	must.Do(t, err)
	if !r.Status().Over() || !head.Active.IsZero() || head.Frozen != "" {
		t.Fatalf("the run is %s, %+v; active %s, frozen %q", r.Status(), r.End, head.Active, head.Frozen)
	}
	settled := s.Settled(t)
	var burned uint64
	created, createdMaybe := map[solana.PublicKey]uint64{}, map[solana.PublicKey]uint64{}
	for _, r := range settled {
		if anchor := r.Closing.AnchorTx; anchor == "" || !s.verified[anchor] {
			s.Verify(t, r)
			s.verified[anchor] = true
		}
		burned += r.Burn.Amount
		for _, part := range r.CreatorParts(0) {
			created[part.Wallet] += part.Paid.Amount
			if part.Paid.Reason == "undecided" {
				createdMaybe[part.Wallet] += part.Amount()
			}
		}
	}
	if gone := s.minted - s.Supply(t); gone != burned && (r.Burn == nil || r.Burn.Reason != "undecided") || gone != burned && gone != burned+r.Split.Burn {
		t.Errorf("%d were burned, the runs say %d", gone, burned)
	}
	for i, c := range s.creators {
		once(t, fmt.Sprint("the creator's wallet ", i), s.Lamports(t, c), created[c], createdMaybe[c])
	}
	has := s.LamportsOf(t, s.holders)
	for i, says := range s.SaysEach(t, s.holders, terms.SOL) {
		once(t, fmt.Sprint("holder ", i), has[i]-s.had[i], says.Received, says.Reserved)
	}
	if t.Failed() {
		t.Logf("the first run was %s, %+v: burn %+v, exchange %+v", r.Status(), r.End, r.Burn, r.Exchange)
	}
}

// once: the arrived amounts equal the proofs', and of an undecided amount
// nothing or all has arrived.
func once(t *testing.T, who string, arrived, said, maybe uint64) {
	t.Helper()
	if arrived != said && arrived != said+maybe {
		t.Errorf("%s got %d, and the proofs say %d, with %d undecided", who, arrived, said, maybe)
	}
}
