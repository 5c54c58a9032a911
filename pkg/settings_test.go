package pkg_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/testkit/runtest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// settingsUnder returns settings in which every field has a value that depends on seed.
func settingsUnder(seed uint64) terms.Settings {
	var s terms.Settings
	runtest.Fill(&s, seed)
	// A filled text is no value of these types, and filled keys are equal.
	s.DeveloperWallet[0] = byte(seed)
	s.Interval, s.RewardBasis, s.Enabled = terms.Every5Minutes, terms.BasisSnapshot, true
	s.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: solana.PublicKey{1}, Bps: 4_000}, {Wallet: solana.PublicKey{2}, Bps: 6_000}})
	s.SellBps, s.BurnBps, s.DeveloperFeeBps, s.MinimumHoldersBps = 100, 200, 300, 400
	s.ChangeDelay = terms.NoDelay
	if seed > 1 {
		s.ChangeDelay = terms.Delay7Days
		s.Interval, s.RewardBasis, s.Enabled = terms.Every24Hours, terms.BasisHeld, false
		s.CreatorSplits = ""
		s.SellBps, s.BurnBps, s.DeveloperFeeBps = 101, 201, 301
		s.MinimumHoldersBps = 401
	}
	return s
}

// toldTo is the store of one webhook, and the queue of notices.
type toldTo struct {
	webhook.Store

	data json.RawMessage
	text string
}

func (k *toldTo) Webhooks(context.Context, solana.PublicKey) ([]webhook.Webhook, error) {
	return []webhook.Webhook{{ID: "hook", Status: webhook.Active, Events: event.Kinds(), Failures: webhook.Failing}}, nil
}

func (k *toldTo) Add(_ context.Context, _ webhook.Webhook, d webhook.Delivery, _ time.Time) error {
	k.data = d.Data
	return nil
}

func (k *toldTo) Chat(context.Context, solana.PublicKey, string) (int64, error) { return -1, nil }

func (k *toldTo) Send(_ context.Context, n notice.Notice) error {
	k.text = n.Text
	return nil
}

// names lists the names that a type has in JSON.
func names(t reflect.Type) (list []string) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		list = append(list, name)
	}
	return list
}

// unsigned are the settings that no signed order and no proof has, with the reason.
var unsigned = map[string]string{
	"telegramGroupId": "it moves no money, and is the owner's own",
}

// after are the settings that a launch does not have: they are changed afterwards.
var after = []string{"distributionEnabled", "telegramGroupId"}

// TestEachSettingIsEverywhere changes each field of terms.Settings by reflection. The change must
// be in the webhook, the notice and the signed order, the proof must repeat the order, and API,
// client and page must have the field. The tests of the command line and of the agent's schema
// start from terms.Fields and client.TokenCreation, which this test holds to the settings.
func TestEachSettingIsEverywhere(t *testing.T) {
	seen := map[string]bool{}
	for f := range reflect.TypeFor[terms.Settings]().Fields() {
		before, now := settingsUnder(1), settingsUnder(1)
		reflect.ValueOf(&now).Elem().FieldByIndex(f.Index).Set(reflect.ValueOf(settingsUnder(2)).FieldByIndex(f.Index))
		changed := terms.Changed(before, now)
		if len(changed) != 1 || seen[changed[0].Name] {
			t.Errorf("%s: %d of terms.Fields are changed, want one of its own", f.Name, len(changed))
			continue
		}
		seen[changed[0].Name] = true
		t.Run(changed[0].Name, func(t *testing.T) {
			told(t, changed[0], before, now)
			ordered(t, changed[0].Name, before, now)
			offered(t, changed[0].Name)
			var patch terms.Patch
			value := reflect.New(f.Type)
			value.Elem().Set(reflect.ValueOf(now).FieldByIndex(f.Index))
			reflect.ValueOf(&patch).Elem().FieldByName(f.Name).Set(value)
			if got := patch.Apply(before); got != now {
				t.Errorf("a patch makes %+v, want %+v", got, now)
			}
		})
	}
	if len(seen) != len(terms.Fields()) {
		t.Errorf("%d of the %d fields are changed by something", len(seen), len(terms.Fields()))
	}
}

