package distribution_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/burns"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/testkit/settingstest"
)

// public is the function over the ledger, the proofs and the chain of a fixture, as
// anyone sees it.
type public struct {
	*runworld.Fixture
	store   *settingstest.Memory
	handler http.Handler
	token   string // the path of the token
}

func newPublic(t *testing.T, w *runworld.Fixture) *public {
	t.Helper()
	p := &public{Fixture: w, store: &settingstest.Memory{}, token: "/distribution/" + w.Token.Mint.String()}
	p.store.Put(w.Token)
	p.serveViews(t)
	return p
}

func (p *public) serveViews(t *testing.T) {
	t.Helper()
	w := p.Fixture
	p.serve(t, route.FunctionDistribution, distribution.Endpoint{
		Tokens: p.store, Runs: w.Runs, Proofs: w.Source(), Chain: w.Node, Previews: &distribution.Previews{},
		Ledger: p.ledger(), Pages: &distribution.Pages{}, Payments: holder.Payments{Ledger: p.ledger(), History: w.Runs},
		Gateway: "https://ipfs.example", Now: w.Clock.Now,
	}.Handlers())
}

func (p *public) serve(t *testing.T, function string, handlers map[string]apigw.HandlerFunc) {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	var err error
	if p.handler, err = api.Handler(function, handlers); err != nil {
		t.Fatal(err)
	}
}

// get makes a request and validates the response against the document.
func (p *public) get(t *testing.T, operation, target string, want int) map[string]any {
	t.Helper()
	w := p.answer(t, target)
	if err := docstest.Check(operation, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s: %v\n%s", target, err, w.Body)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s responded %q: %v", target, w.Body, err)
	}
	if w.Code != want {
		t.Fatalf("%s: %d %v, want %d", target, w.Code, answer, want)
	}
	return answer
}

// ask makes a request and returns the response.
func (p *public) ask(t *testing.T, target string) (status int, answer map[string]any) {
	t.Helper()
	w := p.answer(t, target)
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s responded %q: %v", target, w.Body, err)
	}
	return w.Code, answer
}

func (p *public) answer(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(
		apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r"}), http.MethodGet, target, http.NoBody)
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w
}

// part walks down a response: names of fields, and numbers of entries.
func part(t *testing.T, in any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := in.(map[string]any)
			if !ok {
				t.Fatalf("%v has no %s", in, step)
			}
			in = object[step]
		case int:
			list, ok := in.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("%v has no entry %d", in, step)
			}
			in = list[step]
		}
	}
	return in
}

