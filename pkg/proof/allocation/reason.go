package allocation

// Reason is a stable word for why an outstanding amount was not paid.
type Reason string

// The reasons. Verifiers accept any other word of at most MaxReason lower-case letters and underscores,
// because later versions of the service may add reasons.
const (
	// BelowCost: the amount is worth less than twenty times the cost of the payment.
	BelowCost Reason = "below_cost"
	// BelowRentFloor: the holder's wallet does not exist, and the amount of SOL is below the
	// minimum balance of an account.
	BelowRentFloor Reason = "below_rent_floor"
	// AccountMissingTooSmall: the holder has no account for the reward token, and the amount
	// is worth less than ten times the rent of an account.
	AccountMissingTooSmall Reason = "account_missing_too_small"
	// AccountFrozen, AccountNotOwned and ConfidentialOnly: the holder's account for the
	// reward token cannot be paid.
	AccountFrozen    Reason = "account_frozen"
	AccountNotOwned  Reason = "account_not_owned"
	ConfidentialOnly Reason = "confidential_only"
	// NotAWallet: the holder's address belongs to a program now.
	NotAWallet Reason = "not_a_wallet"
	// WalletTooLow: the distribution wallet had too little SOL for the fees.
	WalletTooLow Reason = "wallet_too_low"
	// Refused: the chain rejected a transaction that pays only this holder.
	Refused Reason = "refused"
	// Held: the holder's account has not changed since the account rejected a payment.
	Held Reason = "held"
	// Undecided: a payment was sent, and the outcome is not known.
	Undecided Reason = "undecided"
	// Settling: an earlier undecided payment has arrived, and is the holder's payment of this
	// run.
	Settling Reason = "settling"
	// TimeOver: the run ended before this holder's payment.
	TimeOver Reason = "time_over"
)

// MaxReason is the maximum length of a reason, in characters.
const MaxReason = 32

// Valid reports whether r has the form of a reason.
func (r Reason) Valid() bool {
	if r == "" || len(r) > MaxReason {
		return false
	}
	for i := range len(r) {
		if c := r[i]; c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

var sentences = map[Reason]string{
	BelowCost:              "What you are owed is not yet worth the cost of sending it. It is kept for you and added to your next reward.",
	BelowRentFloor:         "Your wallet holds no SOL yet, and Solana refuses so small a first amount. It is kept for you and added to your next reward.",
	AccountMissingTooSmall: "You have no account for the reward token yet, and what you are owed is not yet worth opening one. It is kept for you and added to your next reward; if you open the account, you are paid sooner.",
	AccountFrozen:          "Your account for the reward token is frozen by the token's issuer. What you are owed is kept until that changes.",
	AccountNotOwned:        "The account where your reward would arrive now belongs to another wallet. What you are owed is kept until that changes.",
	ConfidentialOnly:       "Your account for the reward token takes only confidential transfers. What you are owed is kept until you allow ordinary ones again.",
	NotAWallet:             "Your address belongs to a program and not to a wallet. What you are owed is kept until that changes.",
	WalletTooLow:           "The distribution wallet had too little SOL to send it. What you are owed is kept for you and added to your next reward.",
	Refused:                "The network refused the payment to your account. What you are owed is kept until your account changes.",
	Held:                   "Your account refused a payment earlier and has not changed since. What you are owed is kept until it does.",
	Undecided:              "A payment to you was sent, and it is not certain yet whether it arrived. It is not sent twice; the amount is set aside until that is known.",
	Settling:               "An earlier payment to you, which was not certain, has arrived. What is new is kept for you and added to your next reward.",
	TimeOver:               "The run ended before it was your turn. What you are owed is kept for you and added to your next reward.",
}

// Sentence explains the reason to a holder.
func (r Reason) Sentence() string {
	if sentence, ok := sentences[r]; ok {
		return sentence
	}
	return "The payment to you was deferred. What you are owed is kept for you and added to your next reward."
}
