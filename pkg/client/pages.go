package client

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"
)

// maxPerPage is the maximum number of items on a page.
const maxPerPage = 100

// AllTokens returns all tokens, newest first, or all tokens of a creator. The iterator reads a page
// when the loop needs the page, and ends after an error. A launch during the loop may move a token
// to the next page; the iterator returns the token only once.
func (c *Client) AllTokens(ctx context.Context, creator solana.PublicKey) iter.Seq2[Token, error] {
	return allTokens(func(p Page) (TokenList, error) { return c.ListTokens(ctx, TokenQuery{Page: p, Creator: creator}) })
}

// AllMyTokens returns all tokens of the wallet, in the order of ListMyTokens. A launch that is
// confirmed during the loop may move between pages, so the iterator may skip a token or repeat the
// launch.
func (c *Client) AllMyTokens(ctx context.Context) iter.Seq2[Token, error] {
	return allTokens(func(p Page) (TokenList, error) { return c.ListMyTokens(ctx, p) })
}

// AllMyLaunches is AllMyTokens with failed launches, in the order of ListMyLaunches.
func (c *Client) AllMyLaunches(ctx context.Context) iter.Seq2[Token, error] {
	return allTokens(func(p Page) (TokenList, error) { return c.ListMyLaunches(ctx, p) })
}

func allTokens(read func(Page) (TokenList, error)) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		seen := map[string]bool{} // IDs on the page before
		for page := 1; ; page++ {
			list, err := read(Page{Number: page, Limit: maxPerPage})
			if err != nil {
				yield(Token{}, err)
				return
			}
			now := map[string]bool{}
			for _, t := range list.Tokens {
				now[t.ID] = true
				if !seen[t.ID] && !yield(t, nil) {
					return
				}
			}
			if !list.Pagination.HasNext {
				return
			}
			seen = now
		}
	}
}

// AllRuns returns all distributions of a token, newest first. token is the token's ID or mint.
func (c *Client) AllRuns(ctx context.Context, token string) iter.Seq2[RunSummary, error] {
	return follow(func(r Cursor) ([]RunSummary, *string, error) {
		list, err := c.ListRuns(ctx, token, r)
		return list.Runs, list.NextCursor, err
	})
}

// AllSettingsChanges returns the whole history of a token's settings, newest first. token is the
// token's ID or mint.
func (c *Client) AllSettingsChanges(ctx context.Context, token string) iter.Seq2[PastChange, error] {
	return follow(func(r Cursor) ([]PastChange, *string, error) {
		list, err := c.ListSettingsChanges(ctx, token, r)
		return list.Changes, list.NextCursor, err
	})
}

// AllBurns returns all burns of a token, newest first.
func (c *Client) AllBurns(ctx context.Context, mint solana.PublicKey) iter.Seq2[Burn, error] {
	return follow(func(r Cursor) ([]Burn, *string, error) {
		list, err := c.GetBurns(ctx, mint, r)
		return list.Burns, list.NextCursor, err
	})
}

// AllCurves returns all bonding curves, newest first.
func (c *Client) AllCurves(ctx context.Context) iter.Seq2[Curve, error] {
	return follow(func(r Cursor) ([]Curve, *string, error) {
		list, err := c.ListCurves(ctx, r)
		return list.Launchpad, list.NextCursor, err
	})
}

// AllTrades returns all trades on a token's curve, newest first. Trades that are made during the
// loop are missing.
func (c *Client) AllTrades(ctx context.Context, mint solana.PublicKey) iter.Seq2[Trade, error] {
	return follow(func(r Cursor) ([]Trade, *string, error) {
		list, err := c.ListTrades(ctx, mint, r)
		return list.Trades, list.NextCursor, err
	})
}

// AllCandles returns all candles of a token's curve, newest first.
func (c *Client) AllCandles(ctx context.Context, mint solana.PublicKey, interval CandleInterval) iter.Seq2[Candle, error] {
	return follow(func(r Cursor) ([]Candle, *string, error) {
		list, err := c.ListCandles(ctx, mint, CandleQuery{Cursor: r, Interval: interval})
		return list.Candles, list.NextCursor, err
	})
}

// AllFeatured returns all active promotions. The promotion that ends first comes last.
func (c *Client) AllFeatured(ctx context.Context) iter.Seq2[Featured, error] {
	return follow(func(r Cursor) ([]Featured, *string, error) {
		list, err := c.ListFeatured(ctx, r)
		return list.Featured, list.NextCursor, err
	})
}

// follow reads pages until a page has no next cursor.
func follow[T any](read func(Cursor) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		at := Cursor{Limit: maxPerPage}
		for {
			list, next, err := read(at)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range list {
				if !yield(item, nil) {
					return
				}
			}
			if next == nil || *next == "" {
				return
			}
			at.After = *next
		}
	}
}

// ErrNotProven is returned for a token without a distribution whose proof is on the chain.
var ErrNotProven = errors.New("no distribution of this token is proven yet")

// NewestProven returns the newest distribution whose proof is on the chain. A distribution that has
// stored its manifest and waits for its anchor is passed over. The Anchor of the result has a
// Transaction. token is the token's ID or mint. The error is ErrNotProven if there is no such
// distribution.
func (c *Client) NewestProven(ctx context.Context, token string) (Run, error) {
	for listed, err := range c.AllRuns(ctx, token) {
		if err != nil {
			return Run{}, err
		}
		if listed.Anchor == nil {
			continue
		}
		r, err := c.GetRun(ctx, token, listed.ID)
		if err == nil && (r.Anchor == nil || r.Anchor.Transaction == nil) {
			err = fmt.Errorf("the list has an anchor of run %s, and the run has none", listed.ID)
		}
		return r, err
	}
	return Run{}, ErrNotProven
}
