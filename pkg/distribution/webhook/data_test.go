package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// kept is a store that has one webhook, and keeps what is added.
type kept struct {
	webhook.Store

	deliveries []webhook.Delivery
}

func (k *kept) Webhooks(context.Context, solana.PublicKey) ([]webhook.Webhook, error) {
	return []webhook.Webhook{{ID: "hook", Status: webhook.Active, Events: event.Kinds(), Failures: webhook.Failing}}, nil
}

func (k *kept) Add(_ context.Context, _ webhook.Webhook, d webhook.Delivery, _ time.Time) error {
	d.Sequence = int64(len(k.deliveries) + 1)
	k.deliveries = append(k.deliveries, d)
	return nil
}

// What is sent of each event, to the letter of the document.
func TestWhatIsSaid(t *testing.T) {
	record := token.Record{
		Mint: solana.PublicKey{1}, Creator: solana.PublicKey{2}, Name: "Paper <Crane>", Symbol: "CRANE", Links: token.Links{Telegram: "https://t.me/public"},
		Settings: terms.Settings{TelegramGroupID: "@private"},
	}
	settled := run.Run{
		ID: "r1", Mint: record.Mint, Slot: noon, Settings: terms.Settings{TelegramGroupID: "@private"}, Reward: run.Currency{Asset: terms.SOL},
		Collecting: &run.Collecting{Collected: 10}, Burn: &run.Movement{Amount: 1}, Exchange: &run.Exchange{Sold: 9, Proceeds: 8},
		Payment: &run.Payment{Legs: []run.Leg{{CreatorPaid: &run.Movement{Amount: 2}}}},
		Closing: &run.Closing{Manifest: "bafk", AnchorTx: "bafka", Legs: []run.ClosedLeg{{Asset: terms.SOL, Paid: 5, PaidHolders: 3, Carried: 1}}},
		End:     &run.End{At: noon},
	}
	failed := run.Run{ID: "r2", Mint: record.Mint, Slot: noon, End: &run.End{At: noon, Code: run.CodeWalletTooLow, Detail: "Send 0.01 SOL."}}
	before := terms.Version{Settings: terms.Default(record.Creator), Number: 1}
	after := before
	after.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: record.Mint, Bps: 6_025}, {Wallet: record.Creator, Bps: 3_975}})
	after.RewardBasis = terms.BasisHeld
	after.BurnBps, after.TelegramGroupID, after.Number, after.From = 1250, "@private", 2, noon
	events := map[string]event.Event{
		`{"name":"Paper \u003cCrane\u003e","symbol":"CRANE","creator":"` + record.Creator.String() + `","signature":"` + solana.Signature{}.String() + `"}`: {
			Kind: event.TokenLaunched, Key: "1", At: noon, Token: record,
		},
		`{"version":2,"changed":[{"field":"burnPercent","before":"0","after":"12.5"},{"field":"creatorSplits","after":"` + record.Mint.String() + `=60.25, ` + record.Creator.String() + `=39.75"},` +
			`{"field":"rewardBasis","before":"snapshot","after":"held"},{"field":"telegramGroupId"}],"effectiveAt":"2026-11-24T13:00:00.000Z"}`: changed(t, record, before, after),
		`{"runId":"r1","scheduledAt":"2026-11-24T12:00:00.000Z","slot":"2026-11-24T12:00:00.000Z","rewardToken":"SOL","collected":"10","burned":"1","sold":"9","proceeds":"8","creatorPaid":"2","holdersPaid":"5","paidHolders":3,"carried":"1","proof":"bafk","anchor":"bafka"}`: ended(t, record, settled),
		`{"runId":"r2","scheduledAt":"2026-11-24T12:00:00.000Z","slot":"2026-11-24T12:00:00.000Z","status":"skipped","code":"wallet_too_low","detail":"Send 0.01 SOL."}`:                                                                                                          ended(t, record, failed),
		`{"pool":"` + record.Mint.String() + `","completedAt":"2026-11-24T12:00:00.000Z"}`: {
			Kind: event.CurveCompleted, Key: "1", At: noon, Token: record, About: event.Curve{Pool: record.Mint, CompletedAt: event.Moment(noon)},
		},
		`{"promotionId":"p","startsAt":"2026-11-24T12:00:00.000Z","endsAt":"2026-11-24T13:00:00.000Z"}`: {
			Kind: event.PromotionStarted, Key: "1", At: noon, Token: record, About: event.Promotion{ID: "p", StartsAt: event.Moment(noon), EndsAt: event.Moment(noon.Add(time.Hour))},
		},
	}
	for i, kind := range []event.Kind{event.HandoverOrdered, event.HandoverCancelled, event.HandoverDone} {
		events[fmt.Sprintf(`{"number":%d,"newAuthority":"%s","orderedBy":"creator","effectiveAt":"2026-11-24T12:00:00.000Z","transactionSignature":null}`, i+1, record.Mint)] = event.Event{
			Kind: kind, Key: "1", At: noon, Token: record,
			About: event.Handover{Number: int64(i + 1), NewAuthority: record.Mint, OrderedBy: "creator", EffectiveAt: event.Moment(noon)},
		}
	}
	for i, kind := range []event.Kind{event.WindDownOrdered, event.WindDownCancelled} {
		at := noon.Add(time.Duration(i) * time.Hour)
		events[`{"windsDownAt":"`+event.Moment(at).String()+`"}`] = event.Event{Kind: kind, Key: "1", At: noon, Token: record, About: event.WindDown{WindsDownAt: event.Moment(at)}}
	}
	released := run.Run{Mint: record.Mint, Release: &run.Release{To: record.Creator, Refunded: &run.Movement{Amount: 5, Signature: solana.Signature{1}}}}
	released.End = &run.End{At: noon, Code: run.CodeWoundDown, Failed: true}
	if e, ok := event.Ended(record, released); ok {
		t.Errorf("a release that failed tells %+v", e)
	}
	released.End = &run.End{At: noon, Code: run.CodeWoundDown}
	e, ok := event.Ended(record, released)
	if !ok || e.Kind != event.WindDownFinished {
		t.Errorf("a release tells %+v", e)
	}
	events[`{"returnedTo":"`+record.Creator.String()+`","lamports":"5","transactionSignature":"`+solana.Signature{1}.String()+`"}`] = e
	store := &kept{}
	service := webhook.Service{Store: store, Now: func() time.Time { return noon }}
	kinds := map[event.Kind]bool{}
	for want, e := range events {
		if err := service.Tell(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		d := store.deliveries[len(store.deliveries)-1]
		kinds[d.Kind] = true
		body, err := d.Body()
		if err != nil || string(d.Data) != want || strings.Contains(string(body), "private") {
			t.Errorf("%s\n%s, want\n%s; %v", body, d.Data, want, err)
		}
		var whole map[string]any
		if err := json.Unmarshal(body, &whole); err != nil || len(whole) != 5 || whole["timestamp"] != "2026-11-24T12:00:00.000Z" || whole["mintAddress"] != record.Mint.String() {
			t.Errorf("%v, %v", whole, err)
		}
	}
	if len(kinds) != len(event.Kinds()) {
		t.Errorf("only %v were tried", kinds)
	}
}

func ended(t *testing.T, record token.Record, r run.Run) event.Event {
	t.Helper()
	e, ok := event.Ended(record, r)
	if !ok {
		t.Fatalf("%s is no news", r.ID)
	}
	return e
}

func changed(t *testing.T, record token.Record, before, after terms.Version) event.Event {
	t.Helper()
	e, ok := event.Changed(record, before, after)
	if !ok {
		t.Fatal("the change is no news")
	}
	return e
}
