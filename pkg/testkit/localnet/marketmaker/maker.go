// Package marketmaker is a market maker on loopback, for tests and the local stack. It has SOL
// and tokens on a real chain, quotes a price that it is given, and carries trades out by atomic
// two-sided transfers that it signs too: both sides move or none. It speaks the protocol of
// package pkg/provider/marketmaker.
//
// It signs no message but one that holds exactly the instructions that it has agreed to, with
// one receipt per quote, so that however many times it signs, one trade can land.
package marketmaker

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/token/terms"
)

// DefaultValidity is how long a quote holds.
const DefaultValidity = time.Minute

// Price is what the maker pays in one asset for tokens of any mint: Out base
// units, or lamports, for In base units of the token.
type Price struct {
	In, Out uint64
	// Depth makes the price worse with the amount, as a pool with so many tokens in
	// it would: it is zero for a price that stays.
	Depth uint64
}

// Maker is the market maker, an http.Handler. Make it with New. It needs SOL for what it sells,
// and for the rent of its own token accounts.
type Maker struct {
	// Address is its wallet.
	Address solana.PublicKey
	// Tamper, when set, changes the instructions that it gives out after it has agreed to them:
	// what a dishonest one would do. It signs what it gave out.
	Tamper func(agreed []solana.Instruction) []solana.Instruction
	// Refuse, when set, has it refuse to sign.
	Refuse bool
	// Now is its clock, Validity how long its quotes hold.
	Now      func() time.Time
	Validity time.Duration

	key   ed25519.PrivateKey
	chain *solanarpc.Client
	mux   *http.ServeMux

	mutex  sync.Mutex
	prices map[terms.Asset]Price
	quotes map[string]*agreement
}

// New makes a maker with a key of its own on the chain of the node.
func New(rpcURL string) (*Maker, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the maker's key: %w", err)
	}
	client, err := solanarpc.New(rpcURL)
	if err != nil {
		return nil, err
	}
	m := &Maker{
		Address: solana.PublicKeyFromBytes(public), Now: time.Now, Validity: DefaultValidity,
		key: private, chain: client, mux: http.NewServeMux(),
		prices: map[terms.Asset]Price{}, quotes: map[string]*agreement{},
	}
	m.mux.Handle("POST /quote", answer(m.quote))
	m.mux.Handle("POST /swap", answer(m.swap))
	m.mux.Handle("POST /sign", answer(m.sign))
	return m, nil
}

// ServeHTTP answers.
func (m *Maker) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.mux.ServeHTTP(w, r) }

// SetPrice sets what it pays in the asset from now on; a zero price ends the
// trade in it.
func (m *Maker) SetPrice(output terms.Asset, p Price) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.prices[output] = p
}

// Listen answers on a free port of loopback until the context ends or stop is
// called, and gives the address.
func (m *Maker) Listen(ctx context.Context) (url string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen for the market maker: %w", err)
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 5 * time.Second}
	var served sync.WaitGroup
	served.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			_ = listener.Close()
		}
	})
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), func() {
		ended()
		_ = server.Close()
		served.Wait()
	}, nil
}
