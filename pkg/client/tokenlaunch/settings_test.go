package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/token/terms"
)

// flags change each setting.
var flags = map[string][]string{
	"distributionInterval":            {"--interval", "5m"},
	"rewardToken":                     {"--reward-token", "SOL"},
	"minimumHoldingRequirement":       {"--minimum-holding", "7"},
	"percentageToSellPerDistribution": {"--sell", "5"},
	"burnPercent":                     {"--burn", "5"},
	"developerFeePercent":             {"--developer-fee", "5"},
	"developerWallet":                 {"--developer-wallet", "DG1yk4D7h9e8iC3Bbr1tSkxLPHBggZPCfDYoq1TZEJKa"},
	"creatorSplits":                   {"--split", "none"},
	"rewardBasis":                     {"--basis", "held"},
	"minimumHoldersPercent":           {"--minimum-holders", "50"},
	"changeDelay":                     {"--change-delay", "7d"},
	"distributionEnabled":             {"--no-enabled"},
	"telegramGroupId":                 {"--telegram", "@group"},
}

// TestSettingsSetHasEachField tests that `settings set` changes each setting, and lists all of
// them.
func TestSettingsSetHasEachField(t *testing.T) {
	t.Parallel()
	var body map[string]any
	api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
		body = nil
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Errorf("%s %s: decode the body: %v", r.Method, r.URL, err)
		}
		_, _ = fmt.Fprint(w, `{"distributionInterval":"1h","rewardToken":"SOL","telegramGroupId":"@group","version":2}`)
	})
	key := order(t, "key.json", keygen())
	for _, f := range terms.Fields() {
		words := flags[f.Name]
		got := say(t, "", append([]string{"--api", api, "--key", key, "settings", "set", "token", "--unsigned"}, words...)...)
		if got.code != 0 || !slices.Equal(slices.Collect(maps.Keys(body)), []string{f.Name}) {
			t.Errorf("%v sends %v, want %s; %+v", words, body, f.Name, got)
		}
		if !strings.Contains(got.out, f.Label+" ") {
			t.Errorf("the listing has no %s:\n%s", f.Label, got.out)
		}
	}
}

// TestSettingsLinkShowsCommand tests that the output has the message to post, and the bot if it is
// known.
func TestSettingsLinkShowsCommand(t *testing.T) {
	t.Parallel()
	var path string
	api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.Method + " " + r.URL.Path
		_, _ = fmt.Fprint(w, `{"code":"CODE","command":"/link@CraneBot CODE","expiresAt":"2026-03-03T10:24:31.118Z","telegramGroupId":"@group","telegramLinked":false,"bot":"CraneBot"}`)
	})
	got := say(t, "", "--api", api, "--key", order(t, "key.json", keygen()), "settings", "link", "token")
	if got.code != 0 || path != "POST /distribution/token/telegram/link" {
		t.Errorf("settings link: request %q, %+v; want POST /distribution/token/telegram/link", path, got)
	}
	for _, want := range []string{"@group", "@CraneBot", "/link@CraneBot CODE", "2026-03-03"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the listing has no %s:\n%s", want, got.out)
		}
	}
}
