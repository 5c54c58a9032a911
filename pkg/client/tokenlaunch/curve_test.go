package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

const curveMint = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"

// A bad flag is named with what would be right, and nothing is asked of the API.
func TestWrongCallsAboutCurves(t *testing.T) {
	t.Setenv("TOKENLAUNCH_RPC", "http://127.0.0.1:1")
	api := signingIn(t, func(http.ResponseWriter, *http.Request) { t.Error("a request reached the API") })
	key := order(t, "key.json", keygen())
	create := "create " + curveMint + " --amount 1000000 --target 85.5 "
	for call, want := range map[string]string{
		"create " + curveMint:                                                "missing flags: --amount=N, --target=N",
		create + "--amount 0":                                                "--amount: must be at least 1",
		create + "--amount 1.5":                                              `--amount: "1.5" is not a whole number`,
		create + "--target 10001":                                            "--target: must be from 1 to 10000 SOL",
		create + "--target 0.999999999":                                      "--target: must be from 1 to 10000 SOL",
		create + "--target 10000001 --unit milliSOL":                         "--target: must be from 1 to 10000 SOL",
		create + "--target 999 --unit milliSOL":                              "--target: must be from 1 to 10000 SOL",
		create + "--target 1000.5 --unit milliSOL":                           `--target in milliSOL: "1000.5" has more than 0 decimals`,
		create + "--target much":                                             `--target in SOL: "much" is not a decimal number`,
		create + "--unit lamports":                                           `--unit must be one of "SOL","milliSOL"`,
		create + "--multiplier 1.49":                                         "--multiplier: must be from 1.5 to 100",
		create + "--multiplier 100.01":                                       "--multiplier: must be from 1.5 to 100",
		create + "--trade-fee 0":                                             "--trade-fee: must be from 0.01 to 10",
		create + "--trade-fee 10.01":                                         "--trade-fee: must be from 0.01 to 10",
		create + "--anti-sniper-fee 20":                                      "--anti-sniper-fee and --anti-sniper-minutes must be used together",
		sniper(create, "50.01", "1"):                                         "--anti-sniper-fee: must be from 0.01 to 50",
		sniper(create, "1", "1"):                                             "--anti-sniper-fee: must be above the fee on trades to which it falls, 1 percent",
		sniper(create+"--trade-fee 5 ", "5", "1"):                            "--anti-sniper-fee: must be above the fee on trades to which it falls, 5 percent",
		sniper(create, "20", "61"):                                           "--anti-sniper-minutes: must be from 1 to 60",
		sniper(create, "20", "0"):                                            "--anti-sniper-minutes: must be from 1 to 60",
		create + "--starts-at 2020-01-01T00:00:00Z":                          "--starts-at: must be in the future, and within 31 days",
		create + "--starts-at 2300-01-01T00:00:00Z":                          "--starts-at: must be in the future, and within 31 days",
		create + "--starts-at soon":                                          "--starts-at: parsing time",
		create + "--starts-at 2300-01-01T00:00:00Z --initial-buy-lamports 5": "--initial-buy-lamports and --starts-at can't be used together",
		"buy " + curveMint:                                                   "missing flags: --amount=N or --lamports=N",
		"buy " + curveMint + " --amount 1 --lamports 1":                      "--amount and --lamports can't be used together",
		"buy " + curveMint + " --amount 0":                                   "--amount: must be at least 1",
		"buy " + curveMint + " --lamports 0":                                 "--lamports: must be at least 1",
		"buy " + curveMint + " --amount 1 --least 1":                         "--least goes with --lamports",
		"buy " + curveMint + " --lamports 1 --most 1":                        "--most goes with --amount",
		"buy " + curveMint + " --amount 1 --yes":                             "--yes needs --most",
		"buy " + curveMint + " --lamports 1 --yes":                           "--yes needs --least",
		"buy " + curveMint + " --amount 1 --slippage 50.01":                  "--slippage: must be from 0 to 50",
		"buy " + curveMint + " --amount 1 --most 1e9":                        `--most: "1e9" is not a decimal number`,
		"buy me --amount 1":                                                  `mint: "me" is not an address`,
		"buy " + curveMint + " --amount 1 --rpc localhost":                   "--rpc:",
		"sell " + curveMint:                                                  "missing flags: --amount=N",
		"sell " + curveMint + " --amount 0":                                  "--amount: must be at least 1",
		"sell " + curveMint + " --amount 1 --yes":                            "--yes needs --least",
		"sell " + curveMint + " --amount 1 --slippage 51":                    "--slippage: must be from 0 to 50",
		"sell " + curveMint + " --amount 1 --lamports 1":                     "unknown flag --lamports",
		"price " + curveMint:                                                 "missing flags: --amount=N or --lamports=N",
		"price " + curveMint + " --lamports 0":                               "--lamports: must be at least 1",
		"price me --amount 1":                                                `mint: "me" is not an address`,
		"show me":                                                            `mint: "me" is not an address`,
		"cancel me":                                                          `mint: "me" is not an address`,
	} {
		got := say(t, "", append([]string{"--api", api, "--key", key, "curve"}, strings.Fields(call)...)...)
		if got.code != 2 || got.out != "" || !strings.Contains(got.errs, want) {
			t.Errorf("%s: %+v, want %q", call, got, want)
		}
	}
	// All invalid flags of a curve are reported together.
	all := say(t, "", append([]string{"--api", api, "--key", key, "curve"}, strings.Fields(create+"--amount 0 --target 0 --multiplier 1")...)...)
	if all.code != 2 || !strings.Contains(all.errs, "--amount") || !strings.Contains(all.errs, "--target") || !strings.Contains(all.errs, "--multiplier") {
		t.Errorf("curve create = %+v, want 2 and the names of the three flags", all)
	}
	t.Setenv("TOKENLAUNCH_RPC", "")
	if got := say(t, "", "--api", api, "--key", key, "curve", "cancel", curveMint); got.code != 2 || !strings.Contains(got.errs, "--rpc") {
		t.Errorf("without a node: %+v", got)
	}
}

