package proof_test

import (
	"bytes"
	"crypto/ed25519"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// forge makes a bundle of its own around a changed manifest, signed by any key, and returns
// the checks that fail.
func forge(t *testing.T, s *shelf, r run, key ed25519.PrivateKey, change func(*format.Manifest)) []string {
	t.Helper()
	files, anchor, _ := forged(t, s, r, key, change)
	_, failed := verified(t, files, anchor)
	return failed
}

// forged makes the bundle of forge; signed is its anchor's transaction.
func forged(t testing.TB, s *shelf, r run, key ed25519.PrivateKey, change func(*format.Manifest)) (files format.Folder, anchor string, signed []byte) {
	t.Helper()
	m, err := format.DecodeManifest(s.files[r.closed.CID+".json"])
	check(t, err)
	change(&m)
	bent := s.clone()
	body, err := format.EncodeManifest(m)
	check(t, err)
	saved, err := bent.Save(t.Context(), content.ProofManifest, body)
	check(t, err)
	closed := r.closed
	closed.Manifest = m
	closed.Hash = hash(body)
	if len(m.Rows.Pages) > 0 && m.Rows.Pages[0] != r.closed.Manifest.Rows.Pages[0] {
		closed.Root = must(merkle.ParseHash(m.Rows.Root))
	}
	signed = sign(t, closed.Memo(), key)
	anchor, err = write.KeepAnchor(t.Context(), bent, signed)
	check(t, err)
	for _, name := range []string{r.closed.CID + ".json", r.anchor + ".tx"} {
		if name != saved.CID+".json" && name != anchor+".tx" {
			delete(bent.files, name)
		}
	}
	return bent.folder(), anchor, signed
}

// otherRoot says of a list in one file that it has another root, wherever that is
// said.
func otherRoot(t *testing.T, s *shelf, table *format.Table) {
	t.Helper()
	other := hash([]byte("other")).String()
	old := s.files[table.Pages[0].CID+".json"]
	saved, err := s.Save(t.Context(), content.ProofManifest, bytes.ReplaceAll(old, []byte(table.Root), []byte(other)))
	check(t, err)
	table.Root, table.Pages[0].Root, table.Pages[0].CID = other, other, saved.CID
}

// beginsElsewhere says of a list in one file that it begins with the last of all owners, so that
// no other is found in it.
func beginsElsewhere(t *testing.T, s *shelf, table *format.Table) {
	t.Helper()
	last := solana.PublicKey(bytes.Repeat([]byte{255}, 32)).String()
	first := table.Pages[0].First
	old := s.files[table.Pages[0].CID+".json"]
	saved, err := s.Save(t.Context(), content.ProofManifest, bytes.ReplaceAll(old, []byte(first), []byte(last)))
	check(t, err)
	table.Pages[0].First, table.Pages[0].CID = last, saved.CID
}

// A holder of the wallet's key can sign anything. What contradicts itself is
// found out all the same.
func TestProofThatContradictsItselfIsDetected(t *testing.T) {
	whole, _, second := twoRuns(t, 60)
	s := alone(whole, second)
	if failed := forge(t, s, second, walletKey, func(*format.Manifest) {}); len(failed) > 0 {
		t.Fatalf("without a change: %q", failed)
	}
	if failed := forge(t, s, second, strangersKey, func(*format.Manifest) {}); len(failed) == 0 {
		t.Error("a stranger may sign")
	}
	for name, c := range map[string]struct {
		check  string
		change func(*format.Manifest)
	}{
		"another run":                    {"run", func(m *format.Manifest) { m.RunID = terms.RunID(mint, hour) }},
		"another slot":                   {"run", func(m *format.Manifest) { m.Slot = m.Slot.Add(time.Hour) }},
		"another mint":                   {"run", func(m *format.Manifest) { m.Mint[3]++ }},
		"another account":                {"run", func(m *format.Manifest) { m.TokenAccount[3]++ }},
		"no interval":                    {"run", func(m *format.Manifest) { m.Settings.Interval = "07h" }},
		"another supply":                 {"snapshot", func(m *format.Manifest) { m.Snapshot.Supply++ }},
		"a supply beyond 64 bits":        {"snapshot", func(m *format.Manifest) { m.Snapshot.WithheldOnMint -= 1; m.Snapshot.WithheldInAccounts = 1<<64 - 1 }},
		"one more who shares":            {"rows", func(m *format.Manifest) { m.Snapshot.Eligible.Owners++ }},
		"one more who is left out":       {"snapshot", func(m *format.Manifest) { m.Snapshot.LeftOut.Owners++ }},
		"balances moved":                 {"rows", func(m *format.Manifest) { m.Snapshot.LeftOut.Balance++; m.Snapshot.WithheldOnMint-- }},
		"a lower minimum":                {"rows", func(m *format.Manifest) { m.Settings.MinimumHolding = 1000 }},
		"a higher minimum":               {"rows", func(m *format.Manifest) { m.Settings.MinimumHolding = 4000 }},
		"a smaller slice":                {"split", func(m *format.Manifest) { m.Settings.SellBps-- }},
		"less burned":                    {"split", func(m *format.Manifest) { m.Split.Burned--; m.Split.UnsoldAfter++ }},
		"more sold":                      {"split", func(m *format.Manifest) { m.Exchange.Sold++ }},
		"unsold from nowhere":            {"split", func(m *format.Manifest) { m.Split.UnsoldAfter++ }},
		"more came in":                   {"division", func(m *format.Manifest) { m.Exchange.Proceeds += 100 }},
		"the creator gets more":          {"division", func(m *format.Manifest) { m.Settings.DeveloperFeeBps++ }},
		"the creator keeps more":         {"division", func(m *format.Manifest) { m.Legs[0].Creators[0].Paid++; m.Legs[0].Creators[0].Received++ }},
		"holders get more":               {"division", func(m *format.Manifest) { m.Legs[0].Total++; m.Legs[0].RemainderOut++ }},
		"another remainder":              {"division", func(m *format.Manifest) { m.Legs[0].RemainderOut++ }},
		"arrears shared out":             {"division", func(m *format.Manifest) { m.Legs[1].Total++ }},
		"another sum":                    {"rows", func(m *format.Manifest) { m.Legs[0].Sums.PaidTo++ }},
		"another reward":                 {"division", func(m *format.Manifest) { m.Settings.RewardToken = usd.String() }},
		"legs swapped":                   {"rows", func(m *format.Manifest) { slices.Reverse(m.Legs) }},
		"a leg missing":                  {"division", func(m *format.Manifest) { m.Legs = m.Legs[:1] }},
		"another limit":                  {"rows", func(m *format.Manifest) { m.Legs[0].WorthPaying = 1 << 40 }},
		"no statements":                  {"conservation", func(m *format.Manifest) { m.Statements = nil }},
		"a statement twice":              {"conservation", func(m *format.Manifest) { m.Statements = append(m.Statements, m.Statements[0]) }},
		"a statement out of balance":     {"conservation", func(m *format.Manifest) { m.Statements[0].Opening++ }},
		"a deposit that hides something": {"conservation", func(m *format.Manifest) { m.Statements[0].In[0].Amount++ }},
		"a closing held for nothing":     {"conservation", func(m *format.Manifest) { m.Statements[0].Opening++; m.Statements[0].Closing++ }},
		"more owed than rows say": {"conservation", func(m *format.Manifest) {
			held := m.Statements[1].HeldFor
			held[0].Amount, held[len(held)-1].Amount = held[0].Amount+1, held[len(held)-1].Amount-1
		}},
		"another list of transactions":         {"transactions", func(m *format.Manifest) { m.Transactions = format.Table{} }},
		"no owner left out":                    {"rows", func(m *format.Manifest) { m.LeftOut.Pages = nil }},
		"another root of who is left out":      {"rows", func(m *format.Manifest) { m.LeftOut.Root = m.Rows.Root }},
		"a page that begins elsewhere":         {"rows", func(m *format.Manifest) { m.LeftOut.Pages[0].First = owner(1).String() }},
		"a file of rows that begins elsewhere": {"rows", func(m *format.Manifest) { beginsElsewhere(t, s, &m.Rows) }},
		"a file of others that does":           {"rows", func(m *format.Manifest) { beginsElsewhere(t, s, &m.LeftOut) }},
		"a page of another root":               {"rows", func(m *format.Manifest) { m.LeftOut.Pages[0].Root = m.Rows.Root }},
		"rows under a root of their own":       {"rows", func(m *format.Manifest) { otherRoot(t, s, &m.Rows) }},
		"others under a root of their own":     {"rows", func(m *format.Manifest) { otherRoot(t, s, &m.LeftOut) }},
		"transactions under one":               {"transactions", func(m *format.Manifest) { otherRoot(t, s, &m.Transactions) }},
		"another root":                         {"manifest", func(m *format.Manifest) { m.Rows.Root = m.LeftOut.Root }},
		"another number of rows":               {"division", func(m *format.Manifest) { m.Rows.Lines++ }},
		"no run before":                        {"run before", func(m *format.Manifest) { m.Previous = "" }},
		"a run before of no name":              {"manifest", func(m *format.Manifest) { m.Previous = "x" }},
	} {
		t.Run(name, func(t *testing.T) {
			failed := forge(t, s, second, walletKey, c.change)
			if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, c.check+": ") }) {
				t.Errorf("%s has not failed: %q", c.check, failed)
			}
		})
	}
}

