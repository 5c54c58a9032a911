package solanarpc

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// gatherFor is the time for which a read waits for other reads: less than half of the duration of a
// node's call.
const gatherFor = 20 * time.Millisecond

// Gathered is a client for a process that works on many payments concurrently. Nearly simultaneous
// reads are combined into one call. The call is always made after every caller's request, so the
// responses are as fresh as without Gathered.
type Gathered struct {
	*Client
	accounts gatherer[accountKey, accountRead]
	tips     gatherer[struct{}, onchain.Tip]
	heights  gatherer[struct{}, uint64]
	statuses gatherer[solana.Signature, payout.SignatureStatus]
	landings gatherer[solana.Signature, *payout.Landing]
	holders  gatherer[solana.PublicKey, *onchain.Account]
}

// Gather returns a Gathered of a client.
func Gather(c *Client) *Gathered {
	return &Gathered{
		Client:   c,
		accounts: gatherer[accountKey, accountRead]{maximum: MaxAccounts, wait: gatherFor, ask: c.gatherAccounts},
		tips:     gatherer[struct{}, onchain.Tip]{maximum: math.MaxInt, wait: gatherFor, ask: once(c.Finality)},
		heights:  gatherer[struct{}, uint64]{maximum: math.MaxInt, wait: gatherFor, ask: once(c.Height)},
		statuses: gatherer[solana.Signature, payout.SignatureStatus]{maximum: MaxStatuses, wait: gatherFor, ask: c.gatherStatuses},
		landings: gatherer[solana.Signature, *payout.Landing]{maximum: MaxStatuses, wait: gatherFor, ask: c.gatherLandings},
		holders:  gatherer[solana.PublicKey, *onchain.Account]{maximum: MaxAccounts, wait: gatherFor, ask: c.gatherHolders},
	}
}

// accountKey is a read of an account at a minimum slot. accountRead is the result of the read.
type (
	accountKey struct {
		account solana.PublicKey
		from    uint64
	}
	accountRead struct {
		account *onchain.Account
		slot    uint64
	}
)

// AccountsAt implements payout.Chain.
func (g *Gathered) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	if len(addresses) != 1 {
		return g.Client.AccountsAt(ctx, from, addresses...)
	}
	reads, err := g.accounts.get(ctx, accountKey{addresses[0], from})
	if err != nil {
		return nil, 0, err
	}
	return []*onchain.Account{reads[0].account}, reads[0].slot, nil
}

// gatherAccounts reads all accounts at a slot that is late enough for every read.
func (c *Client) gatherAccounts(ctx context.Context, keys []accountKey) ([]accountRead, error) {
	addresses := make([]solana.PublicKey, len(keys))
	for n, k := range keys {
		addresses[n] = k.account
	}
	from := slices.MaxFunc(keys, func(a, b accountKey) int { return cmp.Compare(a.from, b.from) }).from
	accounts, slot, err := c.AccountsAt(ctx, from, addresses...)
	if err != nil {
		return nil, err
	}
	reads := make([]accountRead, len(keys))
	for n, account := range accounts {
		reads[n] = accountRead{account, slot}
	}
	return reads, nil
}

// Finality implements payout.Chain.
func (g *Gathered) Finality(ctx context.Context) (onchain.Tip, error) {
	tips, err := g.tips.get(ctx, struct{}{})
	if err != nil {
		return onchain.Tip{}, err
	}
	return tips[0], nil
}

// Height implements payout.Chain.
func (g *Gathered) Height(ctx context.Context) (uint64, error) {
	heights, err := g.heights.get(ctx, struct{}{})
	if err != nil {
		return 0, err
	}
	return heights[0], nil
}

// once returns one result to many callers with the same request.
func once[V any](ask func(ctx context.Context) (V, error)) func(ctx context.Context, keys []struct{}) ([]V, error) {
	return func(ctx context.Context, keys []struct{}) ([]V, error) {
		value, err := ask(ctx)
		return slices.Repeat([]V{value}, len(keys)), err
	}
}

// SignatureStatuses implements payout.Chain.
func (g *Gathered) SignatureStatuses(ctx context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	return g.statuses.get(ctx, signatures...)
}

func (c *Client) gatherStatuses(ctx context.Context, signatures []solana.Signature) ([]payout.SignatureStatus, error) {
	return c.SignatureStatuses(ctx, signatures...)
}

// Landings implements payout.Chain.
func (g *Gathered) Landings(ctx context.Context, signatures ...solana.Signature) ([]payout.Landing, error) {
	found, err := g.landings.get(ctx, signatures...)
	var list []payout.Landing
	for _, l := range found {
		if l != nil {
			list = append(list, *l)
		}
	}
	return list, err
}

func (c *Client) gatherLandings(ctx context.Context, signatures []solana.Signature) ([]*payout.Landing, error) {
	list, err := c.Landings(ctx, signatures...)
	found := make([]*payout.Landing, len(signatures))
	for _, l := range list {
		for n, signature := range signatures {
			if signature == l.Signature {
				found[n] = &l
			}
		}
	}
	return found, err
}

// Holders implements payout.Chain.
func (g *Gathered) Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	if len(addresses) > MaxAccounts {
		return g.Client.Holders(ctx, addresses...)
	}
	return g.holders.get(ctx, addresses...)
}

func (c *Client) gatherHolders(ctx context.Context, addresses []solana.PublicKey) ([]*onchain.Account, error) {
	return c.Holders(ctx, addresses...)
}

// gatherer combines the requests of several callers into one call.
type gatherer[K, V any] struct {
	maximum int
	wait    time.Duration
	// ask returns the values of keys, in the order of keys.
	ask func(ctx context.Context, keys []K) ([]V, error)

	mu   sync.Mutex
	next *round[K, V] // the round that other callers may still join
}

type round[K, V any] struct {
	keys   []K
	done   chan struct{}
	values []V
	err    error
}

// get makes a request together with every other current caller.
func (g *gatherer[K, V]) get(ctx context.Context, keys ...K) ([]V, error) {
	g.mu.Lock()
	r := g.next
	if r == nil || len(r.keys)+len(keys) > g.maximum {
		r = &round[K, V]{done: make(chan struct{})}
		g.next = r
		// A caller whose context ends does not cancel the call for the other callers.
		go g.run(context.WithoutCancel(ctx), r)
	}
	at := len(r.keys)
	r.keys = append(r.keys, keys...)
	g.mu.Unlock()
	select {
	case <-r.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.values[at : at+len(keys) : at+len(keys)], nil
}

func (g *gatherer[K, V]) run(ctx context.Context, r *round[K, V]) {
	time.Sleep(g.wait)
	g.mu.Lock()
	if g.next == r {
		g.next = nil
	}
	g.mu.Unlock()
	r.values, r.err = g.ask(ctx, r.keys)
	close(r.done)
}
