// Package distribution serves the routes under /distribution and /holders, and the claim under
// /actions: a token's distribution
// settings, for the creator, and the distributions and the holders' amounts, for everyone.
package distribution

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
)

// Settings changes settings; see settings.Service.
type Settings interface {
	Change(ctx context.Context, mint solana.PublicKey, wanted settings.Wanted) (settings.Changed, error)
}

// Telegram sends a test message to a token's group; see notice.Publisher.
type Telegram interface {
	Try(ctx context.Context, t token.Record, id string) error
}

// Groups issues codes for administrators of groups and for holders, returns the linked chat, and ends
// the link of a wallet; see
// consent.Service.
type Groups interface {
	notice.Links
	Issue(ctx context.Context, mint solana.PublicKey, group string) (consent.Code, error)
	Unlink(ctx context.Context, wallet solana.PublicKey) error
}

// Endpoint handles the routes. Every field is required. NewID returns the ID of a message. Gateway
// is the address of an IPFS gateway, without a trailing slash.
type Endpoint struct {
	Tokens   token.Finder
	Settings Settings
	Changes  Changes
	Telegram Telegram
	Groups   Groups
	NewID    func() string
	Runs     Runs
	Proofs   format.Source
	Chain    onchain.Reader
	Previews *Previews
	Ledger   Ledger
	Pages    *Pages
	Payments Payments
	Claims   Claims
	// Handovers orders and cancels hand-overs.
	Handovers Handovers
	// ClaimFee is the fee of a claim for each payment, in lamports.
	ClaimFee uint64
	Gateway  string
	Now      func() time.Time
	// Site, Limiter and Random are for claims by Solana Actions. Limiter enforces limits.Claims.
	// Random is cryptographically random.
	Site    action.Site
	Limiter ratelimit.Limiter
	Random  io.Reader
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{
		"getDistributionSettings":    e.getSettings,
		"changeDistributionSettings": e.changeSettings,
		"listSettingsChanges":        e.listChanges,
		"testTelegram":               e.testTelegram,
		"linkTelegram":               e.linkTelegram,
		"getHandover":                e.getHandover,
		"orderHandover":              e.orderHandover,
		"cancelHandover":             e.cancelHandover,
		"listRuns":                   e.listRuns,
		"getRun":                     e.getRun,
		"previewRun":                 e.getPreview,
		"getHolder":                  e.getHolder,
		"getHolderLedger":            e.getHolderLedger,
		"listHolderPayments":         e.listHolderPayments,
		"claimRewards":               e.claimRewards,
		"linkHolderTelegram":         e.linkHolderTelegram,
		"unlinkHolderTelegram":       e.unlinkHolderTelegram,
		"claimByAction":              e.claimByAction,
		"confirmClaimByAction":       e.confirmClaimByAction,
	}
}

// owned returns the token in the path for the creator. It returns token_not_found, or
// not_token_creator for other callers.
func (e Endpoint) owned(r *http.Request) (token.Record, error) {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return token.Record{}, err
	}
	record, err := token.Find(r.Context(), e.Tokens, r.PathValue("tokenId"))
	if err != nil {
		return token.Record{}, err
	}
	return record, record.CheckCreator(caller)
}
