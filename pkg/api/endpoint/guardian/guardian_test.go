package guardian_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	endpoint "tokenlaunch.example/service/pkg/api/endpoint/guardian"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// nothing is a node without accounts, a key that never signs, and a memory without orders.
type nothing struct{ *testing.T }

func (nothing) AccountsAt(_ context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	return make([]*onchain.Account, len(addresses)), from, nil
}

func (nothing) PublicKey(context.Context) ([32]byte, error) { return [32]byte{1}, nil }

func (n nothing) Sign(context.Context, []byte) ([64]byte, error) {
	n.Error("the guardian signed")
	return [64]byte{}, nil
}

func (nothing) Newest(context.Context, solana.PublicKey) (guardian.Noted, error) {
	return guardian.Noted{}, nil
}

func (n nothing) Save(context.Context, solana.PublicKey, guardian.Noted) error {
	n.Error("the guardian recorded an order")
	return nil
}

// FuzzRequests sends bodies to each path. Every response is a problem in JSON with a status of the
// caller, and nothing is signed or recorded, because the chain has no such token.
func FuzzRequests(f *testing.F) {
	const mint = "So11111111111111111111111111111111111111112"
	for n, body := range []string{
		"", "no", "null", "[]", `{"mint":7}`, `{"mint":"` + mint + `"}`, `{"mint":"` + mint + `","transaction":"AA=="}`,
		`{"mint":"` + mint + `","number":1,"newAuthority":"` + mint + `","effectiveAt":"2026-12-30T12:00:00Z","signature":"` + strings.Repeat("1", 64) + `"}`,
		`{"mint":"` + mint + `","number":1e99}`, `{"mint":"` + mint + `","effectiveAt":"9999999-01-01T00:00:00Z"}`, strings.Repeat("[", 9000),
	} {
		f.Add(uint8(n), body)
	}
	paths := []string{"/sign", "/orders", "/orders/cancel"}
	f.Fuzz(func(t *testing.T, path uint8, body string) {
		fake := nothing{t}
		e := endpoint.Endpoint{
			Core:  guardian.Core{Key: fake, Chains: []guardian.Chain{fake}, Orders: fake, Delay: time.Hour, Now: func() time.Time { return time.Unix(1, 0) }},
			Token: secret.Fixed("token"), Log: slog.New(slog.DiscardHandler),
		}
		for _, authorization := range []string{"", "Bearer token"} {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, paths[int(path)%len(paths)], strings.NewReader(body))
			request.Header.Set("Authorization", authorization)
			w := httptest.NewRecorder()
			e.ServeHTTP(w, request)
			var problem endpoint.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || problem.Code == "" || w.Code < 400 || w.Code >= 500 {
				t.Errorf("%s with %q: %d %s", request.URL.Path, body, w.Code, w.Body)
			}
		}
	})
}
