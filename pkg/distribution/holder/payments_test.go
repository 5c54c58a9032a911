package holder_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// past is a service in memory with tokens, runs and proofs. It counts the reads.
type past struct {
	mu     sync.Mutex
	files  map[string][]byte
	runs   map[solana.PublicKey][]run.Run // newest first
	mints  []solana.PublicKey             // of the service
	held   []solana.PublicKey
	part   bool // the node lists a part of the held mints
	wallet solana.PublicKey

	filesRead, runsRead, lists, lookups atomic.Int64
}

func newPast() *past {
	return &past{files: map[string][]byte{}, runs: map[solana.PublicKey][]run.Run{}, wallet: numbered(9, 9)}
}

func (p *past) payments() holder.Payments {
	return holder.Payments{Ledger: holder.Ledger{Tokens: p, Proofs: p, Chain: p}, History: p}
}

func (p *past) Save(_ context.Context, kind content.Kind, body []byte) (content.File, error) {
	cid := format.CID(sha256.Sum256(body))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[cid] = body
	return content.File{CID: cid, Key: kind.Key(cid)}, nil
}

func (p *past) File(_ context.Context, _ content.Kind, cid string) ([]byte, error) {
	p.filesRead.Add(1)
	body, ok := p.files[cid]
	if !ok {
		return nil, format.ErrNoFile
	}
	return body, nil
}

func (p *past) TokensOf(_ context.Context, mints []solana.PublicKey) (found []token.Record, err error) {
	p.lookups.Add(1)
	for _, mint := range mints {
		if _, ok := slices.BinarySearchFunc(p.mints, mint, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) }); ok {
			found = append(found, token.Record{Mint: mint, Symbol: "CRANE"})
		}
	}
	return found, nil
}

func (p *past) MintsOf(context.Context, solana.PublicKey) ([]solana.PublicKey, bool, error) {
	return p.held, !p.part, nil
}

func (p *past) Page(_ context.Context, mint solana.PublicKey, before time.Time, limit int) ([]run.Run, time.Time, error) {
	p.lists.Add(1)
	rest := p.runs[mint]
	if !before.IsZero() {
		rest = rest[slices.IndexFunc(append(slices.Clone(rest), run.Run{}), func(r run.Run) bool { return r.Slot.Before(before) }):]
	}
	page := rest[:min(limit, len(rest))]
	p.runsRead.Add(int64(len(page)))
	if len(page) < len(rest) {
		return page, page[len(page)-1].Slot, nil
	}
	return page, time.Time{}, nil
}

// pay adds a run at a time. Amounts are the wallet's by asset; of a zero amount the wallet has a row
// that is not paid. The first asset is the reward, and the others are arrears.
func (p *past) pay(t *testing.T, mint solana.PublicKey, at time.Time, amounts map[terms.Asset]uint64, assets ...terms.Asset) {
	t.Helper()
	w := write.New(p)
	var legs []format.Leg
	var closed []run.ClosedLeg
	var books []format.Statement
	creator := format.Key(solana.VoteProgramID)
	for n, asset := range assets {
		w.Leg(asset)
		paid := 5 + amounts[asset]
		signature := solana.Signature{1, byte(n + 1), byte(at.Unix() >> 8), byte(at.Unix())}
		rows := []allocation.Row{
			{Asset: asset, Owner: numbered(1, 1), Balance: 3, Share: 5, Paid: 5, Received: 5, Total: 5, Signature: signature},
			{Asset: asset, Owner: p.wallet, Balance: 7, Share: 9, Carried: 9, Reason: allocation.BelowCost},
		}
		carried := uint64(9)
		if amount := amounts[asset]; amount > 0 {
			rows[1] = allocation.Row{Asset: asset, Owner: p.wallet, Balance: 7, Share: amount, Paid: amount, Received: amount, Total: amount, Signature: signature}
			carried = 0
		}
		leg := format.Leg{
			Asset: asset.String(), Decimals: 9, WorthPaying: 1, Total: format.Amount(paid + carried),
			Creators: []format.CreatorShare{{Wallet: creator, PartBps: 10_000}},
		}
		book := format.Statement{
			Asset: asset.String(), In: []format.Entry{{Name: format.Proceeds, Amount: leg.Total}},
			Out: []format.Entry{{Name: format.ToHolders, Amount: format.Amount(paid)}}, Closing: format.Amount(carried),
		}
		if n > 0 {
			leg.Program, leg.Decimals, leg.Total = solana.TokenProgramID.String(), 6, 0
			for i := range rows {
				rows[i].Owed, rows[i].Share, rows[i].Balance = rows[i].Share, 0, 0
			}
			book.In, book.Opening = nil, format.Amount(paid+carried)
		}
		if carried > 0 {
			book.HeldFor = format.Entries(map[format.Name]uint64{format.Owed: carried})
		}
		for _, row := range rows {
			must.Do(t, w.Row(t.Context(), row))
		}
		legs, books = append(legs, leg), append(books, book)
		closed = append(closed, run.ClosedLeg{Asset: asset, Paid: paid})
	}
	account, err := token2022.AssociatedAddress(solana.VoteProgramID, mint, solana.Token2022ProgramID)
	must.Do(t, err)
	file, err := w.Close(t.Context(), format.Manifest{
		Kind: format.Distribution, Number: 1, Creator: creator, Cut: 9,
		RunID: terms.RunID(mint, at), Slot: at, Mint: format.Key(mint), Program: format.Key(solana.Token2022ProgramID),
		Wallet: creator, TokenAccount: format.Key(account),
		Settings: format.Settings{Interval: "1h", RewardToken: "SOL", SellBps: 10_000, DeveloperWallet: creator, Version: terms.LaunchVersion},
		Snapshot: format.Snapshot{ChainSlot: 5, Supply: 10, Eligible: format.Tally{Owners: 2, Balance: 10}},
		Split:    format.Split{Spendable: 10, Slice: 10, Sell: 10}, Exchange: format.Sale{Sold: 10, Proceeds: legs[0].Total},
		Legs:       legs,
		Statements: append([]format.Statement{{Asset: mint.String(), Opening: 10, Out: []format.Entry{{Name: format.Sold, Amount: 10}}}}, books...),
	})
	must.Do(t, err)
	p.settle(mint, at, &run.Closing{Manifest: file.CID, Legs: closed})
}

