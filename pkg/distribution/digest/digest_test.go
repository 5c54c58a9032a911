package digest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/digest"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// linkedAt is a Tuesday, so the first digest has no new week.
var linkedAt = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

var mint = solana.PublicKey{3, 3, 3}

// world is a service over the real store of links. It counts the reads of digests, and fails if err is
// set.
type world struct {
	digest.Digests

	store   consents.Store
	now     time.Time
	log     bytes.Buffer
	mu      sync.Mutex
	queued  []notice.Notice
	paid    []holder.Paid
	owed    uint64
	changes []terms.Change
	tokens  []token.Record
	err     map[solana.PublicKey]error

	pages, checks, histories int
	crash                    bool
}

// crashing is the store of a process that dies before it stores the end of a digest.
type crashing struct {
	digest.Store

	w *world
}

var errDied = errors.New("the process died")

func (c crashing) Told(ctx context.Context, wallet solana.PublicKey, link consent.Link, to time.Time) error {
	if c.w.crash {
		return errDied
	}
	return c.Store.Told(ctx, wallet, link, to)
}

func (c crashing) Postpone(ctx context.Context, wallet solana.PublicKey, link consent.Link, at time.Time) error {
	if c.w.crash {
		return errDied
	}
	return c.Store.Postpone(ctx, wallet, link, at)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	stack := localnet.AWS(t)
	w := &world{now: linkedAt, err: map[solana.PublicKey]error{}}
	w.store = consents.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	clock := func() time.Time { return w.now }
	w.tokens = []token.Record{{Mint: mint, Symbol: "CRANE</b>", Decimals: 6}}
	w.Digests = digest.Digests{
		Store: crashing{w.store, w}, Links: consent.Service{Store: w.store, Now: clock}, Payments: w, Claims: w, Changes: w, Queue: w,
		PublicURL: "https://launch.example", Now: clock, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
	return w
}

func (w *world) Page(_ context.Context, ask holder.PaymentsAsk) (holder.PaidPage, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages++
	page := holder.PaidPage{Tokens: w.tokens, Complete: true}
	for _, paid := range w.paid {
		if !paid.Run.Slot.Before(ask.Since) {
			page.Payments = append(page.Payments, paid)
		}
	}
	return page, w.err[ask.Wallet]
}

func (w *world) Check(_ context.Context, _ solana.PublicKey, mints []solana.PublicKey) (list []holder.Claimed, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checks++
	for _, one := range mints {
		claimed := holder.Claimed{Mint: one, Rows: []allocation.Row{{Asset: terms.SOL, Carried: w.owed}}}
		if w.owed == 0 {
			claimed.Problem = apperr.New(apperr.CodeNothingToClaim, "Nothing is owed.")
		}
		list = append(list, claimed)
	}
	return list, nil
}

func (w *world) Changes(context.Context, solana.PublicKey, string, int) ([]terms.Change, string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.histories++
	return w.changes, "", nil
}

func (w *world) Send(_ context.Context, n notice.Notice) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued = append(w.queued, n)
	return nil
}

func wallet(n int) solana.PublicKey { return solana.PublicKey{9, byte(n >> 8), byte(n)} }

func chat(n int) int64 { return int64(1_000 + n) }

// link links a wallet to a private chat at the present time.
func (w *world) link(t *testing.T, n int) {
	t.Helper()
	code := consent.HashOf(fmt.Sprint(n))
	must.Do(t, w.store.Issue(t.Context(), wallet(n), consent.Pending{Hash: code, ExpiresAt: w.now.Add(consent.CodeLifetime)}))
	must.Do(t, w.store.Use(t.Context(), wallet(n), code, &consent.Link{Chat: chat(n), At: w.now}))
}

// pay adds payments of hourly runs since the last.
func (w *world) pay(slot time.Time, amount uint64) {
	w.paid = append(w.paid, holder.Paid{
		Token: w.tokens[0], Run: run.Run{Mint: mint, Slot: slot, End: &run.End{At: slot.Add(time.Minute)}},
		Row: format.Found{Row: allocation.Row{Asset: terms.SOL, Paid: amount, Received: amount}}, Decimals: 9,
	})
}

// work does the work of a time, and returns what was queued.
func (w *world) work(t *testing.T, at time.Time) []notice.Notice {
	t.Helper()
	w.now, w.queued = at, nil
	must.Do(t, w.Work(t.Context()))
	return w.queued
}

const day = 24 * time.Hour

