package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Memory caches curves as last read or written, and the state of a pool at which all trades of the
// pool are counted. So a curve without trades costs a hundredth of a node's call, and no call of
// the store. A Memory may be lost at any time. The zero Memory is empty and ready.
type Memory struct {
	mu     sync.Mutex
	curves map[solana.PublicKey]remembered // by mint
	active int                             // incomplete curves whose pools exist
}

type remembered struct {
	curve Curve // zero: must be read again
	// settled is the state of the pool at which all trades are counted; zero if unknown.
	settled fingerprint
	looked  time.Time
}

// fingerprint is a hash of a pool's state. Every trade changes the state, because every trade
// changes the pool's collected fees.
type fingerprint [sha256.Size]byte

func (m *Memory) put(l *look, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.curves[l.curve.Mint] = remembered{l.curve, l.settled, now}
}

// unsettled is the fingerprint of no pool, so a curve with unsettled is always checked.
var unsettled = fingerprint{1}

// fail marks a curve after an error, so that the next pass reads and checks the curve again.
func (m *Memory) fail(l *look, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.curves[l.curve.Mint] = remembered{settled: unsettled, looked: now}
}

// trading reports whether the previous pass found a curve that may change.
func (m *Memory) trading() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.active > 0
}

func (m *Memory) saw(active int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active = active
}

// recall returns the cached state of the entries, drops all other curves, and returns the unknown
// entries.
func (m *Memory) recall(entries []Entry) (known map[solana.PublicKey]remembered, unknown []solana.PublicKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known = make(map[solana.PublicKey]remembered, len(entries))
	for _, e := range entries {
		r := m.curves[e.Mint]
		if known[e.Mint] = r; r.curve.Mint != e.Mint {
			unknown = append(unknown, e.Mint)
		}
	}
	m.curves = maps.Clone(known)
	return known, unknown
}

// changed returns the curves to check: curves whose pools differ from the state at which all trades
// were counted, and due curves.
func (p *pass) changed(ctx context.Context) ([]*look, error) {
	entries, err := p.Store.Followed(ctx)
	if err != nil {
		return nil, fmt.Errorf("list curves: %w", err)
	}
	p.report.Followed = len(entries)
	known, unknown := p.Memory.recall(entries)
	if len(unknown) > 0 {
		read, err := p.Store.Curves(ctx, unknown...)
		if err != nil {
			return nil, fmt.Errorf("read %d curves: %w", len(unknown), err)
		}
		for _, c := range read {
			r := known[c.Mint]
			r.curve = c
			known[c.Mint] = r
		}
	}
	now := p.Now()
	var looks []*look
	for _, e := range entries {
		r := known[e.Mint]
		if r.curve.Mint != e.Mint {
			continue // the curve no longer exists
		}
		due := !e.DueAt.After(now)
		if !due && r.curve.resting() {
			continue
		}
		looks = append(looks, &look{curve: r.curve, settled: r.settled, before: r.looked, due: due})
	}
	p.readPools(ctx, looks)
	active := 0
	for _, l := range looks {
		if l.pool != nil && !l.curve.resting() {
			active++
		}
	}
	p.Memory.saw(active)
	return slices.DeleteFunc(looks, func(l *look) bool {
		if !l.read || l.due {
			return !l.read
		}
		if l.settled == (fingerprint{}) && l.counts() {
			l.settled = l.state // counted before this process began
		}
		if l.pool == nil || l.state == l.settled {
			p.Memory.put(l, l.before)
			return true
		}
		return false
	}), nil
}

// readPools reads the pools of the curves, as of the end of a finalized slot.
func (p *pass) readPools(ctx context.Context, looks []*look) {
	chunks := slices.Collect(slices.Chunk(looks, accountsAtOnce))
	p.each(len(chunks), func(i int) {
		err := p.readSome(ctx, chunks[i])
		if err == nil || errors.Is(err, onchain.ErrBehind) {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.report.Errors += len(chunks[i])
		p.failed = append(p.failed, fmt.Errorf("read the pools of %d curves: %w", len(chunks[i]), err))
	})
}

func (p *pass) readSome(ctx context.Context, looks []*look) error {
	addresses := make([]solana.PublicKey, len(looks))
	for i, l := range looks {
		addresses[i] = l.curve.Address
	}
	accounts, _, err := p.Chain.AccountsAt(ctx, 0, addresses...)
	if err == nil && len(accounts) != len(addresses) {
		err = fmt.Errorf("%d accounts of %d", len(accounts), len(addresses))
	}
	if err != nil {
		return err
	}
	var failures []error
	for i, l := range looks {
		l.read = true
		if accounts[i] == nil {
			continue
		}
		pool, err := meteora.DecodePool(accounts[i].Owner, accounts[i].Data)
		if err != nil {
			failures, l.read = append(failures, fmt.Errorf("the pool %s: %w", l.curve.Address, err)), false
			continue
		}
		l.pool, l.state = &pool, sha256.Sum256(accounts[i].Data)
	}
	return errors.Join(failures...)
}