// settle adds an ended run.
func (p *past) settle(mint solana.PublicKey, at time.Time, closing *run.Closing) {
	r := run.Run{ID: terms.RunID(mint, at), Mint: mint, Slot: at, Closing: closing, End: &run.End{At: at.Add(time.Minute)}}
	p.runs[mint] = append([]run.Run{r}, p.runs[mint]...)
}

// all follows a list to its end.
func (p *past) all(t *testing.T, limit int, mint solana.PublicKey) (lines []string, pages int) {
	t.Helper()
	ask := holder.PaymentsAsk{Wallet: p.wallet, Limit: limit, Mint: mint}
	for {
		page, err := p.payments().Page(t.Context(), ask)
		must.Do(t, err)
		if len(page.Payments) > limit {
			t.Fatalf("a page of %d payments, at most %d", len(page.Payments), limit)
		}
		for _, paid := range page.Payments {
			lines = append(lines, fmt.Sprint(paid.Run.Slot.Unix(), paid.Token.Mint, paid.Row.Row.Asset, paid.Row.Row.Received))
		}
		if pages++; page.Next.Slot.IsZero() {
			return lines, pages
		}
		if pages > 1_000 {
			t.Fatal("the list has no end")
		}
		ask.After = page.Next
	}
}

// TestPaymentsListsEachPaymentOnce pages through payments of several tokens with the same slots, with
// several assets in a run, with runs that paid nothing and rows that were not paid. The list is the same
// for each page size.
func TestPaymentsListsEachPaymentOnce(t *testing.T) {
	p := newPast()
	coin := terms.Asset(numbered(theirs, 7))
	a, b, sold := mintOf(1), mintOf(2), mintOf(3)
	p.mints, p.held = []solana.PublicKey{a, b, sold}, []solana.PublicKey{a, b, numbered(theirs, 1)}
	for n := range 12 {
		at := slot.Add(time.Duration(n) * time.Hour)
		if n%4 == 3 {
			p.settle(a, at, nil) // skipped
		} else {
			p.pay(t, a, at, map[terms.Asset]uint64{terms.SOL: uint64(n * 10), coin: 5}, terms.SOL, coin)
		}
		p.pay(t, b, at, map[terms.Asset]uint64{terms.SOL: uint64(n % 3)}, terms.SOL)
	}
	p.settle(b, slot.Add(13*time.Hour), &run.Closing{Manifest: "never read", Legs: []run.ClosedLeg{{Asset: terms.SOL}}})
	p.pay(t, sold, slot, map[terms.Asset]uint64{terms.SOL: 4}, terms.SOL)
	var want []string
	for n := 11; n >= 0; n-- {
		at := slot.Add(time.Duration(n) * time.Hour).Unix()
		if n%4 != 3 {
			if n > 0 {
				want = append(want, fmt.Sprint(at, a, terms.SOL, n*10))
			}
			want = append(want, fmt.Sprint(at, a, coin, 5))
		}
		if n%3 != 0 {
			want = append(want, fmt.Sprint(at, b, terms.SOL, n%3))
		}
	}
	for _, limit := range []int{1, 2, 3, 5, 17, 24, 25, 26, 100} {
		if got, _ := p.all(t, limit, solana.PublicKey{}); !slices.Equal(got, want) {
			t.Errorf("by pages of %d:\n%q, want\n%q", limit, got, want)
		}
	}
	if got, _ := p.all(t, 100, sold); len(got) != 1 {
		t.Errorf("a named token that was sold: %q", got)
	}
	if got, _ := p.all(t, 100, numbered(theirs, 1)); len(got) != 0 {
		t.Errorf("a mint of another service: %q", got)
	}
}

