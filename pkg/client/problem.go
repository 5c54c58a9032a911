package client

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Problem is an answer that says no (RFC 9457). errors.As finds it in what the methods
// return, and errors.Is compares its code:
//
//	if errors.Is(err, client.TokenNotFound) { … }
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      Code   `json:"code"`
	RequestID string `json:"requestId"`
	// Errors are the bad fields, all of them.
	Errors []FieldError `json:"errors,omitzero"`
	// RetryAfter is how many seconds to wait; zero when waiting does not help.
	RetryAfter int `json:"retryAfter,omitzero"`
	// Refresh takes the place of a transaction that has expired, while its order lives;
	// nil: nothing does.
	Refresh *Refresh `json:"refresh,omitzero"`

	// Call is the request, as in "POST /tokens/submit".
	Call string `json:"-"`
	// Limits are the rate limit's figures; zero when the gateway answered itself.
	Limits Limits `json:"-"`
}

// FieldError is one bad field of a request.
type FieldError struct {
	Field string `json:"field"`
	Code  string `json:"code"`
	// What would be right.
	Message string `json:"message"`
}

// Error says what was asked, what was answered, and each bad field.
func (p *Problem) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s answers %d", p.Call, p.Status)
	if p.Code != "" {
		fmt.Fprintf(&text, " %s", p.Code)
	}
	if p.Detail != "" {
		fmt.Fprintf(&text, ": %s", p.Detail)
	}
	for _, e := range p.Errors {
		fmt.Fprintf(&text, "; %s: %s", e.Field, e.Message)
	}
	if p.RetryAfter > 0 {
		fmt.Fprintf(&text, " (try again in %s)", p.Wait())
	}
	return text.String()
}

// Is says whether target is the problem's code.
func (p *Problem) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == p.Code
}

// Wait is RetryAfter as a duration.
func (p *Problem) Wait() time.Duration { return time.Duration(p.RetryAfter) * time.Second }

// Code is the stable word of a problem. It is an error for errors.Is alone.
type Code string

// Error is the word.
func (c Code) Error() string { return string(c) }

// CodeOf is the code of the problem in err; empty when there is none.
func CodeOf(err error) Code {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// The codes, as the OpenAPI document lists them.
const (
	ValidationFailed        Code = "validation_failed"
	FileTooLarge            Code = "file_too_large"
	InvalidFileType         Code = "invalid_file_type"
	ImageTooLarge           Code = "image_too_large"
	UnknownImage            Code = "unknown_image"
	UnknownWallet           Code = "unknown_wallet"
	UnsupportedToken        Code = "unsupported_token"
	NothingToClaim          Code = "nothing_to_claim"
	ExceedsLiquidity        Code = "exceeds_liquidity"
	LaunchpadNotStarted     Code = "launchpad_not_started"
	UnsupportedRewardToken  Code = "unsupported_reward_token"
	TransferFeeLocked       Code = "transfer_fee_locked"
	URLNotAllowed           Code = "url_not_allowed"
	InvalidTransaction      Code = "invalid_transaction"
	TransactionExpired      Code = "transaction_expired"
	TransactionFailed       Code = "transaction_failed"
	MissingToken            Code = "missing_token"
	InvalidToken            Code = "invalid_token"
	ChallengeExpired        Code = "challenge_expired"
	ChallengeUnknown        Code = "challenge_unknown"
	InvalidSignature        Code = "invalid_signature"
	DirectCall              Code = "direct_call"
	NotTokenCreator         Code = "not_token_creator"
	NotYourWallet           Code = "not_your_wallet"
	RunActive               Code = "run_active"
	TokenFrozen             Code = "token_frozen"
	NotCurveCreator         Code = "not_curve_creator"
	ContentBlocked          Code = "content_blocked"
	NotFound                Code = "not_found"
	TokenNotFound           Code = "token_not_found"
	LaunchpadNotFound       Code = "launchpad_not_found"
	RunNotFound             Code = "run_not_found"
	WebhookNotFound         Code = "webhook_not_found"
	DeliveryNotFound        Code = "delivery_not_found"
	MethodNotAllowed        Code = "method_not_allowed"
	IdempotencyKeyReused    Code = "idempotency_key_reused"
	IdempotencyInProgress   Code = "idempotency_in_progress"
	WalletInUse             Code = "wallet_in_use"
	TokenNotConfirmed       Code = "token_not_confirmed" // #nosec G101 -- a word
	TelegramNotSet          Code = "telegram_not_set"
	WebhookLimitReached     Code = "webhook_limit_reached"
	WebhookNotActive        Code = "webhook_not_active"
	SettingsVersionConflict Code = "settings_version_conflict"
	PoolExists              Code = "pool_exists"
	TokenHidden             Code = "token_hidden"
	TreasuryCannotPay       Code = "treasury_cannot_pay"
	LaunchpadNotActive      Code = "launchpad_not_active"
	LaunchpadCancelled      Code = "launchpad_cancelled"
	LiquidityLocked         Code = "liquidity_locked"
	BodyTooLarge            Code = "body_too_large"
	RateLimitExceeded       Code = "rate_limit_exceeded"
	LaunchLimitExceeded     Code = "launch_limit_exceeded"
	MarketLimitExceeded     Code = "market_limit_exceeded"
	UploadLimitExceeded     Code = "upload_limit_exceeded"
	Internal                Code = "internal"
	UpstreamUnavailable     Code = "upstream_unavailable"
)
