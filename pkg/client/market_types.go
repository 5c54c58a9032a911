package client

import "github.com/gagliardetto/solana-go"

// PoolCreation says what pool is to be made.
type PoolCreation struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// How many of the token go into the pool, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// How much SOL goes into the pool, in lamports.
	SOLAmount Lamports `json:"solAmount"`
}

// UnsignedPool is the transaction that makes a pool.
type UnsignedPool struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// Where the pool will be.
	PoolAddress solana.PublicKey `json:"poolAddress"`
	// The mint of the pool's shares.
	LPMint solana.PublicKey `json:"lpMint"`
	Vaults Vaults           `json:"vaults"`
	// What leaves your wallet, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// What arrives in the pool, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// What goes into the pool, in lamports.
	SOLAmount Lamports `json:"solAmount"`
	// The price at which the pool begins, SOL per whole token.
	InitialPrice Price `json:"initialPrice"`
}

// CurveCreation says what bonding curve is to be made. What is zero is left out, and has the default.
type CurveCreation struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// How many of the token go on the curve, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// The SOL to raise, from 1 to 10,000 SOL with at most 9 decimals, a decimal string or a number, in the unit of `targetMarketCapUnit`. Without a unit, under 1,000 is SOL, and a whole number from 10,000 on is thousandths of SOL (`"100000"` is 100 SOL); between the two the unit is asked for.
	TargetMarketCap SOL `json:"targetMarketCap"`
	// The unit of `targetMarketCap`, SOL or thousandths of SOL.
	TargetMarketCapUnit string `json:"targetMarketCapUnit,omitzero"`
	// How many times the first price the price is when the target is reached.
	PriceMultiplier Factor `json:"priceMultiplier,omitzero"`
	// Whether the liquidity is permanently locked. If not, you can cancel the curve and take it away, and buyers see
	// so.
	LockLiquidity *bool `json:"lockLiquidity,omitzero"`
	// The fee on each trade, percent of its SOL.
	TradeFeePercent Percent `json:"tradeFeePercent,omitzero"`
	// A higher fee to begin with, percent, more than `tradeFeePercent`; it falls to that within `antiSniperMinutes`. Both or neither.
	AntiSniperFeePercent Percent `json:"antiSniperFeePercent,omitzero"`
	// How many minutes the fee falls. Both or neither.
	AntiSniperMinutes int `json:"antiSniperMinutes,omitzero"`
	// For how many lamports you buy in the same transaction, fee included, as the curve's first trade. `0` means none. Not with `startsAt`.
	InitialBuyLamports Lamports `json:"initialBuyLamports,omitzero"`
	// When the curve begins to trade, in the future and within 31 days, by the network's clock; parts of a second are cut off. Without it, at once. Not with `initialBuyLamports`.
	StartsAt Time `json:"startsAt,omitzero"`
}

// UnsignedCurve is the transaction that makes a curve.
type UnsignedCurve struct {
	Unsigned

	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// When the target may be reached, from how long other curves took; a day from now while none is complete.
	ExpectedLaunchTime Time            `json:"expectedLaunchTime"`
	CurveParameters    CurveParameters `json:"curveParameters"`
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// What leaves your wallet, in base units. It may be a little less than was asked for, where the last units would be tax alone.
	TokenAmount Amount `json:"tokenAmount"`
	// What arrives on the curve, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// What is to be raised, in SOL.
	TargetSOL SOL `json:"targetSol"`
	// The same in lamports.
	TargetLamports Lamports `json:"targetLamports"`
	// Whether the curve was made to lock its liquidity permanently.
	LockLiquidity bool `json:"lockLiquidity"`
	// The fee on each trade.
	TradeFeePercent Percent `json:"tradeFeePercent"`
	// The mint of the token that stands for the liquidity. It comes to your wallet, and who has it gets the fees.
	PositionNFTMint solana.PublicKey `json:"positionNftMint"`
	// When the curve begins to trade; nil when it does so as soon as it is made.
	StartsAt *Time `json:"startsAt"`
	// What you buy for in the same transaction, fee included; 0 when you do not.
	InitialBuyLamports Lamports `json:"initialBuyLamports"`
	// What arrives of that purchase in your wallet, in base units, after the token's tax.
	InitialBuyTokens Amount `json:"initialBuyTokens"`
}

