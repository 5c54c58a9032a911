package ratelimit

import (
	"strconv"
	"time"
)

// Rule is one row of the requirement's table: at most Limit counted requests in
// any window of length Window. Name is the bucket: routes with the same rule
// share it.
type Rule struct {
	Name   string
	Limit  int
	Window time.Duration
}

// Period names the window in words: "minute", "15 minutes", "hour".
func (r Rule) Period() string {
	n, unit := int64(r.Window/time.Minute), "minute"
	if r.Window%time.Hour == 0 {
		n, unit = int64(r.Window/time.Hour), "hour"
	}
	if n == 1 {
		return unit
	}
	return strconv.FormatInt(n, 10) + " " + unit + "s"
}

// The rows of the requirement's table ("Limits", spec), and the rows that the
// design adds for routes that the table does not name.
var (
	Tokens             = Rule{"tokens", 100, 15 * time.Minute}
	Burns              = Rule{"burns", 100, 15 * time.Minute}
	Featured           = Rule{"featured", 100, 15 * time.Minute}
	Launchpad          = Rule{"launchpad", 100, 15 * time.Minute}
	DistributionRead   = Rule{"distribution-read", 100, 15 * time.Minute}
	AuthChallenge      = Rule{"auth-challenge", 20, time.Minute}
	AuthVerify         = Rule{"auth-verify", 20, time.Minute}
	UploadImage        = Rule{"upload-image", 20, time.Hour}
	TokenCreate        = Rule{"token-create", 5, time.Hour}
	TokenSubmit        = Rule{"token-submit", 5, time.Hour}
	FeaturedCreate     = Rule{"featured-create", 5, time.Hour}
	PoolCreate         = Rule{"pool-create", 10, time.Hour}
	LaunchpadCreate    = Rule{"launchpad-create", 10, time.Hour}
	DistributionChange = Rule{"distribution-change", 10, time.Hour}

	// TelegramTest: messages that a creator has sent to try their group, by wallet.
	TelegramTest = Rule{"telegram-test", 5, time.Hour}
	// LaunchpadTrade: buying, selling and cancelling, by wallet.
	LaunchpadTrade = Rule{"launchpad-trade", 100, 15 * time.Minute}
	// Market counts reads of a curve's fees, trades and candles, by address. It covers 200
	// page views of a token with a curve, at two reads each.
	Market = Rule{"market", 600, 15 * time.Minute}
	// TokenValidate: drafts that are checked, by wallet. A check is no creation.
	TokenValidate = Rule{"token-validate", 60, time.Minute}
	// TransactionStatus, TransactionRefresh: of launches that were prepared, by wallet. A
	// refresh is no creation.
	TransactionStatus  = Rule{"transaction-status", 300, 15 * time.Minute}
	TransactionRefresh = Rule{"transaction-refresh", 30, time.Hour}

	// Webhooks: all that is done with webhooks, by wallet.
	Webhooks = Rule{"webhooks", 30, 15 * time.Minute}
	// HolderLedger: what wallets are owed across tokens, by address.
	HolderLedger = Rule{"holder-ledger", 60, 15 * time.Minute}
	// Claims: of what a holder is owed, by wallet.
	Claims = Rule{"claims", 10, time.Hour}
	// DistributionWallet counts distribution wallets that are generated, by address.
	DistributionWallet = Rule{"distribution-wallet", 100, 15 * time.Minute}
	// Page counts documents, pages, badges and unknown paths, by address. One address may be
	// an office or a mobile carrier. The limit is that of the web ACL for all requests.
	Page = Rule{"page", 600, time.Minute}
	// Card counts the pictures of link previews, by address. Drawing one takes a processor
	// some 25 ms (docs/performance.md), so the limit is lower than that of Page.
	Card = Rule{"card", 300, 15 * time.Minute}
	// View counts the reads of a page view that the requirement does not name, by address. It
	// covers 200 page views of a token, at two reads each.
	View = Rule{"view", 600, 15 * time.Minute}
	// Anonymous counts, by address, callers without a valid token on routes that
	// need one: so a sixth bad token is still told that it is bad.
	Anonymous = Rule{"anonymous", 100, 15 * time.Minute}

	// Uncounted is for what costs no more than the answer that would refuse it: the
	// files of the page. Nothing is ever counted; its numbers are what callers are told,
	// those of an unused window.
	Uncounted = Rule{"uncounted", 100, 15 * time.Minute}
)

// Counted says whether requests under the rule are counted at all.
func (r Rule) Counted() bool { return r != Uncounted }

// Rules lists every rule.
func Rules() []Rule {
	return []Rule{
		Tokens, Burns, Featured, Launchpad, DistributionRead,
		AuthChallenge, AuthVerify, UploadImage, TokenCreate, TokenSubmit,
		FeaturedCreate, PoolCreate, LaunchpadCreate, LaunchpadTrade, Market, DistributionChange, TelegramTest,
		TokenValidate, TransactionStatus, TransactionRefresh, Webhooks,
		HolderLedger, Claims, DistributionWallet, Page, Card, View, Anonymous, Uncounted,
	}
}
