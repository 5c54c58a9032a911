package allocation_test

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

var asset = terms.Asset{9}

func plan(t interface{ Fatal(...any) }, deal allocation.Terms, holdings []allocation.Holding, owed []allocation.AmountsOwed, worth uint64) *allocation.Plan {
	p, err := allocation.NewPlan(deal.Claims(stream(holdings, nil), stream(owed, nil)), worth, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func file(t interface{ Fatal(...any) }, p *allocation.Plan) []byte {
	var b bytes.Buffer
	n, err := io.Copy(&b, p.File())
	if err != nil || n != p.Size() || int64(b.Len()) != n {
		t.Fatal("the plan's file is not as long as it says", n, p.Size(), b.Len(), err)
	}
	return b.Bytes()
}

// The plan's file may be read in any pieces, and from anywhere, as one that is sent a
// second time is.
func TestPlanIsFile(t *testing.T) {
	owed := make([]allocation.AmountsOwed, 7)
	for i := range owed {
		owed[i] = allocation.AmountsOwed{Owner: solana.PublicKey{byte(i + 1)}, Amount: uint64(10 + i)}
	}
	p, err := allocation.NewPlan(allocation.Terms{}.Claims(stream([]allocation.Holding(nil), nil), stream(owed, nil)), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	content := file(t, p)
	if err := iotest.TestReader(p.File(), content); err != nil || len(content) != len(owed)*allocation.PaymentSize {
		t.Errorf("%d bytes: %v", len(content), err)
	}
}

// Many runs one after the other, where payments land, fail, are undecided or never
// begun at random. Whatever happens: each unit that came in was sent to a holder, charged to
// them, is owed to them, or is the remainder of rounding.
func TestNothingIsLostOverManyRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in, sent, charged, remainder uint64
		var owed []allocation.AmountsOwed
		for run := range rapid.IntRange(1, 6).Draw(t, "runs") {
			holdings, _ := draw(t, 0)
			came := rapid.Uint64Range(0, 1<<40).Draw(t, "proceeds")
			in += came
			deal := termsOf(t, holdings, rapid.Uint64Range(0, 50).Draw(t, "minimum"), came+remainder)
			worth := rapid.Uint64Range(0, 1<<30).Draw(t, "worth paying")
			p := plan(t, deal, holdings, owed, worth)
			if !bytes.Equal(file(t, p), file(t, plan(t, deal, holdings, owed, worth))) {
				t.Fatal("the same inputs give other files")
			}
			payments, err := allocation.DecodePayments(file(t, p))
			if err != nil {
				t.Fatal(err)
			}
			outcomes := allocation.NewOutcomes(p.Totals.Rows)
			for i, payment := range payments {
				out := allocation.Outcome{Payment: payment}
				switch rapid.SampledFrom([]string{"paid", "paid", "charged", "refused", "undecided", "never"}).Draw(t, "outcome") {
				case "paid":
					out.Signature, out.Received = solana.Signature{1, byte(run), byte(i / 5)}, payment.Amount
				case "charged":
					out.Charged = payment.Amount / 3
					out.Signature, out.Received = solana.Signature{2, byte(run), byte(i)}, (payment.Amount-out.Charged)/2
				case "refused":
					out.Reason, out.Hold = allocation.AccountFrozen, allocation.Hold{8, byte(i)}
				case "undecided":
					out.Reason = allocation.Undecided
				case "never":
					continue
				}
				if err := outcomes.Add(out); err != nil {
					t.Fatal(err)
				}
			}
			rows, err := collect(outcomes.Close(asset, deal.Claims(stream(holdings, nil), stream(owed, nil)), worth))
			if err != nil {
				t.Fatal(err)
			}
			before := map[solana.PublicKey]allocation.AmountsOwed{}
			for _, o := range owed {
				before[o.Owner] = o
			}
			owed = nil
			var shares uint64
			for _, row := range rows {
				if row.Asset != asset || row.Owed != before[row.Owner].Amount {
					t.Fatalf("%+v after %+v", row, before[row.Owner])
				}
				if row.Reserved < before[row.Owner].Reserved {
					t.Fatalf("%+v was undecided and is not any more: %+v", before[row.Owner], row)
				}
				delete(before, row.Owner)
				shares += row.Share
				sent += row.Paid
				charged += row.Charged
				if row.Carried > 0 {
					owed = append(owed, row.AmountsOwed())
				}
			}
			if len(before) > 0 {
				t.Fatalf("%d owners are forgotten", len(before))
			}
			remainder = deal.Total - shares
		}
		var carried uint64
		for _, o := range owed {
			carried += o.Amount
		}
		if in != sent+charged+carried+remainder {
			t.Fatalf("%d came in; %d sent, %d charged, %d owed, %d left", in, sent, charged, carried, remainder)
		}
	})
}

func TestPlansAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holdings, owed := draw(t, 0)
		deal := termsOf(t, holdings, 1, 10000)
		worth := rapid.Uint64Range(0, 2000).Draw(t, "worth paying")
		p := plan(t, deal, holdings, owed, worth)
		payments, err := allocation.DecodePayments(file(t, p))
		if err != nil {
			t.Fatal(err)
		}
		claims, err := collect(deal.Claims(stream(holdings, nil), stream(owed, nil)))
		if err != nil {
			t.Fatal(err)
		}
		want := []allocation.Payment{}
		var sum uint64
		for _, c := range claims {
			if due := c.Due(); due > 0 && due >= worth {
				want = append(want, allocation.Payment{Owner: c.Owner, Row: c.Row, Amount: due, Hold: c.Hold})
				sum += due
			}
		}
		slices.SortStableFunc(want, func(a, b allocation.Payment) int { return cmp.Compare(b.Amount, a.Amount) })
		if !slices.Equal(payments, want) || int(p.Len()) != len(want) || p.Amount != sum || int(p.Totals.Rows) != len(claims) {
			t.Fatalf("planned %v, want %v", payments, want)
		}
	})
}

func TestBatchesCoverAPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, size := rapid.Uint32Range(0, 400).Draw(t, "records"), rapid.Uint32Range(1, 25).Draw(t, "size")
		var at uint32
		for i, b := range allocation.Batches(records, size) {
			if b.From != at || uint32(i)*size != at || b.To <= b.From || b.To-b.From > size {
				t.Fatalf("batch %d is %+v, after %d", i, b, at)
			}
			if from, to := b.Bytes(); from != int64(b.From)*52 || to != int64(b.To)*52 {
				t.Fatalf("batch %+v is bytes %d to %d", b, from, to)
			}
			at = b.To
		}
		if at != records {
			t.Fatalf("the batches end at %d of %d", at, records)
		}
	})
	for range allocation.Batches(5, 0) {
		t.Error("batches of nothing")
	}
	for _, b := range allocation.Batches(1<<32-1, 1<<31) {
		if b.To == 1<<32-1 {
			return
		}
	}
	t.Error("the last batch of the longest plan is missing")
}

