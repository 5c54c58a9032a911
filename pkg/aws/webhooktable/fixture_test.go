package webhooktable_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/webhooktable"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/provider/receiver"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token"
)

var (
	owner = solana.PublicKey{1}
	mint  = solana.PublicKey{2}
)

// fixture is webhooks in a table, with a queue in memory and a clock that the test moves.
type fixture struct {
	t       *testing.T
	service webhook.Service
	courier webhook.Courier

	mu     sync.Mutex
	now    time.Time
	queued []webhook.Ref
	events int
}

// mac is a key that the test may know.
type mac struct{}

func (mac) Sum512(_ context.Context, message []byte) (sum [64]byte, err error) {
	h := hmac.New(sha512.New, []byte("key"))
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

func (w *fixture) Token(_ context.Context, m solana.PublicKey) (token.Record, error) {
	if m != mint {
		return token.Record{}, token.ErrNotFound
	}
	return token.Record{Mint: m, Creator: owner}, nil
}

func (w *fixture) Send(_ context.Context, refs []webhook.Ref) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued = append(w.queued, refs...)
	return nil
}

func (w *fixture) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *fixture) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func newFixture(t *testing.T, terms httpclient.UntrustedHosts) *fixture {
	t.Helper()
	stack := localnet.AWS(t)
	store := webhooktable.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Webhook)}
	w := &fixture{t: t, now: time.Now().UTC().Truncate(time.Millisecond)}
	log := slog.New(slog.DiscardHandler)
	keys := webhook.Keys{MAC: mac{}}
	w.service = webhook.Service{
		Store: store, Tokens: w, Secrets: keys, Queue: w, Loopback: true, Now: w.clock, NewID: uuid.NewString, Log: log,
	}
	w.courier = webhook.Courier{
		Store: store, Secrets: keys, Sender: receiver.Client{HTTP: httpclient.NewForUntrustedHosts(terms)}, Queue: w,
		Now: w.clock, NewID: uuid.NewString, Log: log, Within: 2 * time.Second,
	}
	return w
}

// visit makes the visits that are queued.
func (w *fixture) visit() {
	w.t.Helper()
	w.mu.Lock()
	refs := w.queued
	w.queued = nil
	w.mu.Unlock()
	for _, r := range refs {
		if err := w.courier.Visit(w.t.Context(), r); err != nil {
			w.t.Fatal(err)
		}
	}
}

// after lets time pass, in steps of the sweep.
func (w *fixture) after(d, step time.Duration) {
	w.t.Helper()
	for until := w.clock().Add(d); w.clock().Before(until); {
		w.pass(step)
		if _, err := w.courier.Sweep(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		w.visit()
	}
}

func (w *fixture) create(url string) (id, secret string) {
	w.t.Helper()
	id, secret, err := w.service.Create(w.t.Context(), owner, webhook.Wanted{URL: url, Events: event.Kinds()})
	if err != nil {
		w.t.Fatal(err)
	}
	return id, secret
}

// active is a webhook that has answered its challenge.
func (w *fixture) active(url string) (id, secret string) {
	w.t.Helper()
	id, secret = w.create(url)
	w.visit()
	if have := w.hook(id); have.Status != webhook.Active {
		w.t.Fatalf("webhook = %+v, deliveries %+v; want active", have, w.deliveries(id))
	}
	w.pass(time.Second) // so that what comes is newer than the challenge
	return id, secret
}

func (w *fixture) hook(id string) webhook.Webhook {
	w.t.Helper()
	have, err := w.service.Store.Webhook(w.t.Context(), owner, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return have
}

func (w *fixture) deliveries(id string) []webhook.Delivery {
	w.t.Helper()
	list, _, err := w.service.Deliveries(w.t.Context(), owner, id, "", 100)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// happen is an event of a mint.
func (w *fixture) happen(of solana.PublicKey) event.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events++
	return event.Event{
		Kind: event.PromotionStarted, Key: uuid.NewString(), At: w.now, Token: token.Record{Mint: of, Creator: owner},
		About: event.Promotion{ID: uuid.NewString(), StartsAt: event.Moment(w.now), EndsAt: event.Moment(w.now.Add(time.Hour))},
	}
}

func (w *fixture) tell(of solana.PublicKey) event.Event {
	w.t.Helper()
	e := w.happen(of)
	if err := w.service.Tell(w.t.Context(), e); err != nil {
		w.t.Fatal(err)
	}
	return e
}

// message is a received message.
type message struct {
	ID        string `json:"-"`
	Type      string
	Mint      solana.PublicKey `json:"mintAddress"`
	Sequence  int64
	Timestamp string
	Data      json.RawMessage
}

// server is a receiver that checks signatures with a third-party package, and answers challenges.
// answer responds to all other requests; nil accepts them.
type server struct {
	*httptest.Server

	t      *testing.T
	secret func() string
	answer http.HandlerFunc
	late   bool // the clock of the test is not that of the signatures' check

	mu  sync.Mutex
	got []message
}

func receive(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	return receiveOver(t, nil, answer)
}

// receiveOver is receive, and seen is notified of each connection's states.
func receiveOver(t *testing.T, seen func(net.Conn, http.ConnState), answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{t: t, answer: answer}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ConnState = seen
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *server) messages() []message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]message(nil), s.got...)
}

func (s *server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.t.Error(err)
	}
	m.ID = r.Header.Get("webhook-id")
	if s.secret != nil {
		verifier, err := standardwebhooks.NewWebhook(s.secret())
		if err != nil {
			s.t.Error(err)
		}
		verify := verifier.Verify
		if s.late {
			verify = verifier.VerifyIgnoringTimestamp
		}
		if err := verify(body, r.Header); err != nil {
			s.t.Errorf("signature of %s: %v", m.Type, err)
		}
		if err := verify(append(body, ' '), r.Header); err == nil {
			s.t.Error("another body has the same signature")
		}
	}
	if m.Type == string(webhook.Challenge) {
		_, _ = rw.Write([]byte(strings.Replace(string(m.Data), "{", "{ ", 1)))
		return
	}
	s.mu.Lock()
	s.got = append(s.got, m)
	s.mu.Unlock()
	if s.answer != nil {
		s.answer(rw, r)
	}
}

// roots are those that take the certificate of the servers.
func (s *server) terms() httpclient.UntrustedHosts {
	return httpclient.UntrustedHosts{Loopback: true, Roots: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
}
