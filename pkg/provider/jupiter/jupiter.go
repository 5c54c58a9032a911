// Package jupiter exchanges through Jupiter's Metis swap API (swap/v1: quote, swap-instructions).
// The swap instruction contains the limit price: Jupiter's program fails the transaction if the
// output is less than the quote's minimum.
//
// The package promises that a returned swap instruction sells the quoted amount from the wallet's
// own account into the wallet's own account, for at least the quoted minimum and without a fee for
// another party. The package decodes the instruction, and accepts only the two kinds of
// instructions whose layout is known. The package uses neither Jupiter's priority fees nor tips,
// and requests routes that fit into a legacy transaction together with the receipt.
package jupiter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/provider/rest"
)

// Addresses of the API (Jupiter's developer documentation, openapi swap/v1/swap.yaml). API requires
// a key. LiteAPI works without a key, but is being phased out.
const (
	API     = "https://api.jup.ag/swap/v1"
	LiteAPI = "https://lite-api.jup.ag/swap/v1"
)

// Venue is the venue of the quotes.
const Venue = proof.JupiterVenue

const (
	// name is the name in errors for callers.
	name = "Jupiter"
	// validity is the time for which a quote is used. Jupiter's quotes do not expire, because the
	// swap contains the minimum. An old quote only fails more often.
	validity = 30 * time.Second
	// maxAccounts is the requested limit on accounts of the first quote. Jupiter counts only the
	// accounts of the route's pools, and only estimates the number (its developer documentation,
	// "Get Quote"). In addition to a receipt, a sale for SOL has room for 17 accounts that only
	// pools use. A pool usually also uses four accounts of other instructions: the wallet, the
	// wallet's two token accounts and a token program. fewerAccounts is the requested limit if the
	// first route does not fit. The smaller route fits even if the pools and other instructions
	// share no account.
	maxAccounts   = 21
	fewerAccounts = 16
)

// Client calls Jupiter. It implements exchange.Venue. Create a Client with New.
type Client struct {
	Now func() time.Time

	api *rest.Client
}

// New returns a client of the API at the address; an empty address means API. The source provides
// the key at the time of a call, and is nil for addresses that need no key.
func New(address string, key secret.Source) (*Client, error) {
	if address == "" {
		address = API
	}
	var header rest.Header
	if key != nil {
		header = func(ctx context.Context) (http.Header, error) {
			value, err := key(ctx)
			return http.Header{"X-Api-Key": {value}}, err
		}
	}
	api, err := rest.New(name, address, header)
	if err != nil {
		return nil, err
	}
	return &Client{Now: time.Now, api: api}, nil
}

// CheckKey checks a key. The error does not show the key.
func CheckKey(key string) error {
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the key of the exchange is empty or has signs in it that no key has")
	}
	return nil
}

// Quote requests the best route that fits into one transaction.
func (c *Client) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	return c.quote(ctx, o, maxAccounts)
}

// quoteAnswer is the decoded part of a quote. Swap sends the whole quote back to Jupiter.
type quoteAnswer struct {
	InputMint            string `json:"inputMint"`
	InAmount             string `json:"inAmount"`
	OutputMint           string `json:"outputMint"`
	OutAmount            string `json:"outAmount"`
	OtherAmountThreshold string `json:"otherAmountThreshold"`
	SwapMode             string `json:"swapMode"`
	SlippageBps          int    `json:"slippageBps"`
	PriceImpactPct       string `json:"priceImpactPct"`
	PlatformFee          *struct {
		FeeBps int `json:"feeBps"`
	} `json:"platformFee"`
}

