package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

const secret, formerSecret = "whsec_dGhlIHNlY3JldCBvZiBhIHdlYmhvb2s=", "whsec_dGhlIHNlY3JldCBiZWZvcmUgdGhhdA=="

// signed returns the headers of a message.
func signed(t *testing.T, secret, body string, at time.Time) http.Header {
	t.Helper()
	header, err := client.TestHeader(secret, []byte(body), at)
	if err != nil {
		t.Fatal(err)
	}
	return header
}

// Each webhook of the document has a type, which reads all of the message.
func TestConstructEventHasDocumentsTypes(t *testing.T) {
	callbacks := document(t).Paths.Value("/webhooks").Post.Callbacks
	if len(callbacks) < 7 {
		t.Fatalf("the document has %d messages of webhooks", len(callbacks))
	}
	for name, callback := range callbacks {
		post := callback.Value.Value("{$request.body#/url}").Post
		const mint = "8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx"
		body := `{"type":"` + name + `","timestamp":"2026-11-29T10:00:00.000Z","mintAddress":"` + mint + `","sequence":7,"data":{}}`
		event, err := client.ConstructEvent([]byte(body), signed(t, secret, body, time.Now()), secret)
		if err != nil || event.ID != "msg_test" || event.Type != name || event.Sequence != 7 || event.MintAddress.String() != mint {
			t.Errorf("ConstructEvent(%s) = %+v, %v", name, event, err)
			continue
		}
		text, err := json.Marshal(event.Message)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		for property := range post.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
			if fields[property] == nil || fields["type"] != name {
				t.Errorf("%s is read as %s, without %s", name, text, property)
			}
		}
	}
}

func TestConstructEventVerifies(t *testing.T) {
	const body = `{"type":"webhook.challenge","timestamp":"2026-11-29T10:00:00.000Z","data":{"challenge":"abc"}}`
	good := signed(t, secret, body, time.Now())
	rotated := signed(t, formerSecret, body, time.Now())
	rotated.Set("webhook-signature", rotated.Get("webhook-signature")+" "+good.Get("webhook-signature"))
	rotated.Set("webhook-timestamp", good.Get("webhook-timestamp"))
	without := good.Clone()
	without.Del("webhook-id")
	for name, test := range map[string]struct {
		header http.Header
		body   string
		want   error
	}{
		"signed":              {good, body, nil},
		"one of two":          {rotated, body, nil},
		"four minutes old":    {signed(t, secret, body, time.Now().Add(-4*time.Minute)), body, nil},
		"six minutes old":     {signed(t, secret, body, time.Now().Add(-6*time.Minute)), body, client.ErrNotSigned},
		"six minutes ahead":   {signed(t, secret, body, time.Now().Add(6*time.Minute)), body, client.ErrNotSigned},
		"by another":          {signed(t, formerSecret, body, time.Now()), body, client.ErrNotSigned},
		"another body":        {good, strings.Replace(body, "abc", "abd", 1), client.ErrNotSigned},
		"without an id":       {without, body, client.ErrNotSigned},
		"without a signature": {http.Header{}, body, client.ErrNotSigned},
	} {
		event, err := client.ConstructEvent([]byte(test.body), test.header, secret)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		challenge, ok := event.Message.(client.WebhookChallengeMessage)
		if ok != (test.want == nil) || ok && challenge.Data.Challenge != "abc" {
			t.Errorf("%s: ConstructEvent() = %+v", name, event)
		}
	}
	const later = `{"type":"token.renamed","timestamp":"2026-11-29T10:00:00.000Z"}`
	if event, err := client.ConstructEvent([]byte(later), signed(t, secret, later, time.Now()), secret); err != nil || event.Message != nil || event.Type != "token.renamed" {
		t.Errorf("an event of a later version: %+v, %v", event, err)
	}
	for _, bad := range []string{"", "whsec_", "not base64"} {
		if _, err := client.ConstructEvent([]byte(body), good, bad); err == nil || errors.Is(err, client.ErrNotSigned) || bad != "" && strings.Contains(err.Error(), "not base64 ") {
			t.Errorf("the secret %q: %v", bad, err)
		}
	}
}
