// Package limits defines the rate limits of the API's operations, one rule for each bucket.
package limits

import (
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

var rules = []ratelimit.Rule{ratelimit.Uncounted}

// rule creates a rule and adds the rule to rules.
func rule(name string, limit int, window time.Duration) ratelimit.Rule {
	r := ratelimit.Rule{Name: name, Limit: limit, Window: window}
	rules = append(rules, r)
	return r
}

// Rules returns every rule once.
func Rules() []ratelimit.Rule { return slices.Clone(rules) }

// The rows of the table "Limits" in the requirement, and rows of the design for routes that the
// table omits.
var (
	Tokens             = rule("tokens", 100, 15*time.Minute)
	Burns              = rule("burns", 100, 15*time.Minute)
	Featured           = rule("featured", 100, 15*time.Minute)
	Launchpad          = rule("launchpad", 100, 15*time.Minute)
	DistributionRead   = rule("distribution-read", 100, 15*time.Minute)
	AuthChallenge      = rule("auth-challenge", 20, time.Minute)
	AuthVerify         = rule("auth-verify", 20, time.Minute)
	UploadImage        = rule("upload-image", 20, time.Hour)
	TokenCreate        = rule("token-create", 5, time.Hour)
	TokenSubmit        = rule("token-submit", 5, time.Hour)
	FeaturedCreate     = rule("featured-create", 5, time.Hour)
	PoolCreate         = rule("pool-create", 10, time.Hour)
	LaunchpadCreate    = rule("launchpad-create", 10, time.Hour)
	DistributionChange = rule("distribution-change", 10, time.Hour)

	// TelegramTest counts test messages to a creator's group, by wallet. TelegramLink counts codes
	// for administrators of groups and for private chats, by wallet.
	TelegramTest = rule("telegram-test", 5, time.Hour)
	TelegramLink = rule("telegram-link", 5, time.Hour)
	// TelegramUnlink counts ended links of private chats, by wallet. Codes that were requested before
	// never keep a holder from ending the messages.
	TelegramUnlink = rule("telegram-unlink", 10, time.Hour)
	// LaunchpadTrade counts purchases, sales and cancellations, by wallet.
	LaunchpadTrade = rule("launchpad-trade", 100, 15*time.Minute)
	// Market counts reads of a curve's fees, trades and candles, by address. It covers 300
	// page views of a token with a curve, at two reads each.
	Market = rule("market", 600, 15*time.Minute)
	// TokenValidate counts validated drafts, by wallet. A validation does not count as a creation.
	TokenValidate = rule("token-validate", 60, time.Minute)
	// TransactionStatus and TransactionRefresh count requests about prepared launches, by wallet. A
	// refresh does not count as a creation.
	TransactionStatus  = rule("transaction-status", 300, 15*time.Minute)
	TransactionRefresh = rule("transaction-refresh", 30, time.Hour)

	// Webhooks counts requests about webhooks, by wallet.
	Webhooks = rule("webhooks", 30, 15*time.Minute)
	// WebhookSecret counts rotations of webhook secrets, by wallet.
	WebhookSecret = rule("webhook-secret", 10, 24*time.Hour)
	// HolderLedger counts reads of a wallet's ledger across tokens, by address.
	HolderLedger = rule("holder-ledger", 60, 15*time.Minute)
	// Claims counts orders of a holder's rewards, by wallet.
	Claims = rule("claims", 10, time.Hour)
	// Action counts descriptions of Solana Actions, and ActionRequest counts requests for a
	// transaction or a message, by address. A proxy of a client's maker may stand for many people.
	Action        = rule("action", 600, 15*time.Minute)
	ActionRequest = rule("action-request", 300, 15*time.Minute)
	// DistributionWallet counts generated distribution wallets, by address.
	DistributionWallet = rule("distribution-wallet", 100, 15*time.Minute)
	// Page counts documents, pages, badges and unknown paths, by address. One address may be an
	// office or a mobile carrier. The limit is equal to the web ACL's limit for all requests.
	Page = rule("page", 600, time.Minute)
	// Card counts the pictures of link previews, by address. Drawing a picture takes a processor
	// about 25 ms (docs/performance.md), so the limit is lower than Page.
	Card = rule("card", 300, 15*time.Minute)
	// View counts the reads of a page view that the requirement does not name, by address. The
	// limit covers 300 page views of a token, at two reads each, or 200 with the hand-over, which the
	// page reads once the facts are in sight.
	View = rule("view", 600, 15*time.Minute)
	// Anonymous counts callers without a valid access token on routes that need an access token, by
	// address. A separate bucket lets the sixth request with a bad access token still get 401.
	Anonymous = rule("anonymous", 100, 15*time.Minute)
)