// Each name means something of one asset: nothing else leaves the books or comes into them
// under it, not even in a run that burned nothing.
func TestNamesOfStatementsAreOfOneAsset(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 20, minimum: 1, reward: usd, proceeds: 90_000, slot: hour}, nil)
	for name, asset := range map[format.Name]int{format.Burned: 1, format.Sold: 2, format.Fees: 0, format.Rent: 2} {
		failed := forge(t, s, r, walletKey, func(m *format.Manifest) {
			of := &m.Statements[asset]
			amounts := map[format.Name]uint64{name: 5}
			for _, e := range of.Out {
				amounts[e.Name] += uint64(e.Amount)
			}
			of.Out = format.Entries(amounts)
			of.Closing -= 5
			of.HeldFor[len(of.HeldFor)-1].Amount -= 5
			check(t, verify.CheckStatement(*of))
		})
		if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "conservation: ") }) {
			t.Errorf("%s of statement %d: %q", name, asset, failed)
		}
	}
	for name, asset := range map[format.Name]int{format.Collected: 1, format.Returned: 0} {
		failed := forge(t, s, r, walletKey, func(m *format.Manifest) {
			of := &m.Statements[asset]
			amounts := map[format.Name]uint64{name: 5}
			for _, e := range of.In {
				amounts[e.Name] += uint64(e.Amount)
			}
			of.In = format.Entries(amounts)
			of.Closing += 5
			of.HeldFor[len(of.HeldFor)-1].Amount += 5
			check(t, verify.CheckStatement(*of))
		})
		if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "conservation: ") }) {
			t.Errorf("%s of statement %d: %q", name, asset, failed)
		}
	}
}

