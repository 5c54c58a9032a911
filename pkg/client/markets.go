package client

import (
	"context"
	"net/url"
	"strconv"

	"github.com/gagliardetto/solana-go"
)

// CreateUnsignedPool builds the transaction of a pool. For each CreateUnsigned method of this file,
// the Sign method of the same name checks and signs the transaction, and Send sends the signed
// transaction to the network.
func (c *Client) CreateUnsignedPool(ctx context.Context, r PoolCreation) (UnsignedPool, error) {
	return fetch[UnsignedPool](ctx, c, post("/dex/exchange/cpmm/create-unsigned", r).signedIn())
}

// CreateUnsignedCurve builds the transaction of a bonding curve.
func (c *Client) CreateUnsignedCurve(ctx context.Context, r CurveCreation) (UnsignedCurve, error) {
	return fetch[UnsignedCurve](ctx, c, post("/launchpad/create-unsigned", r).signedIn())
}

// ListCurves returns one page of the bonding curves, newest first.
func (c *Client) ListCurves(ctx context.Context, r Cursor) (CurveList, error) {
	return fetch[CurveList](ctx, c, get("/launchpad", r.query()))
}

// GetCurve reads a token's bonding curve.
func (c *Client) GetCurve(ctx context.Context, mint solana.PublicKey) (Curve, error) {
	return fetch[Curve](ctx, c, get(curve(mint, "status"), nil))
}

// GetPrice returns the cost of an amount of a token on the token's curve.
func (c *Client) GetPrice(ctx context.Context, mint solana.PublicKey, amount Amount) (PriceQuote, error) {
	q := url.Values{"amount": {strconv.FormatUint(amount.Uint64(), 10)}}
	return fetch[PriceQuote](ctx, c, get(curve(mint, "price"), q))
}

// GetPriceFor returns the amount of a token that the lamports, fee included, buy on the token's
// curve.
func (c *Client) GetPriceFor(ctx context.Context, mint solana.PublicKey, lamports Lamports) (PriceQuote, error) {
	q := url.Values{"lamports": {strconv.FormatUint(lamports.Uint64(), 10)}}
	return fetch[PriceQuote](ctx, c, get(curve(mint, "price"), q))
}

// ListTrades returns one page of the trades on a token's curve, newest first.
func (c *Client) ListTrades(ctx context.Context, mint solana.PublicKey, r Cursor) (TradeList, error) {
	return fetch[TradeList](ctx, c, get(curve(mint, "trades"), r.query()))
}

// CandleQuery selects candles. A zero field has the default.
type CandleQuery struct {
	Cursor
	// Interval is the duration of a candle. The default is an hour.
	Interval CandleInterval
}

// ListCandles returns one page of the candles of a token's curve, newest first. An interval without
// trades has no candle.
func (c *Client) ListCandles(ctx context.Context, mint solana.PublicKey, r CandleQuery) (CandleList, error) {
	q := r.query()
	if r.Interval != "" {
		q.Set("interval", string(r.Interval))
	}
	return fetch[CandleList](ctx, c, get(curve(mint, "candles"), q))
}

// CreateUnsignedBuy builds the transaction of a purchase.
func (c *Client) CreateUnsignedBuy(ctx context.Context, mint solana.PublicKey, r CurvePurchase) (UnsignedPurchase, error) {
	return fetch[UnsignedPurchase](ctx, c, post(curve(mint, "buy/create-unsigned"), r).signedIn())
}

// CreateUnsignedSell builds the transaction of a sale.
func (c *Client) CreateUnsignedSell(ctx context.Context, mint solana.PublicKey, r CurveSale) (UnsignedSale, error) {
	return fetch[UnsignedSale](ctx, c, post(curve(mint, "sell/create-unsigned"), r).signedIn())
}

// CreateUnsignedCancel builds the transaction that cancels a curve.
func (c *Client) CreateUnsignedCancel(ctx context.Context, mint solana.PublicKey) (UnsignedCancellation, error) {
	return fetch[UnsignedCancellation](ctx, c, post(curve(mint, "cancel/create-unsigned"), struct{}{}).signedIn())
}

// GetCurveFees returns the fees that a token's curve has earned for the creator.
func (c *Client) GetCurveFees(ctx context.Context, mint solana.PublicKey) (CurveFees, error) {
	return fetch[CurveFees](ctx, c, get(curve(mint, "fees"), nil))
}

// CreateUnsignedFeeClaim builds the transaction that claims a curve's fees.
func (c *Client) CreateUnsignedFeeClaim(ctx context.Context, mint solana.PublicKey) (UnsignedFeeClaim, error) {
	return fetch[UnsignedFeeClaim](ctx, c, post(curve(mint, "fees/create-unsigned"), struct{}{}).signedIn())
}

// CreateUnsignedLock builds the transaction that locks tokens over time.
func (c *Client) CreateUnsignedLock(ctx context.Context, mint solana.PublicKey, r TokenLock) (UnsignedLock, error) {
	return fetch[UnsignedLock](ctx, c, post("/tokens/"+mint.String()+"/lock/create-unsigned", r).signedIn())
}

// ListFeatured returns one page of the active promotions. The promotion that ends first comes last.
func (c *Client) ListFeatured(ctx context.Context, r Cursor) (FeaturedList, error) {
	return fetch[FeaturedList](ctx, c, get("/featured", r.query()))
}

// CreateUnsignedPromotion builds the payment of a promotion.
func (c *Client) CreateUnsignedPromotion(ctx context.Context, r PromotionPurchase) (UnsignedPromotion, error) {
	return fetch[UnsignedPromotion](ctx, c, post("/featured/create-unsigned", r).signedIn())
}

func curve(mint solana.PublicKey, rest string) string {
	return "/launchpad/" + mint.String() + "/" + rest
}
