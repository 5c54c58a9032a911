package webhooktable_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/figures"
)

// whole reports whether the sequences of a mint begin at 1 and have no gap, and how often
// messages came.
func whole(t *testing.T, got []message, of solana.PublicKey, want int) (came int) {
	t.Helper()
	seen := map[int64]string{}
	for _, m := range got {
		if m.Mint != of {
			continue
		}
		came++
		if id, again := seen[m.Sequence]; again && id != m.ID {
			t.Errorf("two messages have the sequence %d", m.Sequence)
		}
		seen[m.Sequence] = m.ID
	}
	for n := int64(1); n <= int64(want); n++ {
		if seen[n] == "" {
			t.Errorf("the sequence %d of %s did not come", n, of)
		}
	}
	if len(seen) != want {
		t.Errorf("%d messages of %s, want %d", len(seen), of, want)
	}
	return came
}

func TestDeliveryHalfFailingReceiver(t *testing.T) {
	var calls atomic.Int64
	s := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1)%2 == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	w := newFixture(t, s.terms())
	var secret string
	s.secret, s.late = func() string { return secret }, true
	id, given, err := w.service.Create(t.Context(), owner, webhook.Wanted{URL: s.URL, Events: event.Kinds()})
	if err != nil {
		t.Fatal(err)
	}
	secret = given
	w.visit()
	mints := []solana.PublicKey{mint, {3}, {4}}
	const each = 10
	for range each {
		for _, of := range mints {
			w.tell(of)
		}
		w.visit()
	}
	w.after(4*time.Hour, 5*time.Minute)
	came := 0
	for _, of := range mints {
		came += whole(t, s.messages(), of, each)
	}
	for _, d := range w.deliveries(id) {
		if d.Status != webhook.Delivered {
			t.Errorf("delivery = %+v, want delivered", d)
		}
	}
	figures.Show(t, "webhooks: %d messages to a receiver that fails half of the time: %d attempts, %d delivered", each*len(mints), came, each*len(mints))
}

// Also the timestamp is one that a package of others takes.
func TestSignatureStandardWebhooks(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	_, secret := w.active(s.URL)
	s.secret = func() string { return secret }
	w.tell(mint)
	w.visit()
	if got := s.messages(); len(got) != 1 || got[0].Type != "promotion.started" || got[0].Sequence != 1 || got[0].Mint != mint {
		t.Errorf("messages = %+v, want one promotion.started of %s", got, mint)
	}
}

func TestDayOfOutageLosesNothing(t *testing.T) {
	var down atomic.Bool
	s := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	down.Store(true)
	const hours = 24
	for range hours {
		w.tell(mint)
		w.visit()
		w.after(time.Hour, 10*time.Minute)
	}
	down.Store(false)
	for _, d := range w.deliveries(id) {
		if d.Status == webhook.Failed {
			t.Errorf("given up within the day: %+v", d)
		}
	}
	before := len(s.messages())
	w.after(12*time.Hour, 15*time.Minute)
	got := s.messages()
	whole(t, got[before:], mint, hours)
	for _, d := range w.deliveries(id) {
		if d.Status != webhook.Delivered {
			t.Errorf("delivery = %+v, want delivered", d)
		}
	}
	figures.Show(t, "webhooks: an outage of 24 hours: %d messages, %d attempts in it, all delivered after it", hours, before)
}

// A failed delivery can be replayed, with the same ID and number.
func TestReplay(t *testing.T) {
	var down atomic.Bool
	s := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	down.Store(true)
	w.tell(mint)
	w.visit()
	w.after(30*time.Hour, 30*time.Minute)
	d := w.deliveries(id)[0]
	if d.Status != webhook.Failed || d.Attempts != 12 || d.LastCode != http.StatusBadGateway || !d.NextAt.IsZero() {
		t.Fatalf("delivery = %+v, want failed after 12 attempts with 502", d)
	}
	down.Store(false)
	if err := w.service.Replay(t.Context(), owner, id, d.ID); err != nil {
		t.Fatal(err)
	}
	w.after(2*time.Minute, time.Minute) // it is among the sick
	after := w.deliveries(id)[0]
	got := s.messages()
	last := got[len(got)-1]
	if after.Status != webhook.Delivered || last.ID != d.EventID || last.Sequence != 1 {
		t.Errorf("replayed delivery = %+v, message %+v; want delivered with the first ID and sequence", after, last)
	}
	if err := w.service.Replay(t.Context(), solana.PublicKey{9}, id, d.ID); apperrCode(err) != "webhook_not_found" {
		t.Errorf("another's: %v", err)
	}
	if err := w.service.Replay(t.Context(), owner, id, id); apperrCode(err) != "delivery_not_found" {
		t.Errorf("no such delivery: %v", err)
	}
}

