package solanarpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/gagliardetto/solana-go"
)

// ErrWrongNetwork is returned for a node of another network than the configured network, or than
// the first nodes. Such a node gets no calls. If all nodes fail for this reason, the call returns
// an apperr.Upstream that wraps ErrWrongNetwork.
var ErrWrongNetwork = errors.New("the node is of another network")

// genesis has the genesis hashes of the public networks (Solana, "Clusters").
var genesis = map[string]solana.Hash{
	"mainnet": solana.MustHashFromBase58("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"),
	"devnet":  solana.MustHashFromBase58("EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"),
	"testnet": solana.MustHashFromBase58("4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"),
}

// chainIDLength is the length of a reference in a CAIP-2 identifier of Solana (CAIP-30).
const chainIDLength = 32

// ChainID returns the CAIP-2 identifier of a public network, or "" for any other network.
func ChainID(network string) string {
	hash, ok := genesis[network]
	if !ok {
		return ""
	}
	return "solana:" + hash.String()[:chainIDLength]
}

// Cluster is the network of the nodes. Clients that share a Cluster must use the same network.
// Every node is asked for the genesis hash once in a process before the first call, and again after
// a failure of the node.
type Cluster struct {
	mutex   sync.Mutex
	genesis solana.Hash // zero: the genesis of the first node that responds
}

// NewCluster returns the network with the given name: mainnet, devnet or testnet. Any other name is
// an unknown network, such as a local network: then all nodes must have the same genesis.
func NewCluster(network string) *Cluster { return &Cluster{genesis: genesis[network]} }

// admits reports whether a node with this genesis hash belongs to the network.
func (n *Cluster) admits(hash solana.Hash) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.genesis.IsZero() {
		n.genesis = hash
	}
	return n.genesis == hash
}

// genesisCall requests a node's genesis hash.
var genesisCall = []byte(`{"id":1,"jsonrpc":"2.0","method":"getGenesisHash","params":[]}`)

// identify checks that a node belongs to the client's network, unless a check has succeeded before.
// A refusal of the check is not a rejection of the actual call, so the call continues with another
// node.
func (c *Client) identify(ctx context.Context, e *endpoint) error {
	if c.Cluster == nil || e.known.Load() {
		return nil
	}
	select {
	case e.identity <- struct{}{}:
		defer func() { <-e.identity }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.known.Load() {
		return nil
	}
	raw, err := c.answer(ctx, e, genesisCall)
	if refusal, ok := errors.AsType[*rpcError](err); ok {
		return fmt.Errorf("node %s does not say which network it is of: %s", c.name(e), refusal.Error())
	}
	if err != nil {
		return err
	}
	var hash solana.Hash
	if err := json.Unmarshal(raw, &hash); err != nil || hash.IsZero() {
		return fmt.Errorf("node %s does not say which network it is of", c.name(e))
	}
	if !c.Cluster.admits(hash) {
		return fmt.Errorf("node %s, whose genesis is %s: %w", c.name(e), hash, ErrWrongNetwork)
	}
	e.known.Store(true)
	return nil
}

// name returns a name of a node without the address, as in the metrics.
func (c *Client) name(e *endpoint) string { return c.Label + strconv.Itoa(e.place) }
