package main_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

func TestFeesAreShown(t *testing.T) {
	const mint = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"
	api := answering(t, http.StatusOK, `{"claimableLamports":"88888889","claimableTokens":"0","claimedLamports":"240000000","claimedTokens":"0"}`)
	got := say(t, "", "--api", api, "fees", "show", mint)
	if got.code != 0 || !strings.Contains(got.out, "0.088888889 SOL") || !strings.Contains(got.out, "0.24 SOL") || strings.Contains(got.out, "base units") {
		t.Errorf("fees show = %+v, want amounts in SOL", got)
	}
	tokens := answering(t, http.StatusOK, `{"claimableLamports":"0","claimableTokens":"7","claimedLamports":"0","claimedTokens":"0"}`)
	if got = say(t, "", "--api", tokens, "fees", "show", mint); got.code != 0 || !strings.Contains(got.out, "7 base units, before its tax") {
		t.Errorf("fees show = %+v, want 7 base units", got)
	}
	if got = say(t, "", "--api", api, "fees", "show", "me"); got.code != 2 {
		t.Errorf("no address: %+v", got)
	}
}

// A claim is not signed without a node to send it to, nor where it would fail, nor where it is
// another transaction than was asked for.
func TestClaimSignRejections(t *testing.T) {
	t.Setenv("TOKENLAUNCH_RPC", "")
	const mint = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"
	key := order(t, "key.json", keygen())
	if got := say(t, "", "fees", "claim", mint, "--key", key); got.code != 2 || !strings.Contains(got.errs, "--rpc") {
		t.Errorf("without a node: %+v", got)
	}
	if got := say(t, "", "fees", "claim", mint, "--rpc", "localhost", "--key", key); got.code != 2 || !strings.Contains(got.errs, "--rpc:") {
		t.Errorf("without an address of a node: %+v", got)
	}
	good := readAnswer(t, "fees")
	for want, simulation := range map[string]map[string]any{
		"the claim would fail: program_unavailable": {"ok": false, "reason": "program_unavailable", "detail": "This network has no program."},
		"not what was asked for":                    {"ok": true, "computeUnits": 1},
	} {
		good["simulation"] = simulation
		api := claiming(t, good)
		// The claim in the file is another wallet's.
		got := say(t, "", "--api", api, "--key", key, "fees", "claim", mint, "--rpc", "http://127.0.0.1:1", "--yes")
		if got.code != 1 || got.out != "" || !strings.Contains(got.errs, want) {
			t.Errorf("fees claim = %+v, want 1 and %q", got, want)
		}
	}
}

// readAnswer returns a response of the service, of the file of the client's tests.
func readAnswer(t *testing.T, name string) map[string]any {
	t.Helper()
	content, err := os.ReadFile("../testdata/asked.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name  string
		Given map[string]any
	}
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if v.Name == name {
			return v.Given
		}
	}
	t.Fatalf("the file has no %s", name)
	return nil
}

// claiming is an API that signs callers in and responds to a claim.
func claiming(t *testing.T, claim map[string]any) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ client.ChallengeRequest }
		var answer any = claim
		if strings.HasPrefix(r.URL.Path, "/auth/") {
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				t.Error(err)
			}
		}
		now := time.Now().UTC().Truncate(time.Millisecond)
		switch r.URL.Path {
		case "/auth/challenge":
			text, err := siws.Format(siws.Message{
				Domain: r.Host, Address: asked.Wallet.String(), Statement: "Sign in.", URI: "http://" + r.Host,
				ChainID: "localnet", Nonce: "0123456789abcdef", IssuedAt: now, ExpirationTime: now.Add(5 * time.Minute),
			})
			if err != nil {
				t.Error(err)
			}
			answer = client.Challenge{Challenge: text}
		case "/auth/verify":
			answer = client.Session{Token: "token", Wallet: asked.Wallet, ExpiresAt: client.Time{Time: now.Add(time.Hour)}}
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
