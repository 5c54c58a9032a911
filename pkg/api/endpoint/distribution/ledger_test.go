package distribution_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
)

// several finds tokens as Memory does, one after the other.
type several struct{ token.Reader }

func (s several) TokensOf(ctx context.Context, mints []solana.PublicKey) (records []token.Record, err error) {
	for _, mint := range mints {
		record, err := s.Token(ctx, mint)
		if errors.Is(err, token.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

func (p *public) ledger() holder.Ledger {
	return holder.Ledger{Tokens: several{p.store}, Heads: p.Runs, Proofs: p.Source(), Chain: p.Node}
}

// checkLedger compares ledgers with what a run of the local chain has paid.
func (p *public) checkLedger(t *testing.T, r run.Run, paid, poor, stranger solana.PublicKey, lamports uint64) {
	t.Helper()
	mint := p.Token.Mint.String()
	got := p.get(t, "getHolderLedger", "/holders/"+paid.String(), http.StatusOK)
	if amount(t, got, "tokens", 0, "received") != lamports || part(t, got, "tokens", 0, "mint") != mint || part(t, got, "tokens", 0, "asset") != "SOL" ||
		part(t, got, "tokens", 0, "lastRun", "id") != r.ID || part(t, got, "tokens", 0, "owed") != "0" || part(t, got, "tokens", 0, "reason") != nil ||
		got["complete"] != true || got["nextCursor"] != nil {
		t.Errorf("it was paid %d, and shown is %v", lamports, got)
	}
	list := p.get(t, "listHolderPayments", "/holders/"+paid.String()+"/payments", http.StatusOK)
	sum := uint64(0)
	for n := range part(t, list, "payments").([]any) {
		sum += amount(t, list, "payments", n, "amount")
	}
	if sum != lamports || part(t, list, "payments", 0, "runId") != r.ID || list["nextCursor"] != nil || list["complete"] != true {
		t.Errorf("it was paid %d, and the payments are %v", lamports, list)
	}
	if got := p.get(t, "getHolderLedger", "/holders/"+poor.String(), http.StatusOK); part(t, got, "tokens", 0, "reason", "code") != "below_minimum" {
		t.Errorf("with too little: %v", got)
	}
	if got := p.get(t, "getHolderLedger", "/holders/"+stranger.String(), http.StatusOK); len(part(t, got, "tokens").([]any)) != 0 {
		t.Errorf("a stranger: %v", got)
	}
	got = p.get(t, "getHolderLedger", "/holders/"+stranger.String()+"?mints="+mint+","+stranger.String()+"&mints="+mint, http.StatusOK)
	if len(part(t, got, "tokens").([]any)) != 1 || part(t, got, "tokens", 0, "reason", "code") != "not_a_holder" {
		t.Errorf("another caller who requests the token, an unknown one, and the first again: %v", got)
	}

	wallet := "/holders/" + paid.String()
	for target, field := range map[string]string{
		wallet + "?mints=x":                                       "mints",
		wallet + "?mints=" + mint + ",":                           "mints",
		wallet + "?mints=" + strings.Repeat(mint+",", 100) + mint: "mints",
		wallet + "?mints=" + strings.Repeat("1", 5_000):           "mints",
		wallet + "?limit=101":                                     "limit",
		wallet + "?cursor=eA":                                     "cursor",
		"/holders/x?limit=0&mints=x&cursor=x":                     "limit cursor mints",
	} {
		got := p.get(t, "getHolderLedger", target, http.StatusBadRequest)
		var fields []string
		for i := range part(t, got, "errors").([]any) {
			fields = append(fields, fmt.Sprint(part(t, got, "errors", i, "field")))
		}
		if got["code"] != "validation_failed" || strings.Join(fields, " ") != field {
			t.Errorf("GET %.100s = %v, want validation_failed of %s", target, got, field)
		}
	}
	for _, name := range []string{"x", mint + "111", strings.Repeat("1", 10_000)} {
		if got := p.get(t, "getHolderLedger", "/holders/"+name, http.StatusNotFound); got["code"] != "not_found" {
			t.Errorf("GET /holders/%.50s = %v, want not_found", name, got)
		}
	}
}

// checkKept: a ledger is kept for seconds, for the wallet and the page that were asked for.
func (p *public) checkKept(t *testing.T, wallet solana.PublicKey) {
	t.Helper()
	shows := func(target, want string) {
		t.Helper()
		if got := part(t, p.get(t, "getHolderLedger", target, http.StatusOK), "tokens", 0, "symbol"); got != want {
			t.Errorf("%s shows %v, want %s", target, got, want)
		}
	}
	target := "/holders/" + wallet.String()
	shows(target, p.Token.Symbol)
	changed := p.Token
	changed.Symbol = "EBB"
	p.store.Put(changed)
	defer p.store.Put(p.Token)
	p.Clock.Pass(14 * time.Second)
	shows(target, p.Token.Symbol)
	shows(target+"?limit=99", "EBB")
	p.Clock.Pass(time.Second)
	shows(target, "EBB")
}