func sniper(call, fee, minutes string) string {
	return call + "--anti-sniper-fee " + fee + " --anti-sniper-minutes " + minutes
}

// The client signs no transaction that would fail, that differs from the request, or that the
// caller declines.
func TestCurveSignRejections(t *testing.T) {
	key := order(t, "key.json", keygen())
	for name, c := range map[string]struct{ answer, what, call string }{
		"create": {"curve", "curve", "create " + curveMint + " --amount 1000000 --target 85.5"},
		"buy":    {"buy", "purchase", "buy " + curveMint + " --amount 5000000000 --most 1"},
		"spend":  {"spend", "purchase", "buy " + curveMint + " --lamports 333333333 --least 1"},
		"sell":   {"sell", "sale", "sell " + curveMint + " --amount 4000000000 --least 0.0001"},
		"cancel": {"cancel", "cancellation", "cancel " + curveMint},
	} {
		answer := readAnswer(t, c.answer)
		arguments := append(strings.Fields("--key "+key+" --api "+claiming(t, answer)+" curve "+c.call), "--rpc", taxing(t, 500, nil))
		refuse := func(in, want string, more ...string) {
			t.Helper()
			if got := say(t, in, append(arguments, more...)...); got.code != 1 || got.out != "" || !strings.Contains(got.errs, want) {
				t.Errorf("%s: %+v, want %s", name, got, want)
			}
		}
		refuse("", "the "+c.what+" would fail: program_unavailable", "--yes")
		answer["simulation"] = map[string]any{"ok": true, "computeUnits": 1}
		refuse("n\n", "Sign it? [y/N] tokenlaunch: not signed, and ")
		refuse("y\n", "not what was asked for") // it is another wallet's
		refuse("", "not what was asked for", "--yes")
	}
	missing := answering(t, http.StatusNotFound, problem(http.StatusNotFound, "launchpad_not_found", ""))
	if got := say(t, "", "--api", missing, "curve", "show", curveMint); got.code != 1 || !strings.Contains(got.errs, "launchpad_not_found") {
		t.Errorf("no curve: %+v", got)
	}
}

// The requests to the service follow from the flags.
func TestCurveRequests(t *testing.T) {
	key := order(t, "key.json", keygen())
	start := time.Now().Add(48 * time.Hour)
	for call, want := range map[string]string{
		"create " + curveMint + " --amount 7 --target 1 --starts-at " + start.In(time.FixedZone("", 7200)).Format(time.RFC3339): `POST /launchpad/create-unsigned
			{"tokenMint":"` + curveMint + `","tokenAmount":"7","targetMarketCap":"1","targetMarketCapUnit":"SOL","lockLiquidity":true,` +
			`"startsAt":"` + start.UTC().Format("2006-01-02T15:04:05.000Z")[:19] + `.000Z"}`,
		"create " + curveMint + " --amount 7 --target 100000 --unit milliSOL": `POST /launchpad/create-unsigned
			{"tokenMint":"` + curveMint + `","tokenAmount":"7","targetMarketCap":"100","targetMarketCapUnit":"SOL","lockLiquidity":true}`,
		sniper("create "+curveMint+" --amount 7 --target 085.50 --multiplier 7.25 --no-lock --trade-fee 1.5 --initial-buy-lamports 9 ", "25", "10"): `POST /launchpad/create-unsigned
			{"tokenMint":"` + curveMint + `","tokenAmount":"7","targetMarketCap":"85.5","targetMarketCapUnit":"SOL","priceMultiplier":7.25,"lockLiquidity":false,` +
			`"tradeFeePercent":1.5,"antiSniperFeePercent":25,"antiSniperMinutes":10,"initialBuyLamports":"9"}`,
		"buy " + curveMint + " --amount 7":                        "POST /launchpad/" + curveMint + `/buy/create-unsigned {"tokenAmount":"7"}`,
		"buy " + curveMint + " --lamports 7 --slippage 0":         "POST /launchpad/" + curveMint + `/buy/create-unsigned {"lamports":"7","slippagePercent":0}`,
		"sell " + curveMint + " --amount 7 --slippage 2.5":        "POST /launchpad/" + curveMint + `/sell/create-unsigned {"tokenAmount":"7","slippagePercent":2.5}`,
		"cancel " + curveMint:                                     "POST /launchpad/" + curveMint + "/cancel/create-unsigned {}",
		"price " + curveMint + " --amount 7":                      "GET /launchpad/" + curveMint + "/price?amount=7",
		"price " + curveMint + " --lamports 18446744073709551615": "GET /launchpad/" + curveMint + "/price?lamports=18446744073709551615",
		"show " + curveMint:                                       "GET /launchpad/" + curveMint + "/status",
		"list":                                                    "GET /launchpad?limit=100",
	} {
		var asked string
		api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/tokens/") {
				_ = json.NewEncoder(w).Encode(client.Token{TransferFeePercent: client.MustPercent("5")})
				return
			}
			body := json.RawMessage{}
			_ = json.NewDecoder(r.Body).Decode(&body)
			asked = strings.TrimSpace(r.Method + " " + r.URL.String() + " " + string(body))
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(problem(http.StatusNotFound, "launchpad_not_found", "")))
		})
		got := say(t, "n\n", append(strings.Fields("--key "+key+" --api "+api+" curve "+call), rpcOf(t, call)...)...)
		if got.code != 1 || asked != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s requests\n%s, want\n%s\n%+v", call, asked, want, got)
		}
	}
}

