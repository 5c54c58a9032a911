// Package guardian calls the guardian of tokens, which another organisation may run. Every response
// is checked like the response of any third party.
package guardian

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	core "tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/rest"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/handover"
)

// name is the name in errors for callers.
const name = "The guardian"

// Client calls a guardian. It implements payout.Guardian. Create a Client with New.
type Client struct{ guardian *rest.Client }

// New returns a client of the guardian at the address. token is the guardian's token, and may be nil.
func New(address string, token secret.Source) (*Client, error) {
	var header rest.Header
	if token != nil {
		header = func(ctx context.Context) (http.Header, error) {
			value, err := token(ctx)
			if err != nil {
				return nil, err
			}
			return http.Header{"Authorization": {"Bearer " + value}}, nil
		}
	}
	guardian, err := rest.New(name, address, header)
	if err != nil {
		return nil, err
	}
	return &Client{guardian: guardian}, nil
}

// CheckToken reports whether a text can be the guardian's token.
func CheckToken(value string) error {
	const minimum = 32
	if len(value) < minimum {
		return fmt.Errorf("the guardian's token must have at least %d characters", minimum)
	}
	return nil
}

// CoSign asks for the guardian's signature of a message; see payout.Guardian.
func (c *Client) CoSign(ctx context.Context, mint solana.PublicKey, message []byte) (solana.Signature, error) {
	parsed, err := wire.ParseOwnMessage(message)
	if err != nil {
		return solana.Signature{}, fmt.Errorf("ask the guardian: %w", err)
	}
	return c.Sign(ctx, mint, wire.NewTransaction(parsed).Bytes())
}

// Sign asks for the guardian's signature of a transaction, which may have other signatures. The
// signature is not verified.
func (c *Client) Sign(ctx context.Context, mint solana.PublicKey, transaction []byte) (solana.Signature, error) {
	var answer core.SignAnswer
	if err := c.guardian.Post(ctx, "sign", core.SignRequest{Mint: mint.String(), Transaction: transaction}, &answer); err != nil {
		return solana.Signature{}, failed(err)
	}
	// 64 bytes in base58 are 88 characters at most.
	const longest = 88
	if len(answer.Signature) > longest {
		return solana.Signature{}, apperr.Upstream(name, errors.New("read a signature: it is too long"))
	}
	signature, err := solana.SignatureFromBase58(answer.Signature)
	if err != nil {
		return solana.Signature{}, apperr.Upstream(name, errors.New("read a signature: it is none"))
	}
	return signature, nil
}

// Guardian describes a guardian.
type Guardian struct {
	Key solana.PublicKey
	// Delay is the minimum time between an order and the hand-over.
	Delay time.Duration
}

// About asks for the guardian's public key and delay.
func (c *Client) About(ctx context.Context) (Guardian, error) {
	var answer core.About
	if err := c.guardian.Get(ctx, "", nil, &answer); err != nil {
		return Guardian{}, apperr.Upstream(name, err)
	}
	key, err := rest.ParseKey(answer.Guardian)
	if err != nil {
		return Guardian{}, apperr.Upstream(name, fmt.Errorf("read the key: %w", err))
	}
	const longest = 10 * 365 * 24 * time.Hour
	if answer.DelaySeconds < 0 || answer.DelaySeconds > int64(longest/time.Second) {
		return Guardian{}, apperr.Upstream(name, errors.New("read the delay: out of range"))
	}
	return Guardian{key, time.Duration(answer.DelaySeconds) * time.Second}, nil
}

// Order is the newest order of a token's hand-over, as the guardian has seen it. Number is zero
// without an order.
type Order = core.OrderAnswer

// Newest asks for the newest order of a token's hand-over.
func (c *Client) Newest(ctx context.Context, mint solana.PublicKey) (o Order, err error) {
	err = c.guardian.Get(ctx, "orders/"+mint.String(), nil, &o)
	return o, failed(err)
}

// Order sends the guardian a creator's order.
func (c *Client) Order(ctx context.Context, mint solana.PublicKey, o handover.Order) (noted Order, err error) {
	err = c.guardian.Post(ctx, "orders", core.OrderRequest{
		Mint: mint.String(), Number: o.Number, NewAuthority: o.To, EffectiveAt: o.EffectiveAt, Signature: o.Signature,
	}, &noted)
	return noted, failed(err)
}

// Cancel sends the guardian a creator's cancellation; see handover.CancelText.
func (c *Client) Cancel(ctx context.Context, mint solana.PublicKey, number int64, signature solana.Signature) (noted Order, err error) {
	err = c.guardian.Post(ctx, "orders/cancel", core.OrderRequest{Mint: mint.String(), Number: number, Signature: signature}, &noted)
	return noted, failed(err)
}

func failed(err error) error {
	if refusal, ok := errors.AsType[*rest.Refusal](err); ok {
		return &payout.Refusal{Reason: payout.ReasonGuardian, Detail: "The guardian says no: " + refusal.Message}
	}
	if err != nil {
		return apperr.Upstream(name, err)
	}
	return nil
}
