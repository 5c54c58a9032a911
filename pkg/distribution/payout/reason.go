package payout

// How many records one transaction with a receipt takes: measured on the local chain,
// bounded by the size of a transaction (1,232 bytes) and the 64 accounts that it
// may lock.
const (
	// SOLBatch is for payments in SOL.
	SOLBatch = 17
	// TokenBatch is for payments in a token to accounts that exist.
	TokenBatch = 15
	// SOLBatchV1 and TokenBatchV1 are those of version 1, whose size bounds nothing.
	SOLBatchV1, TokenBatchV1 = 60, 57
	// CollectBatch and CollectBatchV1 are for accounts with withheld tax, without a receipt.
	// A legacy transaction of the first is as long as it may be.
	CollectBatch, CollectBatchV1 = 28, 60
	// ReturnBatch and ReturnBatchV1 are for receipts whose rent comes back.
	ReturnBatch, ReturnBatchV1 = 9, 34
)

// Reasons why a payment of a batch, or all of it, is not made. What is said of
// one holder's account is in the words of package allocation.
const (
	reasonBelowRent Reason = "below_rent_floor"
	reasonNotWallet Reason = "not_a_wallet"
	reasonNoAccount Reason = "account_missing_too_small"
	reasonFrozen    Reason = "account_frozen"
	reasonNotOwned  Reason = "account_not_owned"
	reasonHeld      Reason = "held"
	reasonRefused   Reason = "refused"
	// reasonConfidential: the account rejects transfers whose amounts are public.
	reasonConfidential Reason = "confidential_only"
	// ReasonNoRecipient: every record of the batch is skipped.
	ReasonNoRecipient Reason = "nobody_to_pay"
	// ReasonFunds: the wallet has too little for it, or for its fee.
	ReasonFunds Reason = "wallet_too_low"
	// ReasonLate: there was no time left for it.
	ReasonLate Reason = "time_over"
	// reasonFinal: the run closes no more receipts.
	reasonFinal Reason = "final"
	// ReasonExpired: it was sent, and no attempt reached the chain.
	ReasonExpired Reason = "expired"
)
