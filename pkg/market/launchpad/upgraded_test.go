package launchpad_test

import (
	"math/big"
	"testing"

	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// If an upgrade of Meteora's program makes its accounts unreadable, callers get 503 and never 500;
// accounts that only grew are read as before.
func TestUpgradedProgramIsUnavailable(t *testing.T) {
	w, creator, created := prepared(t, nil)
	c := created.Curve
	state, q := bought(t, c, 90_000_000_000_000)
	pool := poolData(c, state.SqrtPrice, c.Liquidity, c.Liquidity, c.Tokens-q.PoolTokens, q.CurveLamports)
	w.deploy(t, created, w.now)
	grown := append(pool, make([]byte, 200)...)
	w.plant(t, c.Address, meteora.Program, grown)
	w.plant(t, c.Position, meteora.Program, append(positionData(c), make([]byte, 200)...))
	s, err := w.service.Status(t.Context(), c.Mint)
	must.Do(t, err)
	if s.Raised != q.CurveLamports || !s.AllLocked || s.SqrtPrice.Cmp(new(big.Int).Set(state.SqrtPrice)) != 0 {
		t.Errorf("grown: %+v", s)
	}

	renamed := append([]byte{}, grown...)
	renamed[0]++
	w.plant(t, c.Address, meteora.Program, renamed)
	const amount = 1_000_000_000
	for what, ask := range map[string]func() error{
		"status": func() error { _, err := w.service.Status(t.Context(), c.Mint); return err },
		"price": func() error {
			_, err := w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: amount})
			return err
		},
		"list": func() error { _, _, err := w.service.List(t.Context(), "", 10); return err },
		"buy": func() error {
			_, err := w.service.Buy(t.Context(), creator.PublicKey(), c.Mint, launchpad.Amount{Tokens: amount}, 100)
			return err
		},
		"sell": func() error {
			_, err := w.service.Sell(t.Context(), creator.PublicKey(), c.Mint, amount, 100)
			return err
		},
	} {
		refused(t, what, ask(), apperr.Unavailable, "upstream_unavailable")
	}
}

// The same for a candidate that has landed, and whose position cannot be read.
func TestUpgradedPositionIsUnavailable(t *testing.T) {
	w, creator, created := prepared(t, nil)
	c := created.Curve
	state, q := bought(t, c, 90_000_000_000_000)
	w.plant(t, c.Address, meteora.Program, poolData(c, state.SqrtPrice, c.Liquidity, c.Liquidity, c.Tokens-q.PoolTokens, q.CurveLamports))
	position := positionData(c)
	position[0]++
	w.plant(t, c.Position, meteora.Program, position)
	_, err := w.service.Status(t.Context(), c.Mint)
	refused(t, "status", err, apperr.Unavailable, "upstream_unavailable")
	_, err = w.service.Cancel(t.Context(), creator.PublicKey(), c.Mint)
	refused(t, "cancel", err, apperr.Unavailable, "upstream_unavailable")
}
