package webhooktable_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

// signed has the last message to a receiver, and how often one came.
type signed struct {
	mu     sync.Mutex
	header http.Header
	body   []byte
	came   int
	code   int // of the answer to the next one, 200 if zero
}

// signers returns the secrets among some that accept the last message, and its signatures.
func (s *signed) signers(t *testing.T, secrets ...string) (by []string, signatures int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range secrets {
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if verifier.VerifyIgnoringTimestamp(s.body, s.header) == nil {
			by = append(by, secret)
		}
	}
	return by, len(strings.Fields(s.header.Get(standardwebhooks.HeaderWebhookSignature)))
}

// receive is a receiver that keeps the last message.
func (s *signed) receive(t *testing.T) *server {
	t.Helper()
	r := receive(t, nil)
	keeps := r.Config.Handler
	r.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.header, s.body = req.Header.Clone(), body
		s.came++
		code := s.code
		s.mu.Unlock()
		if code != 0 {
			rw.WriteHeader(code)
			return
		}
		req.Body = io.NopCloser(strings.NewReader(string(body)))
		keeps.ServeHTTP(rw, req)
	})
	return r
}

func (w *fixture) rotate(id string) (secret string, until time.Time) {
	w.t.Helper()
	secret, until, err := w.service.Rotate(w.t.Context(), owner, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return secret, until
}

// For a day after a rotation both secrets sign, also what is sent again, and the numbers go on.
func TestRotationOfSecrets(t *testing.T) {
	last := &signed{}
	s := last.receive(t)
	w := newFixture(t, s.terms())
	id, first := w.active(s.URL)
	w.tell(mint)
	w.visit()
	if by, n := last.signers(t, first); len(by) != 1 || n != 1 {
		t.Fatalf("before the rotation %d of %d signatures are of the secret", len(by), n)
	}
	last.code = http.StatusServiceUnavailable
	w.tell(mint)
	w.visit()
	second, until := w.rotate(id)
	if second == first || !until.Equal(w.clock().Add(webhook.SecretOverlap)) {
		t.Errorf("the secret is another: %v, until %s", second != first, until)
	}
	last.code = 0
	w.after(2*time.Minute, time.Minute)
	if by, n := last.signers(t, first, second); len(by) != 2 || n != 2 {
		t.Errorf("sent again it has %d signatures, of %d of both secrets", n, len(by))
	}
	third, _ := w.rotate(id)
	w.pass(until.Sub(w.clock()))
	for _, c := range []struct {
		pass time.Duration
		want []string
	}{
		{0, []string{second, third}},
		{webhook.SecretOverlap, []string{third}},
	} {
		w.pass(c.pass)
		w.tell(mint)
		w.visit()
		if by, n := last.signers(t, first, second, third); !slices.Equal(by, c.want) || n != len(c.want) {
			t.Errorf("%d signatures, of %d secrets; want %d", n, len(by), len(c.want))
		}
	}
	whole(t, s.messages(), mint, 4)
}

// Two concurrent rotations have different secrets, and no response has a secret that does not sign.
func TestRotationsAtOnce(t *testing.T) {
	last := &signed{}
	s := last.receive(t)
	w := newFixture(t, s.terms())
	id, first := w.active(s.URL)
	secrets := make([]string, 3)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			var err error
			if secrets[i], _, err = w.service.Rotate(t.Context(), owner, id); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.tell(mint)
	w.visit()
	secrets = append(secrets, first)
	slices.Sort(secrets)
	if by, n := last.signers(t, secrets...); len(by) != 4 || n != 4 || len(slices.Compact(secrets)) != 4 {
		t.Errorf("%d signatures, of %d of 4 secrets", n, len(by))
	}
	if _, _, err := w.service.Rotate(t.Context(), mint, id); apperrCode(err) != "webhook_not_found" {
		t.Errorf("of another owner: %v", err)
	}
}

func (w *fixture) update(id string, update webhook.Update) webhook.Webhook {
	w.t.Helper()
	changed, err := w.service.Update(w.t.Context(), owner, id, update)
	if err != nil {
		w.t.Fatal(err)
	}
	if have := w.hook(id); have.URL != changed.URL || have.Status != changed.Status || len(have.Events) != len(changed.Events) || len(have.Mints) != len(changed.Mints) {
		w.t.Errorf("stored is %+v, returned %+v", have, changed)
	}
	return changed
}

// Events and tokens change together, and nothing else changes.
func TestUpdateOfEventsAndMints(t *testing.T) {
	s := receive(t, nil)
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	changed := w.update(id, webhook.Update{Events: []event.Kind{event.RunSettled}, Mints: &[]solana.PublicKey{mint}})
	if changed.Status != webhook.Active || len(changed.Events) != 1 || len(changed.Mints) != 1 {
		t.Errorf("update of events and mints = %+v, want active with one of each", changed)
	}
	w.tell(mint) // a promotion, which it does not want any more
	w.visit()
	if changed = w.update(id, webhook.Update{Events: event.Kinds(), Mints: &[]solana.PublicKey{}}); len(changed.Mints) != 0 {
		t.Errorf("update to all mints = %+v, want no mints", changed)
	}
	w.tell(mint)
	w.visit()
	whole(t, s.messages(), mint, 1)
	for want, u := range map[string]webhook.Update{
		"url_not_allowed": {URL: new("ftp://a.example.com/")}, "token_not_found": {Mints: &[]solana.PublicKey{{9}}},
	} {
		if _, err := w.service.Update(t.Context(), owner, id, u); apperrCode(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := w.service.Update(t.Context(), mint, id, webhook.Update{Events: event.Kinds()}); apperrCode(err) != "webhook_not_found" {
		t.Errorf("of another owner: %v", err)
	}
}

// A new URL must first answer its challenge. Waiting deliveries go there, with the next numbers.
func TestUpdateOfTheURL(t *testing.T) {
	last := &signed{}
	old, next := last.receive(t), receive(t, nil)
	w := newFixture(t, old.terms())
	id, _ := w.active(old.URL)
	last.code = http.StatusServiceUnavailable
	w.tell(mint)
	w.visit()
	came := last.came
	if changed := w.update(id, webhook.Update{URL: &next.URL}); changed.Status != webhook.Pending || changed.URL != next.URL {
		t.Errorf("update of the URL = %+v, want pending at %s", changed, next.URL)
	}
	w.after(2*time.Minute, time.Minute)
	if have := w.hook(id); have.Status != webhook.Active || have.Failures != 0 {
		t.Errorf("webhook = %+v, deliveries %+v; want active without failures", have, w.deliveries(id))
	}
	w.tell(mint)
	w.visit()
	whole(t, next.messages(), mint, 2)
	if last.came != came {
		t.Errorf("the earlier URL was sent %d messages more", last.came-came)
	}
	if changed := w.update(id, webhook.Update{URL: &next.URL}); changed.Status != webhook.Active {
		t.Errorf("the same URL: %+v", changed)
	}
}

// A visit to the earlier URL that is under way neither delivers the challenge of the new URL nor
// activates the webhook by the earlier URL's response.
func TestUpdateWhileTheEarlierURLAnswers(t *testing.T) {
	next := receive(t, nil)
	old := receive(t, nil)
	answers := old.Config.Handler
	var w *fixture
	var id string
	var once sync.Once
	var asked int
	old.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked++
		once.Do(func() { w.update(id, webhook.Update{URL: &next.URL}) })
		answers.ServeHTTP(rw, r)
	})
	w = newFixture(t, old.terms())
	id, _ = w.create(old.URL)
	queued := w.queued
	w.visit()
	if have := w.hook(id); have.Status != webhook.Pending || have.URL != next.URL || asked != 1 || len(queued) != 1 {
		t.Errorf("after the response of the earlier URL: %+v, %d requests", have, asked)
	}
	w.visit()
	if have := w.hook(id); have.Status != webhook.Active || asked != 1 {
		t.Errorf("after the response of the new URL: %+v, %d requests to the earlier; %+v", have, asked, w.deliveries(id))
	}
}