// rpcOf is the node of a call that sends.
func rpcOf(t *testing.T, call string) []string {
	t.Helper()
	switch verb, _, _ := strings.Cut(call, " "); verb {
	case "price", "show", "list":
		return nil
	}
	return []string{"--rpc", taxing(t, 500, nil)}
}

// A curve, a list of them and a quote are shown as tables, and as JSON.
func TestCurvesAreShown(t *testing.T) {
	curve := `{"bondingCurveId":"` + curveMint + `","status":"active","currentMarketCap":"12.3","targetMarketCap":"85.5","progress":14.38,"tokensSold":"7",
		"totalTokens":"1","solCollected":"12.3","uniqueBuyers":2,"createdAt":"2026-11-22T12:00:00.000Z","estimatedCompletion":null,"mintAddress":"` + curveMint + `",
		"creator":"` + curveMint + `","currentPrice":"0.02","curveParameters":{"startPrice":"0.01","endPrice":"0.16","priceMultiplier":16},"trades":3,
		"lockLiquidity":true,"liquidityLocked":true,"tradeFeePercent":1,"completedAt":null,"official":true,"startsAt":"2026-11-23T12:00:00.000Z",
		"creatorTokens":"5","creatorSharePercent":0.51}`
	changed := strings.NewReplacer(`"liquidityLocked":true`, `"liquidityLocked":false`, `"official":true`, `"official":false`, "0.51", "null", `"2026-11-23T12:00:00.000Z"`, "null")
	quote := `{"tokenAmount":"95","solCost":"0.000000101","currentPrice":"0.1","priceImpact":2.5,"nextPrice":"0.1025","solCostLamports":"101","feeLamports":"1","tokenTax":"5"}`
	for _, c := range []struct {
		answer, call string
		has          []string
		lacks        string
	}{
		{curve, "show " + curveMint, []string{
			"active", "12.3 of 85.5 SOL, 14.38%", "7 of 1 base unit\n", "0.02 SOL, from 0.01 to 0.16", "3, by 2 buyers", "locked permanently",
			"who has 0.51% of the supply", "2026-11-23T12:00:00.000Z",
		}, "not launched"},
		{changed.Replace(curve), "show " + curveMint, []string{"not locked: it can be taken away", "the token was not launched here by that wallet"}, "of the supply"},
		{curve, "--json show " + curveMint, []string{`"tokensSold": "7"`, `"progress": 14.38`}, "not launched"},
		{`{"launchpad":[` + curve + `,` + changed.Replace(curve) + `],"nextCursor":null}`, "list", []string{"MINT", "  locked\n", "  not locked\n"}, "nothing"},
		{`{"launchpad":[` + curve + `,` + changed.Replace(curve) + `],"nextCursor":null}`, "list --limit 1", []string{"  locked\n"}, "not locked"},
		{`{"launchpad":[],"nextCursor":null}`, "list", []string{"There is no curve yet."}, "MINT"},
		{`{"launchpad":[],"nextCursor":null}`, "list --json", []string{`"launchpad": []`}, "MINT"},
		{quote, "price " + curveMint + " --amount 95", []string{"95 base units, after the token's tax of 5 base units", "0.000000101 SOL, of which the fee is 0.000000001 SOL", "0.1 SOL, then 0.1025 SOL, or 2.5% more"}, "nothing"},
		{quote, "price " + curveMint + " --lamports 101 --json", []string{`"priceImpact": 2.5`}, "you pay"},
	} {
		got := say(t, "", append([]string{"--api", answering(t, http.StatusOK, c.answer), "curve"}, strings.Fields(c.call)...)...)
		for _, text := range c.has {
			if got.code != 0 || !strings.Contains(got.out, text) || strings.Contains(got.out, c.lacks) {
				t.Errorf("%s: %+v, want %q", c.call, got, text)
			}
		}
	}
}
