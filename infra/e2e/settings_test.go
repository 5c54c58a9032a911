package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/client"
)

// owner is the creator of a launched token.
type owner struct {
	caller

	url, mint, id string
}

func newOwner(t *testing.T, s *runner.Stack) owner {
	t.Helper()
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	return owner{caller{l.Client, l.Session.Token}, s.APIURL, l.Submitted.MintAddress.String(), l.Submitted.Token.ID}
}

// call makes a request with the owner's token, and validates the response against the document. The
// token is the id or the mint.
func (o owner) call(t *testing.T, method, token, path, body string, header ...string) answer {
	t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + o.Token, "Content-Type": "application/json"}
	for i := 0; i+1 < len(header); i += 2 {
		headers[header[i]] = header[i+1]
	}
	return call(t, method, o.url+"/distribution/"+token+path, body, headers)
}

func decode(t *testing.T, a answer, status int) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(a.body), &out); err != nil || a.status != status {
		t.Fatalf("response = %d %s, want %d; %v", a.status, a.body, status, err)
	}
	return out
}

// TestCreatorChangesSettings reads, changes and reads again, by ID and by mint.
func TestCreatorChangesSettings(t *testing.T) {
	s := deployed(t)
	o := newOwner(t, s)
	first := o.call(t, http.MethodGet, o.id, "/settings", "")
	checkLimitHeaders(t, first)
	before := decode(t, first, http.StatusOK)
	if before["burnPercent"] != 20.0 || before["distributionInterval"] != "1h" || before["distributionEnabled"] != true {
		t.Errorf("at first %v", before)
	}
	key := []string{"Idempotency-Key", t.Name()}
	a := o.call(t, http.MethodPatch, o.mint, "/settings", `{"burnPercent":12.5,"distributionInterval":"24h","telegramGroupId":"@the_group"}`, key...)
	checkLimitHeaders(t, a)
	if got := a.header.Get("X-RateLimit-Limit"); got != "10" {
		t.Errorf("%s changes an hour", got)
	}
	changed := decode(t, a, http.StatusOK)
	from, err := time.Parse(time.RFC3339, fmt.Sprint(changed["effectiveAt"]))
	if err != nil || changed["burnPercent"] != 12.5 || changed["developerFeePercent"] != before["developerFeePercent"] || !from.Equal(from.Truncate(24*time.Hour)) {
		t.Errorf("changed to %v", changed)
	}
	again := o.call(t, http.MethodPatch, o.mint, "/settings", `{"burnPercent":12.5,"distributionInterval":"24h","telegramGroupId":"@the_group"}`, key...)
	if again.header.Get("Idempotency-Replayed") != "true" || again.body != a.body {
		t.Errorf("sent again: %d %s", again.status, again.body)
	}
	if now := o.call(t, http.MethodGet, o.mint, "/settings", ""); now.body != a.body {
		t.Errorf("then %s, want %s", now.body, a.body)
	}
	if back := o.call(t, http.MethodPatch, o.id, "/settings", a.body); back.status != http.StatusOK || back.body != a.body {
		t.Errorf("sent back: %d %s", back.status, back.body)
	}
	if record, err := o.GetToken(t.Context(), solana.MustPublicKeyFromBase58(o.mint)); err != nil || record.Settings.BurnPercent != client.MustPercent("12.5") {
		t.Errorf("the record has %+v, %v", record, err)
	}

	bad := o.call(t, http.MethodPatch, o.id, "/settings", `{"burnPercent":95,"distributionInterval":"2h","distributionModel":"equal"}`)
	if p := checkProblem(t, bad, http.StatusBadRequest, "validation_failed"); len(p.Errors) != 3 {
		t.Errorf("bad fields %+v", p.Errors)
	}
	checkProblem(t, o.call(t, http.MethodPatch, o.id, "/settings", `{"transferFeePercent":1}`), http.StatusBadRequest, "transfer_fee_locked")
	ordered, err := o.OrderDistributionSettings(t.Context(), o.id, client.SettingsChange{BurnPercent: new(client.MustPercent("13"))}, nil)
	if err != nil || ordered.Version != 3 || !ordered.OrderedByCreator || ordered.BurnPercent != client.MustPercent("13") {
		t.Errorf("ordered %+v, %v", ordered, err)
	}
	late := fmt.Sprintf(`{"burnPercent":14,"order":{"version":3,"signature":%q}}`, solana.Signature{1})
	checkProblem(t, o.call(t, http.MethodPatch, o.id, "/settings", late), http.StatusConflict, "settings_version_conflict")
	stranger := owner{signedIn(t, s), s.APIURL, o.mint, o.id}
	for _, method := range []string{http.MethodGet, http.MethodPatch} {
		checkProblem(t, stranger.call(t, method, o.mint, "/settings", `{}`), http.StatusForbidden, "not_token_creator")
		checkProblem(t, stranger.call(t, method, "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de", "/settings", `{}`), http.StatusNotFound, "token_not_found")
	}
}

