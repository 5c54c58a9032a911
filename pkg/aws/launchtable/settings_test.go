package launchtable_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

func (b *books) due() launchtable.Due {
	return launchtable.Due{Client: b.tokens.Client, Table: b.tokens.Table}
}

// dueIn returns the number of times that a token is in the list of a slot, of all pages together.
func (b *books) dueIn(t *testing.T, interval terms.Interval, at time.Time, mint solana.PublicKey) int {
	t.Helper()
	found, after := 0, ""
	for {
		mints, next, err := b.due().Page(t.Context(), dispatch.Slot{Interval: interval, At: at}, dispatch.ShardOf(mint), after)
		must.Do(t, err)
		for _, m := range mints {
			if m == mint {
				found++
			}
		}
		if next == "" {
			return found
		}
		after = next
	}
}

// change merges a patch at the books' time, as the service does.
func (b *books) change(ctx context.Context, mint solana.PublicKey, patch terms.Patch) error {
	s := settings.Service{
		Store: b.settings, Now: func() time.Time { return b.now }, Pause: settings.ShortPause, Log: slog.New(slog.DiscardHandler),
	}
	_, err := s.Change(ctx, mint, settings.Wanted{Patch: patch})
	return err
}

func TestTokensAreFoundByTheirIDs(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	if mint, err := b.tokens.MintOf(t.Context(), l.Token.ID); err != nil || mint != l.Mint {
		t.Errorf("%s, %v, want %s", mint, err, l.Mint)
	}
	if _, err := b.tokens.MintOf(t.Context(), l.ID); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("another id: %v", err)
	}
	if _, err := b.settings.Current(t.Context(), key()); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("another mint: %v", err)
	}
}

// TestTokenDueFromConfirmation, and not before, nor when it failed; by the
// settings that it has then, not those that it was submitted with.
func TestTokenDueFromConfirmation(t *testing.T) {
	b := openBooks(t)
	caller := key()
	for _, c := range []struct {
		name     string
		patch    terms.Patch
		status   transaction.Status
		interval terms.Interval // empty: due in none
	}{
		{"as launched", terms.Patch{}, transaction.Confirmed, terms.EveryHour},
		{"another interval", terms.Patch{Interval: new(terms.Every5Minutes)}, transaction.Confirmed, terms.Every5Minutes},
		{"paused", terms.Patch{Enabled: new(false)}, transaction.Confirmed, ""},
		{"failed", terms.Patch{}, transaction.Failed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			l := signedOff(b.issue(t, caller))
			must.Do(t, b.launches.Submit(t.Context(), l, b.now))
			must.Do(t, b.change(t.Context(), l.Mint, c.patch))
			must.Do(t, b.launches.Settle(t.Context(), settled(l, c.status, ""), b.now))
			for _, interval := range terms.Intervals() {
				want := 0
				if interval == c.interval {
					want = 1
				}
				if got := b.dueIn(t, interval, interval.Next(b.now), l.Mint); got != want {
					t.Errorf("%s: due %d times, want %d", interval, got, want)
				}
				if got := b.dueIn(t, interval, b.now, l.Mint); got != 0 {
					t.Errorf("%s: due %d times in the slot that had begun", interval, got)
				}
			}
		})
	}
}

