package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/token/terms"
)

// forgery is a move of a dishonest operator, or of a node that lies for one. The operator
// adjusts the books where that helps: files that a check of the chain refuses are without
// a fault by themselves.
type forgery struct {
	// name describes the act.
	name string
	// check is the first check that refuses it, and says is a part of that check's text.
	check, says string
	// unwalked forgeries leave the history unwalked: then nothing has failed, and nothing
	// is complete.
	unwalked bool
	// tooNew forgeries name a later trust list: then nothing has failed, and nothing holds.
	tooNew bool
	// first and second change the scripts of two runs; without second there is one run.
	first, second func(*script)
	// runs makes the runs instead, and returns the last.
	runs func(t testing.TB, s *shelf) run
	// forge changes the manifest of the last run afterwards, where a writer would refuse it.
	forge func(*format.Manifest)
	// withheld means that the files of the run before are not published.
	withheld bool
	// node changes what the node tells.
	node func(s *sim, r run)
}

// checksOfTheChain are those that need a node.
var checksOfTheChain = []string{"wallet on chain", "anchor on chain", "history", "transactions on chain", "books on chain", "anchors", "later anchors"}

// twoScripts are those of honest runs: the first pays in a token, the second in SOL and has
// arrears.
func twoScripts() (first, second script) {
	first = script{holders: 24, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
	second = script{holders: 26, minimum: 1100, burnBps: 3000, reward: terms.SOL, proceeds: 2_000_000, slot: hour.Add(time.Hour)}
	return first, second
}

// make makes the runs of a forgery and returns the last.
func (f forgery) make(t testing.TB, s *shelf) run {
	t.Helper()
	if f.runs != nil {
		return f.runs(t, s)
	}
	first, second := twoScripts()
	if f.first != nil {
		f.first(&first)
	}
	r := s.run(t, first, nil)
	if f.second != nil {
		f.second(&second)
		before := r
		r = s.run(t, second, &before)
	}
	return r
}

// published returns what a reader of the last run has: its files and a node.
func (f forgery) published(t testing.TB) (format.Folder, run, *sim) {
	t.Helper()
	s := newShelf()
	r := f.make(t, s)
	files := s.folder()
	if f.forge != nil {
		last := &r.acts[len(r.acts)-1]
		files, r.anchor, r.signed = forged(t, s, r, walletKey, f.forge)
		*last = anchoring(t, r.signed, last.slot)
	}
	if f.withheld {
		files = alone(s, r).folder()
	}
	node := onChain(t, r)
	if f.node != nil {
		f.node(node, r)
	}
	return files, r, node
}

// catalogue is all forgeries.
func catalogue() []forgery {
	return slices.Concat(skims(), liesOfNodes(), dishonestSales(), takenTax(), lentAuthority(), dishonestReceipts(), dishonestPayments(), cookedBooks(),
		rewrittenPasts(), otherSettings(), dishonestRows(), inventedSnapshots(), inventedPasts(), brokenPromises(), brokenDelays(), laterLists(), falseGuardians(), falseRotations())
}

// Each move is refused by the check that is named, and by nothing before it.
func TestForgeriesAreRefused(t *testing.T) {
	list := catalogue()
	known := map[string]bool{}
	for _, f := range list {
		if known[f.name] {
			t.Errorf("%q occurs twice", f.name)
		}
		known[f.name] = true
		t.Run(f.name, func(t *testing.T) {
			files, r, node := f.published(t)
			report, failed := asked(t, files, r.anchor, node)
			record.forgery(f.name, f.check)
			if f.unwalked || f.tooNew {
				verdict := verify.Skipped
				if f.tooNew {
					verdict = verify.TooNew
				}
				if len(failed) > 0 || report.Complete() || report.TooNew() != f.tooNew || report.OK() == f.tooNew || !slices.ContainsFunc(report.Checks, func(c verify.Check) bool {
					return c.Name == f.check && c.Verdict == verdict && strings.Contains(c.Detail, f.says)
				}) {
					t.Errorf("complete %v, failed %q: %+v", report.Complete(), failed, report.Checks)
				}
				return
			}
			if report.OK() || report.Complete() || report.TooNew() || len(failed) == 0 || !strings.HasPrefix(failed[0], f.check+": ") || !strings.Contains(failed[0], f.says) {
				t.Fatalf("want %q of the check %q, have %q", f.says, f.check, failed)
			}
			if slices.Contains(checksOfTheChain, f.check) || f.check == "holders on chain" || f.check == "launch" {
				if _, failed := verified(t, files, r.anchor); len(failed) > 0 {
					t.Errorf("the files by themselves: %q", failed)
				}
			}
		})
	}
	var table strings.Builder
	for _, f := range list {
		verdict := f.check
		switch {
		case f.tooNew:
			verdict += " (too new, so it does not hold)"
		case f.unwalked:
			verdict += " (not checked, so not complete)"
		}
		_, _ = fmt.Fprintf(&table, "\n%-84s | %s", f.name, verdict)
	}
	t.Logf("forgery | check that refuses it%s", table.String())
	figures.Show(t, "proof: %d forgeries, each refused by the check that its catalogue names", len(list))
}

// operator is a dishonest one's own key.
var operator = solana.PublicKey{0: 3, 31: 3}

// rival is another mint, in whose tax no wallet here has a part.
var rival = terms.Asset{0: 11, 31: 8}

// also has one further transaction; it is not named without a purpose.
func also(purpose format.Purpose, x tx) func(*script) {
	return func(c *script) { c.also = func(format.Manifest) []extra { return []extra{{purpose, x}} } }
}

// byStranger has a stranger pay for a transaction that the wallet signs, too.
func byStranger(x tx) tx {
	x.signers = []solana.PublicKey{stranger, wallet}
	return x
}

// books changes an entry of a statement, and what is left with it.
func books(asset terms.Asset, name format.Name, by int64) func(*script) {
	return func(c *script) {
		before := c.book
		c.book = func(m *format.Manifest) {
			if before != nil {
				before(m)
			}
			booked(m, asset, name, by)
		}
	}
}

// booked changes an entry of a statement, its closing and the float.
func booked(m *format.Manifest, asset terms.Asset, name format.Name, by int64) {
	const why = "the operator says so"
	i := slices.IndexFunc(m.Statements, func(s format.Statement) bool { return s.Asset == asset.String() })
	s := &m.Statements[i]
	change := func(list []format.Entry, name format.Name, by int64) []format.Entry {
		amounts := map[format.Name]uint64{}
		for _, e := range list {
			amounts[e.Name] = uint64(e.Amount)
		}
		amounts[name] += uint64(by)
		return format.EntriesOf(amounts, why)
	}
	if slices.Contains([]format.Name{format.Collected, format.Deposits, format.Proceeds, format.FuelCame, format.ReceiptsReturned, format.Adjustment}, name) {
		s.In = change(s.In, name, by)
	} else {
		s.Out = change(s.Out, name, by)
		by = -by
	}
	s.Closing += format.Amount(by)
	s.HeldFor = change(s.HeldFor, format.Float, by)
}

// adjusts has the operator say that the given lamports went out.
func adjusts(lamports int64) func(*script) {
	return func(c *script) {
		c.book = func(m *format.Manifest) {
			booked(m, terms.SOL, format.Undecided, lamports)
			out := m.Statements[1].Out
			out[len(out)-1].Name, out[len(out)-1].Reason = format.Adjustment, "the operator says so"
		}
	}
}

// acts changes the transactions of a purpose before they land.
func acts(purpose format.Purpose, change func(*tx)) func(*script) {
	return func(c *script) {
		c.act = func(p format.Purpose, x *tx) {
			if p == purpose {
				change(x)
			}
		}
	}
}

// does adds steps to the first transaction of a purpose.
func does(purpose format.Purpose, list ...step) func(*script) {
	done := false
	return acts(purpose, func(x *tx) {
		if !done {
			x.does = append(x.does, list...)
		}
		done = true
	})
}

// plans changes the terms.
func plans(change func(*format.Manifest)) func(*script) {
	return func(c *script) { c.plan = change }
}

// all makes several changes of a script.
func all(changes ...func(*script)) func(*script) {
	return func(c *script) {
		for _, change := range changes {
			change(c)
		}
	}
}

// honest changes nothing.
func honest(*script) {}
