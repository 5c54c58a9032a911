// Code generated from openapi.yaml by go generate. DO NOT EDIT.

package apperr

// The codes, as the OpenAPI document lists them.
var (
	// The body is not one JSON object, or fields or headers are missing, unknown or wrong; `errors` names each.
	CodeValidationFailed = Code{"validation_failed", 400}
	// The image file is over 1,048,576 bytes.
	CodeFileTooLarge = Code{"file_too_large", 400}
	// The file is not a PNG or JPEG, is animated, in CMYK, or is damaged; `detail` says which.
	CodeInvalidFileType = Code{"invalid_file_type", 400}
	// The picture has more than 40 megapixels.
	CodeImageTooLarge = Code{"image_too_large", 400}
	// imageUri is not of an image that was uploaded here, or no launch used it within seven days: upload it again.
	CodeUnknownImage = Code{"unknown_image", 400}
	// walletId was not issued here, or was forgotten after 24 hours.
	CodeUnknownWallet = Code{"unknown_wallet", 400}
	// The token cannot be traded on these programs: its mint has an extension that they do not take, which `detail` names, or it is wrapped SOL.
	CodeUnsupportedToken = Code{"unsupported_token", 400}
	// The position has earned no fees since they were last claimed, or nothing is owed to the holder.
	CodeNothingToClaim = Code{"nothing_to_claim", 400}
	// The curve does not have as much to give; `detail` says how much it has.
	CodeExceedsLiquidity = Code{"exceeds_liquidity", 400}
	// The curve does not trade yet, nor gives anything back.
	CodeLaunchpadNotStarted = Code{"launchpad_not_started", 400}
	// rewardToken is not a mint that can be paid out.
	CodeUnsupportedRewardToken = Code{"unsupported_reward_token", 400}
	// The tax of this token cannot be changed.
	CodeTransferFeeLocked = Code{"transfer_fee_locked", 400}
	// Messages cannot be sent to this URL; `detail` says why.
	CodeURLNotAllowed = Code{"url_not_allowed", 400}
	// The signed transaction is not the one that was issued, or lacks your signature; `detail` says which.
	CodeInvalidTransaction = Code{"invalid_transaction", 400}
	// The transaction can land no more. While its order lives, `refresh` has one to sign in its place; else make a new one.
	CodeTransactionExpired = Code{"transaction_expired", 400}
	// The chain refused the transaction; `detail` says why.
	CodeTransactionFailed = Code{"transaction_failed", 400}
	// The operation needs a token, and there was none.
	CodeMissingToken = Code{"missing_token", 401}
	// The token is malformed, expired, or not from here.
	CodeInvalidToken = Code{"invalid_token", 401}
	// The challenge is older than 5 minutes. Ask for a new one.
	CodeChallengeExpired = Code{"challenge_expired", 401}
	// The challenge was never issued for this wallet, was altered, or was used already.
	CodeChallengeUnknown = Code{"challenge_unknown", 401}
	// The signature is not of this wallet and this challenge.
	CodeInvalidSignature = Code{"invalid_signature", 401}
	// The API is called at its public address alone.
	CodeDirectCall = Code{"direct_call", 403}
	// Only the wallet that launched the token may do this.
	CodeNotTokenCreator = Code{"not_token_creator", 403}
	// The path names another wallet than that of the caller.
	CodeNotYourWallet = Code{"not_your_wallet", 403}
	// Only the wallet that holds the token of the position, at first the one that made the curve, may cancel it or claim its fees.
	CodeNotCurveCreator = Code{"not_curve_creator", 403}
	// The operators of this service have blocked this picture, name or symbol; `errors` names the field of a launch. Choose another one.
	CodeContentBlocked = Code{"content_blocked", 403}
	// No such path, no such transaction of yours, or no wallet with this address.
	CodeNotFound = Code{"not_found", 404}
	// No token with this address or id was launched here; for a pool or a curve, there is no such mint on the chain.
	CodeTokenNotFound = Code{"token_not_found", 404}
	// The token has no bonding curve.
	CodeLaunchpadNotFound = Code{"launchpad_not_found", 404}
	// The token has no distribution with this id.
	CodeRunNotFound = Code{"run_not_found", 404}
	// The wallet has no webhook with this id.
	CodeWebhookNotFound = Code{"webhook_not_found", 404}
	// The webhook has no delivery with this id; they are kept for 30 days.
	CodeDeliveryNotFound = Code{"delivery_not_found", 404}
	// The path exists, with the methods that `Allow` names.
	CodeMethodNotAllowed = Code{"method_not_allowed", 405}
	// The `Idempotency-Key` was sent with another request.
	CodeIdempotencyKeyReused = Code{"idempotency_key_reused", 409}
	// A request with the same `Idempotency-Key` is being answered; send it again after `Retry-After`.
	CodeIdempotencyInProgress = Code{"idempotency_in_progress", 409}
	// Another token uses this distribution wallet.
	CodeWalletInUse = Code{"wallet_in_use", 409}
	// The token is not on the chain.
	CodeTokenNotConfirmed = Code{"token_not_confirmed", 409}
	// Of a claim: a run of the token is at work, and may pay what is owed.
	CodeRunActive = Code{"run_active", 409}
	// Of a claim: payments of the token are stopped until the service has looked into them.
	CodeTokenFrozen = Code{"token_frozen", 409}
	// The settings of the token have no Telegram group.
	CodeTelegramNotSet = Code{"telegram_not_set", 409}
	// The Telegram group of the token has not agreed to be told of the token.
	CodeTelegramNotLinked = Code{"telegram_not_linked", 409}
	// The wallet has five webhooks, which is the most.
	CodeWebhookLimitReached = Code{"webhook_limit_reached", 409}
	// The webhook has not answered its challenge, or was disabled.
	CodeWebhookNotActive = Code{"webhook_not_active", 409}
	// The order is of another version of the settings than this change makes; `detail` says which that is.
	CodeSettingsVersionConflict = Code{"settings_version_conflict", 409}
	// There is such a pool of this token already; `detail` has its address.
	CodePoolExists = Code{"pool_exists", 409}
	// Operations hid the token from the public lists, so its placement would not be shown.
	CodeTokenHidden = Code{"token_hidden", 409}
	// The wallet is the one that promotions are paid to.
	CodeTreasuryCannotPay = Code{"treasury_cannot_pay", 409}
	// The curve is cancelled or completed, or its pool does not trade at the moment; `detail` says which.
	CodeLaunchpadNotActive = Code{"launchpad_not_active", 409}
	// The curve was cancelled by its creator; there is nothing to buy, and its fees were paid out.
	CodeLaunchpadCancelled = Code{"launchpad_cancelled", 409}
	// The liquidity of the curve is locked permanently, so it cannot be cancelled.
	CodeLiquidityLocked = Code{"liquidity_locked", 409}
	// The body is longer than this operation takes.
	CodeBodyTooLarge = Code{"body_too_large", 413}
	// Too many requests; wait for the seconds in `Retry-After`.
	CodeRateLimitExceeded = Code{"rate_limit_exceeded", 429}
	// Too many launches are being prepared from your IP address. The rate-limit headers are those of this limit.
	CodeLaunchLimitExceeded = Code{"launch_limit_exceeded", 429}
	// Too many pools, curves and cancellations are being prepared from your IP address. The rate-limit headers are those of this limit.
	CodeMarketLimitExceeded = Code{"market_limit_exceeded", 429}
	// Too many pictures were uploaded from your IP address. The rate-limit headers are those of this limit.
	CodeUploadLimitExceeded = Code{"upload_limit_exceeded", 429}
	// A fault of the service. It does not count towards the limit.
	CodeInternal = Code{"internal", 500}
	// The chain, IPFS or a store does not answer; try again after `Retry-After`.
	CodeUpstreamUnavailable = Code{"upstream_unavailable", 503}
	// The field is missing.
	CodeRequired = Code{"required", 400}
	// The operation has no such field.
	CodeUnknownField = Code{"unknown_field", 400}
	// The field cannot be changed.
	CodeReadOnly = Code{"read_only", 400}
	// The body has the field more than once.
	CodeDuplicateField = Code{"duplicate_field", 400}
	// The value has the wrong JSON type.
	CodeInvalidType = Code{"invalid_type", 400}
	// The value is too small, too large, too short or too long.
	CodeOutOfRange = Code{"out_of_range", 400}
	// The text does not have the form that is asked for.
	CodeInvalidFormat = Code{"invalid_format", 400}
	// Not one of the intervals.
	CodeInvalidInterval = Code{"invalid_interval", 400}
	// Not a percentage between the bounds with at most two decimals.
	CodeInvalidPercentage = Code{"invalid_percentage", 400}
	// Not base58 of 32 bytes.
	CodeInvalidWalletAddress = Code{"invalid_wallet_address", 400}
	// What is owed is not worth what its payment would cost.
	CodeBelowCost = Code{"below_cost", 400}
)