// Rows that contradict the manifest, of which each line and each sum is right by
// itself, in a bundle that is signed and complete.
func TestRowsThatAreWrongAreFoundOut(t *testing.T) {
	// unpaid takes a row's payment back.
	unpaid := func(r *allocation.Row) {
		if r.Paid > 0 {
			r.Carried += r.Paid + r.Charged
			r.Total -= r.Received
			r.Paid, r.Received, r.Charged, r.Signature, r.Reason = 0, 0, 0, solana.Signature{}, allocation.TimeOver
		}
	}
	base := script{holders: 40, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
	for name, c := range map[string]struct {
		change func(*script)
		says   string
	}{
		"a unit moved to another": {func(c *script) {
			c.bend = func(_, row int, r *allocation.Row) {
				switch row {
				case 1:
					unpaid(r)
					r.Share, r.Carried = r.Share-1, r.Carried-1
				case 2:
					unpaid(r)
					r.Share, r.Carried = r.Share+1, r.Carried+1
				}
			}
		}, "the share of"},
		"worth paying and not paid as worth too little": {func(c *script) {
			c.bend = func(_, row int, r *allocation.Row) {
				if row == 3 {
					unpaid(r)
					r.Reason = allocation.BelowCost
				}
			}
		}, "not worth paying"},
		"payments that are not named": {func(c *script) { c.unnamed = true }, "not named as a payment"},
		"a payment that pays no row":  {func(c *script) { c.extra = true }, "pays no row"},
		"left out with a balance":     {func(c *script) { c.leave = func(n int, l *format.LeftOut) { l.Why = format.BelowMinimum } }, "is left out, and the minimum"},
		"a sharing owner left out":    {func(c *script) { c.leave = func(n int, l *format.LeftOut) { l.Owner = owner(n + 1) } }, "shares and is left out"},
	} {
		t.Run(name, func(t *testing.T) {
			s, script := newShelf(), base
			c.change(&script)
			r := s.run(t, script, nil)
			_, failed := verified(t, s.folder(), r.anchor)
			if !slices.ContainsFunc(failed, func(f string) bool { return strings.Contains(f, c.says) }) {
				t.Errorf("%q, want %q", failed, c.says)
			}
		})
	}
}

// With the files of the run before at hand, what was owed is held against them.
func TestWhatWasOwedIsHeldAgainstTheRunBefore(t *testing.T) {
	s, first, second := twoRuns(t, 60)
	delete(s.files, first.anchor+".tx")
	report, failed := verified(t, s.folder(), second.anchor)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	if !slices.ContainsFunc(report.Checks, func(c verify.Check) bool { return c.Name == "run before" && c.Verdict == verify.Consistent }) {
		t.Fatalf("the run before was not checked: %+v", report.Checks)
	}
	// A second run that took over from another first one, in which others are owed.
	other := newShelf()
	base := script{holders: 60, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
	base.minimum = 2500
	otherFirst := other.run(t, base, nil)
	maps.Copy(s.files, other.files)
	failed = forge(t, s, second, walletKey, func(m *format.Manifest) { m.Previous = otherFirst.closed.CID })
	if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "run before: ") }) {
		t.Errorf("another run before is taken: %q", failed)
	}
	// The sums are right, and a unit is owed to another owner.
	given, taken := false, false
	moved := newShelf()
	base.minimum = 1200
	before := moved.run(t, base, nil)
	after := moved.run(t, script{
		holders: 63, minimum: 1100, burnBps: 3000, reward: terms.SOL, proceeds: 2_000_000, slot: hour.Add(time.Hour),
		bend: func(leg, _ int, r *allocation.Row) {
			switch {
			case leg != 1 || r.Paid > 0:
			case !given:
				given = true
				r.Owed, r.Carried = r.Owed+1, r.Carried+1
			case !taken && r.Carried > r.Reserved+1:
				taken = true
				r.Owed, r.Carried = r.Owed-1, r.Carried-1
			}
		},
	}, &before)
	if _, failed := verified(t, moved.folder(), after.anchor); !taken || !slices.ContainsFunc(failed, func(f string) bool { return strings.Contains(f, "takes over") }) {
		t.Errorf("a unit is owed to another owner: %q", failed)
	}
	for name, change := range map[string]func(*format.Manifest){
		"unsold":    func(m *format.Manifest) { m.Split.Unsold++ },
		"opening":   func(m *format.Manifest) { m.Statements[0].Opening++ },
		"remainder": func(m *format.Manifest) { m.Legs[1].RemainderIn++ },
		"forgotten": func(m *format.Manifest) { m.Legs = m.Legs[:1] },
	} {
		failed := forge(t, s, second, walletKey, change)
		if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "run before: ") }) {
			t.Errorf("%s: %q", name, failed)
		}
	}
}