// TestDigestIsDaily pays a wallet hourly for three days. It gets one message a day, each payment is in one
// message, and a day without payments has no message.
func TestDigestIsDaily(t *testing.T) {
	w := newWorld(t)
	w.link(t, 1)
	for hour := range 48 {
		w.pay(linkedAt.Add(time.Duration(hour)*time.Hour), 1_000_000)
	}
	var texts []string
	for minute := range 3 * 24 * 6 {
		for _, n := range w.work(t, linkedAt.Add(time.Duration(minute)*10*time.Minute)) {
			if n.Wallet != wallet(1) || !n.Mint.IsZero() || n.Group != "" || n.Kind != notice.WalletDigest || strings.Contains(n.ID, wallet(1).String()) {
				t.Errorf("queued %+v", n)
			}
			texts = append(texts, n.Text)
		}
	}
	if len(texts) != 2 {
		t.Fatalf("%d messages in three days, want 2: %q", len(texts), texts)
	}
	for _, text := range texts {
		if !strings.Contains(text, "<code>CRANE&lt;/b&gt;</code>: 0.024 SOL in 24 payments") || !strings.Contains(text, "/unlink") {
			t.Errorf("a digest: %s", text)
		}
	}
}

// TestDigestReadsAreBounded counts the reads for linked wallets. Wallets that are not linked, runs and
// changes of settings cost none.
func TestDigestReadsAreBounded(t *testing.T) {
	w := newWorld(t)
	const linked = 20
	for n := range linked {
		w.link(t, n)
	}
	for hour := range 24 {
		w.pay(linkedAt.Add(time.Duration(hour)*time.Hour), 5)
	}
	w.tokens[0].SettingsVersion = 2
	sent := 0
	for hour := range 30 {
		sent += len(w.work(t, linkedAt.Add(time.Duration(hour)*time.Hour)))
	}
	figures.Show(t, "a day of %d linked wallets that are paid 24 times: %d messages, %d pages of payments, %d histories, %d checks of claims",
		linked, sent, w.pages, w.histories, w.checks)
	if sent != linked || w.pages != linked || w.histories != linked || w.checks != linked {
		t.Errorf("%d messages, %d pages, %d histories, %d checks; want %d of each", sent, w.pages, w.histories, w.checks, linked)
	}
}

// TestDigestAfterCrash queues a digest, and dies before its end is stored. The repetition has the same ID,
// which package notice drops, and the next digest has the payments after.
func TestDigestAfterCrash(t *testing.T) {
	w := newWorld(t)
	w.link(t, 1)
	w.pay(linkedAt.Add(time.Hour), 5)
	w.pay(linkedAt.Add(day+time.Minute), 7)
	w.crash = true
	first := w.work(t, digest.Due(linkedAt))
	w.crash = false
	second := w.work(t, digest.Due(linkedAt).Add(time.Minute))
	if len(first) != 1 || len(second) != 1 || first[0].ID != second[0].ID || first[0].Text != second[0].Text {
		t.Fatalf("queued %v, then %v", first, second)
	}
	if again := w.work(t, digest.Due(linkedAt).Add(2*time.Minute)); len(again) != 0 {
		t.Errorf("queued once more: %v", again)
	}
	next := w.work(t, digest.Due(linkedAt.Add(day)))
	if len(next) != 1 || !strings.Contains(next[0].Text, "0.000000007 SOL\n") || next[0].ID == first[0].ID {
		t.Errorf("the next digest: %v", next)
	}
	if strings.Contains(w.log.String(), wallet(1).String()) {
		t.Errorf("the log names the wallet: %s", &w.log)
	}
}

// TestDigestFailureDelaysNoOther has one wallet whose payments cannot be read. The others get their
// digests, and the wallet gets the digest an hour later.
func TestDigestFailureDelaysNoOther(t *testing.T) {
	w := newWorld(t)
	for n := range 3 {
		w.link(t, n)
	}
	w.pay(linkedAt.Add(time.Hour), 5)
	w.err[wallet(1)] = fmt.Errorf("read the payments of %s: away", wallet(1))
	due := digest.Due(linkedAt)
	if got := w.work(t, due); len(got) != 2 {
		t.Errorf("%d digests, want 2", len(got))
	}
	if text := w.log.String(); !strings.Contains(text, "away") || strings.Contains(text, wallet(1).String()) {
		t.Errorf("the log: %s", text)
	}
	pages := w.pages
	w.err = nil
	if got := w.work(t, due.Add(59*time.Minute)); len(got) != 0 || w.pages != pages {
		t.Errorf("%d digests before the pause is over", len(got))
	}
	if got := w.work(t, due.Add(time.Hour)); len(got) != 1 || got[0].Wallet != wallet(1) {
		t.Errorf("after the pause: %v", got)
	}
}

// TestDigestAfterUnlink: an unlinked wallet gets nothing, and is forgotten; a new link begins again.
func TestDigestAfterUnlink(t *testing.T) {
	w := newWorld(t)
	w.link(t, 1)
	w.pay(linkedAt.Add(time.Hour), 5)
	must.Do(t, w.store.Unlink(t.Context(), chat(1), linkedAt.Add(2*time.Hour)))
	if got := w.work(t, digest.Due(linkedAt)); len(got) != 0 || w.pages != 0 {
		t.Errorf("queued %v after %d pages", got, w.pages)
	}
	link, _, err := w.store.Find(t.Context(), wallet(1))
	if err != nil || link.Chat != 0 {
		t.Errorf("Find() = %+v, %v; want no link", link, err)
	}
	w.link(t, 1)
	w.pay(w.now.Add(time.Hour), 7)
	if got := w.work(t, digest.Due(w.now)); len(got) != 1 || !strings.Contains(got[0].Text, "0.000000007 SOL\n") {
		t.Errorf("after a new link: %v", got)
	}
}