// CurveParameters say how the price goes.
type CurveParameters struct {
	// The first price, SOL per whole token.
	StartPrice Price `json:"startPrice"`
	// The price when the target is reached, SOL per whole token.
	EndPrice Price `json:"endPrice"`
	// The one divided by the other.
	PriceMultiplier Factor `json:"priceMultiplier"`
}

// CurveList is one page of curves.
type CurveList struct {
	Launchpad []Curve `json:"launchpad"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// Curve is a bonding curve.
type Curve struct {
	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// `active` while it takes purchases up to its target, `completed` permanently once that was reached, `cancelled` when its creator took the liquidity away
	// before.
	Status CurveStatus `json:"status"`
	// SOL collected so far.
	CurrentMarketCap SOL `json:"currentMarketCap"`
	// SOL to be raised.
	TargetMarketCap SOL `json:"targetMarketCap"`
	// Percent of the target that is collected, rounded down to two decimals; 100 when completed.
	Progress Percent `json:"progress"`
	// What has left the curve, in base units, before the token's tax on the way.
	TokensSold Amount `json:"tokensSold"`
	// What was on the curve at its start, in base units. At the target a part is unsold, and stays as liquidity beside the SOL.
	TotalTokens Amount `json:"totalTokens"`
	// SOL that buyers paid and sellers did not take back, without fees.
	SOLCollected SOL `json:"solCollected"`
	// How many wallets bought.
	UniqueBuyers int `json:"uniqueBuyers"`
	// When the curve was made.
	CreatedAt Time `json:"createdAt"`
	// When the target is reached if SOL comes in as it has so far; nil when that is not known.
	EstimatedCompletion *Time `json:"estimatedCompletion"`
	// Address of the token's mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// The wallet that made the curve.
	Creator solana.PublicKey `json:"creator"`
	// The price now, SOL per whole token, without fee and tax.
	CurrentPrice    Price           `json:"currentPrice"`
	CurveParameters CurveParameters `json:"curveParameters"`
	// How many purchases and sales there were.
	Trades int `json:"trades"`
	// Whether the curve was made to lock its liquidity permanently.
	LockLiquidity bool `json:"lockLiquidity"`
	// Whether the chain says that all of its liquidity is permanently locked.
	LiquidityLocked bool `json:"liquidityLocked"`
	// The fee on each trade.
	TradeFeePercent Percent `json:"tradeFeePercent"`
	// When the target was held at the end of a slot; nil while it was not.
	CompletedAt *Time `json:"completedAt"`
	// Whether the creator of a token that was launched here made it. Anyone who has some of a token can make a curve of it.
	Official bool `json:"official"`
	// When the curve begins to trade; nil when it does so as soon as it is made.
	StartsAt *Time `json:"startsAt"`
	// What the wallet that made the curve has of the token now, in base units, in its associated account; what it has elsewhere, or other wallets of the same person have, is not in it. Nil in lists, and in the first seconds of a curve.
	CreatorTokens *Amount `json:"creatorTokens"`
	// The same as a share of the supply that there is now, rounded up to two decimals.
	CreatorSharePercent *Percent `json:"creatorSharePercent"`
	// The token's record, in lists; nil for a token that was launched elsewhere.
	Token *Token `json:"token,omitzero"`
}

// TransactionCost is what a transaction takes of your wallet.
type TransactionCost struct {
	// Fees of the network.
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	// Rent of the accounts that it makes and leaves open.
	RentLamports Lamports `json:"rentLamports"`
	// What a program charges beside, such as Raydium for a new pool.
	ProtocolFeeLamports Lamports `json:"protocolFeeLamports"`
	// What goes elsewhere, into a pool or to the service.
	DepositLamports Lamports `json:"depositLamports"`
	// The sum.
	TotalLamports Lamports `json:"totalLamports"`
}

// Unsigned is what every transaction of a market comes with. You send it to the network yourself.
type Unsigned struct {
	// The transaction, base64, without your signature.
	Transaction string `json:"transaction"`
	// Id of the transaction. It is not submitted to the service.
	TransactionID string `json:"transactionId"`
	// When the network is past the last block that takes the transaction, some 30 seconds after creation: blocks may be slower than now, and are hardly faster.
	ExpiresAt Time `json:"expiresAt"`
	// The height of the last block that takes the transaction. Once the finalized height is above it, it can never land.
	LastValidBlockHeight uint64          `json:"lastValidBlockHeight"`
	Cost                 TransactionCost `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}
