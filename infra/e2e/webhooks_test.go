package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"tokenlaunch.example/service/pkg/client"
)

// told is a message that a receiver received.
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
	hook   client.CreatedWebhook
	got    chan told
}

// webhook starts a receiver, registers it for all tokens of the client's wallet, and waits until it
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
			t.Errorf("signature of webhook %s: %v", body, err)
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
	becomesActive(t, c)
	return e
}

// becomesActive waits until the caller's only webhook has answered its challenge. Each poll counts
// towards the limit of 30 in 15 minutes, which one a second would use up on a slow machine.
func becomesActive(t *testing.T, c *client.Client) {
	t.Helper()
	for {
		list, err := c.ListWebhooks(t.Context())
		if err != nil || len(list.Webhooks) != 1 {
			t.Fatalf("ListWebhooks() = %+v, %v; want one", list, err)
		}
		if list.Webhooks[0].Status == "active" {
			return
		}
		select {
		case <-time.After(3 * time.Second):
		case <-t.Context().Done():
			t.Fatalf("the webhook is not active in time: %v", t.Context().Err())
		}
	}
}

// receive waits for the next message.
func (e ear) receive(t *testing.T, kind string) told {
	t.Helper()
	select {
	case m := <-e.got:
		if m.Type != kind || m.ID == "" {
			t.Errorf("%+v, want %s", m, kind)
		}
		return m
	case <-time.After(2 * time.Minute):
		t.Fatalf("no message of %s arrived", kind)
	}
	return told{}
}

// checkEvents checks the events of a launch and a distribution, and has the latter replayed.
func (e ear) checkEvents(t *testing.T, mint, signature, run string) {
	t.Helper()
	launched, settled := e.receive(t, "token.launched"), e.receive(t, "run.settled")
	if launched.Mint != mint || launched.Sequence != 1 || launched.Data.Signature != signature {
		t.Errorf("launched: %+v", launched)
	}
	if settled.Mint != mint || settled.Sequence != 2 || settled.Data.RunID != run || settled.Data.Collected == "0" {
		t.Errorf("settled: %+v", settled)
	}
	list, err := e.client.ListDeliveries(t.Context(), e.hook.WebhookID, client.Cursor{})
	if err != nil || len(list.Deliveries) != 3 || list.Deliveries[0].EventID != settled.ID {
		t.Fatalf("ListDeliveries() = %+v, %v; want three, event %s first", list, err, settled.ID)
	}
	if _, err := e.client.ReplayDelivery(t.Context(), e.hook.WebhookID, list.Deliveries[0].DeliveryID); err != nil {
		t.Fatal(err)
	}
	if again := e.receive(t, "run.settled"); again != settled {
		t.Errorf("replayed: %+v, want %+v", again, settled)
	}
	if _, err := e.client.TestWebhook(t.Context(), e.hook.WebhookID); err != nil {
		t.Fatal(err)
	}
	e.receive(t, "webhook.test")
	if gone, err := e.client.DeleteWebhook(t.Context(), e.hook.WebhookID); err != nil || !gone.Deleted {
		t.Errorf("DeleteWebhook() = %+v, %v; want deleted", gone, err)
	}
}

// hooked is a webhook that is active, a delivery to it, and a webhook to be deleted.
func hooked(t *testing.T, s *runner.Stack, l *walkthrough.Launch) (hook, delivery, spare string) {
	t.Helper()
	e := webhook(t, l.Client)
	list, err := l.Client.ListDeliveries(t.Context(), e.hook.WebhookID, client.Cursor{})
	if err != nil || len(list.Deliveries) == 0 {
		t.Fatalf("ListDeliveries() = %+v, %v; want at least one", list, err)
	}
	made, err := l.Client.CreateWebhook(t.Context(), client.WebhookCreation{
		URL: "https://hooks.example.com/", Events: []client.WebhookEvent{client.EventRunSettled},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ForgetLimits(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e.hook.WebhookID, list.Deliveries[0].DeliveryID, made.WebhookID
}

func hookBody(t *testing.T, mint string) string {
	t.Helper()
	return encoded(t, map[string]any{"url": "https://hooks.example.com/", "events": []string{"run.settled"}, "mints": []string{mint}})
}

// webhookFailures are the calls about webhooks that are rejected for their content or their caller.
// The creator has two webhooks before them, one of them active.
func webhookFailures(t *testing.T, s *runner.Stack, l *walkthrough.Launch) []provocation {
	t.Helper()
	const unknown = "/webhooks/4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de"
	mint := l.Submitted.MintAddress.String()
	other := signedIn(t, s)
	stranger := map[string]string{"Authorization": "Bearer " + other.Token}
	theirs, err := other.CreateWebhook(t.Context(), client.WebhookCreation{
		URL: "https://hooks.example.com/", Events: []client.WebhookEvent{client.EventRunSettled},
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := other.ListDeliveries(t.Context(), theirs.WebhookID, client.Cursor{})
	if err != nil || len(list.Deliveries) != 1 {
		t.Fatalf("ListDeliveries() = %+v, %v; want one", list, err)
	}
	post := http.MethodPost
	calls := []provocation{
		{"createWebhook", post, "/webhooks", hookBody(t, mint), stranger, http.StatusForbidden},
		{"createWebhook", post, "/webhooks", hookBody(t, l.Wallet.Address()), bearer(l), http.StatusNotFound},
		{"createWebhook", post, "/webhooks", `{"url":"https://127.0.0.1:22/x","events":["run.settled"]}`, stranger, http.StatusOK}, // on a local stack
		{"createWebhook", post, "/webhooks", `{"url":"http://example.com/","events":["run.settled"]}`, stranger, http.StatusBadRequest},
		{"updateWebhook", http.MethodPatch, "/webhooks/" + theirs.WebhookID, `{"url":"http://example.com/"}`, stranger, http.StatusBadRequest},
		{"updateWebhook", http.MethodPatch, "/webhooks/" + theirs.WebhookID, `{"mints":["` + mint + `"]}`, stranger, http.StatusForbidden},
		{"updateWebhook", http.MethodPatch, "/webhooks/" + theirs.WebhookID, `{"events":["run.settled"]}`, bearer(l), http.StatusNotFound},
		{"rotateWebhookSecret", post, "/webhooks/" + theirs.WebhookID + "/secret", "", bearer(l), http.StatusNotFound},
		{"deleteWebhook", http.MethodDelete, "/webhooks/" + theirs.WebhookID, "", bearer(l), http.StatusNotFound},
		{"testWebhook", post, "/webhooks/" + theirs.WebhookID + "/test", "", bearer(l), http.StatusNotFound},
		{"testWebhook", post, unknown + "/test", "", bearer(l), http.StatusNotFound},
		{"listDeliveries", http.MethodGet, unknown + "/deliveries", "", bearer(l), http.StatusNotFound},
		{"listDeliveries", http.MethodGet, "/webhooks/" + theirs.WebhookID + "/deliveries?limit=0", "", stranger, http.StatusBadRequest},
		{"replayDelivery", post, unknown + "/deliveries/nonsense/replay", "", bearer(l), http.StatusNotFound},
		{"replayDelivery", post, "/webhooks/" + theirs.WebhookID + "/deliveries/" + list.Deliveries[0].DeliveryID + "/replay", "", stranger, http.StatusConflict},
	}
	for range 3 {
		calls = append(calls, provocation{"createWebhook", post, "/webhooks", hookBody(t, mint), bearer(l), http.StatusOK})
	}
	return append(calls, provocation{"createWebhook", post, "/webhooks", hookBody(t, mint), bearer(l), http.StatusConflict})
}