// TestDigestAfterWalletUnlinks: a wallet ends its link and its pending code. Another wallet of the chat keeps
// its link, and a digest that was read before stores nothing.
func TestDigestAfterWalletUnlinks(t *testing.T) {
	w := newWorld(t)
	service := consent.Service{Store: w.store, Now: func() time.Time { return w.now }}
	w.link(t, 1)
	w.link(t, 2)
	both := chat(1)
	code := consent.HashOf("both")
	must.Do(t, w.store.Issue(t.Context(), wallet(2), consent.Pending{Hash: code, ExpiresAt: w.now.Add(consent.CodeLifetime)}))
	must.Do(t, w.store.Use(t.Context(), wallet(2), code, &consent.Link{Chat: both, At: w.now}))
	before, _, err := w.store.Find(t.Context(), wallet(1))
	must.Do(t, err)
	pending, err := service.Issue(t.Context(), wallet(1), "")
	must.Do(t, err)
	for range 2 {
		must.Do(t, service.Unlink(t.Context(), wallet(1)))
	}
	must.Do(t, service.Unlink(t.Context(), wallet(3)))
	must.Do(t, w.store.Told(t.Context(), wallet(1), before, w.now.Add(day)))
	if err := w.store.Use(t.Context(), wallet(1), consent.HashOf(pending.Text), &consent.Link{Chat: both, At: w.now}); !errors.Is(err, consent.ErrNotPending) {
		t.Errorf("Use() of a code from before = %v, want ErrNotPending", err)
	}
	w.pay(linkedAt.Add(time.Hour), 5)
	if got := w.work(t, digest.Due(linkedAt)); len(got) != 1 || got[0].Wallet != wallet(2) || w.pages != 1 {
		t.Errorf("queued %v after %d pages, want one digest of the other wallet", got, w.pages)
	}
	for n, want := range map[int]int64{1: 0, 2: both, 3: 0} {
		if got, err := service.Chat(t.Context(), wallet(n), ""); got != want || want == 0 && !errors.Is(err, notice.ErrNotLinked) {
			t.Errorf("Chat() of wallet %d = %d, %v; want %d", n, got, err, want)
		}
	}
}

// TestDigestOfChangesAndClaims: what a creator lowered or paused is in the digest, and what was raised or
// is older is not. What can be claimed is there with payments, and else once a week.
func TestDigestOfChangesAndClaims(t *testing.T) {
	w := newWorld(t)
	w.link(t, 1)
	w.owed = 2_000_000
	if got := w.work(t, digest.Due(linkedAt)); len(got) != 0 || w.checks != 0 {
		t.Errorf("a day without news: %v, %d checks", got, w.checks)
	}
	w.tokens[0].SettingsVersion = 4
	change := func(at time.Duration, before, after int, enabled bool) terms.Change {
		c := terms.Change{Before: &terms.Settings{DeveloperFeeBps: before, Enabled: true}}
		c.OrderedAt, c.Settings = linkedAt.Add(at), terms.Settings{DeveloperFeeBps: after, Enabled: enabled}
		return c
	}
	w.changes = []terms.Change{
		change(day+3*time.Hour, 1_000, 10_000, true), change(day+2*time.Hour, 2_000, 1_000, true),
		change(day+time.Hour, 2_000, 2_000, false), change(time.Hour, 0, 9_000, true),
		{},
	}
	got := w.work(t, digest.Due(linkedAt.Add(day)))
	want := "<b>A creator took something back</b>\n" +
		"<code>CRANE&lt;/b&gt;</code>: holders get 0% in place of 90%.<a href=\"https://launch.example/t/" + mint.String() + "#changes\"> Changes</a>\n" +
		"<code>CRANE&lt;/b&gt;</code>: payouts are paused.<a href"
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, want) || strings.Contains(got[0].Text, "claim") {
		t.Fatalf("a digest of changes: %v\nwant %s", got, want)
	}
	w.changes = nil
	weekly := 0
	for n := range 14 {
		for _, one := range w.work(t, digest.Due(linkedAt.Add(time.Duration(n+2)*day))) {
			weekly++
			if !strings.Contains(one.Text, "<b>You can claim</b>\n<code>CRANE&lt;/b&gt;</code>: 0.002 SOL\n") {
				t.Errorf("a weekly digest: %s", one.Text)
			}
		}
	}
	if weekly != 2 {
		t.Errorf("%d messages about claims in two weeks, want 2", weekly)
	}
}
