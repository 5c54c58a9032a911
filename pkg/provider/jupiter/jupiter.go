// Package jupiter exchanges through Jupiter's Metis swap API (swap/v1: quote,
// swap-instructions). The limit price is in the swap itself: Jupiter's program
// fails the transaction when less than the quote's minimum comes out.
//
// It promises that the swap instruction which it gives out sells what was quoted
// from the wallet's own account into the wallet's own account, with the quoted
// minimum and without a fee for another party: it reads the instruction, and takes
// no other kind than the two whose layout it knows. It takes neither priority
// fees nor tips from Jupiter, and asks for routes that fit into a legacy transaction
// beside its receipt.
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

// Addresses of the API (Jupiter's developer documentation, openapi
// swap/v1/swap.yaml). The first asks for a key; the second, without one, is being
// phased out.
const (
	API     = "https://api.jup.ag/swap/v1"
	LiteAPI = "https://lite-api.jup.ag/swap/v1"
)

// Venue is the name that quotes carry.
const Venue = proof.JupiterVenue

const (
	// name is for errors that callers see.
	name = "Jupiter"
	// validity is how long a quote is used. Jupiter's quotes do not end, for the
	// minimum is in the swap; an old one only fails more often.
	validity = 30 * time.Second
	// maxAccounts is asked for first. Jupiter counts the accounts that the route's pools
	// name, those of no other instruction, and only estimates them (its developer
	// documentation, "Get Quote"). Beside a receipt, a sale for SOL has room for 17 accounts
	// that pools alone name; a pool usually names four others too: the wallet, its two
	// token accounts and a token program. fewerAccounts is asked for when a route turns out
	// not to fit all the same: it leaves room although no account comes again.
	maxAccounts   = 21
	fewerAccounts = 16
)

// Client asks Jupiter; it implements exchange.Venue. Make it with New.
type Client struct {
	Now func() time.Time

	api *rest.Client
}

// New makes a client of the API at the address, Jupiter's own where it is empty. The
// source gives the key at the time of a call; it is nil for addresses that need none.
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

// CheckKey says what is wrong with a key, without showing it.
func CheckKey(key string) error {
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the key of the exchange is empty or has signs in it that no key has")
	}
	return nil
}

// Quote asks for the best route within one transaction.
func (c *Client) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	return c.quote(ctx, o, maxAccounts)
}

// quoteAnswer is what of a quote is read; all of it goes back to Jupiter.
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
		// Through well-known tokens only, and by the instructions that are read here.
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

// readQuote reads an answer. One of another form is put off as Unreadable, and one for
// another order is as good as none.
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
	if o.TaxBps > 0 { // of the pools' fees nothing is known
		q.ImpactLimitBps = &o.TaxBps
	}
	return q, nil
}

// noRoute are the codes by which Jupiter says that it does not trade this, or not
// so much of it (Jupiter's documentation, "Common Errors").
var noRoute = map[string]bool{
	"NO_ROUTES_FOUND":                            true,
	"COULD_NOT_FIND_ANY_ROUTE":                   true,
	"ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT": true,
	"MARKET_NOT_FOUND":                           true,
	"TOKEN_NOT_TRADABLE":                         true,
	"CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD":      true,
}

// unreadable puts an order off because Jupiter's answer has another form.
func unreadable(cause error) error {
	return exchange.Defer(exchange.Unreadable, "Jupiter's answers have changed, and this service cannot read them yet: %v.", cause)
}

// deferred makes a refusal of Jupiter a reason to wait. One whose code is not
// known is our mistake or a change of theirs: the order waits too, and rings.
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
