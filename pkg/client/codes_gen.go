// Code generated from openapi.yaml by go generate. DO NOT EDIT.

package client

// The codes, as the OpenAPI document lists them.
const (
	// The body is not one JSON object, or fields or headers are missing, unknown or wrong; `errors` names each.
	ValidationFailed Code = "validation_failed"
	// The image file is larger than 1,048,576 bytes.
	FileTooLarge Code = "file_too_large"
	// The file is not a PNG or JPEG, is animated, in CMYK, or damaged; `detail` names the fault.
	InvalidFileType Code = "invalid_file_type"
	// The image has more than 40 megapixels.
	ImageTooLarge Code = "image_too_large"
	// imageUri is not the URI of an uploaded image, or no launch used the image within seven days: upload the image again.
	UnknownImage Code = "unknown_image"
	// walletId was not issued here, or has expired after 24 hours.
	UnknownWallet Code = "unknown_wallet"
	// The token cannot be traded on these programs: the mint has an extension that the programs reject, which `detail` names, or is wrapped SOL.
	UnsupportedToken Code = "unsupported_token"
	// The position has earned no fees since the last claim, or the holder has no unpaid rewards.
	NothingToClaim Code = "nothing_to_claim"
	// The curve has less than the requested amount; `detail` has the available amount.
	ExceedsLiquidity Code = "exceeds_liquidity"
	// The curve does not trade yet, and cannot be cancelled yet.
	LaunchpadNotStarted Code = "launchpad_not_started"
	// rewardToken is not a mint that can be paid out.
	UnsupportedRewardToken Code = "unsupported_reward_token"
	// The tax of this token cannot be changed.
	TransferFeeLocked Code = "transfer_fee_locked"
	// Messages cannot be sent to this URL; `detail` has the reason.
	URLNotAllowed Code = "url_not_allowed"
	// The signed transaction differs from the issued transaction, or lacks your signature; `detail` names the fault.
	InvalidTransaction Code = "invalid_transaction"
	// The transaction can no longer land. If `refresh` is present, sign its transaction instead; otherwise create a new transaction.
	TransactionExpired Code = "transaction_expired"
	// The chain rejected the transaction; `detail` has the reason.
	TransactionFailed Code = "transaction_failed"
	// The operation needs an access token, and the request has none.
	MissingToken Code = "missing_token"
	// The access token is malformed, expired, or was not issued here.
	InvalidToken Code = "invalid_token"
	// The challenge, or the message of an action, is older than 5 minutes. Ask for a new one.
	ChallengeExpired Code = "challenge_expired"
	// The challenge was not issued for this wallet, was altered, or is used up.
	ChallengeUnknown Code = "challenge_unknown"
	// The signature does not match the wallet and the challenge.
	InvalidSignature Code = "invalid_signature"
	// The API accepts requests only at its public address.
	DirectCall Code = "direct_call"
	// Only the wallet that launched the token may call the operation.
	NotTokenCreator Code = "not_token_creator"
	// The path names a wallet that is not the caller's.
	NotYourWallet Code = "not_your_wallet"
	// Only the wallet with the curve's position NFT, at first the creator of the curve, may cancel the curve or claim its fees.
	NotCurveCreator Code = "not_curve_creator"
	// The operators of this service have blocked this image, name or symbol; `errors` names the field of a launch. Choose another one.
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
	// The webhook has no delivery with this id. Deliveries are kept for 30 days.
	DeliveryNotFound Code = "delivery_not_found"
	// The path exists, with the methods that `Allow` names.
	MethodNotAllowed Code = "method_not_allowed"
	// The `Idempotency-Key` was sent with another request.
	IdempotencyKeyReused Code = "idempotency_key_reused"
	// A request with the same `Idempotency-Key` is running; retry after `Retry-After`.
	IdempotencyInProgress Code = "idempotency_in_progress"
	// Another token uses this distribution wallet.
	WalletInUse Code = "wallet_in_use"
	// The token is not on the chain.
	TokenNotConfirmed Code = "token_not_confirmed"
	// Of a claim: a running distribution of the token may pay the debt.
	RunActive Code = "run_active"
	// Of a claim: payments of the token are halted until the operator has decided.
	TokenFrozen Code = "token_frozen"
	// The settings of the token have no Telegram group.
	TelegramNotSet Code = "telegram_not_set"
	// A hand-over of the token is ordered already, or was cancelled a moment ago.
	HandoverOrdered Code = "handover_ordered"
	// The tax of the token needs two of three signatures, and the service has one of them.
	HandoverNeedsGuardian Code = "handover_needs_guardian"
	// There is no order of a hand-over that can be cancelled.
	HandoverNotCancellable Code = "handover_not_cancellable"
	// The authority over the tax of the token was handed over, so the service no longer runs it.
	TokenHandedOver Code = "token_handed_over"
	// The Telegram group of the token has not agreed to receive messages about the token.
	TelegramNotLinked Code = "telegram_not_linked"
	// The wallet has the maximum of five webhooks.
	WebhookLimitReached Code = "webhook_limit_reached"
	// The webhook has not answered its challenge, or was disabled.
	WebhookNotActive Code = "webhook_not_active"
	// The signed order is for another version of the settings; `detail` has the version of this change.
	SettingsVersionConflict Code = "settings_version_conflict"
	// The token already has this pool; `detail` has the pool's address.
	PoolExists Code = "pool_exists"
	// The operator has hidden the token from the public lists, so the placement would not be shown.
	TokenHidden Code = "token_hidden"
	// The wallet is the recipient of payments for promotions.
	TreasuryCannotPay Code = "treasury_cannot_pay"
	// The curve is cancelled or completed, or its pool does not trade at the moment; `detail` names the state.
	LaunchpadNotActive Code = "launchpad_not_active"
	// The curve was cancelled by its creator; there is nothing to buy, and its fees were paid out.
	LaunchpadCancelled Code = "launchpad_cancelled"
	// The liquidity of the curve is locked permanently, so it cannot be cancelled.
	LiquidityLocked Code = "liquidity_locked"
	// The body is larger than the operation allows.
	BodyTooLarge Code = "body_too_large"
	// Too many requests; wait for the seconds in `Retry-After`.
	RateLimitExceeded Code = "rate_limit_exceeded"
	// Too many launches are being prepared from your IP address. The rate-limit headers are those of this limit.
	LaunchLimitExceeded Code = "launch_limit_exceeded"
	// Too many pools, curves and cancellations are being prepared from your IP address. The rate-limit headers are those of this limit.
	MarketLimitExceeded Code = "market_limit_exceeded"
	// Too many images were uploaded from your IP address. The rate-limit headers are those of this limit.
	UploadLimitExceeded Code = "upload_limit_exceeded"
	// A fault of the service. The request does not count towards the limit.
	Internal Code = "internal"
	// The chain, IPFS or a store does not respond; retry after `Retry-After`.
	UpstreamUnavailable Code = "upstream_unavailable"
)