func (c *Client) quote(ctx context.Context, o exchange.Order, accounts int) (exchange.Quote, error) {
	query := url.Values{
		"inputMint": {o.Input.String()}, "outputMint": {o.Output.Mint().String()},
		"amount": {rest.FormatAmount(o.Amount)}, "slippageBps": {strconv.Itoa(o.SlippageBps)}, "swapMode": {"ExactIn"},
		"asLegacyTransaction": {"true"}, "maxAccounts": {strconv.Itoa(accounts)},
		// Only routes through well-known tokens, and only instructions of the version that this
		// package decodes.
		"restrictIntermediateTokens": {"true"}, "instructionVersion": {"V1"},
	}
	var raw json.RawMessage
	if err := c.api.Get(ctx, "quote", query, &raw); err != nil {
		return exchange.Quote{}, deferred(err)
	}
	q, err := readQuote(raw, o)
	if err != nil {
		return exchange.Quote{}, err
	}
	q.ValidUntil = c.Now().Add(validity)
	return q, nil
}

// readQuote decodes a response. A response of another form defers the order as Unreadable. A
// response for another order is an upstream error.
func readQuote(raw json.RawMessage, o exchange.Order) (exchange.Quote, error) {
	var a quoteAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return exchange.Quote{}, unreadable(err)
	}
	in, inErr := rest.ParseAmount(a.InAmount)
	out, outErr := rest.ParseAmount(a.OutAmount)
	minimum, minimumErr := rest.ParseAmount(a.OtherAmountThreshold)
	impact, impactErr := parseImpact(a.PriceImpactPct)
	if err := errors.Join(inErr, outErr, minimumErr, impactErr); err != nil {
		return exchange.Quote{}, unreadable(err)
	}
	not := func(format string, args ...any) (exchange.Quote, error) {
		return exchange.Quote{}, apperr.Upstream(name, fmt.Errorf("read a quote: "+format, args...))
	}
	switch {
	case a.InputMint != o.Input.String(), a.OutputMint != o.Output.Mint().String(), a.SwapMode != "ExactIn":
		return not("it is for another order: %s of %s to %s", a.SwapMode, a.InputMint, a.OutputMint)
	case a.SlippageBps != o.SlippageBps:
		return not("it allows a slippage of %d basis points, %d were asked for", a.SlippageBps, o.SlippageBps)
	case a.PlatformFee != nil && a.PlatformFee.FeeBps != 0:
		return not("it takes a platform fee of %d basis points", a.PlatformFee.FeeBps)
	}
	q := exchange.Quote{Order: o, In: in, Out: out, MinimumOut: minimum, PriceImpactBps: impact, Venue: Venue, Detail: raw}
	if o.TaxBps > 0 { // the pools' fees are unknown
		q.ImpactLimitBps = &o.TaxBps
	}
	return q, nil
}

// noRoute is the set of Jupiter's codes for an order that Jupiter does not trade, or not in this
// amount (Jupiter's documentation, "Common Errors").
var noRoute = map[string]bool{
	"NO_ROUTES_FOUND":                            true,
	"COULD_NOT_FIND_ANY_ROUTE":                   true,
	"ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT": true,
	"MARKET_NOT_FOUND":                           true,
	"TOKEN_NOT_TRADABLE":                         true,
	"CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD":      true,
}

// unreadable defers an order because Jupiter's response has an unknown form.
func unreadable(cause error) error {
	return exchange.Defer(exchange.Unreadable, "Jupiter's answers have changed, and this service cannot read them yet: %v.", cause)
}

// deferred converts a rejection of Jupiter into a deferral. A refusal with an unknown code is a bug
// of this service or a change of Jupiter. The order is deferred as Unreadable, which also raises an
// alarm.
func deferred(err error) error {
	refusal, ok := errors.AsType[*rest.Refusal](err)
	switch {
	case !ok:
		return err
	case noRoute[refusal.Code]:
		return exchange.Defer(exchange.NoRoute, "Jupiter has no route for this much of the token (%s).", refusal.Code)
	}
	return unreadable(fmt.Errorf("it refuses the order with status %d %s %s", refusal.Status, refusal.Code, refusal.Message))
}
