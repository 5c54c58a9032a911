package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// Trades and candles are shown as tables, no more than were asked for, and as JSON.
func TestTradesAndCandlesAreShown(t *testing.T) {
	mint, trader := solana.NewWallet().PublicKey().String(), solana.NewWallet().PublicKey().String()
	one := `{"number":2,"signature":"` + solana.Signature{1}.String() + `","slot":9,"time":"2026-11-22T12:00:00.000Z","side":"sell","trader":"` + trader +
		`","lamports":"1500000000","tokenAmount":"7","feeLamports":"1","priceBefore":"0.2","price":"0.1"}`
	api := answering(t, http.StatusOK, `{"mintAddress":"`+mint+`","trades":[`+one+`,`+strings.Replace(one, `"`+trader+`"`, "null", 1)+`],"nextCursor":null}`)
	got := say(t, "", "--api", api, "trades", mint)
	if lines := strings.Split(strings.TrimSpace(got.out), "\n"); got.code != 0 || len(lines) != 3 ||
		!strings.Contains(lines[1], "2026-11-22 12:00:00  sell  1.5 SOL") || !strings.HasSuffix(lines[1], trader) || !strings.HasSuffix(lines[2], "unknown") {
		t.Errorf("trades = %+v, want two rows", got)
	}
	if got := say(t, "", "--api", api, "--json", "trades", mint, "--limit", "1"); got.code != 0 || strings.Count(got.out, `"number"`) != 1 {
		t.Errorf("trades --limit 1 = %+v, want one trade", got)
	}
	api = answering(t, http.StatusOK, `{"mintAddress":"`+mint+`","interval":"5m","candles":[{"time":"2026-11-22T12:00:00.000Z","open":"0.1","high":"0.4",
		"low":"0.05","close":"0.2","volume":"1.5","volumeLamports":"1500000000","volumeTokens":"7","trades":3}],"nextCursor":null}`)
	got = say(t, "", "--api", api, "candles", mint, "--interval", "5m")
	if lines := strings.Split(strings.TrimSpace(got.out), "\n"); got.code != 0 || len(lines) != 2 ||
		strings.Join(strings.Fields(lines[1]), " ") != "2026-11-22 12:00:00 0.1 0.4 0.05 0.2 1.5 3" {
		t.Errorf("candles = %+v, want one row", got)
	}
	if got := say(t, "", "--api", api, "candles", mint, "--interval", "2h"); got.code != 2 || !strings.Contains(got.errs, "--interval") {
		t.Errorf("candles --interval 2h = %+v, want 2 and the flag's name", got)
	}
	api = answering(t, http.StatusOK, `{"mintAddress":"`+mint+`","trades":[],"nextCursor":null}`)
	if got := say(t, "", "--api", api, "trades", mint); got.code != 0 || !strings.Contains(got.out, "Nothing was traded") {
		t.Errorf("trades of an untraded token = %+v, want \"Nothing was traded\"", got)
	}
	if got := say(t, "", "--api", api, "trades", "malformed"); got.code != 2 || !strings.Contains(got.errs, "the mint") {
		t.Errorf("trades malformed = %+v, want 2 and \"the mint\"", got)
	}
}
