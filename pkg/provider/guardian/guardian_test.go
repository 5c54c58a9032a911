package guardian_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	endpoint "tokenlaunch.example/service/pkg/api/endpoint/guardian"
	core "tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/guardian"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/handover"
)

type key ed25519.PrivateKey

func (k key) PublicKey(context.Context) ([32]byte, error) {
	return [32]byte(k[ed25519.SeedSize:]), nil
}

func (k key) Sign(_ context.Context, message []byte) ([64]byte, error) {
	return [64]byte(ed25519.Sign(ed25519.PrivateKey(k), message)), nil
}

type node map[solana.PublicKey]*onchain.Account

func (n node) AccountsAt(_ context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	if n == nil {
		return nil, 0, apperr.Upstream("The Solana network", errors.New("no answer"))
	}
	return []*onchain.Account{n[addresses[0]]}, from, nil
}

// guarded is a token with a guardian.
type guarded struct {
	guardian, creator               ed25519.PrivateKey
	public, wallet, mint, authority solana.PublicKey
	chain                           node
}

func newGuarded(t *testing.T) guarded {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, creator, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := guarded{
		guardian: private, creator: creator, public: solana.PublicKey(private[ed25519.SeedSize:]),
		wallet: solana.NewWallet().PublicKey(), mint: solana.NewWallet().PublicKey(),
	}
	address := solana.PublicKey(creator[ed25519.SeedSize:])
	if w.authority, err = creation.MultisigAddress(address, w.mint); err != nil {
		t.Fatal(err)
	}
	mintData, members := make([]byte, 278), make([]byte, token2022.MultisigSize)
	mintData[45], mintData[165], mintData[166], mintData[168] = 1, 1, 1, 108
	copy(mintData[202:], w.authority[:])
	members[0], members[1], members[2] = 2, 3, 1
	for n, m := range creation.Members(w.wallet, w.public, address) {
		copy(members[3+32*n:], m[:])
	}
	w.chain = node{
		w.mint:      {Owner: solana.Token2022ProgramID, Data: mintData},
		w.authority: {Owner: solana.Token2022ProgramID, Data: members},
	}
	return w
}

