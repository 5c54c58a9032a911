package solanarpc_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

const (
	mainnet = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
	devnet  = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"
	testnet = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
)

// of responds as a node of the network with this genesis hash.
func of(genesis string) http.HandlerFunc {
	return methods(map[string]http.HandlerFunc{
		"getGenesisHash": result(`"` + genesis + `"`), "getBalance": balanceAt("9", "7"),
		"sendTransaction": result(`"` + solana.Signature{1}.String() + `"`),
	})
}

func balanceOf(c *solanarpc.Client) error {
	_, err := c.Balance(context.Background(), solana.PublicKey{1})
	return err
}

func TestForeignNodeGetsNoRequest(t *testing.T) {
	for _, c := range []struct {
		network, genesis string
		refused          bool
	}{
		{"mainnet", mainnet, false},
		{"devnet", devnet, false},
		{"testnet", testnet, false},
		{"localnet", solana.Hash{5}.String(), false},
		{"mainnet", devnet, true},
		{"mainnet", testnet, true},
		{"devnet", mainnet, true},
		{"mainnet", solana.Hash{5}.String(), true},
	} {
		n := newNode(t, of(c.genesis))
		n.Cluster = solanarpc.NewCluster(c.network)
		err := balanceOf(n.Client)
		if c.refused != errors.Is(err, solanarpc.ErrWrongNetwork) || c.refused != (apperr.KindOf(err) == apperr.Unavailable) || !c.refused && err != nil {
			t.Errorf("%s, requested as %s: %v", c.genesis, c.network, err)
		}
		if c.refused {
			noSecret(t, err)
			if !strings.Contains(err.Error(), "node 0") || !strings.Contains(err.Error(), c.genesis) {
				t.Errorf("the error does not say which: %v", err)
			}
			if err := n.Send(t.Context(), []byte{1}); !errors.Is(err, solanarpc.ErrWrongNetwork) {
				t.Errorf("it is sent to: %v", err)
			}
		}
	}
}

// A node that knows nothing of the question, or answers nonsense, may be of any network.
func TestClientSkipsNodeWithoutGenesis(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"refuses": refusal(-32601, "Method not found"), "says nothing": result("null"), "zero": result(`"` + solana.Hash{}.String() + `"`),
		"nonsense": result("7"), "fails": broken,
	} {
		n := newNode(t, methods(map[string]http.HandlerFunc{"getGenesisHash": answer, "getBalance": balanceAt("9", "7")}))
		n.Cluster = solanarpc.NewCluster("localnet")
		if err := balanceOf(n.Client); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Balance(), %s: %v, want an error of kind Unavailable", name, err)
		}
	}
}

func TestGenesisAskedOnceAndAfterErrors(t *testing.T) {
	p := newPeer(t, of(mainnet))
	client, _ := among(t, p)
	client.Cluster = solanarpc.NewCluster("mainnet")
	wantBalance(t, client, 7)
	wantBalance(t, client, 7)
	if p.calls.Load() != 3 {
		t.Errorf("%d calls, want a request for the network and two", p.calls.Load())
	}
	p.set(refusal(-32602, "Invalid params"))
	if err := balanceOf(client); err == nil {
		t.Error("a refusal causes no error")
	}
	p.set(of(mainnet))
	p.calls.Store(0)
	if wantBalance(t, client, 7); p.calls.Load() != 1 {
		t.Errorf("%d calls after a refusal, want one", p.calls.Load())
	}
	p.set(broken)
	if err := balanceOf(client); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Balance() of a broken node: %v, want an error of kind Unavailable", err)
	}
	p.set(of(devnet)) // the address now leads elsewhere
	if err := balanceOf(client); !errors.Is(err, solanarpc.ErrWrongNetwork) {
		t.Errorf("Balance() of another cluster: %v, want ErrWrongNetwork", err)
	}
	p.set(of(mainnet))
	wantBalance(t, client, 7)
}

// If there are several nodes, only those of the network are used.
func TestForeignNodeIsPassedOver(t *testing.T) {
	wrong, right := newPeer(t, of(devnet)), newPeer(t, of(mainnet))
	client, _ := among(t, wrong, right)
	client.Cluster = solanarpc.NewCluster("mainnet")
	wantBalance(t, client, 7)
	if err := client.Send(t.Context(), []byte{1}); err != nil {
		t.Error(err)
	}
}

func genesisOf(t *testing.T, l *localnet.Ledger) (hash solana.Hash) {
	t.Helper()
	l.Call(t, &hash, "getGenesisHash")
	return hash
}

// Chains that nothing is known of must be the same one for all providers that share a
// cluster; real chains, each of which has a genesis of its own.
func TestTwoProvidersMustAgree(t *testing.T) {
	one, other := localnet.Chain(t), localnet.Chain(t)
	for tries := 0; genesisOf(t, one) == genesisOf(t, other); tries++ {
		if tries == 20 {
			t.Fatal("all chains have the same genesis")
		}
		other = localnet.Chain(t) // those that begin in the same second have the same
	}
	cluster := solanarpc.NewCluster("localnet")
	client := func(address, label string) *solanarpc.Client {
		c, err := solanarpc.New(address)
		if err != nil {
			t.Fatal(err)
		}
		c.Cluster, c.Label = cluster, label
		return c
	}
	first, again, second := client(one.RPCURL, ""), client(one.RPCURL, "again-"), client(other.RPCURL, "second-")
	for _, c := range []*solanarpc.Client{first, again} {
		if err := balanceOf(c); err != nil {
			t.Error(err)
		}
	}
	if err := balanceOf(second); !errors.Is(err, solanarpc.ErrWrongNetwork) || apperr.KindOf(err) != apperr.Unavailable || !strings.Contains(err.Error(), "node second-0") {
		t.Errorf("Balance() of another cluster: %v, want ErrWrongNetwork that names the node", err)
	}
	if err := balanceOf(first); err != nil {
		t.Error(err)
	}
}
