package run_test

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Who is paid what in SOL, in whole runs.
func TestEdgesOfHolders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"programs and addresses off the curve have no share", notPeople},
		{"a wallet that a program took is left out until it changes", notAWallet},
		{"no holder has the minimum", noHolderHasEnough},
		{"there are no holders", noHolders},
		{"the tax of a pause is in the first run after it", paused},
		{"the creator's wallet has no account", creatorsNewWallet},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

func notPeople(t *testing.T, w *runworld.Fixture) {
	person := holder(t, w, 1_000*tokens).PublicKey()
	pda, _, err := solana.FindProgramAddress([][]byte{[]byte("vault"), w.Token.Mint[:]}, solana.VoteProgramID)
	must.Do(t, err)
	program := solana.NewWallet().PrivateKey
	w.Execute(t, []solana.PrivateKey{w.Bank, program}, systemprogram.CreateAccount{
		Payer: w.Bank.PublicKey(), Account: program.PublicKey(), Lamports: rentExempt, Owner: solana.VoteProgramID,
	}.Instruction())
	why := map[solana.PublicKey]string{
		pda: "off_curve", program.PublicKey(): "program_owned", snapshot.IncineratorAddress: "incinerator",
	}
	before := map[solana.PublicKey]uint64{}
	for owner := range why {
		w.Give(t, owner, 5_000*tokens)
		before[owner] = w.Lamports(t, owner)
	}
	r := w.Settle(t)
	paid(t, w, r, terms.SOL, person)
	for owner, word := range why {
		if got := w.LeftOut(t, r, owner); got != word {
			t.Errorf("%s is left out as %q, not %q", owner, got, word)
		}
		if row := w.Row(t, r, terms.SOL, owner); !row.Owner.IsZero() {
			t.Errorf("%s has a row: %+v", word, row)
		}
		same(t, word+": lamports", w.Lamports(t, owner), before[owner])
	}
	same(t, "eligible owners", uint64(r.Snapshot.Eligible), 2) // the person, and the creator
}

func noHolderHasEnough(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.BurnBps = 1_000
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Token.Settings.MinimumHolding = runworld.Supply + 1
	w.Skip(t, run.CodeNoHolders)
	same(t, "tokens that wait", w.Tokens(t, w.Token.Wallet.Address, w.Token.Mint, solana.Token2022ProgramID), 50*tokens)
	same(t, "supply", w.Supply(t), runworld.Supply)

	w.Token.Settings.MinimumHolding = 900 * tokens
	r := w.Settle(t)
	same(t, "spendable", r.Split.Spendable, 50*tokens)
	row := paid(t, w, r, terms.SOL, h)
	same(t, "the holder's lamports", w.Lamports(t, h), rentExempt+row.Paid)

	w.Token.Settings.MinimumHolding = 2_000 * tokens
	w.Give(t, w.Maker.Address, 1_000*tokens)
	r = w.Settle(t) // the creator alone has so much
	if got := w.LeftOut(t, r, h); got != "below_minimum" {
		t.Errorf("who has too little is left out as %q", got)
	}
}

func noHolders(t *testing.T, w *runworld.Fixture) {
	w.Give(t, snapshot.IncineratorAddress, runworld.Supply)
	w.Skip(t, run.CodeNoHolders)
	same(t, "tokens that wait", w.Tokens(t, w.Token.Wallet.Address, w.Token.Mint, solana.Token2022ProgramID), runworld.Supply/20)
	// No holder is needed for a burn, nor for the creator's share.
	w.Token.Settings.SellBps = 100
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 4_000, 6_000
	r := w.Settle(t)
	same(t, "eligible owners", uint64(r.Snapshot.Eligible), 0)
	same(t, "supply", w.Supply(t), runworld.Supply-r.Burn.Amount)
	same(t, "burned", r.Burn.Amount, runworld.Supply/20/100*40/100)
	if r.Payment.HoldersShare != 0 || r.Payment.CreatorShare == 0 {
		t.Errorf("%+v", r.Payment)
	}
}

func paused(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Token.Settings.Enabled = false
	if why := w.Skip(t, run.CodePaused); !strings.Contains(why, "switched off") {
		t.Errorf("the reason is %q", why)
	}
	w.Give(t, h, 1_000*tokens)
	w.Skip(t, run.CodePaused)
	same(t, "tokens collected in the pause", w.Tokens(t, w.Token.Wallet.Address, w.Token.Mint, solana.Token2022ProgramID), 0)
	w.Token.Settings.Enabled = true
	r := w.Settle(t)
	same(t, "collected after the pause", r.Collecting.Collected, 100*tokens)
	row := paid(t, w, r, terms.SOL, h)
	same(t, "the holder's lamports", w.Lamports(t, h), rentExempt+row.Paid)
}

func creatorsNewWallet(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.DeveloperFeeBps = 100
	creator := solana.NewWallet().PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	holder(t, w, 1_000*tokens)
	r := w.Settle(t)
	leg := w.Manifest(t, r).Legs[0].Creators[0]
	same(t, "lamports of the missing account", w.Lamports(t, creator), 0)
	if r.Payment.CreatorShare == 0 || uint64(leg.Carried) != r.Payment.CreatorShare || leg.Paid != 0 || leg.Reason == "" {
		t.Fatalf("the creator's share of %d: %+v", r.Payment.CreatorShare, leg)
	}
	owed := r.Payment.CreatorShare
	holder(t, w, 2_000*tokens)
	r = w.Settle(t)
	leg = w.Manifest(t, r).Legs[0].Creators[0]
	same(t, "owed to the creator from before", uint64(leg.Owed), owed)
	same(t, "lamports of the creator's new account", w.Lamports(t, creator), owed+r.Payment.CreatorShare)
}

// notAWallet: between snapshot and payment, and in the run after it, a holder's
// account belongs to a program.
func notAWallet(t *testing.T, w *runworld.Fixture) {
	key := holder(t, w, 1_000*tokens)
	h := key.PublicKey()
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Books = plans{worker.Machine.Books, func() { set(t, w, h, solana.VoteProgramID) }}
	}
	r := w.Settle(t)
	first := carried(t, w, r, terms.SOL, h, "not_a_wallet")
	if (first.Hold == allocation.Hold{}) {
		t.Errorf("nothing is held of %+v", first)
	}
	w.Prepare = nil
	w.Give(t, w.Maker.Address, 1_000*tokens)
	r = w.Settle(t)
	if got := w.LeftOut(t, r, h); got != "program_owned" {
		t.Errorf("a program's account is left out as %q", got)
	}
	again := carried(t, w, r, terms.SOL, h, "not_a_wallet")
	same(t, "owed still", again.Carried, first.Carried)

	set(t, w, h, solana.SystemProgramID)
	w.Give(t, w.Maker.Address, 1_000*tokens)
	r = w.Settle(t)
	row := paid(t, w, r, terms.SOL, h)
	same(t, "owed from before", row.Owed, first.Carried)
	same(t, "lamports at last", w.Lamports(t, h), rentExempt+row.Paid)
}
