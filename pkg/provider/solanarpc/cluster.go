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

// ErrWrongNetwork: a node is of another network than the one that the service is for, or
// of another than the nodes that were asked before. It is asked for nothing; a call that
// all nodes fail for this reason is an apperr.Upstream that wraps it.
var ErrWrongNetwork = errors.New("the node is of another network")

// genesis are the hashes by which public networks are known (Solana, "Clusters").
var genesis = map[string]solana.Hash{
	"mainnet": solana.MustHashFromBase58("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"),
	"devnet":  solana.MustHashFromBase58("EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"),
	"testnet": solana.MustHashFromBase58("4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"),
}

// Cluster is the one network that nodes must be of. Clients that share one agree about
// it. Each node is asked once in a process, and again after it has failed, before it is
// asked for anything else.
type Cluster struct {
	mutex   sync.Mutex
	genesis solana.Hash // zero: that of the first node that says
}

// NewCluster is the network of a name: mainnet, devnet or testnet. Any other is a network
// that nothing is known of, such as a local one: then all nodes must be of the same.
func NewCluster(network string) *Cluster { return &Cluster{genesis: genesis[network]} }

// admits says whether a node with this genesis hash is of the network.
func (n *Cluster) admits(hash solana.Hash) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.genesis.IsZero() {
		n.genesis = hash
	}
	return n.genesis == hash
}

// genesisCall asks a node which network it is of.
var genesisCall = []byte(`{"id":1,"jsonrpc":"2.0","method":"getGenesisHash","params":[]}`)

// identify finds out that a node is of the client's network, unless that is known. What
// it refuses is no answer to the call that is to be made, so that another node is asked.
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

// name tells a node from others without its address, as the measures do.
func (c *Client) name(e *endpoint) string { return c.Label + strconv.Itoa(e.place) }
