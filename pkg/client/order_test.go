package client_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token/terms"
)

// orderVector is one of package terms.
type orderVector struct {
	Name     string                      `json:"name"`
	Mint     solana.PublicKey            `json:"mint"`
	Version  int                         `json:"version"`
	Settings client.DistributionSettings `json:"settings"`
	Text     string                      `json:"text"`
}

func orderVectors(t *testing.T) (list []orderVector) {
	t.Helper()
	content, err := os.ReadFile("../token/terms/testdata/orders.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &list); err != nil || len(list) < 5 {
		t.Fatalf("%d vectors, %v", len(list), err)
	}
	return list
}

// settingsDesk is a service with the settings of one token, and what was sent to it.
type settingsDesk struct {
	now  client.EffectiveSettings
	id   string
	mint solana.PublicKey
	sent []map[string]json.RawMessage
}

func (d *settingsDesk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/tokens/me":
		_ = json.NewEncoder(w).Encode(map[string]any{
			"tokens": []any{map[string]any{"id": "other", "mintAddress": solana.SystemProgramID}, map[string]any{"id": d.id, "mintAddress": d.mint}},
		})
	case r.Method == http.MethodGet:
		_ = json.NewEncoder(w).Encode(d.now)
	default:
		var body map[string]json.RawMessage
		_ = json.NewDecoder(r.Body).Decode(&body)
		d.sent = append(d.sent, body)
		_ = json.NewEncoder(w).Encode(d.now)
	}
}

func startDesk(t *testing.T, d *settingsDesk) (*client.Client, client.Key) {
	t.Helper()
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	key, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(server.URL, client.WithSigner(key), client.WithSession(client.Session{Token: "token", ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)}}))
	if err != nil {
		t.Fatal(err)
	}
	return c, key
}

// TestOrderTextAgreesWithService tests that the text is the vectors' text and the signature the
// wallet's, whether the settings of the text are new or already in force.
func TestOrderTextAgreesWithService(t *testing.T) {
	t.Parallel()
	for _, v := range orderVectors(t) {
		current := client.EffectiveSettings{DistributionSettings: v.Settings, Version: v.Version}
		was := current
		was.Version--
		was.BurnPercent, was.DistributionInterval, was.DistributionEnabled = client.MustPercent("0.07"), client.Every6Hours, !v.Settings.DistributionEnabled
		was.RewardToken, was.MinimumHoldingRequirement, was.PercentageToSellPerDistribution = solana.SystemProgramID.String(), client.BaseUnits(42), client.MustPercent("2")
		was.DeveloperFeePercent, was.DeveloperWallet, was.TelegramGroupID = client.MustPercent("0.08"), solana.SystemProgramID, "@before"
		s := v.Settings
		if s.MinimumHoldingRequirement.String() == "0" { // which may stay, and cannot be chosen
			was.MinimumHoldingRequirement = s.MinimumHoldingRequirement
		}
		if len(s.CreatorSplits) > 0 { // then the wallet cannot be changed
			was.DeveloperWallet = s.DeveloperWallet
		}
		whole := client.SettingsChange{
			RewardToken: s.RewardToken, MinimumHoldingRequirement: &s.MinimumHoldingRequirement, PercentageToSellPerDistribution: &s.PercentageToSellPerDistribution,
			DistributionEnabled: &s.DistributionEnabled, DistributionInterval: s.DistributionInterval, BurnPercent: &s.BurnPercent,
			DeveloperFeePercent: &s.DeveloperFeePercent, DeveloperWallet: s.DeveloperWallet, TelegramGroupID: &s.TelegramGroupID,
		}
		if s.RewardToken == terms.RewardSOL {
			whole.RewardToken = solana.WrappedSol.String() // which the service takes for SOL
		}
		for name, c := range map[string]struct {
			now    client.EffectiveSettings
			change client.SettingsChange
			token  string
		}{
			"as they are":           {current, client.SettingsChange{}, v.Mint.String()},
			"changed to the same":   {current, whole, "id"},
			"changed in everything": {was, whole, "id"},
		} {
			d := &settingsDesk{now: c.now, id: "id", mint: v.Mint}
			service, key := startDesk(t, d)
			shown := ""
			if _, err := service.OrderDistributionSettings(t.Context(), c.token, c.change, func(text string) error {
				shown = text
				return nil
			}); err != nil {
				t.Fatalf("OrderDistributionSettings(), vector %s, %s: %v", v.Name, name, err)
			}
			var order client.SettingsOrder
			if err := json.Unmarshal(d.sent[0]["order"], &order); err != nil {
				t.Fatal(err)
			}
			public := key.PublicKey()
			if shown != v.Text || order.Version != v.Version || !order.Signature.Verify(public, []byte(v.Text)) {
				t.Errorf("%s, %s: version %d of\n%s", v.Name, name, order.Version, shown)
			}
			delete(d.sent[0], "order")
			var want map[string]json.RawMessage
			sent, _ := json.Marshal(c.change) //nolint:errchkjson // checked by the comparison
			_ = json.Unmarshal(sent, &want)
			if !maps.EqualFunc(d.sent[0], want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
				t.Errorf("%s, %s: sent %s, want %s", v.Name, name, d.sent[0], want)
			}
		}
	}
}

// TestOrderUnsigned changes nothing.
func TestOrderUnsigned(t *testing.T) {
	t.Parallel()
	d := &settingsDesk{id: "id", mint: solana.SystemProgramID}
	c, _ := startDesk(t, d)
	no := errors.New("no")
	if _, err := c.OrderDistributionSettings(t.Context(), "id", client.SettingsChange{}, func(string) error { return no }); !errors.Is(err, no) {
		t.Errorf("OrderDistributionSettings() = %v, want the error of show", err)
	}
	if _, err := c.OrderDistributionSettings(t.Context(), "ic", client.SettingsChange{}, nil); err == nil || !strings.Contains(err.Error(), `"ic"`) {
		t.Errorf("another id: %v", err)
	}
	unsigned, err := client.New("http://localhost", client.WithSession(client.Session{Token: "token", ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unsigned.OrderDistributionSettings(t.Context(), "id", client.SettingsChange{}, nil); !errors.Is(err, client.ErrNoSigner) {
		t.Errorf("without a wallet: %v", err)
	}
	if len(d.sent) > 0 {
		t.Errorf("sent %s", d.sent)
	}
}
