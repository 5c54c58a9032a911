// Package marketmaker exchanges with a market maker who quotes a firm price and also signs. The
// exchange is one atomic transaction: tokens in one direction, and SOL or tokens in the other. Any
// party that implements the protocol below can be the maker. The maker's responses are checked like
// the responses of any third party.
//
// The protocol is three calls with JSON bodies, amounts as decimal strings:
//
//	POST /quote  QuoteRequest → QuoteAnswer
//	POST /swap   SwapRequest  → SwapAnswer
//	POST /sign   SignRequest  → SignAnswer
//
// An error response has a status of 400 to 499 with {code, message}. The codes are listed below.
package marketmaker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/rest"
)

// Codes of error responses.
const (
	CodeNoPrice  = "no_price"  // the maker does not trade this pair
	CodeTooMuch  = "too_much"  // or not in this amount
	CodeExpired  = "expired"   // the quote has expired or is unknown
	CodeRefused  = "refused"   // the message differs from the agreed exchange
	CodeBadInput = "bad_input" // the request is malformed
)

// QuoteRequest requests a price.
type QuoteRequest struct {
	Wallet      string `json:"wallet"`
	InputMint   string `json:"inputMint"`
	Amount      string `json:"amount"`
	Output      string `json:"output"` // a mint or "SOL"
	SlippageBps int    `json:"slippageBps"`
}

// QuoteAnswer is a firm price.
type QuoteAnswer struct {
	ID             string    `json:"id"`
	Amount         string    `json:"amount"`
	Out            string    `json:"out"` // the amount that arrives, after any tax
	MinimumOut     string    `json:"minimumOut"`
	PriceImpactBps int       `json:"priceImpactBps"`
	ValidUntil     time.Time `json:"validUntil"`
}

// SwapRequest requests the instructions of a quote.
type SwapRequest struct {
	ID string `json:"id"`
}

// SwapAnswer is the instructions and the second signer.
type SwapAnswer struct {
	Signer       string             `json:"signer"`
	Instructions []rest.Instruction `json:"instructions"`
	ComputeUnits uint32             `json:"computeUnits"`
}

// SignRequest requests the signer's signature of a whole message.
type SignRequest struct {
	ID      string `json:"id"`
	Message []byte `json:"message"` // base64
}

// SignAnswer is the signature, in base58.
type SignAnswer struct {
	Signature string `json:"signature"`
}

// Venue is the venue of the quotes.
const Venue = "maker"

// name is the name in errors for callers.
const name = "The market maker"

// Client calls a market maker. It implements exchange.Venue. Create a Client with New.
type Client struct{ maker *rest.Client }

// New returns a client of the maker at the address.
func New(address string) (*Client, error) {
	maker, err := rest.New(name, address, nil)
	if err != nil {
		return nil, err
	}
	return &Client{maker: maker}, nil
}

// Quote requests a firm price.
func (c *Client) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	var answer QuoteAnswer
	err := c.maker.Post(ctx, "quote", QuoteRequest{
		Wallet: o.Wallet.String(), InputMint: o.Input.String(), Amount: rest.FormatAmount(o.Amount),
		Output: o.Output.String(), SlippageBps: o.SlippageBps,
	}, &answer)
	if err != nil {
		return exchange.Quote{}, deferred(err)
	}
	in, inErr := rest.ParseAmount(answer.Amount)
	out, outErr := rest.ParseAmount(answer.Out)
	minimum, minimumErr := rest.ParseAmount(answer.MinimumOut)
	if err := errors.Join(inErr, outErr, minimumErr); err != nil || answer.ID == "" {
		return exchange.Quote{}, apperr.Upstream(name, fmt.Errorf("read a quote: id %q: %w", answer.ID, err))
	}
	detail, err := json.Marshal(SwapRequest{ID: answer.ID})
	if err != nil {
		return exchange.Quote{}, fmt.Errorf("keep a quote: %w", err)
	}
	return exchange.Quote{
		Order: o, In: in, Out: out, MinimumOut: minimum, PriceImpactBps: answer.PriceImpactBps,
		Venue: Venue, ValidUntil: answer.ValidUntil, Detail: detail,
	}, nil
}

// Swap requests the instructions of a quote.
func (c *Client) Swap(ctx context.Context, q exchange.Quote) (exchange.Swap, error) {
	var request SwapRequest
	if err := json.Unmarshal(q.Detail, &request); err != nil || q.Venue != Venue {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of %q: it is none of a market maker", q.Venue)
	}
	var answer SwapAnswer
	if err := c.maker.Post(ctx, "swap", request, &answer); err != nil {
		return exchange.Swap{}, deferred(err)
	}
	swap := exchange.Swap{Quote: q, ComputeUnits: answer.ComputeUnits}
	signer, err := rest.ParseKey(answer.Signer)
	if err != nil {
		return exchange.Swap{}, apperr.Upstream(name, fmt.Errorf("read the signer of a swap: %w", err))
	}
	for i, encoded := range answer.Instructions {
		in, err := encoded.Decode()
		if err != nil {
			return exchange.Swap{}, apperr.Upstream(name, fmt.Errorf("read instruction %d of a swap: %w", i, err))
		}
		swap.Instructions = append(swap.Instructions, in)
	}
	if len(swap.Instructions) == 0 || signer == q.Order.Wallet {
		return exchange.Swap{}, apperr.Upstream(name, errors.New("read a swap: it has no instructions, or no signer of its own"))
	}
	swap.CoSigners = []solana.PublicKey{signer}
	swap.CoSign = func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error) {
		return c.sign(ctx, SignRequest{ID: request.ID, Message: message}, signer)
	}
	return swap, swap.Fits()
}

func (c *Client) sign(ctx context.Context, request SignRequest, signer solana.PublicKey) (map[solana.PublicKey]solana.Signature, error) {
	var answer SignAnswer
	if err := c.maker.Post(ctx, "sign", request, &answer); err != nil {
		return nil, deferred(err)
	}
	// 64 bytes in base58 are 88 characters at most.
	if len(answer.Signature) > 88 {
		return nil, apperr.Upstream(name, errors.New("read a signature: it is too long"))
	}
	signature, err := solana.SignatureFromBase58(answer.Signature)
	if err != nil || !signature.Verify(signer, request.Message) {
		return nil, apperr.Upstream(name, fmt.Errorf("read a signature: it is none of %s", signer))
	}
	return map[solana.PublicKey]solana.Signature{signer: signature}, nil
}

// deferred converts a rejection of the maker into a deferral.
func deferred(err error) error {
	refusal, ok := errors.AsType[*rest.Refusal](err)
	if !ok {
		return err
	}
	reason := exchange.Refused
	switch refusal.Code {
	case CodeNoPrice, CodeTooMuch:
		reason = exchange.NoRoute
	case CodeExpired:
		reason = exchange.Expired
	}
	return exchange.Defer(reason, "The market maker says no: %s", refusal.Message)
}
