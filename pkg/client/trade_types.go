package client

import "github.com/gagliardetto/solana-go"

// PriceQuote is what a purchase costs.
type PriceQuote struct {
	// What the buyer receives, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// What the buyer pays in SOL, fee included.
	SOLCost SOL `json:"solCost"`
	// The price before, SOL per whole token, without fee and tax.
	CurrentPrice Price `json:"currentPrice"`
	// By how many percent the purchase raises the price.
	PriceImpact Percent `json:"priceImpact"`
	// The price after it, SOL per whole token, without fee and tax.
	NextPrice Price `json:"nextPrice"`
	// What the buyer pays, in lamports.
	SOLCostLamports Lamports `json:"solCostLamports"`
	// What of it is the fee on trades, in lamports.
	FeeLamports Lamports `json:"feeLamports"`
	// What the token's own tax takes on the way to the buyer, in base units.
	TokenTax Amount `json:"tokenTax"`
}

// CurvePurchase says what to buy of a curve: either TokenAmount or Lamports.
type CurvePurchase struct {
	// How many of the token you are to receive, in base units, after tax.
	TokenAmount Amount `json:"tokenAmount,omitzero"`
	// How many lamports you pay, fee included.
	Lamports Lamports `json:"lamports,omitzero"`
	// By how many percent the price may get worse before the transaction fails.
	SlippagePercent *Percent `json:"slippagePercent,omitzero"`
}

// UnsignedPurchase is the transaction of a purchase.
type UnsignedPurchase struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What you receive, in base units; for `lamports`, what you receive at the price now.
	TokenAmount Amount `json:"tokenAmount"`
	// What it costs now, in SOL, fee included.
	SOLCost SOL `json:"solCost"`
	// What it costs at most, in SOL. What is not needed of it comes back in the same transaction.
	MaximumSOLCost SOL `json:"maximumSolCost"`
	// The same in lamports.
	MaximumLamports Lamports `json:"maximumLamports"`
	// What you receive at least, in base units. It is `tokenAmount` unless you asked for `lamports`.
	MinimumTokenAmount Amount `json:"minimumTokenAmount"`
}

// CurveSale says what to sell to a curve.
type CurveSale struct {
	// How many of the token you sell, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// By how many percent the price may get worse before the transaction fails.
	SlippagePercent *Percent `json:"slippagePercent,omitzero"`
}

// UnsignedSale is the transaction of a sale.
type UnsignedSale struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What leaves your wallet, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// What it brings now, in SOL, after the fee.
	SOLReceived SOL `json:"solReceived"`
	// What it brings at least, in SOL.
	MinimumSOLReceived SOL `json:"minimumSolReceived"`
	// The same in lamports.
	MinimumLamports Lamports `json:"minimumLamports"`
}

// UnsignedCancellation is the transaction that cancels a curve.
type UnsignedCancellation struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What of the token comes back to you, in base units, before its tax.
	TokenAmount Amount `json:"tokenAmount"`
	// What SOL comes back to you, in lamports.
	SOLAmount Lamports `json:"solAmount"`
}

// CurveFees are what the position of a curve has earned in trading fees.
type CurveFees struct {
	// SOL that can be claimed now, in lamports.
	ClaimableLamports Lamports `json:"claimableLamports"`
	// Of the token, in base units, before its tax; zero for curves that take their fees in SOL, as those made here do.
	ClaimableTokens Amount `json:"claimableTokens"`
	// SOL that was claimed so far, in lamports.
	ClaimedLamports Lamports `json:"claimedLamports"`
	// Of the token, in base units, before its tax.
	ClaimedTokens Amount `json:"claimedTokens"`
}

// UnsignedFeeClaim is the transaction that claims a curve's fees.
type UnsignedFeeClaim struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What of the token is paid out to you, in base units, before its tax.
	TokenAmount Amount `json:"tokenAmount"`
	// What SOL is paid out to you, in lamports.
	SOLAmount Lamports `json:"solAmount"`
	// The mint of the token that stands for the position. Your wallet has it.
	PositionNFTMint solana.PublicKey `json:"positionNftMint"`
}

// TokenLock says what to lock, and how it is released: in equal parts, the first with what does
// not divide.
type TokenLock struct {
	// How many of the token leave your wallet at most, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// When the first part is released; parts of a second are cut off.
	FirstReleaseAt Time `json:"firstReleaseAt"`
	// In how many parts it is released.
	Releases int `json:"releases"`
	// How long after each release the next one comes; 0 where there is one.
	PeriodSeconds int `json:"periodSeconds,omitzero"`
	// The wallet that can claim what is released; zero: yours.
	Recipient solana.PublicKey `json:"recipient,omitzero"`
}

// UnsignedLock is the transaction that locks tokens over time.
type UnsignedLock struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What leaves your wallet at most, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// What is locked, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// The escrow of Jupiter Lock that keeps it.
	EscrowAddress solana.PublicKey `json:"escrowAddress"`
	// The key from which the escrow's address follows. It has signed already, and was dropped.
	BaseAddress solana.PublicKey `json:"baseAddress"`
	// The wallet that can claim what is released.
	Recipient solana.PublicKey `json:"recipient"`
	// When the first part is released.
	FirstReleaseAt Time `json:"firstReleaseAt"`
	// What is released then, in base units, before the tax of the payment.
	FirstReleaseAmount Amount `json:"firstReleaseAmount"`
	// In how many parts it is released.
	Releases int `json:"releases"`
	// How long after each release the next one comes; nil where there is one.
	PeriodSeconds *int `json:"periodSeconds"`
	// What each later part is, in base units, before the tax of the payment.
	PeriodAmount Amount `json:"periodAmount"`
	// When the last part is released.
	LastReleaseAt Time `json:"lastReleaseAt"`
}

// FeaturedList are the promotions that run now.
type FeaturedList struct {
	Featured []Featured `json:"featured"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// Featured is a promotion that runs.
type Featured struct {
	// Id of the promotion.
	PromotionID string `json:"promotionId"`
	Token       Token  `json:"token"`
	// When it began.
	StartsAt Time `json:"startsAt"`
	// When it ends.
	EndsAt Time `json:"endsAt"`
}

// PromotionPurchase says for how long a token is to be featured.
type PromotionPurchase struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// How many days, 0.3 SOL each.
	DurationDays int `json:"durationDays"`
}

// UnsignedPromotion is the payment of a promotion.
type UnsignedPromotion struct {
	Unsigned

	// Id of the promotion, the transaction's too.
	PromotionID string `json:"promotionId"`
	// What the promotion costs, in lamports.
	Amount Lamports `json:"amount"`
	// How many days it runs.
	DurationDays int `json:"durationDays"`
	// The wallet that is paid.
	Recipient solana.PublicKey `json:"recipient"`
	// A key that stands in this transaction alone, by which the payment is found.
	Reference solana.PublicKey `json:"reference"`
}
