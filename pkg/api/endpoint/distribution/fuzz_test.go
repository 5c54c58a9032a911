package distribution_test

import (
	"net/http"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/settings"
)

// FuzzSettingsBody sends arbitrary bodies: the settings stay valid, a rejected body changes
// nothing, and no body is an internal error.
func FuzzSettingsBody(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"burnPercent":60,"developerFeePercent":40.01}`, `{"telegramGroupId":"-1001234567890","distributionInterval":"5m"}`,
		`{"effectiveAt":"2026-11-21T13:00:00.000Z","distributionModel":"proportional"}`, `{"transferFeePercent":3.5}`,
		`{"rewardToken":"Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB","minimumHoldingRequirement":"0"}`, `{"developerWallet":""}`,
		`{"rewardBasis":"held"}`,
		`{"creatorSplits":[{"wallet":"Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB","percent":99.99},{"percent":0.01},null]}`,
		`{"effectiveAt":"0000-01-01T00:00:00Z"}`, `{"effectiveAt":"2026-11-21T13:00:00+24:00"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := start(t)
		before := encode(t, s.get(t))
		status, answer := s.patch(t, body)
		record, err := s.store.Token(t.Context(), mint)
		if err != nil {
			t.Fatal(err)
		}
		if bad := record.Settings.Validate(); len(bad) > 0 || record.Settings.MinimumHolding == 0 {
			t.Errorf("the settings are %+v: %v", record.Settings, bad)
		}
		switch status {
		case http.StatusOK:
			if want := settings.EffectiveAt(record.Settings, noon).Format(time.RFC3339); answer["effectiveAt"] != want[:19]+".000Z" {
				t.Errorf("in effect from %v, want %s", answer["effectiveAt"], want)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if encode(t, s.get(t)) != before {
				t.Errorf("rejected with %v, and changed", answer)
			}
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}
