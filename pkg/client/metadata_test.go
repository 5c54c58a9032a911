package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token"
)

// rendered is a launch and the metadata file that the service makes of it. The TypeScript package
// is held to the same file.
type rendered struct {
	Name   string           `json:"name"`
	Wallet solana.PublicKey `json:"wallet"`
	Mint   solana.PublicKey `json:"mint"`
	Launch json.RawMessage  `json:"launch"`
	File   string           `json:"file"`
	URI    string           `json:"uri"`
	// Refused: the service launches no such token. Both clients render it the same nevertheless.
	Refused bool `json:"refused,omitempty"`
}

const renderings = "testdata/metadata.json"

// bodies are the launches, as bodies of POST /tokens/create-unsigned without what all of them have.
var bodies = []struct{ name, body string }{
	{"minimal", `{"name":"Paper Crane","symbol":"CRANE"}`},
	{"all fields", `{"name":"Tom & \"Jerry\" <b>","symbol":"T&J","description":"A \\ b\r\n\tc <script>&amp;</script>","twitter":"https://x.com/a?b=1&c=2",
		"telegram":"https://t.me/a","website":"http://example.com/<p>","burnPercent":12.34,"developerFeePercent":0.29,"developerWallet":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"rewardBasis":"held","distributionInterval":"24h","percentageToSellPerDistribution":57.01,"rewardToken":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"minimumHoldingRequirement":"18446744073709551615","transferFeeAdjustable":true,"immutableMetadata":true}`},
	{"nothing said", `{"name":"N","symbol":"N","description":"","twitter":"","telegram":null,"website":"","burnPercent":null,"developerFeePercent":null,"creatorSplits":null,
		"rewardBasis":"","distributionInterval":null,"percentageToSellPerDistribution":null,"rewardToken":"","minimumHoldingRequirement":null}`},
	{"defaults said", `{"name":"N","symbol":"N","burnPercent":0,"developerFeePercent":0.0,"creatorSplits":[],"rewardBasis":"snapshot","distributionInterval":"1h",
		"percentageToSellPerDistribution":100.00,"rewardToken":"So11111111111111111111111111111111111111112","minimumHoldingRequirement":"0"}`},
	{"scripts", `{"name":"折り鶴 طائر 👩‍👩‍👧","symbol":"鶴","description":"Cafe\u0301 and caf\u00e9, -free; \ud83d\udc26 a\u00a0b\u3000c"}`},
	{"splits", `{"name":"N","symbol":"N","developerFeePercent":50,"creatorSplits":[{"wallet":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","percent":33.33},
		{"wallet":"Vote111111111111111111111111111111111111111","percent":66.67}]}`},
	{"handles", `{"name":"N","symbol":"N","twitter":"@paper_crane","telegram":"@crane","website":"example.com"}`},
	{"hosts", `{"name":"N","symbol":"N","twitter":"WWW.Twitter.com/Crane","telegram":"Telegram.ME/crane","website":"a-b.Example.co.uk/p?q=1#f"}`},
	{"full links", `{"name":"N","symbol":"N","twitter":"http://twitter.com/@a","telegram":"https://T.me/a","website":"HTTPS://Example.com"}`},
	{"no links", `{"name":"N","symbol":"N","twitter":"@much-too-odd","telegram":"t.me","website":"-a.example"}`},
	{"not text", `{"name":"a\u2028b","symbol":"\u2029","description":"\b\f\u0000\u001f\u007f\u2028\u2029"}`},
}

// The client renders the metadata of a launch exactly as the service does, from the request's body;
// with -update the test writes the file that the TypeScript test reads.
func TestMetadataEqualsService(t *testing.T) {
	list := make([]rendered, 0, len(bodies))
	for _, b := range bodies {
		r := rendered{Name: b.name, Wallet: key(1), Mint: key(2), Launch: whole(t, b.body)}
		asked := decoded[client.TokenCreation](r.Launch)
		file, err := asked.Metadata(r.Wallet, r.Mint)
		if err != nil {
			t.Fatal(err)
		}
		r.File, r.URI = string(file), bound(asked, r.Wallet, r.Mint)
		drafted, ok := draftOf(t, r.Wallet, r.Launch)
		if r.Refused = !ok; ok {
			service, err := drafted.Metadata(r.Mint)
			if err != nil || !bytes.Equal(service, file) {
				t.Errorf("%s: the client renders\n%s\nand the service\n%s, %v", b.name, file, service, err)
			}
		}
		if !strings.Contains(r.File, strings.ReplaceAll(asked.SettingsText(r.Wallet, r.Mint), "\n", `\n`)) {
			t.Errorf("%s: the text of the settings is not that of the file", b.name)
		}
		list = append(list, r)
	}
	made := append(bytes.ReplaceAll(text(t, list), []byte(`{"name":"`), []byte("\n"+`{"name":"`)), '\n')
	if *update && !t.Failed() {
		if err := os.WriteFile(renderings, made, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(renderings)
	if err != nil || !bytes.Equal(kept, made) {
		t.Errorf("%s is not of these launches: run this test with -update (%v)", renderings, err)
	}
}

// whole adds what each launch has.
func whole(t *testing.T, body string) []byte {
	t.Helper()
	all := decoded[map[string]any]([]byte(body))
	for name, value := range map[string]any{
		"imageUri": "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy", "walletId": "ead55b10-c323-49b8-b2c2-fce843fe6473",
		"transferFeePercent": 5, "decimals": 6, "supply": "1000000000000000",
	} {
		all[name] = value
	}
	return text(t, all)
}

// drafts keeps the draft that the API reads from a body.
type drafts struct {
	tokens.Launches

	draft token.Draft
}

func (d *drafts) Validate(_ context.Context, _ solana.PublicKey, read token.Draft) (transaction.Cost, []string, error) {
	d.draft = read
	return transaction.Cost{}, nil, nil
}

// draftOf returns the draft that the API reads from a body, and whether it accepts the body.
func draftOf(t *testing.T, wallet solana.PublicKey, body []byte) (token.Draft, bool) {
	t.Helper()
	kept := &drafts{}
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	handler, err := api.Handler(route.FunctionTokens, tokens.Endpoint{Launches: kept}.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(
		apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: wallet.String(), SourceIP: "203.0.113.7", RequestID: "r"}),
		http.MethodPost, "/tokens/validate", bytes.NewReader(body))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
		t.Fatalf("response %d %s, want 200 or 400", w.Code, w.Body)
	}
	return kept.draft, w.Code == http.StatusOK
}
