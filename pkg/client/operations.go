package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"

	"github.com/gagliardetto/solana-go"
)

// GenerateDistributionWallet returns a new wallet that collects a token's tax. The service deletes
// an unused wallet after 24 hours.
func (c *Client) GenerateDistributionWallet(ctx context.Context) (DistributionWallet, error) {
	return fetch[DistributionWallet](ctx, c, call{method: http.MethodPost, path: "/tokens/generate-distribution-wallet", free: true})
}

// UploadImage stores a PNG or JPEG.
func (c *Client) UploadImage(ctx context.Context, picture []byte) (UploadedImage, error) {
	var content bytes.Buffer
	form := multipart.NewWriter(&content)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("image", "image")},
		"Content-Type":        {http.DetectContentType(picture)},
	})
	if err == nil {
		_, err = part.Write(picture)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return UploadedImage{}, fmt.Errorf("encode the picture: %w", err)
	}
	r := post("/tokens/upload-image", nil).signedIn()
	r.raw, r.contentType = content.Bytes(), form.FormDataContentType()
	return fetch[UploadedImage](ctx, c, r)
}

// CreateUnsignedToken builds the transaction of a launch.
func (c *Client) CreateUnsignedToken(ctx context.Context, r TokenCreation) (UnsignedToken, error) {
	return fetch[UnsignedToken](ctx, c, post("/tokens/create-unsigned", r).signedIn())
}

// ValidateToken returns the cost and the effects of a launch, or the error that CreateUnsignedToken
// would return. ValidateToken prepares no transaction and does not count as a creation.
func (c *Client) ValidateToken(ctx context.Context, r TokenCreation) (ValidToken, error) {
	return fetch[ValidToken](ctx, c, call{method: http.MethodPost, path: "/tokens/validate", body: r, free: true}.signedIn())
}

// SubmitToken sends the signed transaction of a launch. It is idempotent for the same transaction.
func (c *Client) SubmitToken(ctx context.Context, r Submission) (SubmissionResult, error) {
	return fetch[SubmissionResult](ctx, c, post("/tokens/submit", r).signedIn())
}

// GetTransaction returns the status of a launch that the wallet has prepared.
func (c *Client) GetTransaction(ctx context.Context, id string) (TransactionStatus, error) {
	return fetch[TransactionStatus](ctx, c, get("/tokens/transactions/"+url.PathEscape(id), nil).signedIn())
}

// RefreshTransaction returns a fresh transaction of a prepared launch until the order expires.
// CheckRefresh checks that the fresh transaction is for the same launch.
func (c *Client) RefreshTransaction(ctx context.Context, id string) (Refresh, error) {
	return fetch[Refresh](ctx, c, call{method: http.MethodPost, path: "/tokens/transactions/" + url.PathEscape(id) + "/refresh"}.signedIn())
}

// Page selects a page of a list. A zero field has the default.
type Page struct{ Number, Limit int }

func (p Page) query() url.Values {
	q := url.Values{}
	number(q, "page", p.Number)
	number(q, "limit", p.Limit)
	return q
}

// Cursor selects the start of a page. A zero field has the default.
type Cursor struct {
	After string // NextCursor of the page before
	Limit int
}

func (r Cursor) query() url.Values {
	q := url.Values{}
	if r.After != "" {
		q.Set("cursor", r.After)
	}
	number(q, "limit", r.Limit)
	return q
}

func number(q url.Values, name string, n int) {
	if n != 0 {
		q.Set(name, strconv.Itoa(n))
	}
}

// TokenQuery selects tokens. Creator, Beginning and Sort are mutually exclusive. The zero
// TokenQuery selects all tokens.
type TokenQuery struct {
	Page
	// Creator is the wallet that launched the tokens; zero for tokens of all wallets.
	Creator solana.PublicKey
	// Beginning is a prefix of the name or the symbol.
	Beginning string
	// Sort is the order of a list of the first 100 tokens.
	Sort TokenOrder
}

// ListTokens returns one page of tokens. Without Beginning and Sort, the newest token comes first.
func (c *Client) ListTokens(ctx context.Context, r TokenQuery) (TokenList, error) {
	q := r.query()
	if !r.Creator.IsZero() {
		q.Set("creator", r.Creator.String())
	}
	if r.Beginning != "" {
		q.Set("q", r.Beginning)
	}
	if r.Sort != "" {
		q.Set("sort", string(r.Sort))
	}
	return fetch[TokenList](ctx, c, get("/tokens", q))
}

// ListMyTokens returns one page of the wallet's tokens: first the submitted launches, then the
// confirmed tokens, both newest first.
func (c *Client) ListMyTokens(ctx context.Context, p Page) (TokenList, error) {
	return fetch[TokenList](ctx, c, get("/tokens/me", p.query()).signedIn())
}

// ListMyLaunches is ListMyTokens with failed launches, which are sorted with the confirmed tokens.
func (c *Client) ListMyLaunches(ctx context.Context, p Page) (TokenList, error) {
	q := p.query()
	q.Set("status", "all")
	return fetch[TokenList](ctx, c, get("/tokens/me", q).signedIn())
}

