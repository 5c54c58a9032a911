package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"tokenlaunch.example/service/pkg/client"
)

// told is a message that a receiver got.
type told struct {
	ID       string
	Type     string `json:"type"`
	Mint     string `json:"mintAddress"`
	Sequence int    `json:"sequence"`
	Data     struct {
		RunID     string `json:"runId"`
		Signature string `json:"signature"`
		Collected string `json:"collected"`
	} `json:"data"`
}

// ear is a webhook of a wallet, with its receiver.
type ear struct {
	client *client.Client
	hook   client.NewWebhook
	got    chan told
}

// webhook makes a receiver, adds it for all tokens of the client's wallet, and waits until it
// has answered its challenge.
func webhook(t *testing.T, c *client.Client) ear {
	t.Helper()
	e := ear{client: c, got: make(chan told, 100)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var asked struct {
			Type string
			Data json.RawMessage
		}
		if err := json.Unmarshal(body, &asked); err != nil {
			t.Error(err)
		}
		if asked.Type == "webhook.challenge" {
			_, _ = w.Write(asked.Data)
			return
		}
		verifier, err := standardwebhooks.NewWebhook(e.hook.Secret)
		if err != nil {
			t.Error(err)
		}
		if err := verifier.Verify(body, r.Header); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		m := told{ID: r.Header.Get("webhook-id")}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Error(err)
		}
		e.got <- m
	}))
	t.Cleanup(server.Close)
	var err error
	if e.hook, err = c.CreateWebhook(t.Context(), client.WebhookCreation{
		URL: server.URL, Events: []client.WebhookEvent{client.EventTokenLaunched, client.EventRunSettled},
	}); err != nil {
		t.Fatal(err)
	}
	for {
		list, err := c.ListWebhooks(t.Context())
		if err != nil || len(list.Webhooks) != 1 {
			t.Fatal(list, err)
		}
		if list.Webhooks[0].Status == "active" {
			return e
		}
		pause(t, time.Second)
	}
}

// pause waits for what another process does; a call to look costs one of the limit's 30.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	}
}

// hears waits for the next message.
func (e ear) hears(t *testing.T, kind string) told {
	t.Helper()
	select {
	case m := <-e.got:
		if m.Type != kind || m.ID == "" {
			t.Errorf("%+v, want %s", m, kind)
		}
		return m
	case <-time.After(2 * time.Minute):
		t.Fatalf("nothing of %s came", kind)
	}
	return told{}
}

// heard checks what a launch and a distribution said, and has the latter replayed.
func (e ear) heard(t *testing.T, mint, signature, run string) {
	t.Helper()
	launched, settled := e.hears(t, "token.launched"), e.hears(t, "run.settled")
	if launched.Mint != mint || launched.Sequence != 1 || launched.Data.Signature != signature {
		t.Errorf("launched: %+v", launched)
	}
	if settled.Mint != mint || settled.Sequence != 2 || settled.Data.RunID != run || settled.Data.Collected == "0" {
		t.Errorf("settled: %+v", settled)
	}
	list, err := e.client.ListDeliveries(t.Context(), e.hook.WebhookID, client.Cursor{})
	if err != nil || len(list.Deliveries) != 3 || list.Deliveries[0].EventID != settled.ID {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := e.client.ReplayDelivery(t.Context(), e.hook.WebhookID, list.Deliveries[0].DeliveryID); err != nil {
		t.Fatal(err)
	}
	if again := e.hears(t, "run.settled"); again != settled {
		t.Errorf("replayed: %+v, want %+v", again, settled)
	}
	if _, err := e.client.TestWebhook(t.Context(), e.hook.WebhookID); err != nil {
		t.Fatal(err)
	}
	e.hears(t, "webhook.test")
	if gone, err := e.client.DeleteWebhook(t.Context(), e.hook.WebhookID); err != nil || !gone.Deleted {
		t.Errorf("%+v, %v", gone, err)
	}
}
