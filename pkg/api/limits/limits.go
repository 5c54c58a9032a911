// Package limits has the limits of the API's operations, one rule for each bucket.
package limits

import (
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

var rules = []ratelimit.Rule{ratelimit.Uncounted}

// rule makes a rule and lists it.
func rule(name string, limit int, window time.Duration) ratelimit.Rule {
	r := ratelimit.Rule{Name: name, Limit: limit, Window: window}
	rules = append(rules, r)
	return r
}

// Rules lists each rule once.
func Rules() []ratelimit.Rule { return slices.Clone(rules) }

// The rows of the requirement's table ("Limits", spec), and the rows that the
// design adds for routes that the table does not name.
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

	// TelegramTest: messages that a creator has sent to try their group, by wallet. TelegramLink:
	// codes for administrators of groups, by wallet.
	TelegramTest = rule("telegram-test", 5, time.Hour)
	TelegramLink = rule("telegram-link", 5, time.Hour)
	// LaunchpadTrade: buying, selling and cancelling, by wallet.
	LaunchpadTrade = rule("launchpad-trade", 100, 15*time.Minute)
	// Market counts reads of a curve's fees, trades and candles, by address. It covers 200
	// page views of a token with a curve, at two reads each.
	Market = rule("market", 600, 15*time.Minute)
	// TokenValidate: drafts that are checked, by wallet. A check is no creation.
	TokenValidate = rule("token-validate", 60, time.Minute)
	// TransactionStatus, TransactionRefresh: of launches that were prepared, by wallet. A
	// refresh is no creation.
	TransactionStatus  = rule("transaction-status", 300, 15*time.Minute)
	TransactionRefresh = rule("transaction-refresh", 30, time.Hour)

	// Webhooks: all that is done with webhooks, by wallet.
	Webhooks = rule("webhooks", 30, 15*time.Minute)
	// WebhookSecret: rotations of secrets of webhooks, by wallet.
	WebhookSecret = rule("webhook-secret", 10, 24*time.Hour)
	// HolderLedger: what wallets are owed across tokens, by address.
	HolderLedger = rule("holder-ledger", 60, 15*time.Minute)
	// Claims: of what a holder is owed, by wallet.
	Claims = rule("claims", 10, time.Hour)
	// DistributionWallet counts distribution wallets that are generated, by address.
	DistributionWallet = rule("distribution-wallet", 100, 15*time.Minute)
	// Page counts documents, pages, badges and unknown paths, by address. One address may be
	// an office or a mobile carrier. The limit is that of the web ACL for all requests.
	Page = rule("page", 600, time.Minute)
	// Card counts the pictures of link previews, by address. Drawing one takes a processor
	// some 25 ms (docs/performance.md), so the limit is lower than that of Page.
	Card = rule("card", 300, 15*time.Minute)
	// View counts the reads of a page view that the requirement does not name, by address. It
	// covers 200 page views of a token, at two reads each.
	View = rule("view", 600, 15*time.Minute)
	// Anonymous counts, by address, callers without a valid token on routes that
	// need one: so a sixth bad token is still told that it is bad.
	Anonymous = rule("anonymous", 100, 15*time.Minute)
)
