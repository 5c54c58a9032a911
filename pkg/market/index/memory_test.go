package index_test

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/index"
)

// memory keeps one curve as the store does: pkg/aws/launchtable runs the same cases on the
// real one.
type memory struct {
	curve  index.Curve
	buyers map[solana.PublicKey]bool
	ended  bool // it is on no list any more
	// before and after are called around each call, and may make it fail: after it was
	// carried out, too.
	before, after func(call string) error
}

func newMemory(c index.Curve) *memory { return &memory{curve: c, buyers: map[solana.PublicKey]bool{}} }

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

func (m *memory) Due(_ context.Context, now time.Time, _ int) (due []index.Curve, err error) {
	err = m.call("Due", func() error {
		if !m.ended && !m.curve.DueAt.After(now) {
			due = []index.Curve{m.curve}
		}
		return nil
	})
	return due, err
}

func (m *memory) Claim(_ context.Context, c index.Curve, next time.Time) (index.Curve, error) {
	err := m.call("Claim", func() error {
		if m.ended || !m.curve.DueAt.Equal(c.DueAt) {
			return index.ErrTaken
		}
		m.curve.DueAt = next
		c = m.curve
		return nil
	})
	return c, err
}

func (m *memory) Apply(_ context.Context, c index.Curve, p index.Page) (index.Curve, error) {
	err := m.call("Apply", func() error {
		if m.curve.Index.Last != c.Index.Last {
			return index.ErrTaken
		}
		for _, b := range p.NewBuyers {
			m.buyers[b] = true
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
		m.curve.Walk, m.curve.DueAt = walk, next
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
