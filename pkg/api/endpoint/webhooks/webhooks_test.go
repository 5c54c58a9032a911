package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/webhooks"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

const id = "0b9a3f5e-8c0e-4a63-8a53-2f5d7f0c9e21"

var caller = solana.PublicKey{7}

// service records its requests and returns fixed responses.
type service struct {
	wanted webhook.Wanted
	asked  []string
	update webhook.Update
}

func (s *service) Create(_ context.Context, owner solana.PublicKey, wanted webhook.Wanted) (string, string, error) {
	s.wanted = wanted
	s.asked = append(s.asked, owner.String())
	return id, "whsec_secret", nil
}

func (s *service) List(context.Context, solana.PublicKey) ([]webhook.Webhook, error) {
	return []webhook.Webhook{{ID: id, URL: "https://hooks.example.com/", Events: event.Kinds()[:1], Status: webhook.Active, CreatedAt: time.UnixMilli(0)}}, nil
}

func (s *service) Update(_ context.Context, _ solana.PublicKey, id string, update webhook.Update) (webhook.Webhook, error) {
	s.asked, s.update = append(s.asked, id), update
	return webhook.Webhook{ID: id, URL: "https://hooks.example.com/", Events: event.Kinds()[:1], Status: webhook.Pending, CreatedAt: time.UnixMilli(0)}, nil
}

func (s *service) Rotate(_ context.Context, _ solana.PublicKey, id string) (string, time.Time, error) {
	s.asked = append(s.asked, id)
	return "whsec_next", time.UnixMilli(3), nil
}

func (s *service) Delete(_ context.Context, _ solana.PublicKey, id string) error {
	s.asked = append(s.asked, id)
	return nil
}

func (s *service) Try(_ context.Context, _ solana.PublicKey, id string) (string, error) {
	s.asked = append(s.asked, id)
	return id, nil
}

func (s *service) Deliveries(_ context.Context, _ solana.PublicKey, _, _ string, _ int) ([]webhook.Delivery, string, error) {
	return []webhook.Delivery{
		{ID: id, EventID: id, Kind: webhook.Test, At: time.UnixMilli(0), Status: webhook.Waiting, NextAt: time.UnixMilli(1)},
		{ID: id, EventID: id, Kind: event.RunSettled, Mint: caller, Sequence: 3, At: time.UnixMilli(0), Status: webhook.Delivered, Attempts: 2, DeliveredAt: time.UnixMilli(2), LastCode: 200},
	}, id, nil
}

func (s *service) Replay(_ context.Context, _ solana.PublicKey, _, delivery string) error {
	s.asked = append(s.asked, delivery)
	return nil
}

func call(t testing.TB, s *service, operation, method, body string, values ...string) (int, string, error) {
	t.Helper()
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: caller.String()}), method, "/", strings.NewReader(body))
	for i := 0; i+1 < len(values); i += 2 {
		r.SetPathValue(values[i], values[i+1])
	}
	w := httptest.NewRecorder()
	err := webhooks.Endpoint{Webhooks: s}.Handlers()[operation](w, r)
	return w.Code, strings.TrimSpace(w.Body.String()), err
}