// The run before claims that it left less than its own rows do: whom this run has forgotten
// is found in those.
func TestWhoIsForgottenIsFoundOut(t *testing.T) {
	s, first, second := twoRuns(t, 60)
	last := len(first.rows) - 1
	if first.rows[last].Paid == 0 {
		t.Fatal("the last row of the run before is not paid: take another number of holders")
	}
	other := s.run(t, script{
		holders: 60, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour,
		bend: func(_, row int, r *allocation.Row) {
			if row == last {
				r.Carried = r.Paid + r.Charged
				r.Total -= r.Received
				r.Paid, r.Received, r.Charged, r.Signature, r.Reason = 0, 0, 0, solana.Signature{}, allocation.TimeOver
			}
		},
	}, nil)
	lying := first.closed.Manifest
	lying.Rows = other.closed.Manifest.Rows
	body, err := format.EncodeManifest(lying)
	check(t, err)
	saved, err := s.Save(t.Context(), content.ProofManifest, body)
	check(t, err)
	failed := forge(t, s, second, walletKey, func(m *format.Manifest) { m.Previous = saved.CID })
	if !slices.ContainsFunc(failed, func(f string) bool { return strings.Contains(f, "who has no row") }) {
		t.Errorf("an owner is forgotten: %q", failed)
	}
}