func TestRowsSayWhySomethingIsCarried(t *testing.T) {
	holdings := []allocation.Holding{{Owner: owner(1), Balance: 60}, {Owner: owner(2), Balance: 40}}
	signature := solana.Signature{5}
	for name, c := range map[string]struct {
		owed    allocation.AmountsOwed // of owner 1, whose share is 60
		outcome allocation.Outcome
		planned uint64
		want    allocation.Row
	}{
		"paid": {
			allocation.AmountsOwed{},
			allocation.Outcome{Signature: signature, Received: 60},
			60,
			allocation.Row{Paid: 60, Received: 60, Signature: signature},
		},
		"paid after a tax and the account's rent": {
			allocation.AmountsOwed{Amount: 5, Hold: allocation.Hold{3}},
			allocation.Outcome{Signature: signature, Charged: 15, Received: 45},
			65,
			allocation.Row{Owed: 5, Paid: 50, Charged: 15, Received: 45, Signature: signature},
		},
		"not begun": {
			allocation.AmountsOwed{Amount: 5, Hold: allocation.Hold{3}},
			allocation.Outcome{},
			65,
			allocation.Row{Owed: 5, Carried: 65, Reason: allocation.TimeOver, Hold: allocation.Hold{3}},
		},
		"frozen": {
			allocation.AmountsOwed{},
			allocation.Outcome{Reason: allocation.AccountFrozen, Hold: allocation.Hold{4}},
			60,
			allocation.Row{Carried: 60, Reason: allocation.AccountFrozen, Hold: allocation.Hold{4}},
		},
		"to be tried again": {
			allocation.AmountsOwed{Amount: 5, Hold: allocation.Hold{3}},
			allocation.Outcome{Reason: allocation.Refused},
			65,
			allocation.Row{Owed: 5, Carried: 65, Reason: allocation.Refused},
		},
		"undecided": {
			allocation.AmountsOwed{},
			allocation.Outcome{Reason: allocation.Undecided},
			60,
			allocation.Row{Carried: 60, Reserved: 60, Reason: allocation.Undecided},
		},
		"paid, and something undecided from before": {
			allocation.AmountsOwed{Amount: 7, Reserved: 7, Total: 900},
			allocation.Outcome{Signature: signature, Received: 60},
			60,
			allocation.Row{Owed: 7, Paid: 60, Received: 60, Carried: 7, Reserved: 7, Reason: allocation.Undecided, Signature: signature},
		},
		"undecided twice": {
			allocation.AmountsOwed{Amount: 7, Reserved: 7},
			allocation.Outcome{Reason: allocation.Undecided},
			60,
			allocation.Row{Owed: 7, Carried: 67, Reserved: 67, Reason: allocation.Undecided},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var owed []allocation.AmountsOwed
			if c.owed.Amount > 0 {
				c.owed.Owner = owner(1)
				owed = append(owed, c.owed)
			}
			const worth = 50
			deal := termsOf(t, holdings, 1, 100)
			p := plan(t, deal, holdings, owed, worth)
			payments, err := allocation.DecodePayments(file(t, p))
			if err != nil || len(payments) != 1 || payments[0].Amount != c.planned {
				t.Fatalf("planned %v (%v)", payments, err)
			}
			outcomes := allocation.NewOutcomes(p.Totals.Rows)
			if c.outcome != (allocation.Outcome{}) {
				c.outcome.Payment = payments[0]
				if err := outcomes.Add(c.outcome); err != nil {
					t.Fatal(err)
				}
			}
			rows, err := collect(outcomes.Close(asset, deal.Claims(stream(holdings, nil), stream(owed, nil)), worth))
			if err != nil {
				t.Fatal(err)
			}
			c.want.Asset, c.want.Owner, c.want.Balance, c.want.Share = asset, owner(1), 60, 60
			c.want.Total = c.owed.Total + c.want.Received
			if rows[0] != c.want {
				t.Errorf("got  %+v\nwant %+v", rows[0], c.want)
			}
			below := allocation.Row{Asset: asset, Owner: owner(2), Balance: 40, Share: 40, Carried: 40, Reason: allocation.BelowCost}
			if rows[1] != below {
				t.Errorf("got  %+v\nwant %+v", rows[1], below)
			}
		})
	}
}