// TestConcurrentPatchesAreAllStored sends one change for each field concurrently, except the wallet
// that splits replace and the tax, which only the chain changes.
func TestConcurrentPatchesAreAllStored(t *testing.T) {
	s := deployed(t)
	o := newOwner(t, s)
	want := map[string]any{
		"burnPercent": 1.0, "developerFeePercent": 2.0, "percentageToSellPerDistribution": 3.0, "minimumHoldingRequirement": "4",
		"telegramGroupId": "-5", "distributionInterval": "6h", "distributionEnabled": false, "rewardToken": o.mint, "rewardBasis": "held",
		"changeDelay":           "none", // a delay has tests of its own
		"minimumHoldersPercent": 0.0,    // a minimum would refuse the reward and the minimum holding
	}
	splits := []client.CreatorSplit{{Wallet: solana.NewWallet().PublicKey(), Percent: client.MustPercent("60")}, {Wallet: solana.NewWallet().PublicKey(), Percent: client.MustPercent("40")}}
	changes := []client.SettingsChange{
		{BurnPercent: new(client.MustPercent("1"))},
		{DeveloperFeePercent: new(client.MustPercent("2"))},
		{PercentageToSellPerDistribution: new(client.MustPercent("3"))},
		{MinimumHoldingRequirement: new(client.BaseUnits(4))},
		{TelegramGroupID: new("-5")},
		{DistributionInterval: client.Every6Hours},
		{DistributionEnabled: new(false)},
		{RewardToken: o.mint},
		{RewardBasis: client.BasisHeld},
		{CreatorSplits: splits},
	}
	var all sync.WaitGroup
	for _, change := range changes {
		all.Go(func() {
			if _, err := o.ChangeDistributionSettings(context.WithoutCancel(t.Context()), o.id, change); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := decode(t, o.call(t, http.MethodGet, o.id, "/settings", ""), http.StatusOK)
	for field, value := range want {
		if got[field] != value {
			t.Errorf("%s is %v, want %v", field, got[field], value)
		}
	}
	settings, err := o.GetDistributionSettings(t.Context(), o.id)
	if err != nil || !slices.Equal(settings.CreatorSplits, splits) {
		t.Errorf("the splits are %v, want %v: %v", settings.CreatorSplits, splits, err)
	}
}

// TestDistributionIsPublic reads a token without a distribution yet.
func TestDistributionIsPublic(t *testing.T) {
	s := deployed(t)
	o := newOwner(t, s)
	for path, want := range map[string]string{
		"/distribution/" + o.id + "/runs":                  "map[nextCursor:<nil> runs:[]]",
		"/burns/" + o.mint:                                 fmt.Sprintf("map[burns:[] currentSupply:1000000000000000 mintAddress:%s nextCursor:<nil> totalBurned:0]", o.mint),
		"/distribution/" + o.mint + "/holders/" + o.mint:   "",
		"/distribution/" + o.mint + "/preview":             "",
		"/holders/" + o.mint:                               fmt.Sprintf("map[complete:true nextCursor:<nil> tokens:[] wallet:%s]", o.mint),
		"/distribution/" + o.mint + "/runs?limit=1&cursor": "map[nextCursor:<nil> runs:[]]",
	} {
		a := call(t, http.MethodGet, s.APIURL+path, "", nil)
		checkLimitHeaders(t, a)
		if got := fmt.Sprint(decode(t, a, http.StatusOK)); want != "" && got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	checkProblem(t, call(t, http.MethodGet, s.APIURL+"/distribution/"+o.id+"/runs/"+o.id, "", nil), http.StatusNotFound, "run_not_found")
	checkProblem(t, call(t, http.MethodGet, s.APIURL+"/burns/"+o.mint+"?cursor=x", "", nil), http.StatusBadRequest, "validation_failed")
	checkProblem(t, call(t, http.MethodGet, s.APIURL+"/burns/"+o.id, "", nil), http.StatusNotFound, "token_not_found")
}