func TestCreateReportsAllFaults(t *testing.T) {
	mint := solana.PublicKey{3}.String()
	for body, fields := range map[string]string{
		`{"url":"https://a.example.com/","events":["run.settled"]}`:                                       "",
		`{"url":"https://a.example.com/","events":["run.settled"],"mints":null}`:                          "",
		`{"url":"https://a.example.com/","events":["run.settled"],"mints":[]}`:                            "",
		`{"url":"https://a.example.com/","events":["run.settled","run.failed"],"mints":["` + mint + `"]}`: "",

		`{}`: "url required, events required",
		`{"url":1,"events":"run.settled","mints":{}}`:                                      "url invalid_type, events invalid_type, mints invalid_type",
		`{"url":"x","events":[]}`:                                                          "events required",
		`{"url":"x","events":[null]}`:                                                      "events invalid_type",
		`{"url":"x","events":["run.settled","run.settled"]}`:                               "events invalid_format",
		`{"url":"x","events":["webhook.test"]}`:                                            "events invalid_format",
		`{"url":"x","events":["a"` + strings.Repeat(`,"b"`, len(event.Kinds())) + `]}`:     "events out_of_range",
		`{"url":"x","events":["run.settled"],"mints":["x"]}`:                               "mints invalid_wallet_address",
		`{"url":"x","events":["run.settled"],"mints":["` + strings.Repeat("1", 45) + `"]}`: "mints invalid_wallet_address",
		`{"url":"x","events":["run.settled"],"secret":"mine"}`:                             "secret unknown_field",
	} {
		s := &service{}
		status, answer, err := call(t, s, "createWebhook", http.MethodPost, body)
		got := ""
		if e, ok := errors.AsType[*apperr.Error](err); ok {
			var parts []string
			for _, f := range e.Fields {
				parts = append(parts, f.Field+" "+f.Code.String())
			}
			got = strings.Join(parts, ", ")
		}
		if got != fields || fields == "" && (err != nil || status != http.StatusOK || answer != `{"webhookId":"`+id+`","secret":"whsec_secret"}` || s.asked[0] != caller.String()) {
			t.Errorf("%s: %q, want %q; %d %s %v", body, got, fields, status, answer, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	for operation, want := range map[string]string{
		"listWebhooks":        `{"webhooks":[{"webhookId":"` + id + `","url":"https://hooks.example.com/","events":["token.launched"],"mints":[],"status":"active","createdAt":"1970-01-01T00:00:00.000Z"}]}`,
		"rotateWebhookSecret": `{"webhookId":"` + id + `","secret":"whsec_next","earlierSecretUntil":"1970-01-01T00:00:00.003Z"}`,
		"deleteWebhook":       `{"webhookId":"` + id + `","deleted":true}`,
		"testWebhook":         `{"queued":true,"deliveryId":"` + id + `"}`,
		"replayDelivery":      `{"queued":true,"deliveryId":"` + id + `"}`,
		"listDeliveries": `{"deliveries":[` +
			`{"deliveryId":"` + id + `","eventId":"` + id + `","type":"webhook.test","mintAddress":null,"sequence":null,"status":"pending","attempts":0,"createdAt":"1970-01-01T00:00:00.000Z","nextAttemptAt":"1970-01-01T00:00:00.001Z","deliveredAt":null,"lastStatusCode":null,"lastError":null},` +
			`{"deliveryId":"` + id + `","eventId":"` + id + `","type":"run.settled","mintAddress":"` + caller.String() + `","sequence":3,"status":"delivered","attempts":2,"createdAt":"1970-01-01T00:00:00.000Z","nextAttemptAt":null,"deliveredAt":"1970-01-01T00:00:00.002Z","lastStatusCode":200,"lastError":null}` +
			`],"nextCursor":"MGI5YTNmNWUtOGMwZS00YTYzLThhNTMtMmY1ZDdmMGM5ZTIx"}`,
	} {
		_, got, err := call(t, &service{}, operation, http.MethodPost, "", "webhookId", id, "deliveryId", id)
		if err != nil || got != want {
			t.Errorf("%s: %s, want\n%s; %v", operation, got, want, err)
		}
	}
}

// A field that is absent or null stays; an empty list of mints is all tokens.
func TestUpdate(t *testing.T) {
	mint := solana.PublicKey{3}
	for _, c := range []struct{ body, want, wrong string }{
		{`{}`, "", ""},
		{`{"url":null,"events":null,"mints":null}`, "", ""},
		{`{"url":"https://a.example.com/"}`, "url https://a.example.com/", ""},
		{`{"events":["run.settled"]}`, "events [run.settled]", ""},
		{`{"mints":[]}`, "mints []", ""},
		{`{"mints":["` + mint.String() + `"]}`, "mints [" + mint.String() + "]", ""},
		{`{"events":[]}`, "", "events"},
		{`{"events":["x"],"mints":["x"]}`, "", "events mints"},
		{`{"status":"active"}`, "", "status"},
	} {
		s := &service{}
		status, answer, err := call(t, s, "updateWebhook", http.MethodPatch, c.body, "webhookId", id)
		var got, wrong []string
		if s.update.URL != nil {
			got = append(got, "url "+*s.update.URL)
		}
		if s.update.Events != nil {
			got = append(got, fmt.Sprintf("events %v", s.update.Events))
		}
		if s.update.Mints != nil {
			got = append(got, fmt.Sprintf("mints %v", *s.update.Mints))
		}
		if e, ok := errors.AsType[*apperr.Error](err); ok {
			for _, f := range e.Fields {
				wrong = append(wrong, f.Field)
			}
		}
		if strings.Join(got, ", ") != c.want || strings.Join(wrong, " ") != c.wrong {
			t.Errorf("%s changes %q and rejects %q, want %q and %q", c.body, got, wrong, c.want, c.wrong)
		}
		if c.wrong == "" && (err != nil || status != http.StatusOK || !strings.Contains(answer, `"status":"pending"`)) {
			t.Errorf("update with %s = %d %s, %v; want 200 pending", c.body, status, answer, err)
		}
	}
}

// A malformed ID is not found, and is not looked up.
func TestInvalidWebhookIDs(t *testing.T) {
	for _, bad := range []string{"", "x", strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id, strings.Repeat("a", 3000)} {
		for _, operation := range []string{"updateWebhook", "rotateWebhookSecret", "deleteWebhook", "testWebhook", "listDeliveries", "replayDelivery"} {
			s := &service{}
			_, _, err := call(t, s, operation, http.MethodPost, "", "webhookId", bad, "deliveryId", id)
			if e, ok := errors.AsType[*apperr.Error](err); !ok || e.Code.String() != "webhook_not_found" || len(s.asked) != 0 {
				t.Errorf("%s of %.40q: %v", operation, bad, err)
			}
		}
		s := &service{}
		_, _, err := call(t, s, "replayDelivery", http.MethodPost, "", "webhookId", id, "deliveryId", bad)
		if e, ok := errors.AsType[*apperr.Error](err); !ok || e.Code.String() != "delivery_not_found" || len(s.asked) != 0 {
			t.Errorf("replay of %.40q: %v", bad, err)
		}
	}
}

func FuzzCreation(f *testing.F) {
	f.Add(`{"url":"https://a.example.com/","events":["run.settled"],"mints":["x"]}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := &service{}
		_, _, err := call(t, s, "createWebhook", http.MethodPost, body)
		if _, told := errors.AsType[*apperr.Error](err); err != nil && !told {
			t.Errorf("create with %q: %v, want no error or an apperr.Error", body, err)
		}
		if err == nil && (s.wanted.URL == "" || len(s.wanted.Events) == 0) {
			t.Errorf("%q is accepted: %+v", body, s.wanted)
		}
	})
}
