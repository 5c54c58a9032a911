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

// GenerateDistributionWallet returns a new wallet that collects a token's tax. An unused
// wallet is forgotten after 24 hours.
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

// ValidateToken says what a launch would cost and do, or why it is refused, as
// CreateUnsignedToken would. It prepares nothing and does not count as a creation.
func (c *Client) ValidateToken(ctx context.Context, r TokenCreation) (ValidToken, error) {
	return fetch[ValidToken](ctx, c, call{method: http.MethodPost, path: "/tokens/validate", body: r, free: true}.signedIn())
}

// SubmitToken sends the signed transaction of a launch. It may be called again with the
// same transaction: it is the same launch.
func (c *Client) SubmitToken(ctx context.Context, r Submission) (SubmissionResult, error) {
	return fetch[SubmissionResult](ctx, c, post("/tokens/submit", r).signedIn())
}

// GetTransaction tells what became of a launch of yours that was prepared.
func (c *Client) GetTransaction(ctx context.Context, id string) (TransactionStatus, error) {
	return fetch[TransactionStatus](ctx, c, get("/tokens/transactions/"+url.PathEscape(id), nil).signedIn())
}

// RefreshTransaction gives a fresh transaction of a launch of yours, while its order lives.
// CheckRefresh tells whether it is the same launch.
func (c *Client) RefreshTransaction(ctx context.Context, id string) (Refresh, error) {
	return fetch[Refresh](ctx, c, call{method: http.MethodPost, path: "/tokens/transactions/" + url.PathEscape(id) + "/refresh"}.signedIn())
}

// Page says which page of a list is asked for; what is zero has the default.
type Page struct{ Number, Limit int }

func (p Page) query() url.Values {
	q := url.Values{}
	number(q, "page", p.Number)
	number(q, "limit", p.Limit)
	return q
}

// Cursor says from where on a list is asked for; what is zero has the default.
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

// TokenQuery says which tokens are asked for: all, or by one of the other fields.
type TokenQuery struct {
	Page
	// Creator is the wallet whose tokens are asked for; zero means all tokens.
	Creator solana.PublicKey
	// Beginning is how their names or symbols begin.
	Beginning string
	// Sort is what the first 100 are asked for by.
	Sort TokenOrder
}

// ListTokens gives one page of tokens: all, newest first, or those that are asked for.
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

// ListMyTokens gives one page of the wallet's tokens: those whose launch is submitted, then
// the confirmed ones, each newest first.
func (c *Client) ListMyTokens(ctx context.Context, p Page) (TokenList, error) {
	return fetch[TokenList](ctx, c, get("/tokens/me", p.query()).signedIn())
}

// ListMyLaunches is ListMyTokens with what failed, in its place among what is confirmed.
func (c *Client) ListMyLaunches(ctx context.Context, p Page) (TokenList, error) {
	q := p.query()
	q.Set("status", "all")
	return fetch[TokenList](ctx, c, get("/tokens/me", q).signedIn())
}

// GetToken reads a token by its mint.
func (c *Client) GetToken(ctx context.Context, mint solana.PublicKey) (Token, error) {
	return fetch[Token](ctx, c, get("/tokens/"+mint.String(), nil))
}

// of is the path of a token's distributions. The token is its id or its mint.
func of(token, rest string) string { return "/distribution/" + url.PathEscape(token) + rest }

// GetDistributionSettings reads the settings of a token of the wallet. The token is its
// id or its mint, here and below.
func (c *Client) GetDistributionSettings(ctx context.Context, token string) (EffectiveSettings, error) {
	return fetch[EffectiveSettings](ctx, c, get(of(token, "/settings"), nil).signedIn())
}

// ChangeDistributionSettings changes what is set, and answers the settings after that.
func (c *Client) ChangeDistributionSettings(ctx context.Context, token string, r SettingsChange) (EffectiveSettings, error) {
	change := post(of(token, "/settings"), r).signedIn()
	change.method = http.MethodPatch
	return fetch[EffectiveSettings](ctx, c, change)
}

// TestTelegram queues a message to the token's Telegram group, to see whether it comes.
func (c *Client) TestTelegram(ctx context.Context, token string) (TelegramTest, error) {
	return fetch[TelegramTest](ctx, c, call{method: http.MethodPost, path: of(token, "/telegram/test")}.signedIn())
}

// LinkTelegram returns a code that an administrator posts in the token's Telegram group. The group is
// told of the token from then on. A lost answer costs a code: the next one ends it.
func (c *Client) LinkTelegram(ctx context.Context, token string) (TelegramLink, error) {
	return fetch[TelegramLink](ctx, c, call{method: http.MethodPost, path: of(token, "/telegram/link")}.signedIn())
}

// ListRuns gives one page of a token's distributions, newest first.
func (c *Client) ListRuns(ctx context.Context, token string, r Cursor) (RunList, error) {
	return fetch[RunList](ctx, c, get(of(token, "/runs"), r.query()))
}

// GetRun reads one distribution.
func (c *Client) GetRun(ctx context.Context, token, run string) (Run, error) {
	return fetch[Run](ctx, c, get(of(token, "/runs/"+url.PathEscape(run)), nil))
}

// PreviewRun computes the next distribution.
func (c *Client) PreviewRun(ctx context.Context, token string) (RunPreview, error) {
	return fetch[RunPreview](ctx, c, get(of(token, "/preview"), nil))
}

// GetHolder says what the last distribution came to for a wallet.
func (c *Client) GetHolder(ctx context.Context, token string, wallet solana.PublicKey) (Holder, error) {
	return fetch[Holder](ctx, c, get(of(token, "/holders/"+wallet.String()), nil))
}

// GetBurns gives one page of what was burned of a token, newest first.
func (c *Client) GetBurns(ctx context.Context, mint solana.PublicKey, r Cursor) (BurnHistory, error) {
	return fetch[BurnHistory](ctx, c, get("/burns/"+mint.String(), r.query()))
}

// GetHealth says whether the service is up.
func (c *Client) GetHealth(ctx context.Context) (Health, error) {
	return fetch[Health](ctx, c, get("/health", nil))
}

// GetStatus says how the service is.
func (c *Client) GetStatus(ctx context.Context) (Status, error) {
	return fetch[Status](ctx, c, get("/status", nil))
}

// GetOpenAPI reads the OpenAPI document.
func (c *Client) GetOpenAPI(ctx context.Context) (json.RawMessage, error) {
	return fetch[json.RawMessage](ctx, c, get("/openapi.json", nil))
}

// GetJWKS reads the keys that check tokens, a JSON Web Key Set (RFC 7517).
func (c *Client) GetJWKS(ctx context.Context) (json.RawMessage, error) {
	return fetch[json.RawMessage](ctx, c, get("/.well-known/jwks.json", nil))
}
