// Package curves writes the state of bonding curves that would have been seen on the chain. An
// offline local chain lacks the program, so no transaction of a curve lands.
package curves

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/bonding"
)

// Store stores curves in the deployed launch table.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

var errNone = errors.New("no curve of the mint was prepared")

// Deploy marks the last prepared curve of a mint as on the chain, with a purchase for lamports by a
// wallet.
func (s Store) Deploy(ctx context.Context, mint, buyer solana.PublicKey, lamports uint64) (market.Curve, error) {
	store := curves.Store{Client: s.Client, Table: s.Table}
	candidates, err := store.Candidates(ctx, mint)
	if err != nil {
		return market.Curve{}, err
	}
	if len(candidates) == 0 {
		return market.Curve{}, fmt.Errorf("deploy the curve of %s: %w", mint, errNone)
	}
	c := candidates[0]
	c.State, c.CreatedAt = token.CurveActive, c.PreparedAt
	if err := store.Deploy(ctx, c, c.ID); err != nil {
		return market.Curve{}, err
	}
	price := new(big.Int).Lsh(new(big.Int).SetUint64(lamports), 128)
	price.Add(price.Quo(price, c.Liquidity), c.StartSqrtPrice)
	sold, err := bonding.Sold(c.Liquidity, c.StartSqrtPrice, price)
	if err != nil {
		return market.Curve{}, fmt.Errorf("compute what %d lamports buy of %s: %w", lamports, mint, err)
	}
	purchase := market.Trade{
		Number: 1, Signature: solana.Signature{1}, Slot: 1, At: c.CreatedAt, Trader: buyer, Bought: true,
		Lamports: lamports, Tokens: sold, SqrtBefore: c.StartSqrtPrice, SqrtAfter: price,
	}
	candles := market.Candles{}
	candles.Add(purchase)
	after, err := s.index().Apply(ctx, index.Curve{Curve: c}, index.Page{
		Index: market.Index{Trades: 1, Bought: sold, Paid: lamports}, BegunAt: c.CreatedAt,
		NewBuyers: []solana.PublicKey{buyer}, SqrtPrice: price, Added: []market.Trade{purchase}, Candles: candles,
	})
	return after.Curve, err
}

// Cancel ends a curve from Deploy.
func (s Store) Cancel(ctx context.Context, c market.Curve) error {
	return s.index().Cancel(ctx, index.Curve{Curve: c})
}

func (s Store) index() curves.Index {
	return curves.Index{Client: s.Client, Table: s.Table}
}