// TestPaymentsPageIsBounded measures a wallet with 100 tokens in a service of 10,000, each with more
// hourly runs than a page reads. A page without any payment has a next page.
func TestPaymentsPageIsBounded(t *testing.T) {
	p := newPast()
	for n := range 10_000 {
		p.mints = append(p.mints, mintOf(n))
	}
	for n := range 100 {
		mint := mintOf(n * 100)
		p.held = append(p.held, mint)
		for hour := range 30 {
			p.pay(t, mint, slot.Add(time.Duration(hour)*time.Hour), nil, terms.SOL)
		}
	}
	check := func(name string, held int, named solana.PublicKey) {
		t.Helper()
		ask := holder.PaymentsAsk{Wallet: p.wallet, Limit: 100, Mint: named}
		for _, n := range []*atomic.Int64{&p.filesRead, &p.runsRead, &p.lists, &p.lookups} {
			n.Store(0)
		}
		began := time.Now()
		page, err := p.payments().Page(t.Context(), ask)
		must.Do(t, err)
		figures.Show(t, "a page of payments, %s, of %d held tokens in a service of 10,000: %d files of proofs, %d runs in %d lists, %d look-ups of tokens, %d ms",
			name, held, p.filesRead.Load(), p.runsRead.Load(), p.lists.Load(), p.lookups.Load(), time.Since(began).Milliseconds())
		if p.filesRead.Load() > 200*3 || p.runsRead.Load() > 1_200 || p.lookups.Load() > 10 || len(page.Payments) > 0 || page.Next.Slot.IsZero() {
			t.Errorf("%s: %d files, %d runs, %d look-ups, %d payments, next %v", name, p.filesRead.Load(), p.runsRead.Load(), p.lookups.Load(), len(page.Payments), page.Next)
		}
	}
	check("of proofs without a payment to the wallet", 100, solana.PublicKey{})
	for _, mint := range p.held { // the same, of tokens that bring nothing
		for i := range p.runs[mint] {
			p.runs[mint][i].Closing = nil
		}
	}
	check("of runs without proofs", 100, solana.PublicKey{})
	p.held = append(p.held, mintOf(9_999))
	page, err := p.payments().Page(t.Context(), holder.PaymentsAsk{Wallet: p.wallet, Limit: 100})
	must.Do(t, err)
	if page.Complete {
		t.Error("101 tokens are complete in a list of 100")
	}
}

// TestPaymentsSinceReadsOnlyItsRuns lists the payments of a day of a token with 200 hourly runs. The
// earlier runs are neither read nor listed.
func TestPaymentsSinceReadsOnlyItsRuns(t *testing.T) {
	p := newPast()
	p.mints, p.held = []solana.PublicKey{mintOf(1)}, []solana.PublicKey{mintOf(1)}
	const hours = 200
	for n := range hours {
		p.pay(t, mintOf(1), slot.Add(time.Duration(n)*time.Hour), map[terms.Asset]uint64{terms.SOL: 1}, terms.SOL)
	}
	p.filesRead.Store(0)
	page, err := p.payments().Page(t.Context(), holder.PaymentsAsk{Wallet: p.wallet, Since: slot.Add((hours - 24) * time.Hour), Limit: hours})
	must.Do(t, err)
	if len(page.Payments) != 24 || !page.Next.Slot.IsZero() || len(page.Tokens) != 1 {
		t.Errorf("Page() has %d payments of %d tokens, next %v; want 24 and no next page", len(page.Payments), len(page.Tokens), page.Next)
	}
	figures.Show(t, "the payments of a day of an hourly token: %d files of proofs, %d runs in %d lists", p.filesRead.Load(), p.runsRead.Load(), p.lists.Load())
	if p.filesRead.Load() > 24*3 || p.runsRead.Load() > 32 || p.lists.Load() != 1 {
		t.Errorf("%d files, %d runs in %d lists", p.filesRead.Load(), p.runsRead.Load(), p.lists.Load())
	}
}