// Codes returns all codes.
func Codes() []Code {
	return []Code{
		CodeValidationFailed,
		CodeFileTooLarge,
		CodeInvalidFileType,
		CodeImageTooLarge,
		CodeUnknownImage,
		CodeUnknownWallet,
		CodeUnsupportedToken,
		CodeNothingToClaim,
		CodeExceedsLiquidity,
		CodeLaunchpadNotStarted,
		CodeUnsupportedRewardToken,
		CodeTransferFeeLocked,
		CodeURLNotAllowed,
		CodeInvalidTransaction,
		CodeTransactionExpired,
		CodeTransactionFailed,
		CodeMissingToken,
		CodeInvalidToken,
		CodeChallengeExpired,
		CodeChallengeUnknown,
		CodeInvalidSignature,
		CodeDirectCall,
		CodeNotTokenCreator,
		CodeNotYourWallet,
		CodeNotCurveCreator,
		CodeContentBlocked,
		CodeNotFound,
		CodeTokenNotFound,
		CodeLaunchpadNotFound,
		CodeRunNotFound,
		CodeWebhookNotFound,
		CodeDeliveryNotFound,
		CodeMethodNotAllowed,
		CodeIdempotencyKeyReused,
		CodeIdempotencyInProgress,
		CodeWalletInUse,
		CodeTokenNotConfirmed,
		CodeRunActive,
		CodeTokenFrozen,
		CodeTelegramNotSet,
		CodeTelegramNotLinked,
		CodeWebhookLimitReached,
		CodeWebhookNotActive,
		CodeSettingsVersionConflict,
		CodePoolExists,
		CodeTokenHidden,
		CodeTreasuryCannotPay,
		CodeLaunchpadNotActive,
		CodeLaunchpadCancelled,
		CodeLiquidityLocked,
		CodeBodyTooLarge,
		CodeRateLimitExceeded,
		CodeLaunchLimitExceeded,
		CodeMarketLimitExceeded,
		CodeUploadLimitExceeded,
		CodeInternal,
		CodeUpstreamUnavailable,
		CodeRequired,
		CodeUnknownField,
		CodeReadOnly,
		CodeDuplicateField,
		CodeInvalidType,
		CodeOutOfRange,
		CodeInvalidFormat,
		CodeInvalidInterval,
		CodeInvalidPercentage,
		CodeInvalidWalletAddress,
		CodeBelowCost,
	}
}
