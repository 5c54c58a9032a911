package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client"
	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// signingIn answers sign-ins, and everything else by next.
func signingIn(t *testing.T, next http.HandlerFunc) string {
	t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var asked client.VerifyRequest
		now := time.Now().UTC().Truncate(time.Millisecond)
		switch r.URL.Path {
		case "/auth/challenge":
			_ = json.NewDecoder(r.Body).Decode(&asked)
			text, err := siws.Format(siws.Message{
				Domain: strings.TrimPrefix(server.URL, "http://"), Address: asked.Wallet.String(), Statement: "Sign in.", URI: server.URL,
				ChainID: "localnet", Nonce: "0123456789abcdef", IssuedAt: now, ExpirationTime: now.Add(5 * time.Minute),
			})
			if err != nil {
				t.Error(err)
			}
			_ = json.NewEncoder(w).Encode(client.Challenge{Challenge: text})
		case "/auth/verify":
			_ = json.NewDecoder(r.Body).Decode(&asked)
			_ = json.NewEncoder(w).Encode(client.Session{Token: "jwt", Wallet: asked.Wallet, ExpiresAt: client.Time{Time: now.Add(time.Hour)}})
		default:
			next(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The list of the wallet's tokens includes the status of each launch, and failed launches on
// request.
func TestTokensListLaunchStatus(t *testing.T) {
	api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
		list := []client.Token{
			{ID: "1", Symbol: "NEW", Status: "submitted", TransactionID: "tx-new"},
			{ID: "2", Symbol: "OLD", Status: "confirmed"},
		}
		if r.URL.Query().Get("status") == "all" {
			list = append(list, client.Token{ID: "3", Symbol: "BAD", Status: "failed", TransactionID: "tx-bad", Reason: "Too poor."})
		}
		if r.URL.Path != "/tokens/me" {
			list = nil
		}
		_ = json.NewEncoder(w).Encode(client.TokenList{Tokens: list})
	})
	key := order(t, "key.json", keygen())
	for _, c := range []struct {
		flags []string
		has   string
		lacks string
	}{
		{nil, "submitted tx-new confirmed", "BAD"},
		{[]string{"--all"}, "failed: Too poor. tx-bad", "none"},
		{[]string{"--all", "--limit", "1"}, "NEW", "OLD"},
		{[]string{"--all", "--json"}, `"reason": "Too poor."`, "SYMBOL"},
	} {
		got := say(t, "", append([]string{"--api", api, "--key", key, "mine"}, c.flags...)...)
		for _, word := range strings.Fields(c.has) {
			if got.code != 0 || !strings.Contains(got.out, word) || strings.Contains(got.out, c.lacks) {
				t.Errorf("%v: %+v, want %s", c.flags, got, word)
			}
		}
	}
	empty := signingIn(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"tokens":[],"pagination":{}}`) })
	if got := say(t, "", "--api", empty, "--key", key, "mine"); got.code != 0 || !strings.Contains(got.out, "no token yet") {
		t.Errorf("no tokens: %+v", got)
	}
}

func TestOneBaseUnitIsSingular(t *testing.T) {
	for amount, want := range map[uint64]string{0: "0 base units", 1: "1 base unit", 2: "2 base units"} {
		if got := main.Units(client.BaseUnits(amount)); got != want {
			t.Errorf("%d: %s, want %s", amount, got, want)
		}
	}
}