func apperrCode(err error) string {
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return e.Code.String()
	}
	return ""
}

// Repeating an event delivers it once, and numbers have no gap, however many callers announce
// concurrently.
func TestRepeatedEventsDeliverOnce(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	w.active(s.URL)
	const many = 12
	var all sync.WaitGroup
	for range many {
		e := w.happen(mint)
		for range 2 {
			all.Go(func() {
				if err := w.service.Tell(t.Context(), e); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	w.visit()
	w.after(10*time.Minute, time.Minute)
	if came := whole(t, s.messages(), mint, many); came != many {
		t.Errorf("%d messages arrived", came)
	}
}

// A queue that loses everything delays a message, and loses none.
func TestSweepFindsLostMessages(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	w.active(s.URL)
	w.tell(mint)
	w.queued = nil
	w.after(5*time.Minute, time.Minute)
	whole(t, s.messages(), mint, 1)
}

// A visit that dies holds its webhook for the time of its lease.
func TestVisitCrash(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	w.tell(mint)
	if _, err := w.courier.Store.Begin(t.Context(), webhook.Ref{Owner: owner, ID: id}, "dead", w.clock()); err != nil {
		t.Fatal(err)
	}
	w.visit()
	if got := s.messages(); len(got) != 0 {
		t.Fatalf("visited by two: %v", got)
	}
	w.after(webhook.Lease+time.Minute, 30*time.Second)
	whole(t, s.messages(), mint, 1)
}

func TestUnverifiedWebhookGetsNothing(t *testing.T) {
	answers := "no"
	var asked atomic.Int32
	s := receive(t, nil)
	s.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if answers == "yes" {
			s.ServeHTTP(rw, r)
			return
		}
		asked.Add(1)
	})
	w := newFixture(t, s.terms())
	id, _ := w.create(s.URL)
	w.visit()
	w.tell(mint)
	w.after(4*time.Minute, time.Minute)
	if have := w.hook(id); have.Status != webhook.Pending || asked.Load() < 2 {
		t.Errorf("%+v, %d requests", have, asked.Load())
	}
	list := w.deliveries(id)
	if len(list) != 1 || list[0].Kind != webhook.Challenge || list[0].LastError != "The answer does not have the challenge." {
		t.Errorf("deliveries = %+v, want one failed challenge", list)
	}
	answers = "yes"
	if _, err := w.service.Try(t.Context(), owner, id); err != nil {
		t.Fatal(err)
	}
	w.after(2*time.Minute, time.Minute) // it is among the sick
	if have := w.hook(id); have.Status != webhook.Active {
		t.Errorf("webhook = %+v, want active", have)
	}
	w.tell(mint)
	w.visit()
	whole(t, s.messages(), mint, 1)
}

// A receiver that answers 410 gets nothing more until a challenge succeeds.
func TestGone(t *testing.T) {
	var gone atomic.Bool
	s := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		if gone.Load() {
			w.WriteHeader(http.StatusGone)
		}
	})
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	gone.Store(true)
	w.tell(mint)
	w.visit()
	if have := w.hook(id); have.Status != webhook.Disabled {
		t.Fatalf("webhook = %+v, want disabled", have)
	}
	w.tell(mint) // not for it
	w.after(time.Hour, 10*time.Minute)
	if n := len(s.messages()); n != 1 {
		t.Errorf("%d messages", n)
	}
	gone.Store(false)
	if _, err := w.service.Try(t.Context(), owner, id); err != nil {
		t.Fatal(err)
	}
	w.visit()
	w.after(time.Hour, 10*time.Minute)
	whole(t, s.messages()[1:], mint, 1)
}

