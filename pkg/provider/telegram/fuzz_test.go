package telegram_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/telegram"
)

// FuzzUpdates reads arbitrary messages of groups: every update has its number, so that it is
// confirmed, and a forwarded message does not count as its sender's words.
func FuzzUpdates(f *testing.F) {
	for _, seed := range []string{
		`{"update_id":7,"message":{"chat":{"id":-1,"type":"supergroup","username":"a_group"},"from":{"id":2},"date":1,"text":"/link x"}}`,
		`{"update_id":8,"channel_post":{"chat":{"id":-1,"type":"channel"},"sender_chat":{"id":-1},"date":1,"text":"/unlink"}}`,
		`{"update_id":9,"message":{"chat":{"id":-1},"migrate_to_chat_id":-2}}`,
		`{"update_id":10,"message":{"chat":{"id":-1},"forward_origin":{},"text":"/link x"}}`,
		`{"update_id":11,"edited_message":{}}`, `{}`, `[]`, `{"message":{"chat":7}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"ok":true,"result":[` + text + `]}`))
		}))
		defer server.Close()
		client, err := telegram.New(server.URL, secret.Fixed(token))
		if err != nil {
			t.Fatal(err)
		}
		page, err := client.Updates(t.Context(), 0)
		if err != nil {
			if strings.Contains(err.Error(), token) {
				t.Errorf("the token shows: %v", err)
			}
			return
		}
		var plain []struct {
			ID      int64          `json:"update_id"`
			Message map[string]any `json:"message"`
		}
		if json.Unmarshal([]byte("["+text+"]"), &plain) != nil || len(plain) != len(page) {
			return
		}
		for i, u := range page {
			if _, forwarded := plain[i].Message["forward_origin"]; u.ID != plain[i].ID || forwarded && u.Text != "" {
				t.Errorf("%s is read as %+v", text, u)
			}
		}
	})
}