func amount(t *testing.T, in any, path ...any) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(fmt.Sprint(part(t, in, path...)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPublicDistributionViews runs two distributions on the local chain, and compares
// what is shown of them with the ledger and with the chain.
func TestPublicDistributionViews(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 1_000, 900
	w.Token.Settings.DeveloperWallet = solana.NewWallet().PublicKey()
	w.Token.Settings.MinimumHolding = 20
	p := newPublic(t, w)
	supply := w.Supply(t)

	if got := p.get(t, "listRuns", p.token+"/runs", 200); len(part(t, got, "runs").([]any)) != 0 || got["nextCursor"] != nil {
		t.Errorf("before the first: %v", got)
	}
	stranger := solana.NewWallet().PublicKey()
	if got := p.get(t, "getHolder", p.token+"/holders/"+stranger.String(), 200); part(t, got, "why", "code") != "no_distribution_yet" || got["run"] != nil {
		t.Errorf("before the first: %v", got)
	}
	if got := p.get(t, "previewRun", p.token+"/preview", 200); got["snapshot"] != nil || got["proceeds"] != nil || got["spendable"] != "0" {
		t.Errorf("before the first: %v", got)
	}

	holders := w.Holders(t, 3, 1_000_000_000)
	poor := solana.NewWallet().PublicKey()
	w.Give(t, poor, 10)
	had := w.Lamports(t, holders[0])
	first := w.Slot()
	w.Drive(t, nil)
	r, err := w.Runs.Run(t.Context(), w.Token.Mint, first)
	if err != nil || r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v, %v", r.Status(), r.End, err)
	}

	t.Run("the run", func(t *testing.T) { p.checkRun(t, r) })
	t.Run("a paid holder", func(t *testing.T) {
		got := p.get(t, "getHolder", p.token+"/holders/"+holders[0].String(), 200)
		if paid := amount(t, got, "assets", 0, "paid"); paid != w.Lamports(t, holders[0])-had || got["why"] != nil {
			t.Errorf("shown as paid %d: %v", paid, got)
		}
		if amount(t, got, "balance") != 950_000_000 || part(t, got, "run", "id") != r.ID || part(t, got, "run", "anchor", "transaction", "cid") != r.Closing.AnchorTx {
			t.Errorf("holder = %v, want 950000000 in run %s", got, r.ID)
		}
		checkInclusion(t, part(t, got, "assets", 0, "inclusion"), r.Closing.Root)
	})
	for name, c := range map[string]struct {
		wallet solana.PublicKey
		why    string
	}{
		"a holder below the minimum": {poor, "below_minimum"},
		"a stranger":                 {stranger, "not_a_holder"},
		"the distribution wallet":    {w.Token.Wallet.Address, "not_a_holder"}, // it sold everything, or
	} {
		t.Run(name, func(t *testing.T) {
			got := p.get(t, "getHolder", p.token+"/holders/"+c.wallet.String(), 200)
			why := part(t, got, "why", "code")
			if why != c.why && (c.wallet != w.Token.Wallet.Address || why != "distribution_wallet") || len(part(t, got, "assets").([]any)) != 0 {
				t.Errorf("holder %s = %v, want reason %s and no assets", c.wallet, got, c.why)
			}
		})
	}
	t.Run("what is not there", func(t *testing.T) {
		other := strings.Replace(r.ID, r.ID[:1], string('0'+('9'-r.ID[0])%10), 1)
		for target, want := range map[string]struct {
			operation, code string
			status          int
		}{
			p.token + "/runs/" + other:                                           {"getRun", "run_not_found", 404},
			p.token + "/runs/x":                                                  {"getRun", "run_not_found", 404},
			"/distribution/" + stranger.String() + "/runs/" + r.ID:               {"getRun", "token_not_found", 404},
			"/distribution/" + stranger.String() + "/runs":                       {"listRuns", "token_not_found", 404},
			"/distribution/x/preview":                                            {"previewRun", "token_not_found", 404},
			"/distribution/" + w.Token.ID[1:] + "/holders/" + stranger.String():  {"getHolder", "token_not_found", 404},
			p.token + "/holders/x":                                               {"getHolder", "validation_failed", 400},
			p.token + "/runs?cursor=" + "LTE":                                    {"listRuns", "validation_failed", 400}, // -1
			p.token + "/runs?limit=1000":                                         {"listRuns", "validation_failed", 400},
			p.token + "/holders/" + strings.Repeat("1", 10_000):                  {"getHolder", "validation_failed", 400},
			"/distribution/" + w.Token.ID + "/runs/" + strings.ToUpper(r.ID)[1:]: {"getRun", "run_not_found", 404},
		} {
			if got := p.get(t, want.operation, target, want.status); got["code"] != want.code {
				t.Errorf("%s: %v, want %s", target, got, want.code)
			}
		}
	})

	paid := w.Lamports(t, holders[0]) - had
	t.Run("a ledger", func(t *testing.T) { p.checkLedger(t, r, holders[0], poor, stranger, paid) })

	// More tax comes in; the preview then equals the start of the next run.
	w.Give(t, w.Token.Wallet.Address, 500_000_000)
	w.Give(t, holders[1], 1_000_000_000)
	w.Clock.Pass(time.Minute) // the preview from before the first run is forgotten
	preview := p.get(t, "previewRun", "/distribution/"+w.Token.ID+"/preview", 200)
	second := w.Slot()
	w.Drive(t, nil)
	next, err := w.Runs.Run(t.Context(), w.Token.Mint, second)
	if err != nil || next.Status() != run.Settled {
		t.Fatalf("the second run is %s: %+v, %v", next.Status(), next.End, err)
	}
	t.Run("a ledger is kept", func(t *testing.T) { p.checkKept(t, holders[0]) })
	t.Run("the preview", func(t *testing.T) { checkPreview(t, preview, r, next) })
	t.Run("both runs", func(t *testing.T) {
		page := p.get(t, "listRuns", p.token+"/runs?limit=1", 200)
		if named := part(t, page, "runs", 0, "anchor", "transaction", "cid"); named != next.Closing.AnchorTx {
			t.Errorf("the list names the anchor %v, want %s", named, next.Closing.AnchorTx)
		}
		cursor, _ := page["nextCursor"].(string)
		if part(t, page, "runs", 0, "id") != next.ID || cursor == "" {
			t.Errorf("first page of runs = %v, want run %s and a cursor", page, next.ID)
		}
		page = p.get(t, "listRuns", p.token+"/runs?limit=1&cursor="+cursor, 200)
		if part(t, page, "runs", 0, "id") != r.ID || page["nextCursor"] != nil {
			t.Errorf("last page of runs = %v, want run %s and no cursor", page, r.ID)
		}
	})
	t.Run("what was burned", func(t *testing.T) {
		p.serve(t, route.FunctionBurns, burns.Endpoint{
			Tokens: p.store, History: ledgertable.Burns{Client: w.Runs.Client, Table: w.Runs.Table}, Chain: w.Node,
		}.Handlers())
		got := p.get(t, "getBurns", "/burns/"+w.Token.Mint.String(), 200)
		if burned := supply - w.Supply(t); amount(t, got, "totalBurned") != burned || burned == 0 || amount(t, got, "currentSupply") != supply-burned {
			t.Errorf("the supply fell by %d: %v", burned, got)
		}
		for i, one := range []run.Run{next, r} {
			if amount(t, got, "burns", i, "amount") != one.Burn.Amount || part(t, got, "burns", i, "runId") != one.ID ||
				part(t, got, "burns", i, "signature") != one.Burn.Signature.String() {
				t.Errorf("burn %d: %v", i, part(t, got, "burns", i))
			}
		}
	})
	t.Run("a token that rests", func(t *testing.T) {
		if preview["rest"] != nil {
			t.Errorf("before the second run: %v", preview["rest"])
		}
		for len(w.Pass(t, 2)) > 0 { // what was withheld of the sales
		}
		p.serveViews(t)
		got := p.get(t, "previewRun", "/distribution/"+w.Token.ID+"/preview", 200)
		if part(t, got, "rest", "code") != "nothing_to_distribute" && part(t, got, "rest", "code") != "below_cost" || part(t, got, "rest", "detail") == "" {
			t.Errorf("preview's rest = %v, want nothing_to_distribute or below_cost", got["rest"])
		}
	})
}

func (p *public) checkRun(t *testing.T, r run.Run) {
	t.Helper()
	got := p.get(t, "getRun", p.token+"/runs/"+r.ID, 200)
	for path, want := range map[string]uint64{
		"collected": r.Collecting.Collected, "burned": r.Burn.Amount, "sold": r.Exchange.Sold, "proceeds": r.Exchange.Proceeds,
		"creatorPaid": r.Payment.CreatorShare, "holdersPaid": r.Closing.Legs[0].Paid, "carried": r.Closing.Legs[0].Carried,
		"feesLamports": r.Closing.FeesLamports,
	} {
		if shown := amount(t, got, path); shown != want || want == 0 && path != "carried" {
			t.Errorf("%s is shown as %d, and is %d", path, shown, want)
		}
	}
	// The creator is a holder too.
	if got["status"] != "settled" || got["reason"] != nil || got["paidHolders"] != 4.0 || part(t, got, "proof", "cid") != r.Closing.Manifest ||
		part(t, got, "anchor", "transaction", "cid") != r.Closing.AnchorTx || r.Closing.AnchorTx == "" {
		t.Errorf("run = %v, want settled with four paid holders, the proof and its anchor", got)
	}
	var names []string
	for _, step := range part(t, got, "steps").([]any) {
		names = append(names, fmt.Sprint(part(t, step, "step")))
		if part(t, step, "done") != true {
			t.Errorf("not done: %v", step)
		}
	}
	for _, want := range []string{"collect", "snapshot", "burn", "exchange", "pay", "anchor"} {
		if !slices.Contains(names, want) {
			t.Errorf("steps %v, without %s", names, want)
		}
	}
	statements, _ := part(t, got, "statements").([]any)
	if len(statements) != 2 {
		t.Errorf("statements %v", statements)
	}
	for i := range statements {
		in, out := amount(t, statements, i, "opening"), amount(t, statements, i, "closing")
		for _, entry := range part(t, statements, i, "in").([]any) {
			in += amount(t, entry, "amount")
		}
		for _, entry := range part(t, statements, i, "out").([]any) {
			out += amount(t, entry, "amount")
		}
		if in != out || in == 0 {
			t.Errorf("%d came and %d left: %v", in, out, statements[i])
		}
	}
	if part(t, got, "anchor", "merkleRoot") != r.Closing.Root || part(t, got, "anchor", "signature") != r.Anchor.Signature.String() {
		t.Errorf("anchor = %v, want root %s and signature %s", got["anchor"], r.Closing.Root, r.Anchor.Signature)
	}
	if part(t, got, "anchor", "version") != 2.0 || part(t, got, "anchor", "number") != 1.0 || part(t, got, "anchor", "settingsVersion") != 1.0 ||
		part(t, got, "anchor", "orderedByCreator") != false || !slices.Contains(part(t, got, "anchor", "onTrust").([]any), any("settings")) {
		t.Errorf("anchor = %v, want number 1 of version 2 with settings on trust", got["anchor"])
	}
	if again := p.get(t, "getRun", "/distribution/"+p.Token.ID+"/runs/"+strings.ToUpper(r.ID), 200); again["id"] != r.ID {
		t.Errorf("by another spelling: %v", again)
	}
}

// checkInclusion follows the path from the line to the root, as a third party would.
func checkInclusion(t *testing.T, inclusion any, root string) {
	t.Helper()
	hash := func(text any) merkle.Hash {
		raw, err := hex.DecodeString(fmt.Sprint(text))
		if err != nil || len(raw) != 32 {
			t.Fatalf("%v is not a hash", text)
		}
		return merkle.Hash(raw)
	}
	var path []merkle.Hash
	for _, one := range part(t, inclusion, "path").([]any) {
		path = append(path, hash(one))
	}
	line, _ := part(t, inclusion, "line").(string)
	index, _ := part(t, inclusion, "index").(float64)
	size, _ := part(t, inclusion, "size").(float64)
	if part(t, inclusion, "root") != root || !merkle.Verify(hash(root), merkle.Leaf([]byte(line)), uint64(index), uint64(size), path) {
		t.Errorf("not in the proof: %v", inclusion)
	}
	if merkle.Verify(hash(root), merkle.Leaf([]byte(line+" ")), uint64(index), uint64(size), path) {
		t.Error("another line is in the proof too")
	}
}

// checkPreview compares what was shown before a run with the run: the tax that is
// withheld in accounts came on top.
func checkPreview(t *testing.T, preview map[string]any, last, next run.Run) {
	t.Helper()
	spendable := amount(t, preview, "spendable")
	if spendable == 0 || next.Split.Spendable != spendable+next.Collecting.Collected {
		t.Errorf("previewed %d; the run had %d, of which it collected %d", spendable, next.Split.Spendable, next.Collecting.Collected)
	}
	if burn, sell := amount(t, preview, "burn"), amount(t, preview, "sell"); burn != spendable/10 || burn+sell != spendable {
		t.Errorf("burn %d and sell %d of %d", burn, sell, spendable)
	}
	proceeds, creator, holders := amount(t, preview, "proceeds"), amount(t, preview, "creator"), amount(t, preview, "holders")
	if creator+holders != proceeds || creator != proceeds/10 || proceeds == 0 {
		t.Errorf("proceeds %d for the creator %d and holders %d", proceeds, creator, holders)
	}
	if sold := amount(t, preview, "price", "sold"); sold != last.Exchange.Sold || amount(t, preview, "price", "proceeds") != last.Exchange.Proceeds {
		t.Errorf("computed with %v", preview["price"])
	}
	if part(t, preview, "snapshot", "runId") != last.ID || part(t, preview, "snapshot", "eligible") != float64(last.Snapshot.Eligible) {
		t.Errorf("preview's snapshot = %v, want the one of run %s", preview["snapshot"], last.ID)
	}
	if preview["slot"] != apigw.Timestamp(next.Slot) {
		t.Errorf("due at %v, and was at %s", preview["slot"], next.Slot)
	}
}
