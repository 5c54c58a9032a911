// Package launchpad serves the routes under /launchpad: wallets create bonding curves and trade on
// curves, and anyone reads the state of curves. It also prepares locks over
// time, and serves the Solana Action of a token.
package launchpad

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/token"
)

// Curves creates curves and trades, and reads the state of curves; see launchpad.Service.
type Curves interface {
	Create(ctx context.Context, caller solana.PublicKey, d launchpad.Draft) (launchpad.Created, error)
	Status(ctx context.Context, mint solana.PublicKey) (launchpad.Status, error)
	List(ctx context.Context, after string, limit int) (page []launchpad.Status, next string, err error)
	Trades(ctx context.Context, mint solana.PublicKey, before uint64, limit int) (launchpad.TradePage, error)
	Candles(ctx context.Context, mint solana.PublicKey, i market.Interval, before time.Time, limit int) (launchpad.CandlePage, error)
	Price(ctx context.Context, mint solana.PublicKey, amount launchpad.Amount) (launchpad.Price, error)
	Buy(ctx context.Context, caller, mint solana.PublicKey, amount launchpad.Amount, slippageBps int) (launchpad.Trade, error)
	Sell(ctx context.Context, caller, mint solana.PublicKey, tokens uint64, slippageBps int) (launchpad.Trade, error)
	Cancel(ctx context.Context, caller, mint solana.PublicKey) (launchpad.Cancellation, error)
	Fees(ctx context.Context, mint solana.PublicKey) (launchpad.Fees, error)
	ClaimFees(ctx context.Context, caller, mint solana.PublicKey) (launchpad.FeeClaim, error)
}

// Locks creates locks over time; see lock.Service.
type Locks interface {
	Create(ctx context.Context, caller solana.PublicKey, d lock.Draft) (lock.Lock, error)
}

// Tokens reads the records of tokens; see launchtable.Tokens.
type Tokens interface {
	// TokensOf returns the records of up to 100 mints. Mints without a record are omitted.
	TokensOf(ctx context.Context, mints []solana.PublicKey) ([]token.Record, error)
}

// Endpoint handles the routes. Gateway is the address of an IPFS gateway, without a trailing slash.
type Endpoint struct {
	Curves  Curves
	Locks   Locks
	Tokens  Tokens
	Gateway string
	Now     func() time.Time
	// Limiter enforces market.PreparedPerAddress.
	Limiter ratelimit.Limiter
	// Site is for Solana Actions.
	Site action.Site
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{
		"createUnsignedCurve":    e.create,
		"listCurves":             e.list,
		"getCurve":               e.status,
		"getPrice":               e.price,
		"listTrades":             e.trades,
		"listCandles":            e.candles,
		"createUnsignedBuy":      e.buy,
		"createUnsignedSell":     e.sell,
		"createUnsignedCancel":   e.cancel,
		"getCurveFees":           e.fees,
		"createUnsignedFeeClaim": e.claimFees,
		"createUnsignedLock":     e.lock,
		"getAction":              e.getAction,
		"buyByAction":            e.buyByAction,
	}
}

// placeForm is the position at the end of a page of curves: the creation of the last curve in Unix
// milliseconds, and the mint.
var placeForm = regexp.MustCompile(`^[0-9]{15}#[1-9A-HJ-NP-Za-km-z]{32,44}$`)

func (e Endpoint) list(w http.ResponseWriter, r *http.Request) error {
	limit, after, err := contract.ReadPage(r.URL.Query(), placeForm)
	if err != nil {
		return err
	}
	page, next, err := e.Curves.List(r.Context(), after, limit)
	if err != nil {
		return err
	}
	records, err := e.records(r.Context(), page)
	if err != nil {
		return err
	}
	out := listBody{Launchpad: make([]curveBody, len(page)), NextCursor: contract.Cursor(next)}
	for i, one := range page {
		out.Launchpad[i] = newCurveBody(one)
		if record, known := records[one.Mint]; known {
			out.Launchpad[i].Token = new(contract.NewToken(record.InForce(e.Now()), e.Gateway))
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// records returns the records of the curves' tokens. A token that was launched elsewhere has no
// record.
func (e Endpoint) records(ctx context.Context, page []launchpad.Status) (map[solana.PublicKey]token.Record, error) {
	if len(page) == 0 {
		return nil, nil
	}
	mints := make([]solana.PublicKey, len(page))
	for i, one := range page {
		mints[i] = one.Mint
	}
	found, err := e.Tokens.TokensOf(ctx, mints)
	if err != nil {
		return nil, err
	}
	records := make(map[solana.PublicKey]token.Record, len(found))
	for _, record := range found {
		records[record.Mint] = record
	}
	return records, nil
}

func (e Endpoint) status(w http.ResponseWriter, r *http.Request) error {
	mint, err := mintOf(r)
	if err != nil {
		return err
	}
	found, err := e.Curves.Status(r.Context(), mint)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newCurveBody(found))
}

func (e Endpoint) price(w http.ResponseWriter, r *http.Request) error {
	amount, err := readAmount(r.URL.Query())
	if err != nil {
		return err
	}
	mint, err := mintOf(r)
	if err != nil {
		return err
	}
	p, err := e.Curves.Price(r.Context(), mint, amount)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newPriceBody(p))
}

// mintOf returns the mint in the path. It returns the error for a missing curve if the text is not
// an address.
func mintOf(r *http.Request) (solana.PublicKey, error) {
	mint, ok := auth.ParseWallet(r.PathValue("mintAddress"))
	if !ok {
		return solana.PublicKey{}, launchpad.NotFound()
	}
	return mint, nil
}

func (e Endpoint) sell(w http.ResponseWriter, r *http.Request) error {
	o, err := readOrder(r, false)
	if err != nil {
		return err
	}
	t, err := e.Curves.Sell(r.Context(), o.caller, o.mint, o.amount.Tokens, o.slippageBps)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newSaleBody(t))
}

// readCaller returns the caller and the mint of a request with an empty body.
func readCaller(r *http.Request) (caller, mint solana.PublicKey, err error) {
	if caller, err = apigw.CallerKey(r.Context()); err != nil {
		return caller, mint, err
	}
	fields, err := body.Read(r)
	if err != nil {
		return caller, mint, err
	}
	if err := fields.Err(); err != nil {
		return caller, mint, err
	}
	mint, err = mintOf(r)
	return caller, mint, err
}

func (e Endpoint) cancel(w http.ResponseWriter, r *http.Request) error {
	caller, mint, err := readCaller(r)
	if err != nil {
		return err
	}
	c, err := market.Prepare(r.Context(), e.Limiter, apigw.SourceIP(r.Context()), func() (launchpad.Cancellation, error) {
		return e.Curves.Cancel(r.Context(), caller, mint)
	})
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newCancellationBody(c))
}
