package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/client"
	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
)

// launching is an API in which a launch costs so much, and what was asked of it.
func launching(t *testing.T, lamports client.Lamports) (api string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	cost := client.Cost{TotalLamports: lamports}
	return signingIn(t, func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.Path)
		answers := map[string]any{
			"/tokens/generate-distribution-wallet": client.DistributionWallet{WalletID: "w"},
			"/tokens/upload-image":                 client.UploadedImage{ImageURI: "ipfs://c"},
			"/tokens/validate":                     client.ValidToken{Valid: true, Cost: cost, Explanation: []string{"Makes the mint."}},
		}
		if answers[r.URL.Path] == nil {
			w.WriteHeader(http.StatusTeapot)
		}
		_ = json.NewEncoder(w).Encode(answers[r.URL.Path])
	}), asked
}

// TestLaunchAsksBeforeCreation tests that a declined launch does not count towards the hourly
// creations, and that a launch without anyone to ask makes no request.
func TestLaunchAsksBeforeCreation(t *testing.T) {
	const create = "/tokens/create-unsigned"
	silent, err := os.Open(os.DevNull)
	check(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	empty, full := piped(t, ""), piped(t, "y\n")
	for name, c := range map[string]struct {
		in   io.Reader
		more []string
		code int
		says string
		// requests: none, all before the creation, or the creation too.
		none, creates bool
	}{
		"silent can answer":      {silent, nil, 2, "say --yes", true, false},
		"the input is over":      {strings.NewReader(""), nil, 2, "say --yes", true, false},
		"the pipe is over":       {empty, nil, 2, "say --yes", false, false},
		"declined":               {strings.NewReader("n\n"), nil, 1, "nothing was launched", false, false},
		"costs too much":         {strings.NewReader(""), []string{"--yes", "--most", "0.01"}, 1, "0.02 SOL, more than 0.01 SOL", false, false},
		"accepted":               {full, nil, 1, create, false, true},
		"no one is asked":        {silent, []string{"--yes"}, 1, create, false, true},
		"a dry run asks nothing": {silent, []string{"--dry-run"}, 0, "It costs 0.02 SOL", false, false},
	} {
		api, asked := launching(t, client.LamportsOf(20_000_000))
		arguments := []string{"--api", api, "--key", order(t, "key.json", keygen()), "launch", "-f", order(t, "o.json", `{"name":"n","symbol":"S","transferFeePercent":1,"image":"logo.png","supply":"1","decimals":6}`)}
		var out, errs bytes.Buffer
		code := main.Run(t.Context(), append(arguments, c.more...), c.in, &out, &errs)
		if code != c.code || !strings.Contains(errs.String(), c.says) || slices.Contains(*asked, create) != c.creates || (len(*asked) == 0) != c.none {
			t.Errorf("%s: %d %s, requests %v", name, code, errs.String(), *asked)
		}
		if !c.none && (!strings.Contains(errs.String(), "Makes the mint.") != (c.more != nil && c.code == 1 && !c.creates)) {
			t.Errorf("%s: shown is %s", name, errs.String())
		}
	}
}

// piped is the end of a pipe in which a text was written.
func piped(t *testing.T, text string) io.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	check(t, err)
	t.Cleanup(func() { _ = r.Close() })
	_, err = w.WriteString(text)
	check(t, err)
	check(t, w.Close())
	return r
}

// TestSettingsOutOfBoundsAreNotSigned tests that each invalid setting is named, and neither shown
// nor sent.
func TestSettingsOutOfBoundsAreNotSigned(t *testing.T) {
	t.Parallel()
	sent := 0
	api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			sent++
		}
		_, _ = fmt.Fprintf(w, `{"distributionInterval":"1h","rewardToken":"SOL","minimumHoldingRequirement":"1","percentageToSellPerDistribution":100,
			"burnPercent":10,"developerFeePercent":50,"developerWallet":%q,"rewardBasis":"snapshot","version":2}`, curveMint)
	})
	key := order(t, "key.json", keygen())
	set := func(flags string) said {
		return say(t, "", append([]string{"--api", api, "--key", key, "settings", "set", curveMint, "--yes"}, strings.Fields(flags)...)...)
	}
	for flags, want := range map[string]string{
		"--interval 7h":       "distributionInterval: Must be one of 5m",
		"--burn 101":          "burnPercent: Must be a percentage from 0 to 100",
		"--burn 50.01":        "burnPercent: burnPercent and developerFeePercent together",
		"--developer-fee 95":  "developerFeePercent: burnPercent and developerFeePercent together",
		"--sell 0.99":         "percentageToSellPerDistribution: Must be a percentage from 1 to 100",
		"--minimum-holding 0": "minimumHoldingRequirement: Must be at least 1",
		"--basis best":        `rewardBasis: Must be "snapshot" or "held"`,
		"--reward-token BTC":  "rewardToken: Must be",
		"--telegram group":    "telegramGroupId: Must be",
		"--tax 101 --burn 1":  "transferFeePercent: Must be a percentage from 0 to 100",
		"--split " + curveMint + "=99 --split DG1yk4D7h9e8iC3Bbr1tSkxLPHBggZPCfDYoq1TZEJKa=2": "creatorSplits: The percentages must add up to 100; these are 101",
	} {
		if got := set(flags); got.code != 2 || !strings.Contains(got.errs, want) || strings.Contains(got.errs, "signs these settings") || sent > 0 {
			t.Errorf("%s: %+v, %d sent; want %s", flags, got, sent, want)
		}
	}
	if got := set("--burn 50"); got.code != 0 || sent != 1 {
		t.Errorf("a good change: %+v, %d sent", got, sent)
	}
	if got := say(t, "", "--api", api, "--key", key, "settings", "sign", curveMint); got.code != 2 || sent != 1 {
		t.Errorf("without a response: %+v, %d sent", got, sent)
	}
}
