package index_test

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
)

// memory keeps one curve as the store does: pkg/aws/launchtable runs the same cases on the
// real one.
type memory struct {
	curve  index.Curve
	buyers map[solana.PublicKey]bool
	told   []market.Trade
	// candles are kept as the store does: each page's go on what was read before.
	candles market.Candles
	dueAt   time.Time
	ended   bool // it is on no list any more
	// before and after are called around each call, and may make it fail: after it was
	// carried out, too.
	before, after func(call string) error
}

func newMemory(c index.Curve) *memory {
	return &memory{curve: c, dueAt: genesis, buyers: map[solana.PublicKey]bool{}, candles: market.Candles{}}
}

func (m *memory) call(name string, do func() error) error {
	if m.before != nil {
		if err := m.before(name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	if m.after != nil {
		return m.after(name)
	}
	return nil
}

func (m *memory) Followed(context.Context) (entries []index.Entry, err error) {
	err = m.call("Followed", func() error {
		if !m.ended {
			entries = []index.Entry{{Mint: m.curve.Mint, DueAt: m.dueAt}}
		}
		return nil
	})
	return entries, err
}

func (m *memory) Curves(context.Context, ...solana.PublicKey) (list []index.Curve, err error) {
	err = m.call("Curves", func() error {
		list = []index.Curve{m.curve}
		return nil
	})
	return list, err
}

func (m *memory) Apply(_ context.Context, c index.Curve, p index.Page) (index.Curve, error) {
	err := m.call("Apply", func() error {
		if m.curve.Index.Last != c.Index.Last {
			return index.ErrTaken
		}
		for _, b := range p.NewBuyers {
			m.buyers[b] = true
		}
		m.told = append(m.told, p.Added...)
		for key, candle := range p.Candles {
			if earlier, there := m.candles[key]; there {
				candle = earlier.Then(candle)
			}
			m.candles[key] = candle
		}
		p.Buyers = uint64(len(m.buyers))
		m.curve.Index, m.curve.Within, m.curve.BegunAt, m.curve.Walk, m.curve.SqrtPrice = p.Index, p.Within, p.BegunAt, p.Walk, p.SqrtPrice
		if m.curve.State == token.CurveActive && !p.CompletedAt.IsZero() {
			m.curve.State, m.curve.CompletedAt = token.CurveCompleted, p.CompletedAt
		}
		c = m.curve
		return nil
	})
	return c, err
}

func (m *memory) Rest(_ context.Context, c index.Curve, walk solana.Signature, next time.Time) error {
	return m.call("Rest", func() error {
		if m.ended || m.curve.Index.Last != c.Index.Last {
			return index.ErrTaken
		}
		m.curve.Walk, m.dueAt = walk, next
		return nil
	})
}

func (m *memory) Cancel(_ context.Context, c index.Curve) error {
	return m.call("Cancel", func() error {
		if m.curve.Index.Last != c.Index.Last || m.curve.State != token.CurveActive {
			return index.ErrTaken
		}
		m.curve.State, m.ended = token.CurveCancelled, true
		return nil
	})
}