// TestTokenDueAfterChanges makes many changes at many moments, on slots
// and next to them, and then asks for every slot of every interval.
func TestTokenDueAfterChanges(t *testing.T) {
	b := openBooks(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	l := b.launch(t, key())
	type since struct {
		at      time.Time
		setting terms.Settings
	}
	history := []since{{b.now, l.Token.Settings}}
	began := b.now
	for range 60 {
		b.now = b.now.Add(time.Duration(random.IntN(12)) * 150 * time.Second)
		var patch terms.Patch
		switch random.IntN(4) {
		case 0:
			patch.Enabled = new(random.IntN(2) == 0)
		case 1:
			patch.SellBps = new(100 + random.IntN(9_000))
		default:
			patch.Interval = new(terms.Intervals()[random.IntN(4)])
		}
		must.Do(t, b.change(t.Context(), l.Mint, patch))
		history = append(history, since{b.now, patch.Apply(history[len(history)-1].setting)})
	}
	slots, due := 0, 0
	for _, interval := range terms.Intervals() {
		for at := interval.Slot(began); at.Before(b.now.Add(24 * time.Hour)); at = interval.Next(at) {
			want := 0
			for _, s := range slices.Backward(history) {
				if s.at.Before(at) { // a change holds from the next boundary on
					if s.setting.Enabled && s.setting.Interval == interval {
						want = 1
					}
					break
				}
			}
			if got := b.dueIn(t, interval, at, l.Mint); got != want {
				t.Fatalf("%s at %s: due %d times, want %d; %+v", interval, at, got, want, history)
			}
			slots, due = slots+1, due+want
		}
	}
	t.Logf("due in %d of %d slots", due, slots)
}

// TestChangeSettingsClockSkew tests that a change by a clock behind the last change's takes effect
// from the last change on, and that no slot is due twice.
func TestChangeSettingsClockSkew(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	b.now = b.now.Add(time.Hour)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Interval: new(terms.Every5Minutes)}))
	late := b.now
	b.now = b.now.Add(-30 * time.Minute)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Interval: new(terms.EveryHour)}))
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Enabled: new(false)}))
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Enabled: new(true)}))
	for at, want := range map[time.Time]int{late: 1, late.Add(-time.Hour): 0, late.Add(time.Hour): 1} {
		if got := b.dueIn(t, terms.EveryHour, at, l.Mint); got != want {
			t.Errorf("at %s: due %d times, want %d", at, got, want)
		}
	}
	for at := late.Add(-time.Hour); at.Before(late.Add(time.Hour)); at = at.Add(5 * time.Minute) {
		if got := b.dueIn(t, terms.Every5Minutes, at, l.Mint); got != 0 {
			t.Errorf("at %s: due %d times every five minutes", at, got)
		}
	}
}

// TestChangeOfChangedSettingsConflicts tests changed settings, and a changed confirmation of the
// token.
func TestChangeOfChangedSettingsConflicts(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	before, err := b.settings.Current(t.Context(), l.Mint)
	must.Do(t, err)
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	after := before.Versions.Next(before.Token.Settings, b.now, before.Opened)
	after.Interval = terms.Every5Minutes
	if err := b.settings.ChangeSettings(t.Context(), before, after); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("the launch was confirmed concurrently: %v", err)
	}
	before, err = b.settings.Current(t.Context(), l.Mint)
	must.Do(t, err)
	must.Do(t, b.settings.ChangeSettings(t.Context(), before, after))
	if err := b.settings.ChangeSettings(t.Context(), before, after); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("the settings changed concurrently: %v", err)
	}
	if found, err := b.settings.Current(t.Context(), l.Mint); err != nil || found.Versions.Newest() != after || found.Token.Settings != after.Settings || found.Token.SettingsVersion != 2 {
		t.Errorf("Current() = %+v, %v; want version 2", found, err)
	}
	for _, c := range []struct {
		interval terms.Interval
		want     int
	}{{terms.EveryHour, 0}, {terms.Every5Minutes, 1}} {
		if got := b.dueIn(t, c.interval, b.now.Add(time.Hour), l.Mint); got != c.want {
			t.Errorf("due every %s %d times, want %d", c.interval, got, c.want)
		}
	}
}

// fields are changes of nine fields, each with a value of the round's own.
func fields(round int) []terms.Patch {
	return []terms.Patch{
		{BurnBps: new(100 + round)},
		{DeveloperFeeBps: new(200 + round)},
		{SellBps: new(300 + round)},
		{MinimumHolding: new(uint64(400 + round))},
		{TelegramGroupID: new(fmt.Sprintf("-%d", 500+round))},
		{Interval: new(terms.Intervals()[round%8])},
		{Enabled: new(round%2 == 1)},
		{DeveloperWallet: new(key())},
	}
}

