package launchpad_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	curves "tokenlaunch.example/service/pkg/market/launchpad"
)

// FuzzCreateBody sends arbitrary bodies: a draft that reaches the service is within its bounds, the
// rest is rejected, and no body is an internal error.
func FuzzCreateBody(f *testing.F) {
	mint := `"tokenMint":"` + caller.String() + `"`
	for _, seed := range []string{
		`{}`, `{` + mint + `,"tokenAmount":"1","targetMarketCap":"100"}`, `{` + mint + `,"tokenAmount":"1","targetMarketCap":1e3}`,
		`{` + mint + `,"tokenAmount":"1","targetMarketCap":100000,"priceMultiplier":1.505}`,
		`{` + mint + `,"tokenAmount":"1","targetMarketCap":"10000000","tradeFeePercent":1,"antiSniperFeePercent":1.01,"antiSniperMinutes":1}`,
		`{` + mint + `,"tokenAmount":"1","targetMarketCap":"0.9999999999","targetMarketCapUnit":"SOL"}`,
		`{` + mint + `,"tokenAmount":"1","targetMarketCap":"1","initialBuyLamports":"1"}`,
		`{` + mint + `,"tokenAmount":"1","targetMarketCap":"1","startsAt":"2026-11-25T18:00:00.5+23:59"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		service := &asked{}
		status, answer := call(t, handler(t, service), caller, "createUnsignedCurve", "/create-unsigned", body)
		d := service.draft
		switch status {
		case http.StatusOK:
			if len(d.Validate()) > 0 || d.TargetLamports < 1e9 || d.TargetLamports > 10_000e9 ||
				d.Multiplier < curves.LowestMultiplier || d.Multiplier > curves.HighestMultiplier ||
				d.FeeBps < curves.LowestFeeBps || d.FeeBps > curves.HighestFeeBps || d.SniperBps > curves.HighestSniperBps || d.Window > time.Hour ||
				d.StartsAt.Nanosecond() != 0 || d.InitialLamports > 0 && !d.StartsAt.IsZero() {
				t.Errorf("%s arrives as %+v", body, d)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if service.calls != 0 {
				t.Errorf("rejected with %v, and called", answer)
			}
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}

// FuzzTrade fuzzes the bodies of trades, the amounts of prices and the addresses of mints.
func FuzzTrade(f *testing.F) {
	f.Add(caller.String(), `{"tokenAmount":"1"}`, "1")
	f.Add("no address", `{"tokenAmount":"18446744073709551615","slippagePercent":50}`, "18446744073709551616")
	f.Add(caller.String(), `{"tokenAmount":1,"slippagePercent":0.001}`, "-1")
	f.Add(caller.String(), `{"lamports":"1"}`, "1")
	f.Fuzz(func(t *testing.T, mint, body, amount string) {
		if mint == "" || mint == "." || mint == ".." {
			t.Skip("another path")
		}
		at := "/" + url.PathEscape(mint)
		for operation, target := range map[string]string{
			"createUnsignedBuy": at + "/buy/create-unsigned", "createUnsignedSell": at + "/sell/create-unsigned",
			"getPrice": at + "/price?amount=" + url.QueryEscape(amount),
		} {
			service := &asked{}
			status, answer := call(t, handler(t, service), caller, operation, target, body)
			switch status {
			case http.StatusOK:
				if (service.tokens == 0) == (service.lamports == 0) || service.slippage < 0 || service.slippage > curves.HighestSlippageBps {
					t.Errorf("%s called the service with %+v, want one amount and a slippage within its bounds", operation, service)
				}
			case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge:
				if service.calls != 0 {
					t.Errorf("%s: rejected with %v, and called", operation, answer)
				}
			default:
				t.Errorf("%s: status %d: %v", operation, status, answer)
			}
		}
	})
}

// FuzzTradesQuery sends arbitrary queries: a page has a limit, a known interval and a valid cursor,
// or the query is rejected.
func FuzzTradesQuery(f *testing.F) {
	f.Add("limit=100&cursor=MDAwMDAwMDAwMDAwMDAwMDA0Mg", "interval=5m")
	f.Add("cursor=OTk5OTk5OTk5OTk5OTk5OTk5OQ&limit=1", "interval=1M&cursor=MDAxNzcyMzY2NDAw")
	f.Add("limit=-1", "limit=1e2&interval=")
	f.Fuzz(func(t *testing.T, trades, candles string) {
		for operation, query := range map[string]string{"listTrades": "/trades?" + trades, "listCandles": "/candles?" + candles} {
			if _, err := url.ParseRequestURI(query); err != nil {
				t.Skip("no target of a request")
			}
			service := &asked{}
			status, answer := call(t, handler(t, service), caller, operation, "/"+caller.String()+query, "")
			switch {
			case status == http.StatusOK && service.limit >= 1 && service.limit <= 100 && (operation == "listTrades" || service.interval.Length() > 0):
			case status == http.StatusBadRequest && service.calls == 0:
			default:
				t.Errorf("%s: %d %v, requested %+v", query, status, answer, service)
			}
		}
	})
}
