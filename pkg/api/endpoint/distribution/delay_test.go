package distribution_test

import (
	"net/http"
	"testing"
	"time"

	rules "tokenlaunch.example/service/pkg/token/terms"
)

// TestPendingSettingsAreAnswered tests a token with a delay: the response to a change that lowers
// the holders' share has the later time, and GET returns the same. The response can be sent back,
// and the change can be taken back.
func TestPendingSettingsAreAnswered(t *testing.T) {
	s := start(t)
	slow := record()
	slow.Settings.ChangeDelay = rules.Delay24Hours
	s.store.Put(slow)
	path := "/distribution/" + id + "/settings"
	later, soon := "2026-11-22T13:00:00.000Z", "2026-11-21T14:00:00.000Z"
	for _, c := range []struct {
		name, method, body string
		at                 string
		fee                float64
	}{
		{"lowered", http.MethodPatch, `{"developerFeePercent":50}`, later, 50},
		{"read", http.MethodGet, "", later, 50},
		{"sent back", http.MethodPatch, `{"developerFeePercent":50,"effectiveAt":"` + later + `","version":2}`, later, 50},
		{"another group", http.MethodPatch, `{"telegramGroupId":"-1"}`, later, 50},
		{"taken back", http.MethodPatch, `{"developerFeePercent":0}`, soon, 0},
		{"read again", http.MethodGet, "", soon, 0},
	} {
		if c.name == "taken back" {
			s.now = s.now.Add(time.Hour)
		}
		status, got := s.call(t, creator, c.method, path, c.body)
		if status != http.StatusOK || got["effectiveAt"] != c.at || got["developerFeePercent"] != c.fee {
			t.Errorf("%s: %d %v, want %s, %v", c.name, status, got, c.at, c.fee)
		}
	}
	if _, got := s.call(t, creator, http.MethodPatch, path, `{"effectiveAt":"`+later+`"}`); got["code"] != "validation_failed" {
		t.Errorf("a time out of range: %v", got)
	}
}