// A receiver that accepts nothing for five days is disabled by the next failed message.
func TestDeliveryDeadReceiver(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	s.Close()
	w.pass(4 * 24 * time.Hour)
	w.tell(mint)
	w.visit()
	w.after(30*time.Hour, 30*time.Minute)
	if have, d := w.hook(id), w.deliveries(id)[0]; have.Status != webhook.Disabled || d.Status != webhook.Failed {
		t.Errorf("webhook = %+v, delivery %+v; want disabled and failed", have, d)
	}
}

func TestFiveWebhooksAWallet(t *testing.T) {
	w := newFixture(t, receive(t, nil).terms())
	var all sync.WaitGroup
	var made, refused atomic.Int32
	var first atomic.Pointer[string]
	for range 8 {
		all.Go(func() {
			id, _, err := w.service.Create(t.Context(), owner, webhook.Wanted{URL: "https://hooks.example.com/", Events: event.Kinds()})
			switch {
			case err == nil:
				made.Add(1)
				first.Store(&id)
			case apperrCode(err) == "webhook_limit_reached":
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() > webhook.Most || made.Load() == 0 {
		t.Errorf("%d created, %d rejected", made.Load(), refused.Load())
	}
	for n := made.Load(); n < webhook.Most; n++ {
		w.create("https://hooks.example.com/")
	}
	if _, _, err := w.service.Create(t.Context(), owner, webhook.Wanted{URL: "https://hooks.example.com/", Events: event.Kinds()}); apperrCode(err) != "webhook_limit_reached" {
		t.Errorf("a sixth: %v", err)
	}
	if err := w.service.Delete(t.Context(), solana.PublicKey{9}, *first.Load()); apperrCode(err) != "webhook_not_found" {
		t.Errorf("another's: %v", err)
	}
	for range 2 {
		err := w.service.Delete(t.Context(), owner, *first.Load())
		if code := apperrCode(err); err != nil && code != "webhook_not_found" {
			t.Error(err)
		}
	}
	w.create("https://hooks.example.com/")
	if list, err := w.service.List(t.Context(), owner); err != nil || len(list) != webhook.Most {
		t.Errorf("List() = %d webhooks, %v; want %d", len(list), err, webhook.Most)
	}
}

func TestOthersTokens(t *testing.T) {
	w := newFixture(t, receive(t, nil).terms())
	for code, wanted := range map[string]struct {
		caller, mint solana.PublicKey
	}{
		"token_not_found":   {owner, solana.PublicKey{7}},
		"not_token_creator": {solana.PublicKey{9}, mint},
	} {
		_, _, err := w.service.Create(t.Context(), wanted.caller, webhook.Wanted{URL: "https://hooks.example.com/", Events: event.Kinds(), Mints: []solana.PublicKey{wanted.mint}})
		if apperrCode(err) != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// A webhook only gets the events that it names.
func TestSubscriptionFilters(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	_, _, err := w.service.Create(t.Context(), owner, webhook.Wanted{
		URL: s.URL, Events: []event.Kind{event.PromotionStarted}, Mints: []solana.PublicKey{mint},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.visit()
	w.tell(solana.PublicKey{3})
	e := w.happen(mint)
	e.Kind, e.About = event.CurveCompleted, event.Curve{}
	if err := w.service.Tell(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	other := w.happen(mint)
	other.Token.Creator = solana.PublicKey{9}
	if err := w.service.Tell(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	w.tell(mint)
	w.visit()
	got := s.messages()
	if len(got) != 1 || got[0].Mint != mint || got[0].Sequence != 1 || got[0].Type != string(event.PromotionStarted) {
		t.Errorf("messages = %+v, want one promotion.started of %s", got, mint)
	}
}

func TestPagesOfDeliveries(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	for range 5 {
		w.pass(time.Second)
		w.tell(mint)
	}
	var sequences []int64
	for after := ""; ; {
		page, next, err := w.service.Deliveries(t.Context(), owner, id, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range page {
			sequences = append(sequences, d.Sequence)
		}
		if after = next; next == "" {
			break
		}
	}
	if !slices.Equal(sequences, []int64{5, 4, 3, 2, 1, 0}) { // and the challenge
		t.Errorf("sequences = %v, want 5 to 0", sequences)
	}
	for _, d := range w.deliveries(id) {
		if strings.Contains(string(d.Data), "whsec") {
			t.Errorf("delivery's data = %s, want no secret", d.Data)
		}
	}
}
