package payout

// The maximum numbers of records in one transaction with a receipt, measured on the local chain.
// The bounds are the size of a transaction (1,232 bytes) and the 64 accounts that a transaction may
// lock.
const (
	// SOLBatch is for payments in SOL.
	SOLBatch = 17
	// TokenBatch is for payments in a token to accounts that exist.
	TokenBatch = 15
	// SOLBatchV1 and TokenBatchV1 are for version 1, where only the locks bound a batch.
	SOLBatchV1, TokenBatchV1 = 60, 57
	// CollectBatch and CollectBatchV1 are for accounts with withheld tax, without a receipt.
	// CollectBatch fills a legacy transaction.
	CollectBatch, CollectBatchV1 = 28, 60
	// GuardedBatch and GuardedBatchV1 are the same for a token with a guardian: a signature and two
	// accounts more.
	GuardedBatch, GuardedBatchV1 = 24, 58
	// ReturnBatch and ReturnBatchV1 are for receipts that a Return closes.
	ReturnBatch, ReturnBatchV1 = 9, 34
)

// Reasons for not paying a batch or a record of a batch. Reasons about a holder's account are the
// words of package allocation.
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
	// ReasonFunds: the wallet cannot pay the amount or the fee.
	ReasonFunds Reason = "wallet_too_low"
	// ReasonLate: the deadline is over.
	ReasonLate Reason = "time_over"
	// reasonFinal: the run closes no more receipts.
	reasonFinal Reason = "final"
	// ReasonExpired: the payment was sent, and no attempt reached the chain.
	ReasonExpired Reason = "expired"
)
