package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gagliardetto/solana-go"
)

// GetActionRules returns the rules by which clients of Solana Actions find the actions of pages.
func (c *Client) GetActionRules(ctx context.Context) (ActionRules, error) {
	return fetch[ActionRules](ctx, c, get("/actions.json", nil))
}

// GetAction returns the Solana Action of a token.
func (c *Client) GetAction(ctx context.Context, mint solana.PublicKey) (Action, error) {
	return fetch[Action](ctx, c, get(actionPath(mint, ""), nil))
}

// BuyByAction returns the transaction of a purchase as clients of Solana Actions get it, without a
// session.
func (c *Client) BuyByAction(ctx context.Context, mint solana.PublicKey, sol SOL, r ActionRequest) (ActionTransaction, error) {
	return fetch[ActionTransaction](ctx, c, act(mint, "/buy/"+url.PathEscape(string(sol)), r))
}

// ClaimByAction returns the message with which a holder claims without a session.
func (c *Client) ClaimByAction(ctx context.Context, mint solana.PublicKey, r ActionRequest) (ActionMessageRequest, error) {
	return fetch[ActionMessageRequest](ctx, c, act(mint, "/claim", r))
}

// ConfirmClaimByAction claims with the signed message of ClaimByAction.
func (c *Client) ConfirmClaimByAction(ctx context.Context, mint solana.PublicKey, r ActionConfirmation) (Action, error) {
	return fetch[Action](ctx, c, act(mint, "/claim/confirm", r))
}

func actionPath(mint solana.PublicKey, rest string) string { return "/actions/" + mint.String() + rest }

// act returns a request of an action. A repetition has no effect.
func act(mint solana.PublicKey, rest string, body any) call {
	return call{method: http.MethodPost, path: actionPath(mint, rest), body: body, free: true}
}