func TestOutcomesRefuse(t *testing.T) {
	signature := solana.Signature{5}
	paid := func(row uint32, amount uint64) allocation.Outcome {
		return allocation.Outcome{
			Payment: allocation.Payment{Owner: owner(int(row) + 1), Row: row, Amount: amount}, Signature: signature, Received: amount,
		}
	}
	with := func(change func(*allocation.Outcome)) allocation.Outcome {
		o := paid(0, 60)
		change(&o)
		return o
	}
	for name, o := range map[string]allocation.Outcome{
		"no such row":              paid(2, 60),
		"no amount":                paid(0, 0),
		"paid and not":             with(func(o *allocation.Outcome) { o.Reason = allocation.Refused }),
		"paid and held":            with(func(o *allocation.Outcome) { o.Hold = allocation.Hold{1} }),
		"all of it charged":        with(func(o *allocation.Outcome) { o.Charged, o.Received = 60, 0 }),
		"more arrived than sent":   with(func(o *allocation.Outcome) { o.Charged = 1 }),
		"not paid without reason":  with(func(o *allocation.Outcome) { o.Signature, o.Received = solana.Signature{}, 0 }),
		"not paid, and arrived":    with(func(o *allocation.Outcome) { o.Signature, o.Reason = solana.Signature{}, allocation.Refused }),
		"a reason that is no word": with(func(o *allocation.Outcome) { o.Signature, o.Received, o.Reason = solana.Signature{}, 0, "No!" }),
	} {
		if err := allocation.NewOutcomes(2).Add(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	twice := allocation.NewOutcomes(2)
	if err := twice.Add(paid(0, 60)); err != nil {
		t.Fatal(err)
	}
	if err := twice.Add(paid(0, 60)); err == nil {
		t.Error("a payment has two outcomes")
	}
	holdings := []allocation.Holding{{Owner: owner(1), Balance: 60}, {Owner: owner(2), Balance: 40}}
	for name, c := range map[string]struct {
		outcome allocation.Outcome
		rows    uint32
		worth   uint64
	}{
		"another amount":       {paid(0, 61), 2, 1},
		"another owner":        {with(func(o *allocation.Outcome) { o.Payment.Owner = owner(700) }), 2, 1},
		"a row that is none":   {paid(2, 60), 3, 1},
		"what was not planned": {paid(1, 40), 2, 50},
	} {
		outcomes := allocation.NewOutcomes(c.rows)
		if err := outcomes.Add(c.outcome); err != nil {
			t.Fatal(err)
		}
		deal := termsOf(t, holdings, 1, 100)
		rows, err := collect(outcomes.Close(asset, deal.Claims(stream(holdings, nil), stream[allocation.AmountsOwed](nil, nil)), c.worth))
		if err == nil {
			t.Errorf("%s: %v", name, rows)
		}
	}
}

func TestRowsThatContradictThemselves(t *testing.T) {
	good := allocation.Row{
		Owner: owner(1), Balance: 1, Share: 50, Owed: 10, Paid: 40, Received: 39, Charged: 5, Carried: 15, Reserved: 15, Total: 39,
		Reason: allocation.Undecided, Signature: solana.Signature{1},
	}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*allocation.Row){
		"does not add up":           func(r *allocation.Row) { r.Carried++ },
		"adds up beyond 64 bits":    func(r *allocation.Row) { r.Share, r.Owed = 1<<63, 1<<63+60 },
		"paid beyond 64 bits":       func(r *allocation.Row) { r.Paid = 1<<64 - 1 },
		"carried beyond 64 bits":    func(r *allocation.Row) { r.Carried = 1<<64 - 1 },
		"more arrived":              func(r *allocation.Row) { r.Received = 41 },
		"more arrived than in all":  func(r *allocation.Row) { r.Total = 38 },
		"more reserved":             func(r *allocation.Row) { r.Reserved = 16 },
		"a share of nothing":        func(r *allocation.Row) { r.Balance = 0 },
		"no owner":                  func(r *allocation.Row) { r.Owner = solana.PublicKey{} },
		"no reason":                 func(r *allocation.Row) { r.Reason = "" },
		"no signature":              func(r *allocation.Row) { r.Signature = solana.Signature{} },
		"a signature for nothing":   func(r *allocation.Row) { r.Paid, r.Received, r.Carried = 0, 0, 55 },
		"charged for nothing":       func(r *allocation.Row) { r.Paid, r.Received, r.Carried, r.Signature = 0, 0, 55, solana.Signature{} },
		"a reason and nothing left": func(r *allocation.Row) { r.Paid, r.Carried, r.Reserved = 55, 0, 0 },
		"a hold and nothing left": func(r *allocation.Row) {
			r.Paid, r.Carried, r.Reserved, r.Reason, r.Hold = 55, 0, 0, "", allocation.Hold{1}
		},
		"neither balance nor arrears": func(r *allocation.Row) { *r = allocation.Row{Owner: owner(1)} },
	} {
		row := good
		change(&row)
		if row.Check() == nil {
			t.Errorf("%s: %+v is taken", name, row)
		}
	}
}

func TestPlansRefuse(t *testing.T) {
	claims := func(c ...allocation.Claim) error {
		_, err := allocation.NewPlan(stream(c, nil), 1, 0)
		return err
	}
	const half = 1 << 63
	if claims(allocation.Claim{Share: half}, allocation.Claim{Share: half}) == nil {
		t.Error("shares beyond 64 bits are added")
	}
	if claims(allocation.Claim{Share: half}, allocation.Claim{Owed: half}) == nil {
		t.Error("payments beyond 64 bits are added")
	}
	if _, err := allocation.DecodePayments(make([]byte, 53)); err == nil || !strings.Contains(err.Error(), "whole records") {
		t.Errorf("half a record is read: %v", err)
	}
}

// A range of a plan's file decodes to the written payments.
func FuzzDecodePayments(f *testing.F) {
	f.Add(make([]byte, 0))
	f.Add(make([]byte, allocation.PaymentSize*2))
	f.Add(make([]byte, 7))
	f.Fuzz(func(t *testing.T, file []byte) {
		payments, err := allocation.DecodePayments(file)
		if (err == nil) != (len(file)%allocation.PaymentSize == 0) {
			t.Fatalf("%d bytes: %v", len(file), err)
		}
		if err == nil && len(payments) != len(file)/allocation.PaymentSize {
			t.Fatalf("%d payments of %d bytes", len(payments), len(file))
		}
	})
}
