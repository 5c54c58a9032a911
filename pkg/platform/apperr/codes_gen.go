// Code generated from openapi.yaml by go generate. DO NOT EDIT.

package apperr

// The codes, as the OpenAPI document lists them.
var (
	// The body is not one JSON object, or fields or headers are missing, unknown or wrong; `errors` names each.
	CodeValidationFailed = Code{"validation_failed", 400}
	// The image file is larger than 1,048,576 bytes.
	CodeFileTooLarge = Code{"file_too_large", 400}
	// The file is not a PNG or JPEG, is animated, in CMYK, or damaged; `detail` names the fault.
	CodeInvalidFileType = Code{"invalid_file_type", 400}
	// The image has more than 40 megapixels.
	CodeImageTooLarge = Code{"image_too_large", 400}
	// imageUri is not the URI of an uploaded image, or no launch used the image within seven days: upload the image again.
	CodeUnknownImage = Code{"unknown_image", 400}
	// walletId was not issued here, or has expired after 24 hours.
	CodeUnknownWallet = Code{"unknown_wallet", 400}
	// The token cannot be traded on these programs: the mint has an extension that the programs reject, which `detail` names, or is wrapped SOL.
	CodeUnsupportedToken = Code{"unsupported_token", 400}
	// The position has earned no fees since the last claim, or the holder has no unpaid rewards.
	CodeNothingToClaim = Code{"nothing_to_claim", 400}
	// The curve has less than the requested amount; `detail` has the available amount.
	CodeExceedsLiquidity = Code{"exceeds_liquidity", 400}
	// The curve does not trade yet, and cannot be cancelled yet.
	CodeLaunchpadNotStarted = Code{"launchpad_not_started", 400}
	// rewardToken is not a mint that can be paid out.
	CodeUnsupportedRewardToken = Code{"unsupported_reward_token", 400}
	// The tax of this token cannot be changed.
	CodeTransferFeeLocked = Code{"transfer_fee_locked", 400}
	// Messages cannot be sent to this URL; `detail` has the reason.
	CodeURLNotAllowed = Code{"url_not_allowed", 400}
	// The signed transaction differs from the issued transaction, or lacks your signature; `detail` names the fault.
	CodeInvalidTransaction = Code{"invalid_transaction", 400}
	// The transaction can no longer land. If `refresh` is present, sign its transaction instead; otherwise create a new transaction.
	CodeTransactionExpired = Code{"transaction_expired", 400}
	// The chain rejected the transaction; `detail` has the reason.
	CodeTransactionFailed = Code{"transaction_failed", 400}
	// The operation needs an access token, and the request has none.
	CodeMissingToken = Code{"missing_token", 401}
	// The access token is malformed, expired, or was not issued here.
	CodeInvalidToken = Code{"invalid_token", 401}
	// The challenge, or the message of an action, is older than 5 minutes. Ask for a new one.
	CodeChallengeExpired = Code{"challenge_expired", 401}
	// The challenge was not issued for this wallet, was altered, or is used up.
	CodeChallengeUnknown = Code{"challenge_unknown", 401}
	// The signature does not match the wallet and the challenge.
	CodeInvalidSignature = Code{"invalid_signature", 401}
	// The API accepts requests only at its public address.
	CodeDirectCall = Code{"direct_call", 403}
	// Only the wallet that launched the token may call the operation.
	CodeNotTokenCreator = Code{"not_token_creator", 403}
	// The path names a wallet that is not the caller's.
	CodeNotYourWallet = Code{"not_your_wallet", 403}
	// Only the wallet with the curve's position NFT, at first the creator of the curve, may cancel the curve or claim its fees.
	CodeNotCurveCreator = Code{"not_curve_creator", 403}
	// The operators of this service have blocked this image, name or symbol; `errors` names the field of a launch. Choose another one.
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
	// The webhook has no delivery with this id. Deliveries are kept for 30 days.
	CodeDeliveryNotFound = Code{"delivery_not_found", 404}
	// The path exists, with the methods that `Allow` names.
	CodeMethodNotAllowed = Code{"method_not_allowed", 405}
	// The `Idempotency-Key` was sent with another request.
	CodeIdempotencyKeyReused = Code{"idempotency_key_reused", 409}
	// A request with the same `Idempotency-Key` is running; retry after `Retry-After`.
	CodeIdempotencyInProgress = Code{"idempotency_in_progress", 409}
	// Another token uses this distribution wallet.
	CodeWalletInUse = Code{"wallet_in_use", 409}
	// The token is not on the chain.
	CodeTokenNotConfirmed = Code{"token_not_confirmed", 409}
	// Of a claim: a running distribution of the token may pay the debt.
	CodeRunActive = Code{"run_active", 409}
	// Of a claim: payments of the token are halted until the operator has decided.
	CodeTokenFrozen = Code{"token_frozen", 409}
	// The settings of the token have no Telegram group.
	CodeTelegramNotSet = Code{"telegram_not_set", 409}
	// A hand-over of the token is ordered already, or was cancelled a moment ago.
	CodeHandoverOrdered = Code{"handover_ordered", 409}
	// The tax of the token needs two of three signatures, and the service has one of them.
	CodeHandoverNeedsGuardian = Code{"handover_needs_guardian", 409}
	// There is no order of a hand-over that can be cancelled.
	CodeHandoverNotCancellable = Code{"handover_not_cancellable", 409}
	// The authority over the tax of the token was handed over, so the service no longer runs it.
	CodeTokenHandedOver = Code{"token_handed_over", 409}
	// The Telegram group of the token has not agreed to receive messages about the token.
	CodeTelegramNotLinked = Code{"telegram_not_linked", 409}
	// The wallet has the maximum of five webhooks.
	CodeWebhookLimitReached = Code{"webhook_limit_reached", 409}
	// The webhook has not answered its challenge, or was disabled.
	CodeWebhookNotActive = Code{"webhook_not_active", 409}
	// The signed order is for another version of the settings; `detail` has the version of this change.
	CodeSettingsVersionConflict = Code{"settings_version_conflict", 409}
	// The token already has this pool; `detail` has the pool's address.
	CodePoolExists = Code{"pool_exists", 409}
	// The operator has hidden the token from the public lists, so the placement would not be shown.
	CodeTokenHidden = Code{"token_hidden", 409}
	// The wallet is the recipient of payments for promotions.
	CodeTreasuryCannotPay = Code{"treasury_cannot_pay", 409}
	// The curve is cancelled or completed, or its pool does not trade at the moment; `detail` names the state.
	CodeLaunchpadNotActive = Code{"launchpad_not_active", 409}
	// The curve was cancelled by its creator; there is nothing to buy, and its fees were paid out.
	CodeLaunchpadCancelled = Code{"launchpad_cancelled", 409}
	// The liquidity of the curve is locked permanently, so it cannot be cancelled.
	CodeLiquidityLocked = Code{"liquidity_locked", 409}
	// The body is larger than the operation allows.
	CodeBodyTooLarge = Code{"body_too_large", 413}
	// Too many requests; wait for the seconds in `Retry-After`.
	CodeRateLimitExceeded = Code{"rate_limit_exceeded", 429}
	// Too many launches are being prepared from your IP address. The rate-limit headers are those of this limit.
	CodeLaunchLimitExceeded = Code{"launch_limit_exceeded", 429}
	// Too many pools, curves and cancellations are being prepared from your IP address. The rate-limit headers are those of this limit.
	CodeMarketLimitExceeded = Code{"market_limit_exceeded", 429}
	// Too many images were uploaded from your IP address. The rate-limit headers are those of this limit.
	CodeUploadLimitExceeded = Code{"upload_limit_exceeded", 429}
	// A fault of the service. The request does not count towards the limit.
	CodeInternal = Code{"internal", 500}
	// The chain, IPFS or a store does not respond; retry after `Retry-After`.
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
	// The text does not have the required form.
	CodeInvalidFormat = Code{"invalid_format", 400}
	// Not one of the intervals.
	CodeInvalidInterval = Code{"invalid_interval", 400}
	// Not a percentage between the bounds with at most two decimals.
	CodeInvalidPercentage = Code{"invalid_percentage", 400}
	// Not base58 of 32 bytes.
	CodeInvalidWalletAddress = Code{"invalid_wallet_address", 400}
	// The debt is worth less than the cost of its payment.
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
		CodeHandoverOrdered,
		CodeHandoverNeedsGuardian,
		CodeHandoverNotCancellable,
		CodeTokenHandedOver,
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