// TestConcurrentChangesAllHold makes more than fifty changes, those of a round concurrently, each
// of another field.
func TestConcurrentChangesAllHold(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	want := l.Token.Settings
	changes := int64(0) // since the launch
	for round := range 8 {
		b.now = b.now.Add(time.Minute)
		var all sync.WaitGroup
		for _, patch := range fields(round) {
			if merged := patch.Apply(want); merged != want {
				changes, want = changes+1, merged
			}
			all.Go(func() {
				if err := b.change(t.Context(), l.Mint, patch); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		found, err := b.settings.Current(t.Context(), l.Mint)
		must.Do(t, err)
		if found.Token.Settings != want || found.Versions.Newest().Number != terms.LaunchVersion+changes {
			t.Fatalf("after %d changes the settings are, in version %d,\n%+v, want\n%+v", changes, found.Versions.Newest().Number, found.Token.Settings, want)
		}
		for _, interval := range terms.Intervals() {
			if got := b.dueIn(t, interval, interval.Next(b.now), l.Mint) == 1; got != (want.Enabled && interval == want.Interval) {
				t.Errorf("round %d: due every %s: %v", round, interval, got)
			}
		}
	}
	t.Logf("%d changes raced and hold", changes)
}

// TestContradictingChangesConflict makes two changes, each valid, that are invalid together.
func TestContradictingChangesConflict(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	for range 10 {
		must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{BurnBps: new(0), DeveloperFeeBps: new(0)}))
		var all sync.WaitGroup
		errs := make([]error, 2)
		for i, patch := range []terms.Patch{{BurnBps: new(6_000)}, {DeveloperFeeBps: new(6_000)}} {
			all.Go(func() { errs[i] = b.change(t.Context(), l.Mint, patch) })
		}
		all.Wait()
		found, err := b.tokens.Token(t.Context(), l.Mint)
		must.Do(t, err)
		if sum := found.Settings.BurnBps + found.Settings.DeveloperFeeBps; sum != 6_000 {
			t.Errorf("together %d basis points", sum)
		}
		if refused := errors.Join(errs...); (errs[0] == nil) == (errs[1] == nil) || apperr.CodeOf(refused) != "validation_failed" {
			t.Errorf("rejected: %v", errs)
		}
	}
}

// TestDueReadInPages lists more tokens than one response of the store contains.
func TestDueReadInPages(t *testing.T) {
	b := openBooks(t)
	const tokens = 9_000
	want := map[solana.PublicKey]bool{}
	var batch []types.WriteRequest
	for len(want) < tokens {
		mint := solana.PublicKey{byte(len(want) >> 8), byte(len(want)), 7}
		want[mint] = true
		batch = append(batch, types.WriteRequest{PutRequest: &types.PutRequest{Item: launchtable.DueItem(terms.Every5Minutes, 3, mint, b.now)}})
		if len(batch) == 25 || len(want) == tokens {
			_, err := b.tokens.Client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{b.tokens.Table: batch},
			})
			must.Do(t, err)
			batch = nil
		}
	}
	pages, after := 0, ""
	for {
		mints, next, err := b.due().Page(t.Context(), dispatch.Slot{Interval: terms.Every5Minutes, At: b.now.Add(time.Hour)}, 3, after)
		must.Do(t, err)
		for _, mint := range mints {
			if !want[mint] {
				t.Fatalf("%s is there twice, or from nowhere", mint)
			}
			delete(want, mint)
		}
		pages++
		if next == "" {
			break
		}
		after = next
	}
	if len(want) > 0 {
		t.Errorf("%d tokens are in no page", len(want))
	}
	t.Logf("%d tokens in %d pages", tokens, pages)
}
