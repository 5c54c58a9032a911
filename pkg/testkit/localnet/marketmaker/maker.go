// Package marketmaker is a market maker on loopback, for tests and the local stack. The maker has
// SOL and tokens on a real chain, and quotes configured prices. The maker executes trades by atomic
// two-sided transfers with its own signature: both sides move or neither side moves. The maker
// implements the protocol of package pkg/provider/marketmaker.
//
// The maker signs a message only if the message has exactly the agreed instructions, with one
// receipt per quote. So at most one trade of a quote can land, however many messages the maker
// signs.
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

// DefaultValidity is the default validity of a quote.
const DefaultValidity = time.Minute

// Price is the maker's price in an asset for tokens of any mint: Out base units, or lamports, for
// In base units of the token.
type Price struct {
	In, Out uint64
	// Depth worsens the price with the amount, like a pool with Depth tokens. Zero means a constant
	// price.
	Depth uint64
}

// Maker is the market maker, an http.Handler. New creates a Maker. The maker needs the assets that
// it sells, and SOL for the rent of its token accounts.
type Maker struct {
	// Address is the maker's wallet.
	Address solana.PublicKey
	// Tamper, if set, changes the instructions that the maker returns to the wallet after the
	// agreement, like a dishonest maker. The maker signs the changed instructions.
	Tamper func(agreed []solana.Instruction) []solana.Instruction
	// Refuse, if set, lets the maker refuse to sign.
	Refuse bool
	// Now is the maker's clock, and Validity the validity of its quotes.
	Now      func() time.Time
	Validity time.Duration

	key   ed25519.PrivateKey
	chain *solanarpc.Client
	mux   *http.ServeMux

	mutex  sync.Mutex
	prices map[terms.Asset]Price
	quotes map[string]*agreement
}

// New creates a maker with a new key on the chain of the node.
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

// ServeHTTP serves the protocol.
func (m *Maker) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.mux.ServeHTTP(w, r) }

// SetPrice sets the maker's price in the asset from now on. A zero price ends the trade in the
// asset.
func (m *Maker) SetPrice(output terms.Asset, p Price) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.prices[output] = p
}

// Listen serves on a free port of loopback until the context ends or stop is called, and returns
// the address.
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
