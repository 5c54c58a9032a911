// Code generated from openapi.yaml by go generate. DO NOT EDIT.

package client

// The codes, as the OpenAPI document lists them.
const (
	// The body is not one JSON object, or fields or headers are missing, unknown or wrong; `errors` names each.
	ValidationFailed Code = "validation_failed"
	// The image file is over 1,048,576 bytes.
	FileTooLarge Code = "file_too_large"
	// The file is not a PNG or JPEG, is animated, in CMYK, or is damaged; `detail` says which.
	InvalidFileType Code = "invalid_file_type"
	// The picture has more than 40 megapixels.
	ImageTooLarge Code = "image_too_large"
	// imageUri is not of an image that was uploaded here, or no launch used it within seven days: upload it again.
	UnknownImage Code = "unknown_image"
	// walletId was not issued here, or was forgotten after 24 hours.
	UnknownWallet Code = "unknown_wallet"
	// The token cannot be traded on these programs: its mint has an extension that they do not take, which `detail` names, or it is wrapped SOL.
	UnsupportedToken Code = "unsupported_token"
	// The position has earned no fees since they were last claimed, or nothing is owed to the holder.
	NothingToClaim Code = "nothing_to_claim"
	// The curve does not have as much to give; `detail` says how much it has.
	ExceedsLiquidity Code = "exceeds_liquidity"
	// The curve does not trade yet, nor gives anything back.
	LaunchpadNotStarted Code = "launchpad_not_started"
	// rewardToken is not a mint that can be paid out.
	UnsupportedRewardToken Code = "unsupported_reward_token"
	// The tax of this token cannot be changed.
	TransferFeeLocked Code = "transfer_fee_locked"
	// Messages cannot be sent to this URL; `detail` says why.
	URLNotAllowed Code = "url_not_allowed"
	// The signed transaction is not the one that was issued, or lacks your signature; `detail` says which.
	InvalidTransaction Code = "invalid_transaction"
	// The transaction can land no more. While its order lives, `refresh` has one to sign in its place; else make a new one.
	TransactionExpired Code = "transaction_expired"
	// The chain refused the transaction; `detail` says why.
	TransactionFailed Code = "transaction_failed"
	// The operation needs a token, and there was none.
	MissingToken Code = "missing_token"
	// The token is malformed, expired, or not from here.
	InvalidToken Code = "invalid_token"
	// The challenge is older than 5 minutes. Ask for a new one.
	ChallengeExpired Code = "challenge_expired"
	// The challenge was never issued for this wallet, was altered, or was used already.
	ChallengeUnknown Code = "challenge_unknown"
	// The signature is not of this wallet and this challenge.
	InvalidSignature Code = "invalid_signature"
	// The API is called at its public address alone.
	DirectCall Code = "direct_call"
	// Only the wallet that launched the token may do this.
	NotTokenCreator Code = "not_token_creator"
	// The path names another wallet than that of the caller.
	NotYourWallet Code = "not_your_wallet"
	// Only the wallet that holds the token of the position, at first the one that made the curve, may cancel it or claim its fees.
	NotCurveCreator Code = "not_curve_creator"
	// The operators of this service have blocked this picture, name or symbol; `errors` names the field of a launch. Choose another one.
	ContentBlocked Code = "content_blocked"
	// No such path, no such transaction of yours, or no wallet with this address.
	NotFound Code = "not_found"
	// No token with this address or id was launched here; for a pool or a curve, there is no such mint on the chain.
	TokenNotFound Code = "token_not_found"
	// The token has no bonding curve.
	LaunchpadNotFound Code = "launchpad_not_found"
	// The token has no distribution with this id.
	RunNotFound Code = "run_not_found"
	// The wallet has no webhook with this id.
	WebhookNotFound Code = "webhook_not_found"
	// The webhook has no delivery with this id; they are kept for 30 days.
	DeliveryNotFound Code = "delivery_not_found"
	// The path exists, with the methods that `Allow` names.
	MethodNotAllowed Code = "method_not_allowed"
	// The `Idempotency-Key` was sent with another request.
	IdempotencyKeyReused Code = "idempotency_key_reused"
	// A request with the same `Idempotency-Key` is being answered; send it again after `Retry-After`.
	IdempotencyInProgress Code = "idempotency_in_progress"
	// Another token uses this distribution wallet.
	WalletInUse Code = "wallet_in_use"
	// The token is not on the chain.
	TokenNotConfirmed Code = "token_not_confirmed"
	// Of a claim: a run of the token is at work, and may pay what is owed.
	RunActive Code = "run_active"
	// Of a claim: payments of the token are stopped until the service has looked into them.
	TokenFrozen Code = "token_frozen"
	// The settings of the token have no Telegram group.
	TelegramNotSet Code = "telegram_not_set"
	// The Telegram group of the token has not agreed to be told of the token.
	TelegramNotLinked Code = "telegram_not_linked"
	// The wallet has five webhooks, which is the most.
	WebhookLimitReached Code = "webhook_limit_reached"
	// The webhook has not answered its challenge, or was disabled.
	WebhookNotActive Code = "webhook_not_active"
	// The order is of another version of the settings than this change makes; `detail` says which that is.
	SettingsVersionConflict Code = "settings_version_conflict"
	// There is such a pool of this token already; `detail` has its address.
	PoolExists Code = "pool_exists"
	// Operations hid the token from the public lists, so its placement would not be shown.
	TokenHidden Code = "token_hidden"
	// The wallet is the one that promotions are paid to.
	TreasuryCannotPay Code = "treasury_cannot_pay"
	// The curve is cancelled or completed, or its pool does not trade at the moment; `detail` says which.
	LaunchpadNotActive Code = "launchpad_not_active"
	// The curve was cancelled by its creator; there is nothing to buy, and its fees were paid out.
	LaunchpadCancelled Code = "launchpad_cancelled"
	// The liquidity of the curve is locked permanently, so it cannot be cancelled.
	LiquidityLocked Code = "liquidity_locked"
	// The body is longer than this operation takes.
	BodyTooLarge Code = "body_too_large"
	// Too many requests; wait for the seconds in `Retry-After`.
	RateLimitExceeded Code = "rate_limit_exceeded"
	// Too many launches are being prepared from your IP address. The rate-limit headers are those of this limit.
	LaunchLimitExceeded Code = "launch_limit_exceeded"
	// Too many pools, curves and cancellations are being prepared from your IP address. The rate-limit headers are those of this limit.
	MarketLimitExceeded Code = "market_limit_exceeded"
	// Too many pictures were uploaded from your IP address. The rate-limit headers are those of this limit.
	UploadLimitExceeded Code = "upload_limit_exceeded"
	// A fault of the service. It does not count towards the limit.
	Internal Code = "internal"
	// The chain, IPFS or a store does not answer; try again after `Retry-After`.
	UpstreamUnavailable Code = "upstream_unavailable"
)
