package distribution_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// claiming is an API that takes claims.
type claiming struct {
	handler http.Handler
}

func newClaiming(t testing.TB, claims distribution.Claims) claiming {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	e := distribution.Endpoint{Claims: claims, ClaimFee: 22_000, Now: time.Now}
	handler, err := api.Handler(route.FunctionDistribution, e.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	return claiming{handler}
}

// claim makes a claim as a caller, and validates the response against the document.
func (c claiming) claim(t testing.TB, caller solana.PublicKey, wallet, body string) (int, map[string]any) {
	t.Helper()
	is := apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r", Wallet: caller.String()}
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), is), http.MethodPost, "/holders/"+wallet+"/claims", strings.NewReader(body))
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if err := docstest.Check("claimRewards", w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("claim %s: %v", body, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("claim %s responded %q: %v", body, w.Body, err)
	}
	return w.Code, answer
}

// claimed notes what is claimed.
type claimed struct {
	mints []solana.PublicKey
	calls int
	fail  error
	list  []holder.Claimed
}

func (a *claimed) Check(context.Context, solana.PublicKey, []solana.PublicKey) ([]holder.Claimed, error) {
	return a.list, a.fail
}

func (a *claimed) Claim(_ context.Context, _ solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error) {
	a.calls++
	a.mints = mints
	return a.list, a.fail
}

func TestClaimOnlyForCallersWallet(t *testing.T) {
	a := &claimed{}
	me, mint := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	list := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = `"` + solana.NewWallet().PublicKey().String() + `"`
		}
		return `{"mints":[` + strings.Join(names, ",") + `]}`
	}
	for _, one := range []struct {
		wallet, body string
		status       int
		code         string
		mints        int
	}{
		{me.String(), "", http.StatusAccepted, "", 0},
		{me.String(), "{}", http.StatusAccepted, "", 0},
		{me.String(), `{"mints":null}`, http.StatusAccepted, "", 0},
		{me.String(), `{"mints":["` + mint.String() + `"]}`, http.StatusAccepted, "", 1},
		{me.String(), list(20), http.StatusAccepted, "", 20},
		{me.String(), list(21), http.StatusBadRequest, "validation_failed", 0},
		{me.String(), `{"mints":[]}`, http.StatusBadRequest, "validation_failed", 0},
		{me.String(), `{"mints":["x"]}`, http.StatusBadRequest, "validation_failed", 0},
		{me.String(), `{"mints":[1]}`, http.StatusBadRequest, "validation_failed", 0},
		{me.String(), `{"mints":"` + mint.String() + `"}`, http.StatusBadRequest, "validation_failed", 0},
		{me.String(), `[]`, http.StatusBadRequest, "validation_failed", 0},
		{mint.String(), "{}", http.StatusForbidden, "not_your_wallet", 0},
		{"x", "{}", http.StatusNotFound, "not_found", 0},
		{"x", "[]", http.StatusBadRequest, "validation_failed", 0},
	} {
		before := a.calls
		status, answer := newClaiming(t, a).claim(t, me, one.wallet, one.body)
		code, _ := answer["code"].(string)
		if status != one.status || code != one.code || (a.calls > before) != (status == http.StatusAccepted) {
			t.Errorf("%s for %s: %d %s, %v", one.body, one.wallet, status, code, answer)
		}
		if status == http.StatusAccepted && (len(a.mints) != one.mints || answer["feeLamports"] != "22000") {
			t.Errorf("%s: %d mints, %v", one.body, len(a.mints), answer)
		}
	}
	c := newClaiming(t, a)
	for range 10 {
		c.claim(t, me, me.String(), "{}")
	}
	if status, answer := c.claim(t, me, me.String(), "{}"); status != http.StatusTooManyRequests {
		t.Errorf("the eleventh in an hour: %d %v", status, answer)
	}
	a.fail = errors.New("no ledger")
	if status, answer := newClaiming(t, a).claim(t, me, me.String(), "{}"); status != http.StatusInternalServerError {
		t.Errorf("without a ledger: %d %v", status, answer)
	}
}

