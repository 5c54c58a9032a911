package main

import (
	"context"
	cryptorand "crypto/rand"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/dex"
	"tokenlaunch.example/service/pkg/api/endpoint/featured"
	"tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/market/cpmm"
	offers "tokenlaunch.example/service/pkg/market/featured"
	bonding "tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// preparing returns the common parts of the functions that prepare transactions.
func (w wiring) preparing(function string) (*solanarpc.Client, transaction.Preparer, string, error) {
	env := w.env[function]
	node := w.node(env)
	preparer, err := w.preparer(node, env)
	return node, preparer, env["LAUNCH_TABLE"], err
}

func (w wiring) dex() (map[string]apigw.HandlerFunc, error) {
	node, preparer, table, err := w.preparing(route.FunctionDex)
	return dex.Endpoint{Pools: cpmm.Service{
		Chain: node, Preparer: preparer, Store: curves.Pools{Client: w.db, Table: table}, Network: raydium.Mainnet,
		Random: cryptorand.Reader,
	}, Limiter: w.limiter(route.FunctionDex)}.Handlers(), err
}

// launchpad caches nothing, so that each request does the full work.
func (w wiring) launchpad() (map[string]apigw.HandlerFunc, error) {
	node, preparer, table, err := w.preparing(route.FunctionLaunchpad)
	issued := issued.Store{Client: w.db, Table: table}
	return launchpad.Endpoint{
		Curves: bonding.Service{
			Store: curves.Store{Client: w.db, Table: table}, Issued: issued,
			Chain: node, Preparer: preparer, Random: cryptorand.Reader, Now: w.clock.now,
		}, Locks: lock.Service{
			Issued: issued, Chain: node, Preparer: preparer, Random: cryptorand.Reader,
		}, Limiter: w.limiter(route.FunctionLaunchpad),
		Tokens: launchtable.Tokens{Client: w.db, Table: table}, Gateway: w.env[route.FunctionLaunchpad]["IPFS_GATEWAY_URL"], Now: w.clock.now,
	}.Handlers(), err
}

func (w wiring) featured() (map[string]apigw.HandlerFunc, error) {
	_, preparer, table, err := w.preparing(route.FunctionFeatured)
	if err != nil {
		return nil, err
	}
	treasury, err := solana.PublicKeyFromBase58(w.env[route.FunctionFeatured]["TREASURY_ADDRESS"])
	promotions := promotions.Store{Client: w.db, Table: table}
	return featured.Endpoint{
		Promotions: offers.Service{
			Tokens: launchtable.Tokens{Client: w.db, Table: table}, Store: promotions, Preparer: preparer,
			Treasury: treasury, Random: cryptorand.Reader,
		},
		Records: promotions, Gateway: w.env[route.FunctionFeatured]["IPFS_GATEWAY_URL"], Now: w.clock.now,
	}.Handlers(), err
}

// markets prepares a pool, a curve, trades on the curve, its cancellation and a promotion of the
// newest token. The local chain lacks these programs, so only the service's own work is measured.
func (b *session) markets(ctx context.Context) error {
	const whole = "1000000" // one token
	mint, err := solana.PublicKeyFromBase58(b.mint)
	if err != nil {
		return fmt.Errorf("read the mint of a token: %w", err)
	}
	for _, call := range []struct {
		operation string
		body      map[string]any
	}{
		{"createUnsignedPool", map[string]any{"tokenMint": b.mint, "tokenAmount": "1000000000", "solAmount": "1000000000"}},
		{"createUnsignedCurve", map[string]any{
			"tokenMint": b.mint, "tokenAmount": "500000000000000", "targetMarketCap": "100", "lockLiquidity": false,
		}},
		{"createUnsignedBuy", map[string]any{"tokenAmount": whole}},
		{"buyByAction", map[string]any{"account": b.wallet.Address()}},
		{"createUnsignedSell", map[string]any{"tokenAmount": whole}},
		{"createUnsignedCancel", map[string]any{}},
		{"createUnsignedFeeClaim", map[string]any{}},
		{"createUnsignedLock", map[string]any{"tokenAmount": whole, "firstReleaseAt": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339), "releases": 1}},
		{"createUnsignedPromotion", map[string]any{"tokenMint": b.mint, "durationDays": 7}},
	} {
		if err := b.post(ctx, call.operation, call.body, nil); err != nil {
			return err
		}
		if call.operation == "createUnsignedCurve" { // a purchase, so that something can be sold
			if _, err := b.curves.Deploy(ctx, mint, b.wallet.PublicKey(), solana.LAMPORTS_PER_SOL); err != nil {
				return err
			}
		}
	}
	return nil
}