// GetToken returns the token with a mint.
func (c *Client) GetToken(ctx context.Context, mint solana.PublicKey) (Token, error) {
	return fetch[Token](ctx, c, get("/tokens/"+mint.String(), nil))
}

// of returns the path of a token's distributions. token is the token's ID or mint.
func of(token, rest string) string { return "/distribution/" + url.PathEscape(token) + rest }

// GetDistributionSettings returns the settings of a token of the wallet. In this method and the
// methods below, token is the token's ID or mint.
func (c *Client) GetDistributionSettings(ctx context.Context, token string) (EffectiveSettings, error) {
	return fetch[EffectiveSettings](ctx, c, get(of(token, "/settings"), nil).signedIn())
}

// ChangeDistributionSettings changes the given settings, and returns all settings after the change.
func (c *Client) ChangeDistributionSettings(ctx context.Context, token string, r SettingsChange) (EffectiveSettings, error) {
	change := post(of(token, "/settings"), r).signedIn()
	change.method = http.MethodPatch
	return fetch[EffectiveSettings](ctx, c, change)
}

// ListSettingsChanges returns one page of the history of a token's settings, newest first.
func (c *Client) ListSettingsChanges(ctx context.Context, token string, r Cursor) (SettingsHistory, error) {
	return fetch[SettingsHistory](ctx, c, get(of(token, "/changes"), r.query()))
}

// GetHandover returns the newest order to hand the authority over the token's withheld tax over.
func (c *Client) GetHandover(ctx context.Context, token string) (Handover, error) {
	return fetch[Handover](ctx, c, get(of(token, "/handover"), nil))
}

// OrderHandover orders the hand-over by a signed order; see HandOver, which signs the order.
func (c *Client) OrderHandover(ctx context.Context, token string, r HandoverOrder) (Handover, error) {
	return fetch[Handover](ctx, c, post(of(token, "/handover"), r).signedIn())
}

// CancelHandover cancels the order that waits.
func (c *Client) CancelHandover(ctx context.Context, token string) (Handover, error) {
	return fetch[Handover](ctx, c, call{method: http.MethodDelete, path: of(token, "/handover")}.signedIn())
}

// TestTelegram queues a test message to the token's Telegram group.
func (c *Client) TestTelegram(ctx context.Context, token string) (TelegramTest, error) {
	return fetch[TelegramTest](ctx, c, call{method: http.MethodPost, path: of(token, "/telegram/test")}.signedIn())
}

// LinkTelegram returns a code that an administrator posts in the token's Telegram group. From then
// on, the group receives messages about the token. If the response is lost, request another code,
// which invalidates the earlier code.
func (c *Client) LinkTelegram(ctx context.Context, token string) (TelegramLink, error) {
	return fetch[TelegramLink](ctx, c, call{method: http.MethodPost, path: of(token, "/telegram/link")}.signedIn())
}

// ListRuns returns one page of a token's distributions, newest first.
func (c *Client) ListRuns(ctx context.Context, token string, r Cursor) (RunList, error) {
	return fetch[RunList](ctx, c, get(of(token, "/runs"), r.query()))
}

// GetRun returns one distribution.
func (c *Client) GetRun(ctx context.Context, token, run string) (Run, error) {
	return fetch[Run](ctx, c, get(of(token, "/runs/"+url.PathEscape(run)), nil))
}

// PreviewRun computes the next distribution.
func (c *Client) PreviewRun(ctx context.Context, token string) (RunPreview, error) {
	return fetch[RunPreview](ctx, c, get(of(token, "/preview"), nil))
}

// GetHolder returns a wallet's result of the last distribution.
func (c *Client) GetHolder(ctx context.Context, token string, wallet solana.PublicKey) (Holder, error) {
	return fetch[Holder](ctx, c, get(of(token, "/holders/"+wallet.String()), nil))
}

// GetBurns returns one page of a token's burns, newest first.
func (c *Client) GetBurns(ctx context.Context, mint solana.PublicKey, r Cursor) (BurnHistory, error) {
	return fetch[BurnHistory](ctx, c, get("/burns/"+mint.String(), r.query()))
}

// GetHealth reports whether the service is up.
func (c *Client) GetHealth(ctx context.Context) (Health, error) {
	return fetch[Health](ctx, c, get("/health", nil))
}

// GetStatus returns the state of the service.
func (c *Client) GetStatus(ctx context.Context) (Status, error) {
	return fetch[Status](ctx, c, get("/status", nil))
}

// GetOpenAPI returns the OpenAPI document.
func (c *Client) GetOpenAPI(ctx context.Context) (json.RawMessage, error) {
	return fetch[json.RawMessage](ctx, c, get("/openapi.json", nil))
}

// GetJWKS returns the public keys of access tokens as a JSON Web Key Set (RFC 7517).
func (c *Client) GetJWKS(ctx context.Context) (json.RawMessage, error) {
	return fetch[json.RawMessage](ctx, c, get("/.well-known/jwks.json", nil))
}