// FuzzClaimBody sends arbitrary bodies: each is a claim of at most 20 distinct tokens, or rejected.
func FuzzClaimBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"mints":null}`, `{"mints":[]}`, `{"mints":["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"]}`, `{"mints":[null]}`,
		`{"mints":["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB","Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"]}`, `{"wallet":"x"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := &claimed{}
		me := solana.PublicKey{7}
		switch status, answer := newClaiming(t, a).claim(t, me, me.String(), body); status {
		case http.StatusAccepted:
			seen := map[solana.PublicKey]bool{}
			for _, mint := range a.mints {
				if seen[mint] || mint.IsZero() || len(a.mints) > holder.MaxClaims {
					t.Errorf("it claims of %v", a.mints)
				}
				seen[mint] = true
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if a.calls > 0 {
				t.Errorf("rejected with %v, and claimed", answer)
			}
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}

// hints are those that were sent.
type hints []dispatch.Delayed

func (h *hints) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	*h = append(*h, runs...)
	return nil
}

// A claim is ordered through the API and paid by a run; afterwards nothing is left to claim.
func TestClaimIsOrderedAndPaid(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	p := newPublic(t, w)
	var sent hints
	c := newClaiming(t, holder.Claims{
		Ledger: p.ledger(), Orders: w.Orders, Hints: &sent, Costs: run.Costs{Transaction: 5_500}, Now: w.Clock.Now,
	})
	const whole, rent = 1_000_000, 890_880
	w.Token.Settings.SellBps = terms.FullBps
	p.store.Put(w.Token)
	rich, poor, dust := w.Holders(t, 1, 100_000*whole)[0], solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	w.Give(t, poor, 150*whole)
	w.Give(t, dust, whole)
	mint := `{"mints":["` + w.Token.Mint.String() + `"]}`
	row := func(caller solana.PublicKey, body, status string, code any) map[string]any {
		t.Helper()
		got, answer := c.claim(t, caller, caller.String(), body)
		if got != http.StatusAccepted || len(part(t, answer, "claims").([]any)) != 1 || part(t, answer, "claims", 0, "status") != status {
			t.Fatalf("%d %v, want %s", got, answer, status)
		}
		if code != nil && part(t, answer, "claims", 0, "problem", "code") != code {
			t.Errorf("%v, want %v", answer, code)
		}
		return answer
	}
	row(poor, mint, "refused", "nothing_to_claim") // before the first run
	w.Settle(t)
	w.Pay(t, poor, rent)
	row(rich, mint, "refused", "nothing_to_claim")
	row(dust, mint, "refused", "below_cost")
	row(poor, `{"mints":["`+rich.String()+`"]}`, "refused", "token_not_found")
	if len(sent) > 0 {
		t.Fatalf("hints of rejected claims: %v", sent)
	}
	owed := amount(t, row(poor, "", "accepted", nil), "claims", 0, "assets", 0, "owed")
	row(poor, mint, "accepted", nil) // again: it is one order
	if len(sent) != 2 || !sent[0].Claim || sent[0].Mint != w.Token.Mint || !sent[0].Slot.IsZero() {
		t.Fatalf("the hints are %+v", sent)
	}
	head := w.Head(t)
	head.Active = head.LastSlot
	busy := holder.Claims{Ledger: p.ledger(), Orders: w.Orders, Hints: &sent, Costs: run.Costs{Transaction: 5_500}, Now: w.Clock.Now}
	busy.Ledger.Heads = heads{w.Token.Mint: head}
	if _, answer := newClaiming(t, busy).claim(t, poor, poor.String(), mint); part(t, answer, "claims", 0, "problem", "code") != "run_active" ||
		part(t, answer, "claims", 0, "problem", "status") != float64(http.StatusConflict) {
		t.Errorf("while a run is at work: %v", answer)
	}
	head.Frozen = "Something does not add up."
	busy.Ledger.Heads = heads{w.Token.Mint: head}
	if _, answer := newClaiming(t, busy).claim(t, poor, poor.String(), mint); part(t, answer, "claims", 0, "problem", "code") != "token_frozen" {
		t.Errorf("of a frozen token: %v", answer)
	}

	w.Claim(t)
	w.Drive(t, nil)
	if got := w.Lamports(t, poor) - rent; got != owed-22_000 {
		t.Errorf("%d arrived of %d", got, owed)
	}
	row(poor, mint, "refused", "nothing_to_claim")
	if _, answer := c.claim(t, poor, poor.String(), ""); len(part(t, answer, "claims").([]any)) != 0 {
		t.Errorf("no amount is owed: %v", answer)
	}
}

// heads are some that were read.
type heads map[solana.PublicKey]run.Head

func (h heads) Heads(context.Context, []solana.PublicKey) (map[solana.PublicKey]run.Head, error) {
	return h, nil
}