// TestGuardianOverHTTP asks the guardian's endpoint with the service's client.
func TestGuardianOverHTTP(t *testing.T) {
	w := newGuarded(t)
	private, public, wallet, creator, mint, authority, chain := w.guardian, w.public, w.wallet, solana.PublicKey(w.creator[ed25519.SeedSize:]), w.mint, w.authority, w.chain
	own, err := token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	message := func(to solana.PublicKey) []byte {
		m, err := wire.Compile(wallet, solana.Hash{1}, []solana.Instruction{token2022.WithdrawWithheldFromMint{
			Mint: mint, Destination: to, Authority: authority, Signers: []solana.PublicKey{wallet, public},
		}.Instruction()})
		if err != nil {
			t.Fatal(err)
		}
		return m.Bytes()
	}
	const token = "a token of at least thirty-two characters"
	ask := func(chain node, token string, message []byte) (solana.Signature, error) {
		server := httptest.NewServer(endpoint.Endpoint{
			Core:  core.Core{Key: key(private), Chains: []core.Chain{chain}},
			Token: secret.Fixed("a token of at least thirty-two characters"), Log: slog.New(slog.DiscardHandler),
		})
		defer server.Close()
		client, err := guardian.New(server.URL, secret.Fixed(token))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.About(t.Context()); err != nil || got.Key != public {
			t.Errorf("About() = %+v, %v; want the key %s", got, err, public)
		}
		return client.CoSign(t.Context(), mint, message)
	}
	good := message(own)
	if got, err := ask(chain, token, good); err != nil || !got.Verify(public, good) {
		t.Errorf("a collection: %s, %v", got, err)
	}
	refusal := &payout.Refusal{}
	if _, err := ask(chain, token, message(creator)); !errors.As(err, &refusal) || refusal.Reason != payout.ReasonGuardian || !strings.Contains(refusal.Detail, "must only collect") {
		t.Errorf("a collection elsewhere: %v", err)
	}
	// Neither a wrong token nor a silent node is a rejection: the tax can be collected later.
	if _, err := ask(chain, "another", good); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("a wrong token: %v", err)
	}
	if _, err := ask(nil, token, good); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("a silent node: %v", err)
	}
	for name, said := range map[string]string{
		"no JSON": "no", "another type": `{"signature":7}`, "no signature": `{}`, "too long": `{"signature":"` + strings.Repeat("1", 100) + `"}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(said)) }))
		client, err := guardian.New(server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.CoSign(t.Context(), mint, good); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("CoSign(), %s = %s, %v; want an error of kind Unavailable", name, got, err)
		}
		server.Close()
	}
	for name, request := range map[string]struct {
		method, path, body string
		status             int
	}{
		"another path":        {http.MethodGet, "/other", "", http.StatusNotFound},
		"no mint of an order": {http.MethodGet, "/orders/no", "", http.StatusBadRequest},
		"an order with parts of seconds": {
			http.MethodPost, "/orders", `{"mint":"` + mint.String() + `","number":1,"effectiveAt":"2026-11-30T12:00:00.5Z"}`, http.StatusBadRequest,
		},
		"an order of another type": {http.MethodPost, "/orders", `{"mint":"` + mint.String() + `","signature":"no"}`, http.StatusBadRequest},
		"a cancellation by others": {http.MethodPost, "/orders/cancel", `{"mint":"` + mint.String() + `","number":1}`, http.StatusUnprocessableEntity},
		"no JSON":                  {http.MethodPost, "/sign", "no", http.StatusBadRequest},
		"no mint":                  {http.MethodPost, "/sign", `{"transaction":"AA=="}`, http.StatusBadRequest},
		"no transaction":           {http.MethodPost, "/sign", `{"mint":"` + mint.String() + `"}`, http.StatusUnprocessableEntity},
		"too long":                 {http.MethodPost, "/sign", `{"mint":"` + strings.Repeat("1", 9000) + `"}`, http.StatusBadRequest},
	} {
		w := httptest.NewRecorder()
		endpoint.Endpoint{
			Core: core.Core{Key: key(private), Chains: []core.Chain{chain}}, Token: secret.Fixed(token), Log: slog.New(slog.DiscardHandler),
		}.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), request.method, request.path, strings.NewReader(request.body)))
		if w.Code != request.status {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, request.status)
		}
	}
}

// memory is the guardian's memory.
type memory struct{ noted core.Noted }

func (m *memory) Newest(context.Context, solana.PublicKey) (core.Noted, error) { return m.noted, nil }

func (m *memory) Save(_ context.Context, _ solana.PublicKey, n core.Noted) error {
	m.noted = n
	m.noted.Version++
	return nil
}

// TestOrdersOverHTTP orders and cancels a hand-over at the guardian's endpoint, and reads the order.
func TestOrdersOverHTTP(t *testing.T) {
	w := newGuarded(t)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	server := httptest.NewServer(endpoint.Endpoint{
		Core: core.Core{
			Key: key(w.guardian), Chains: []core.Chain{w.chain}, Orders: &memory{}, Delay: time.Hour, Now: func() time.Time { return now },
		},
		Token: secret.Fixed("unused"), Log: slog.New(slog.DiscardHandler),
	})
	defer server.Close()
	client, err := guardian.New(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.About(t.Context()); err != nil || got.Delay != time.Hour {
		t.Errorf("About() = %+v, %v; want a delay of one hour", got, err)
	}
	if got, err := client.Newest(t.Context(), w.mint); err != nil || got.Number != 0 || got.Text != "" {
		t.Errorf("Newest() = %+v, %v; want no order", got, err)
	}
	order := handover.Order{Number: 1, To: solana.NewWallet().PublicKey(), EffectiveAt: now.Add(time.Hour)}
	refusal := &payout.Refusal{}
	if got, err := client.Order(t.Context(), w.mint, order); !errors.As(err, &refusal) || !strings.Contains(refusal.Detail, "did not sign") {
		t.Errorf("Order() without a signature = %+v, %v", got, err)
	}
	order.Signature = solana.Signature(ed25519.Sign(w.creator, []byte(order.Text(w.mint))))
	want := guardian.Order{
		OrderRequest: core.OrderRequest{Mint: w.mint.String(), Number: 1, NewAuthority: order.To, EffectiveAt: order.EffectiveAt, Signature: order.Signature},
		Text:         order.Text(w.mint), SeenAt: now, ExpiresAt: order.EffectiveAt.Add(core.OrderLife),
	}
	if got, err := client.Order(t.Context(), w.mint, order); err != nil || got != want {
		t.Errorf("Order() = %+v, %v; want %+v", got, err, want)
	}
	want.CancelledAt = now
	signature := solana.Signature(ed25519.Sign(w.creator, []byte(handover.CancelText(w.mint, 1))))
	if got, err := client.Cancel(t.Context(), w.mint, 1, signature); err != nil || got != want {
		t.Errorf("Cancel() = %+v, %v; want %+v", got, err, want)
	}
	if got, err := client.Newest(t.Context(), w.mint); err != nil || got != want {
		t.Errorf("Newest() = %+v, %v; want %+v", got, err, want)
	}
}