// told checks the webhook and the notice of a change.
func told(t *testing.T, f terms.Field, before, now terms.Settings) {
	t.Helper()
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	e, ok := event.Changed(token.Record{Settings: now}, terms.Version{Settings: before, Number: 1}, terms.Version{Settings: now, Number: 2, From: noon})
	if !ok {
		t.Fatal("the change is no event")
	}
	var to toldTo
	if err := (webhook.Service{Store: &to, Now: func() time.Time { return noon }}).Tell(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	var data struct {
		Changed []struct{ Field, Before, After string }
	}
	if err := json.Unmarshal(to.data, &data); err != nil || len(data.Changed) != 1 || data.Changed[0].Field != f.Name {
		t.Errorf("the webhook has %s, want %s; %v", to.data, f.Name, err)
	} else if one := data.Changed[0]; f.Private != (one.Before == "" && one.After == "") || !f.Private && one.Before == one.After {
		t.Errorf("the webhook has %s of a field with private %v", to.data, f.Private)
	}
	if err := (notice.Publisher{Queue: &to, Links: &to}).Tell(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(to.text, "\n"+f.Label+": ") || f.Words(before) == f.Words(now) {
		t.Errorf("the notice has no change of %s:\n%s", f.Label, to.text)
	}
}

// ordered checks the text that a creator signs, and the settings of a proof, which repeat it.
func ordered(t *testing.T, name string, before, now terms.Settings) {
	t.Helper()
	mint := solana.PublicKey{9}
	signed := terms.OrderText(mint, 2, before) != terms.OrderText(mint, 2, now)
	if signed != (unsigned[name] == "") {
		t.Errorf("the signed order has the change: %v, want %v", signed, !signed)
	}
	now.Enabled = true // a run is made with settings that are enabled
	m := format.Manifest{Mint: format.Key(mint), Settings: format.NewSettings(now, 2, solana.Signature{})}
	if [32]byte(m.OrderHash()) != terms.OrderHash(mint, 2, now) {
		t.Errorf("the proof has other settings than were ordered: %+v", m.Settings)
	}
}

// offered checks what callers read and write.
func offered(t *testing.T, name string) {
	t.Helper()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[contract.Settings](), reflect.TypeFor[client.DistributionSettings](), reflect.TypeFor[client.SettingsChange](),
	} {
		if !slices.Contains(names(typ), name) {
			t.Errorf("%s has no %s", typ, name)
		}
	}
	if slices.Contains(after, name) == slices.Contains(names(reflect.TypeFor[client.TokenCreation]()), name) {
		t.Errorf("a launch has %s, want %v", name, !slices.Contains(after, name))
	}
	for _, form := range []string{"mine/*.ts*", "launch/body.ts"} {
		if form == "launch/body.ts" && slices.Contains(after, name) {
			continue
		}
		if !inPage(t, form, name) {
			t.Errorf("the page's %s has no %s", form, name)
		}
	}
}

// inPage reports whether one of the page's sources names a field.
func inPage(t *testing.T, pattern, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("web", "page", "web", "src", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources %s; %v", pattern, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), name) {
			return true
		}
	}
	return false
}

// TestLinksAreOneTable: the API returns and the page has each link that a creator can set, and no other.
func TestLinksAreOneTable(t *testing.T) {
	var record token.Record
	runtest.Fill(&record.Links, 1)
	text, err := json.Marshal(contract.NewToken(record, ""))
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	var want []string
	for site, link := range record.EachLink() {
		want = append(want, site.Name)
		if *link == "" || answer[site.Name] != *link || site.Help == "" {
			t.Errorf("%s: the API returns %v, want %q", site.Name, answer[site.Name], *link)
		}
	}
	source, err := os.ReadFile(filepath.FromSlash("web/page/web/src/token/links.ts"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range regexp.MustCompile(`\{ name: '(\w+)'`).FindAllSubmatch(source, -1) {
		got = append(got, string(found[1]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the page has the links %v, want %v", got, want)
	}
}

// intervals finds the words of intervals.
var intervals = regexp.MustCompile(`\b(\d+[mhd])\b`)

// TestIntervalsAreOneList: the document has the intervals that a creator can choose, and no other, in
// each schema with an interval. The client and the page follow from the document.
func TestIntervalsAreOneList(t *testing.T) {
	source, err := os.ReadFile(filepath.FromSlash("api/endpoint/docs/openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile(`enum: \[(5m[^\]]*)\]`).FindAllSubmatch(source, -1)
	if len(lists) == 0 {
		t.Error("the document has no list of intervals")
	}
	for _, found := range lists {
		var got []terms.Interval
		for _, word := range intervals.FindAllSubmatch(found[1], -1) {
			got = append(got, terms.Interval(word[1]))
		}
		if want := terms.Intervals(); !slices.Equal(got, want) {
			t.Errorf("the document has %v, want %v", got, want)
		}
	}
}
