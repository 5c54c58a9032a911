// Code generated from openapi.yaml by go generate. DO NOT EDIT.

package client

import "github.com/gagliardetto/solana-go"

// APIStatus is the state of the API.
type APIStatus struct {
	Status State `json:"status"`
}

// Action is the description of a token's action, by version 2.4 of the specification of Solana Actions.
type Action struct {
	// A completed action has no buttons.
	Type string `json:"type"`
	// The card of the token, a PNG.
	Icon string `json:"icon"`
	// Name and symbol of the token.
	Title string `json:"title"`
	// The action in a sentence.
	Description string `json:"description"`
	// The text of the only button of a client that shows one.
	Label string `json:"label"`
	// The buttons; absent from a completed action.
	Links *ActionButtons `json:"links,omitzero"`
}

// ActionButtons are the buttons; absent from a completed action.
type ActionButtons struct {
	// The buttons, in order.
	Actions []ActionLink `json:"actions"`
}

// ActionConfirmation is a signed message. Further fields are ignored.
type ActionConfirmation struct {
	Account solana.PublicKey `json:"account"`
	Data    ActionText       `json:"data"`
	// The signature of the text, 64 bytes in base58 or base64.
	Signature string `json:"signature" jsonschema:"The signature of the text, 64 bytes in base58 or base64."`
}

// ActionLink is a button.
type ActionLink struct {
	// The type of the response to the request, which has something to sign.
	Type string `json:"type"`
	// The path to which the client sends a POST request. The client replaces `{sol}` by the amount.
	Href string `json:"href"`
	// The text of the button.
	Label string `json:"label"`
	// The input fields; absent from a button without one.
	Parameters []ActionParameter `json:"parameters,omitzero"`
}

// ActionMessageRequest is a message for the wallet to sign.
type ActionMessageRequest struct {
	// The kind of the response.
	Type string     `json:"type"`
	Data ActionText `json:"data"`
	// The address for the signature.
	Links ActionSteps `json:"links"`
}

// ActionParameter is an input field of a button.
type ActionParameter struct {
	// The kind of the field.
	Type string `json:"type"`
	// The name in `href`.
	Name string `json:"name"`
	// The text in the empty field.
	Label string `json:"label"`
	// Whether the field must be filled.
	Required bool `json:"required"`
}

// ActionRequest is the request of a button. Further fields are ignored.
type ActionRequest struct {
	Account solana.PublicKey `json:"account"`
}

// ActionRule is a rule of actions.json.
type ActionRule struct {
	// The path of a page.
	PathPattern string `json:"pathPattern"`
	// The path of the page's action.
	APIPath string `json:"apiPath"`
}

// ActionRules are the rules of actions.json.
type ActionRules struct {
	// The rules, in order.
	Rules []ActionRule `json:"rules"`
}

// ActionStep is the next request.
type ActionStep struct {
	// The kind of the request.
	Type string `json:"type"`
	// The path of the request.
	Href string `json:"href"`
}

// ActionSteps are the address for the signature.
type ActionSteps struct {
	// The next request.
	Next ActionStep `json:"next"`
}

// ActionText is a message in its parts. By the specification of Solana Actions the text to sign is `DOMAIN wants you to sign a message with your account:`, a line break, the address, an empty line, the statement, an empty line, `Nonce: NONCE`, a line break and `Issued At: TIME`.
type ActionText struct {
	// The domain of the service.
	Domain  string           `json:"domain"`
	Address solana.PublicKey `json:"address"`
	// The act that the signature permits.
	Statement string `json:"statement"`
	// A random text.
	Nonce    string `json:"nonce"`
	IssuedAt Time   `json:"issuedAt"`
}

// ActionTransaction is a transaction for the wallet to sign and to send.
type ActionTransaction struct {
	// The kind of the response.
	Type string `json:"type"`
	// The transaction, without signatures.
	Transaction string `json:"transaction"`
	// The purchase in a sentence.
	Message string `json:"message"`
}

// Anchor is the transaction that ties a proof to the chain.
type Anchor struct {
	// Root of the tree of all rows.
	MerkleRoot string `json:"merkleRoot"`
	// The text of the transaction: the distribution, the number of the proof, the root, and the SHA-256 of the manifest, of the settings' text and of the previous manifest.
	Memo string `json:"memo"`
	// The transaction; null until it has landed.
	Signature *solana.Signature `json:"signature"`
	// The signed transaction itself, the file that a verifier takes.
	Transaction *Content `json:"transaction"`
	// Version of the proof's format.
	Version int `json:"version"`
	// Counts the token's proofs, from 1.
	Number uint64 `json:"number"`
	// Which version of the settings it was.
	SettingsVersion uint64 `json:"settingsVersion"`
	// Whether the proof has the creator's signature over that version.
	OrderedByCreator bool `json:"orderedByCreator"`
	// The statements that the proof takes on the service's word, by the names of a verifier's checks. The service has not verified the other statements: a verifier does.
	OnTrust []string `json:"onTrust"`
}

// AnchorFile is the anchor of a proof, as far as lists name it. The anchor of a single distribution has more fields.
type AnchorFile struct {
	// The signed transaction whose memo fixes the manifest and the rows: the file that a verifier takes.
	Transaction Content `json:"transaction"`
}

// Authorities are who can still change the mint. Null means that no key can, ever.
type Authorities struct {
	// No more of it can be made.
	Mint *solana.PublicKey `json:"mint"`
	// No account can be frozen.
	Freeze *solana.PublicKey `json:"freeze"`
	// The creator, or null when the metadata is immutable.
	MetadataUpdate *solana.PublicKey `json:"metadataUpdate"`
	// The creator when the tax is adjustable, else null.
	TransferFeeConfig *solana.PublicKey `json:"transferFeeConfig"`
	// The authority at launch: the distribution wallet, or the account of the three members for a token with a guardian. A hand-over changes it, and `GET /distribution/{tokenId}/handover` names the present one: `newAuthority` once the status is `done`.
	WithdrawWithheld solana.PublicKey `json:"withdrawWithheld"`
}

// BacklogStatus is the size of a backlog.
type BacklogStatus struct {
	Status State `json:"status"`
	// How many wait.
	Waiting *int `json:"waiting"`
}

// Burn is one burn.
type Burn struct {
	// Id of the burn.
	ID string `json:"id"`
	// The distribution that burned.
	RunID  string `json:"runId"`
	Amount Amount `json:"amount"`
	// The transaction.
	Signature solana.Signature `json:"signature"`
	// The slot of the chain in which it landed.
	ChainSlot uint64 `json:"chainSlot"`
	Timestamp Time   `json:"timestamp"`
}

// BurnHistory is the burned amount of a token.
type BurnHistory struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	// All burns together, on all pages.
	TotalBurned Amount `json:"totalBurned"`
	Burns       []Burn `json:"burns"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// The present supply of the token, read from the chain.
	CurrentSupply Amount `json:"currentSupply"`
}

// Candle is the trades of an interval. Prices are SOL per whole token, without fee and tax.
type Candle struct {
	// When the interval begins.
	Time Time `json:"time"`
	// The price before the first trade, the `close` of the candle before.
	Open Price `json:"open"`
	// The highest price.
	High Price `json:"high"`
	// The lowest price.
	Low Price `json:"low"`
	// The price after the last trade.
	Close Price `json:"close"`
	// The sum that traders paid and received, the `lamports` of all trades, in SOL.
	Volume SOL `json:"volume"`
	// The same in lamports.
	VolumeLamports Lamports `json:"volumeLamports"`
	// The `tokenAmount` of all trades, in base units, a decimal string. It may be above 2^64-1.
	VolumeTokens string `json:"volumeTokens"`
	// How many trades there were.
	Trades int `json:"trades"`
}

// CandleInterval is the duration of a candle.
type CandleInterval string

// The words of CandleInterval.
const (
	CandleOneMinute   CandleInterval = "1m"
	CandleFiveMinutes CandleInterval = "5m"
	CandleOneHour     CandleInterval = "1h"
	CandleOneDay      CandleInterval = "1d"
)

// CandleIntervals returns the words of CandleInterval, in the document's order.
func CandleIntervals() []CandleInterval {
	return []CandleInterval{CandleOneMinute, CandleFiveMinutes, CandleOneHour, CandleOneDay}
}

// CandleList is one page of the candles of a curve.
type CandleList struct {
	// Address of the token's mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// The duration of a candle.
	Interval CandleInterval `json:"interval"`
	Candles  []Candle       `json:"candles"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// ChainStatus is the state of the Solana network.
type ChainStatus struct {
	Status State `json:"status"`
	// Slot of the newest final block.
	FinalizedSlot *uint64 `json:"finalizedSlot"`
	// Age of that block.
	AgeSeconds *int `json:"ageSeconds"`
}

// Challenge is a message to sign in with.
type Challenge struct {
	// The message to sign, exactly as it is. Lines end with a line feed, and there is none at the end.
	Challenge string `json:"challenge"`
	// The random part of the message.
	Nonce    string `json:"nonce"`
	IssuedAt Time   `json:"issuedAt"`
	// 5 minutes later.
	ExpiresAt Time `json:"expiresAt"`
}

// ChallengeRequest is a request for a message to sign in with.
type ChallengeRequest struct {
	// Your wallet.
	Wallet solana.PublicKey `json:"wallet" jsonschema:"Your wallet."`
}

// ChangeDelay is time between the order and the effect of a change that lowers what holders get. The creator can only raise it. Tax that was withheld before such a change is divided by the settings before; proofs that do otherwise are refused.
type ChangeDelay string

// The words of ChangeDelay.
const (
	DelayNone ChangeDelay = "none"
	Delay24h  ChangeDelay = "24h"
	Delay7d   ChangeDelay = "7d"
)

// ChangeDelays returns the words of ChangeDelay, in the document's order.
func ChangeDelays() []ChangeDelay {
	return []ChangeDelay{DelayNone, Delay24h, Delay7d}
}

// ChangedSetting is a setting that was changed. An empty text is absent, and `telegramGroupId` has the field only.
type ChangedSetting struct {
	// Name of the setting.
	Field string `json:"field"`
	// The value before, as a text.
	Before string `json:"before,omitzero"`
	// The value since, as a text.
	After string `json:"after,omitzero"`
}

// ClaimProblem is the reason for which a claim is rejected.
type ClaimProblem struct {
	// The status of the response if this token were the only one.
	Status int `json:"status"`
	// `run_active`: a running distribution may pay the debt; claim again after its end. `below_cost`: the debt in SOL is less than twice the fee. `token_frozen`: payments of the token are halted until the operator has decided.
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
}

// ClaimRequest is a claim of a wallet to the amounts that tokens owe.
type ClaimRequest struct {
	// The tokens to claim of, each once; absent or null are all of which something is owed, up to 20.
	Mints []solana.PublicKey `json:"mints,omitzero" jsonschema:"The tokens to claim of, each once; absent or null are all of which something is owed, up to 20."`
}

// ClaimStatus is whether the claim is accepted. Accepted claims are paid within minutes, if they are worth it then.
type ClaimStatus string

// The words of ClaimStatus.
const (
	ClaimAccepted ClaimStatus = "accepted"
	ClaimRefused  ClaimStatus = "refused"
)

// ClaimedToken is the result of the claim of one token.
type ClaimedToken struct {
	Mint solana.PublicKey `json:"mint"`
	// Whether the claim is accepted. Accepted claims are paid within minutes, if they are worth it then.
	Status ClaimStatus `json:"status"`
	// The debts of the last proof, by asset.
	Assets []HolderArrears `json:"assets"`
	// The reason for which the claim is rejected; null if the claim is accepted.
	Problem *ClaimProblem `json:"problem"`
}

// Claims are the outcome of claims.
type Claims struct {
	// A row for each token, in the order of the request; none when nothing is owed.
	Claims []ClaimedToken `json:"claims"`
	// The part of a payment that is deducted for its transactions.
	FeeLamports Amount `json:"feeLamports"`
}

// Content is a file on IPFS.
type Content struct {
	CID string `json:"cid"`
	URI string `json:"uri"`
	// The same through an IPFS gateway.
	URL string `json:"url"`
}

// Cost is the cost of signing the transaction.
type Cost struct {
	// Fees of the network.
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	// Rent for the accounts of the mint and of your tokens.
	RentLamports Lamports `json:"rentLamports"`
	// The SOL that the distribution wallet gets for its own network fees.
	DistributionWalletFundingLamports Lamports `json:"distributionWalletFundingLamports"`
	// The sum.
	TotalLamports Lamports `json:"totalLamports"`
}

// CreatedWebhook is a webhook that was added, with its secret.
type CreatedWebhook struct {
	WebhookID string `json:"webhookId"`
	// The key that signs the messages. Only this response has the secret.
	Secret string `json:"secret"`
}

// CreatorSplit is the part of one wallet of the creator's share.
type CreatorSplit struct {
	// Each wallet appears once.
	Wallet  solana.PublicKey `json:"wallet"`
	Percent Percent          `json:"percent"`
}

// Curve is a bonding curve.
type Curve struct {
	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// The state of the curve. `active` while it takes purchases up to its target, `completed` once that was reached, which never changes, `cancelled` when its creator took the liquidity away before.
	Status CurveStatus `json:"status"`
	// SOL collected so far.
	CurrentMarketCap SOL `json:"currentMarketCap"`
	// SOL to be raised.
	TargetMarketCap SOL `json:"targetMarketCap"`
	// Percent of the target that is collected, rounded down to two decimals; 100 when completed.
	Progress Percent `json:"progress"`
	// The amount that has left the curve, in base units, before the token's tax on the way.
	TokensSold Amount `json:"tokensSold"`
	// The amount on the curve at its start, in base units. At the target a part is unsold, and stays as liquidity next to the SOL.
	TotalTokens Amount `json:"totalTokens"`
	// SOL that buyers paid and sellers did not take back, without fees.
	SOLCollected SOL `json:"solCollected"`
	// How many wallets bought.
	UniqueBuyers int `json:"uniqueBuyers"`
	// When the curve was made.
	CreatedAt Time `json:"createdAt"`
	// When the target is reached if SOL comes in as it has so far; null when that is not known.
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
	// Whether, according to the chain, all of its liquidity is locked permanently.
	LiquidityLocked bool `json:"liquidityLocked"`
	// The fee on each trade.
	TradeFeePercent Percent `json:"tradeFeePercent"`
	// When the target was held at the end of a slot; null while it was not.
	CompletedAt *Time `json:"completedAt"`
	// Whether the creator of a token that was launched here made it. Any holder of a token can make a curve of it.
	Official bool `json:"official"`
	// When the curve begins to trade; null when it does so as soon as it is made.
	StartsAt *Time `json:"startsAt"`
	// The balance of the token of the wallet that created the curve, in base units, in its associated account. Other accounts, and other wallets of the same person, are not included. Null in lists, and in the first seconds of a curve.
	CreatorTokens *Amount `json:"creatorTokens"`
	// The same as a share of the supply that there is now, rounded up to two decimals.
	CreatorSharePercent *Percent `json:"creatorSharePercent"`
	// The token's record, as `GET /tokens/{mintAddress}` returns it. Only in lists, and absent for a token that was launched elsewhere.
	Token *Token `json:"token,omitzero"`
}

// CurveCompletedData is the data of a message of the type `curve.completed`.
type CurveCompletedData struct {
	// Address of the pool.
	Pool solana.PublicKey `json:"pool"`
	// When the target was reached.
	CompletedAt Time `json:"completedAt"`
}

// CurveCompletedMessage is the message that the bonding curve has reached its target.
type CurveCompletedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `curve.completed`.
	Data CurveCompletedData `json:"data"`
}

// CurveCreation is a bonding curve to create. A field that is absent has the default.
type CurveCreation struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint" jsonschema:"Address of the token's mint."`
	// How many of the token go on the curve, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount" jsonschema:"How many of the token go on the curve, in base units, tax included."`
	// The SOL to raise, from 1 to 10,000 SOL with at most 9 decimals, a decimal string, in the unit of `targetMarketCapUnit`. Without a unit, under 1,000 is SOL, and a whole number from 10,000 on is thousandths of SOL (`"100000"` is 100 SOL); between the two the unit is asked for.
	TargetMarketCap SOL `json:"targetMarketCap" jsonschema:"The SOL to raise, from 1 to 10,000 SOL with at most 9 decimals, a decimal string, in the unit of 'targetMarketCapUnit'. Without a unit, under 1,000 is SOL, and a whole number from 10,000 on is thousandths of SOL ('\"100000\"' is 100 SOL); between the two the unit is asked for."`
	// The unit of `targetMarketCap`, SOL or thousandths of SOL.
	TargetMarketCapUnit string `json:"targetMarketCapUnit,omitzero" jsonschema:"The unit of 'targetMarketCap', SOL or thousandths of SOL."`
	// How many times the first price the price is when the target is reached.
	PriceMultiplier Factor `json:"priceMultiplier,omitzero" jsonschema:"How many times the first price the price is when the target is reached."`
	// Whether the liquidity is locked permanently. If not, you can cancel the curve and take it away, and buyers see so.
	LockLiquidity *bool `json:"lockLiquidity,omitzero" jsonschema:"Whether the liquidity is locked permanently. If not, you can cancel the curve and take it away, and buyers see so."`
	// The fee on each trade, percent of its SOL.
	TradeFeePercent Percent `json:"tradeFeePercent,omitzero" jsonschema:"The fee on each trade, percent of its SOL."`
	// A higher fee to begin with, percent, more than `tradeFeePercent`; it falls to that within `antiSniperMinutes`. Both or neither.
	AntiSniperFeePercent Percent `json:"antiSniperFeePercent,omitzero" jsonschema:"A higher fee to begin with, percent, more than 'tradeFeePercent'; it falls to that within 'antiSniperMinutes'. Both or neither."`
	// How many minutes the fee falls. Both or neither.
	AntiSniperMinutes int `json:"antiSniperMinutes,omitzero" jsonschema:"How many minutes the fee falls. Both or neither."`
	// For how many lamports you buy in the same transaction, fee included, as the curve's first trade. `0` means none. Not with `startsAt`.
	InitialBuyLamports Lamports `json:"initialBuyLamports,omitzero" jsonschema:"For how many lamports you buy in the same transaction, fee included, as the curve's first trade. '0' means none. Not with 'startsAt'."`
	// When the curve begins to trade, in the future and within 31 days, by the network's clock; parts of a second are cut off. Without it, at once. Not with `initialBuyLamports`.
	StartsAt Time `json:"startsAt,omitzero" jsonschema:"When the curve begins to trade, in the future and within 31 days, by the network's clock; parts of a second are cut off. Without it, at once. Not with 'initialBuyLamports'."`
}

// CurveFees are the trading fees that the position of a curve has earned.
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

// CurveList is one page of bonding curves.
type CurveList struct {
	Launchpad []Curve `json:"launchpad"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// CurveParameters are how the price goes.
type CurveParameters struct {
	// The first price, SOL per whole token.
	StartPrice Price `json:"startPrice"`
	// The price when the target is reached, SOL per whole token.
	EndPrice Price `json:"endPrice"`
	// The one divided by the other.
	PriceMultiplier Factor `json:"priceMultiplier"`
}

// CurvePurchase is a purchase from a curve, by either `tokenAmount` or `lamports`.
type CurvePurchase struct {
	// How many of the token you are to receive, in base units, after tax.
	TokenAmount Amount `json:"tokenAmount,omitzero" jsonschema:"How many of the token you are to receive, in base units, after tax."`
	// How many lamports you pay, fee included.
	Lamports Lamports `json:"lamports,omitzero" jsonschema:"How many lamports you pay, fee included."`
	// By how many percent the price may get worse before the transaction fails.
	SlippagePercent *Percent `json:"slippagePercent,omitzero" jsonschema:"By how many percent the price may get worse before the transaction fails."`
}

// CurveSale is a sale to a curve.
type CurveSale struct {
	// How many of the token you sell, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount" jsonschema:"How many of the token you sell, in base units, tax included."`
	// By how many percent the price may get worse before the transaction fails.
	SlippagePercent *Percent `json:"slippagePercent,omitzero" jsonschema:"By how many percent the price may get worse before the transaction fails."`
}

// CurveStatus is the state of the curve. `active` while it takes purchases up to its target, `completed` once that was reached, which never changes, `cancelled` when its creator took the liquidity away before.
type CurveStatus string

// The words of CurveStatus.
const (
	CurveActive    CurveStatus = "active"
	CurveCompleted CurveStatus = "completed"
	CurveCancelled CurveStatus = "cancelled"
)

// DeletedWebhook is a webhook that was deleted.
type DeletedWebhook struct {
	WebhookID string `json:"webhookId"`
	Deleted   bool   `json:"deleted"`
}

// Delivery is a message to a webhook, and its outcome.
type Delivery struct {
	DeliveryID string `json:"deliveryId"`
	// The id of the event; the header `webhook-id`.
	EventID string `json:"eventId"`
	// The type of the event.
	Type WebhookEvent `json:"type"`
	// Of which token; null for a challenge or a test.
	MintAddress *solana.PublicKey `json:"mintAddress"`
	// The number of the message among those about this token to this webhook.
	Sequence *int `json:"sequence"`
	// The progress of the message. `pending` is sent again at `nextAttemptAt`.
	Status DeliveryStatus `json:"status"`
	// How often it was sent.
	Attempts  int  `json:"attempts"`
	CreatedAt Time `json:"createdAt"`
	// When it is sent next, at the earliest.
	NextAttemptAt *Time `json:"nextAttemptAt"`
	// When the receiver took it.
	DeliveredAt *Time `json:"deliveredAt"`
	// The HTTP status of the last response; null without a response.
	LastStatusCode *int `json:"lastStatusCode"`
	// Why the last attempt did not deliver it, in a sentence.
	LastError *string `json:"lastError"`
}

// DeliveryList is one page of a webhook's deliveries, newest first.
type DeliveryList struct {
	Deliveries []Delivery `json:"deliveries"`
	// For the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// DeliveryStatus is the progress of the message. `pending` is sent again at `nextAttemptAt`.
type DeliveryStatus string

// The words of DeliveryStatus.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// DistributionSettings are how the tax will be distributed.
type DistributionSettings struct {
	RewardToken string `json:"rewardToken"`
	// Holders are paid in proportion to their balances.
	DistributionModel string `json:"distributionModel"`
	// Base units that a holder must have to be paid.
	MinimumHoldingRequirement Amount `json:"minimumHoldingRequirement"`
	// Share of the collected tax that one distribution uses.
	PercentageToSellPerDistribution Percent  `json:"percentageToSellPerDistribution"`
	DistributionEnabled             bool     `json:"distributionEnabled"`
	DistributionInterval            Interval `json:"distributionInterval"`
	// Share of the tax that is burned.
	BurnPercent Percent `json:"burnPercent"`
	// Share of the tax that the creator gets.
	DeveloperFeePercent Percent `json:"developerFeePercent"`
	// Where the creator's share goes. With `creatorSplits` it gets nothing, and cannot be changed.
	DeveloperWallet solana.PublicKey `json:"developerWallet"`
	// The wallets that share the creator's part; empty if `developerWallet` gets all of it.
	CreatorSplits []CreatorSplit `json:"creatorSplits"`
	// Which balance of a holder counts. `snapshot`, that in the distribution's snapshot. `held`, the lesser of that and the balance in the snapshot of the proof before.
	RewardBasis RewardBasis `json:"rewardBasis"`
	// Share of the tax that holders always get. The creator can only raise it. While it is not 0, `burnPercent` and `developerFeePercent` leave at least this share, `rewardToken` can only become `SOL`, and `minimumHoldingRequirement` can only be lowered. Proofs with less are refused.
	MinimumHoldersPercent Percent `json:"minimumHoldersPercent"`
	// Time between the order and the effect of a change that lowers what holders get. The creator can only raise it. Tax that was withheld before such a change is divided by the settings before; proofs that do otherwise are refused.
	ChangeDelay ChangeDelay `json:"changeDelay"`
	// Telegram group that is notified, its id or its public name; empty when unset.
	TelegramGroupID string `json:"telegramGroupId"`
}

// DistributionStatus is the progress of distributions.
type DistributionStatus struct {
	Status State `json:"status"`
	// The number of running distributions.
	Active *int `json:"active"`
	// The number of running distributions by step.
	Doing map[string]int `json:"doing"`
	// The number of running distributions without progress for some minutes.
	Overdue *int `json:"overdue"`
	// The earliest scheduled time of a running distribution.
	OldestScheduledAt *Time `json:"oldestScheduledAt"`
	// Use `oldestScheduledAt`, which has the same value.
	OldestSlot *Time `json:"oldestSlot"`
	// The latest scheduled time at which a distribution was seen running.
	LastScheduledAt *Time `json:"lastScheduledAt"`
	// Use `lastScheduledAt`, which has the same value.
	LastSlot *Time `json:"lastSlot"`
	// The number of tokens whose distributions are halted until the operator has decided.
	FrozenTokens *int `json:"frozenTokens"`
	// The number of tokens with payments whose outcome is unknown. The amounts of these payments are set aside.
	UndecidedTokens *int `json:"undecidedTokens"`
	// The part that is SOL.
	UndecidedLamports *int `json:"undecidedLamports"`
	// Whether all distributions were counted.
	Complete bool `json:"complete"`
}

// DistributionWallet is the wallet that collects the tax of one token.
type DistributionWallet struct {
	// Id to pass to `POST /tokens/create-unsigned`.
	WalletID string `json:"walletId"`
	// Address of the wallet.
	Address solana.PublicKey `json:"address"`
}

// EffectiveSettings are how the tax is distributed, and from when on.
type EffectiveSettings struct {
	DistributionSettings

	// The time of the next distribution, which uses these settings.
	EffectiveAt Time `json:"effectiveAt"`
	// Number of these settings, 1 for those of the launch and one more with each change.
	Version int `json:"version"`
	// Whether the creator's wallet signed this version.
	OrderedByCreator bool `json:"orderedByCreator"`
	// Whether the group of the settings agreed to receive messages about the token. False without a group.
	TelegramLinked bool `json:"telegramLinked"`
	// There when `transferFeePercent` was sent.
	TransferFee *UnsignedTransferFee `json:"transferFee,omitzero"`
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

// FeaturedList is one page of the promotions that run now.
type FeaturedList struct {
	Featured []Featured `json:"featured"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// FeeChangeCost is the cost of a change of the tax.
type FeeChangeCost struct {
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	TotalLamports      Lamports `json:"totalLamports"`
}

// FieldCode is the error of the field: one of the field codes, or the code of the problem.
type FieldCode string

// The words of FieldCode.
const (
	FieldRequired             FieldCode = "required"
	FieldUnknownField         FieldCode = "unknown_field"
	FieldReadOnly             FieldCode = "read_only"
	FieldDuplicateField       FieldCode = "duplicate_field"
	FieldInvalidType          FieldCode = "invalid_type"
	FieldOutOfRange           FieldCode = "out_of_range"
	FieldInvalidFormat        FieldCode = "invalid_format"
	FieldInvalidInterval      FieldCode = "invalid_interval"
	FieldInvalidPercentage    FieldCode = "invalid_percentage"
	FieldInvalidWalletAddress FieldCode = "invalid_wallet_address"
	FieldInvalidSignature     FieldCode = "invalid_signature"
)

// FieldError is one bad field of a request.
type FieldError struct {
	// Name of the field.
	Field string `json:"field"`
	// The error of the field: one of the field codes, or the code of the problem.
	Code FieldCode `json:"code"`
	// The right form of the value.
	Message string `json:"message"`
}

// Handover is the newest order to hand the authority over withheld tax over. All but `status`, `number` and `delaySeconds` is null before the first order.
type Handover struct {
	// Of the newest order. `begun` cannot be cancelled any more; after `done` the token is not distributed here.
	Status string `json:"status"`
	// The number of the newest order; 0 before the first.
	Number int `json:"number"`
	// Who gets, or has, the authority over withheld tax.
	NewAuthority *string `json:"newAuthority"`
	// The creator, by a signature; or the operator who ends the service, to the creator only.
	OrderedBy *string `json:"orderedBy"`
	// When the service took the order.
	OrderedAt *string `json:"orderedAt"`
	// The earliest time of the hand-over.
	EffectiveAt *string `json:"effectiveAt"`
	// When the creator cancelled it.
	CancelledAt *string `json:"cancelledAt"`
	// When it was final on the chain.
	DoneAt *string `json:"doneAt"`
	// The transaction that handed the authority over.
	TransactionSignature *string `json:"transactionSignature"`
	// The least time between an order and its effect.
	DelaySeconds int `json:"delaySeconds"`
}

// HandoverCancelledData is the data of a message of the type `handover.cancelled`.
type HandoverCancelledData struct {
	// The number of the order.
	Number int64 `json:"number"`
	// Who gets, or has, the authority over withheld tax.
	NewAuthority solana.PublicKey `json:"newAuthority"`
	// Who ordered it.
	OrderedBy string `json:"orderedBy"`
	// The earliest time of the hand-over.
	EffectiveAt Time `json:"effectiveAt"`
	// The transaction that handed the authority over.
	TransactionSignature *string `json:"transactionSignature"`
}

// HandoverCancelledMessage is the message that the order of a hand-over was cancelled.
type HandoverCancelledMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `handover.cancelled`.
	Data HandoverCancelledData `json:"data"`
}

// HandoverDoneData is the data of a message of the type `handover.done`.
type HandoverDoneData struct {
	// The number of the order.
	Number int64 `json:"number"`
	// Who gets, or has, the authority over withheld tax.
	NewAuthority solana.PublicKey `json:"newAuthority"`
	// Who ordered it.
	OrderedBy string `json:"orderedBy"`
	// The earliest time of the hand-over.
	EffectiveAt Time `json:"effectiveAt"`
	// The transaction that handed the authority over.
	TransactionSignature *string `json:"transactionSignature"`
}

// HandoverDoneMessage is the message that the tax was handed over.
type HandoverDoneMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `handover.done`.
	Data HandoverDoneData `json:"data"`
}

// HandoverOrder is an order to hand the authority over withheld tax over.
type HandoverOrder struct {
	// One more than the number of the newest order, which `GET` returns.
	Number int `json:"number" jsonschema:"One more than the number of the newest order, which 'GET' returns."`
	// Who may collect the tax from then on.
	NewAuthority solana.PublicKey `json:"newAuthority" jsonschema:"Who may collect the tax from then on."`
	// The earliest time of the hand-over, in whole seconds: from `delaySeconds` to 90 days more from now.
	EffectiveAt string `json:"effectiveAt" jsonschema:"The earliest time of the hand-over, in whole seconds: from 'delaySeconds' to 90 days more from now."`
	// The signature of the creator's wallet over the text of the order.
	Signature solana.Signature `json:"signature" jsonschema:"The signature of the creator's wallet over the text of the order."`
}

// HandoverOrderedData is the data of a message of the type `handover.ordered`.
type HandoverOrderedData struct {
	// The number of the order.
	Number int64 `json:"number"`
	// Who gets, or has, the authority over withheld tax.
	NewAuthority solana.PublicKey `json:"newAuthority"`
	// Who ordered it.
	OrderedBy string `json:"orderedBy"`
	// The earliest time of the hand-over.
	EffectiveAt Time `json:"effectiveAt"`
	// The transaction that handed the authority over.
	TransactionSignature *string `json:"transactionSignature"`
}

// HandoverOrderedMessage is the message that a hand-over of the tax was ordered.
type HandoverOrderedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `handover.ordered`.
	Data HandoverOrderedData `json:"data"`
}

// Health is the name and the version of the deployment that responds.
type Health struct {
	Status string `json:"status"`
	// The deployment that responded.
	Stage string `json:"stage"`
	// The Solana network that it works on.
	Network Network `json:"network"`
	// Version of the service's release, which is that of the command and the packages, too. Where none is stamped, that of this document.
	Version string `json:"version"`
	Time    Time   `json:"time"`
}

// Held is the total that counts if the lesser of two snapshots' balances does.
type Held struct {
	// The distribution whose snapshot was the one before; null when there was none, and then nothing is shared out.
	PreviousRunID *string `json:"previousRunId"`
	// The sum of the lesser balances, in proportion to which those who share are paid.
	Weight Amount `json:"weight"`
}

// Holder is the result of the last settled distribution for one wallet.
type Holder struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	Wallet      solana.PublicKey `json:"wallet"`
	// The distribution; null when there was none.
	Run *HolderRun `json:"run"`
	// The balance of the wallet in the snapshot.
	Balance Amount      `json:"balance"`
	Assets  []HolderRow `json:"assets"`
	// Why nothing was paid; null when something was.
	Why *Reason `json:"why"`
}

// HolderArrears are the sums of an earlier reward asset of a token for a wallet.
type HolderArrears struct {
	Asset string `json:"asset"`
	// The total that arrived, counted since the wallet last began to be in every proof without a gap; 0 if the wallet is not in the last proof.
	Received Amount `json:"received"`
	// Kept for the next distribution.
	Owed Amount `json:"owed"`
	// The part of a payment whose outcome is unknown. The service does not send this part again before the outcome is known.
	Reserved Amount `json:"reserved"`
	// Why something waits; null when nothing does.
	Reason *Reason `json:"reason"`
}

// HolderLedger is one page of the amounts that a wallet has received and is owed, by token.
type HolderLedger struct {
	Wallet solana.PublicKey `json:"wallet"`
	// Those that were named first, then by mint.
	Tokens []HolderToken `json:"tokens"`
	// False when tokens may be missing that were not named, because the wallet has too many token accounts or the node would not list them.
	Complete bool `json:"complete"`
	// For the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// HolderPayment is one payment to a holder.
type HolderPayment struct {
	// The token that paid.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// Of the token.
	Name string `json:"name"`
	// Of the token.
	Symbol string `json:"symbol"`
	// The distribution that paid.
	RunID string `json:"runId"`
	// When the distribution was due.
	ScheduledAt Time `json:"scheduledAt"`
	// When the distribution was settled, with all its payments final.
	SettledAt Time `json:"settledAt"`
	// The purpose of the distribution. A claim only pays debts, because holders claimed them or the token brought nothing for 90 days.
	Kind RunKind `json:"kind"`
	// What was paid.
	Asset string `json:"asset"`
	// Of the asset.
	Decimals int `json:"decimals"`
	// What arrived, in base units of the asset.
	Amount Amount `json:"amount"`
	// The transaction that paid.
	Signature solana.Signature `json:"signature"`
	// The proof that has the payment.
	Proof Content `json:"proof"`
}

// HolderPayments are one page of the payments to a wallet.
type HolderPayments struct {
	Wallet solana.PublicKey `json:"wallet"`
	// Newest first.
	Payments []HolderPayment `json:"payments"`
	// False if payments of tokens that the wallet has an account of may be missing, because the wallet has too many.
	Complete bool `json:"complete"`
	// For the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// HolderRow is the row of a wallet for one asset.
type HolderRow struct {
	Asset string `json:"asset"`
	// Of this distribution.
	Share Amount `json:"share"`
	// From those before.
	OwedBefore Amount `json:"owedBefore"`
	Paid       Amount `json:"paid"`
	// The amount that arrived: less than the amount that was paid if the reward token has a tax of its own.
	Received Amount `json:"received"`
	// For the rent of the account that was made for the wallet.
	Charged Amount `json:"charged"`
	// Kept for the next distribution.
	Owed Amount `json:"owed"`
	// The part of a payment whose outcome is unknown. The service does not send this part again before the outcome is known.
	Reserved Amount `json:"reserved"`
	// Why something is kept; null when nothing is.
	Reason *Reason `json:"reason"`
	// The transaction that paid; null when nothing was paid.
	Signature *solana.Signature `json:"signature"`
	// The path of hashes that shows that the row is in the proof.
	Inclusion Inclusion `json:"inclusion"`
}

// HolderRun is the id, the slot and the proof of a distribution.
type HolderRun struct {
	ID string `json:"id"`
	// The scheduled time of the distribution.
	ScheduledAt Time `json:"scheduledAt"`
	// Use `scheduledAt`, which has the same value.
	Slot Time `json:"slot"`
	// The manifest of the proof.
	Proof *Content `json:"proof"`
	// The anchor of the proof, which a verifier takes; null before the proof.
	Anchor *AnchorFile `json:"anchor"`
}

// HolderTelegramLink is a code that links a private chat to a wallet.
type HolderTelegramLink struct {
	// The wallet and a random part. It works once.
	Code string `json:"code"`
	// The message to send to the bot.
	Command string `json:"command"`
	// When the code ends.
	ExpiresAt Time `json:"expiresAt"`
	// Whether a chat is linked to the wallet already.
	Linked bool `json:"linked"`
	// The public name of the service's bot, without the @. Null while the service has not read the bot's messages yet.
	Bot *string `json:"bot"`
	// The address that opens the chat with the bot and sends the code. Null while `bot` is null.
	URL *string `json:"url"`
}

// HolderToken is one token of a holder, with sums in base units of the asset.
type HolderToken struct {
	Mint   solana.PublicKey `json:"mint"`
	Name   string           `json:"name"`
	Symbol string           `json:"symbol"`
	// Of the token itself.
	Decimals int `json:"decimals"`
	// The reward asset of the last distribution, and the unit of `received`, `owed` and `reserved`. Before the first distribution, the reward asset of the settings.
	Asset string `json:"asset"`
	// The total that arrived, counted since the wallet last began to be in every proof without a gap; 0 if the wallet is not in the last proof.
	Received Amount `json:"received"`
	// Kept for the next distribution.
	Owed Amount `json:"owed"`
	// The part of a payment whose outcome is unknown. The service does not send this part again before the outcome is known.
	Reserved Amount `json:"reserved"`
	// Why something waits, or why there was nothing for this wallet; null when neither is so.
	Reason *Reason `json:"reason"`
	// The last settled distribution, by whose proof this is; null when there was none.
	LastRun *HolderRun `json:"lastRun"`
	// Other assets, which earlier distributions paid in.
	Arrears []HolderArrears `json:"arrears"`
	// Whether the proof has more assets than are read here; `GET /distribution/{tokenId}/holders/{wallet}` has all of them.
	MoreAssets bool `json:"moreAssets"`
}

// Inclusion is the path of hashes that shows that the row is in the proof.
type Inclusion struct {
	// The row as the proof has it.
	Line string `json:"line"`
	// Which line it is, from 0.
	Index int `json:"index"`
	// How many lines there are.
	Size int `json:"size"`
	// The sibling hashes on the way to the root.
	Path []string `json:"path"`
	Root string   `json:"root"`
}

// Interval is the interval between distributions of the tax.
type Interval string

// The words of Interval.
const (
	Every5Minutes  Interval = "5m"
	Every10Minutes Interval = "10m"
	Every15Minutes Interval = "15m"
	Every30Minutes Interval = "30m"
	EveryHour      Interval = "1h"
	Every6Hours    Interval = "6h"
	Every12Hours   Interval = "12h"
	EveryDay       Interval = "24h"
)

// LaunchStatus is the progress of launches.
type LaunchStatus struct {
	Status State `json:"status"`
	// Always null. A launch without a free nonce uses a blockhash.
	NoncesFree *int `json:"noncesFree"`
	// The delay of the oldest launch or transaction that waits for the service.
	OldestWaitingSeconds *int `json:"oldestWaitingSeconds"`
}

// MintKey is the key of the mint.
type MintKey struct {
	// Address of the mint.
	PublicKey solana.PublicKey `json:"publicKey"`
}

// Network is the Solana network that it works on.
type Network string

// The words of Network.
const (
	NetworkLocalnet Network = "localnet"
	NetworkDevnet   Network = "devnet"
	NetworkMainnet  Network = "mainnet"
)

// OrderStatus is the progress of the launch. A `superseded` launch gave way to a newer launch.
type OrderStatus string

// The words of OrderStatus.
const (
	OrderPending    OrderStatus = "pending"
	OrderSubmitted  OrderStatus = "submitted"
	OrderConfirmed  OrderStatus = "confirmed"
	OrderFailed     OrderStatus = "failed"
	OrderExpired    OrderStatus = "expired"
	OrderSuperseded OrderStatus = "superseded"
)

// Pagination is the position of a page in the list.
type Pagination struct {
	Page  int `json:"page"`
	Limit int `json:"limit"`
	// Tokens on all pages.
	Total      int `json:"total"`
	TotalPages int `json:"totalPages"`
	// Whether a page follows.
	HasNext bool `json:"hasNext"`
}

// PastChange is a change of a token's distribution settings.
type PastChange struct {
	// Version of the new settings.
	Version int64 `json:"version"`
	// When the creator sent the change.
	OrderedAt Time `json:"orderedAt"`
	// The first scheduled time with the new settings.
	EffectiveAt Time `json:"effectiveAt"`
	// The settings that differ.
	Changed []ChangedSetting `json:"changed"`
	// The creator's signature over the new settings; null for a change without one.
	Order *SignedSettings `json:"order"`
}

// PendingSettings are settings that are not in force yet.
type PendingSettings struct {
	// The settings after the change.
	Settings DistributionSettings `json:"settings"`
	// Number of these settings.
	Version int `json:"version"`
	// The time of the first distribution after the change is in force.
	EffectiveAt Time `json:"effectiveAt"`
}

// Pool is a pool of a token and SOL.
type Pool struct {
	// The program that it is of.
	Kind    PoolKind         `json:"kind"`
	Address solana.PublicKey `json:"address"`
	// The wallet that made it.
	Creator solana.PublicKey `json:"creator"`
	// Whether the token's creator made it.
	Official bool `json:"official"`
	// The mint of its shares. Absent where a pool has none.
	LPMint solana.PublicKey `json:"lpMint,omitzero"`
	Vaults Vaults           `json:"vaults"`
	// When it was seen on the chain.
	CreatedAt Time `json:"createdAt"`
}

// PoolCreation is a pool to create.
type PoolCreation struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint" jsonschema:"Address of the token's mint."`
	// How many of the token go into the pool, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount" jsonschema:"How many of the token go into the pool, in base units, tax included."`
	// How much SOL goes into the pool, in lamports.
	SOLAmount Lamports `json:"solAmount" jsonschema:"How much SOL goes into the pool, in lamports."`
}

// PoolKind is the program that it is of.
type PoolKind string

// The words of PoolKind.
const (
	PoolRaydiumCPMM   PoolKind = "raydium-cpmm"
	PoolMeteoraDAMMv2 PoolKind = "meteora-damm-v2"
)

// PreviewCreator is the expected payment to one of the creator's wallets.
type PreviewCreator struct {
	Wallet  solana.PublicKey `json:"wallet"`
	Percent Percent          `json:"percent"`
	Amount  Amount           `json:"amount"`
}

// PreviewPrice is the exchange whose price a preview uses.
type PreviewPrice struct {
	Sold     Amount `json:"sold"`
	Proceeds Amount `json:"proceeds"`
	At       Time   `json:"at"`
}

// PreviewRest is the reason for which slots pass without a distribution.
type PreviewRest struct {
	Code   ReasonCode `json:"code"`
	Detail string     `json:"detail"`
	// The latest time of the next check of the token; null when only new tax or new settings end the rest.
	Until *Time `json:"until"`
}

// PreviewSnapshot is the snapshot of the last settled distribution.
type PreviewSnapshot struct {
	RunID           string `json:"runId"`
	ChainSlot       uint64 `json:"chainSlot"`
	Eligible        int    `json:"eligible"`
	EligibleBalance Amount `json:"eligibleBalance"`
	// The one of that distribution.
	MinimumHoldingRequirement Amount `json:"minimumHoldingRequirement"`
}

// PriceQuote is the price of a purchase.
type PriceQuote struct {
	// The amount that the buyer receives, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// The amount that the buyer pays in SOL, fee included.
	SOLCost SOL `json:"solCost"`
	// The price before, SOL per whole token, without fee and tax.
	CurrentPrice Price `json:"currentPrice"`
	// By how many percent the purchase raises the price.
	PriceImpact Percent `json:"priceImpact"`
	// The price after it, SOL per whole token, without fee and tax.
	NextPrice Price `json:"nextPrice"`
	// The amount that the buyer pays, in lamports.
	SOLCostLamports Lamports `json:"solCostLamports"`
	// The part that is the fee on trades, in lamports.
	FeeLamports Lamports `json:"feeLamports"`
	// The token's own tax on the way to the buyer, in base units.
	TokenTax Amount `json:"tokenTax"`
}

// PromotionPurchase is a promotion of a token for a number of days.
type PromotionPurchase struct {
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint" jsonschema:"Address of the token's mint."`
	// How many days, 0.3 SOL each.
	DurationDays int `json:"durationDays" jsonschema:"How many days, 0.3 SOL each."`
}

// PromotionStartedData is the data of a message of the type `promotion.started`.
type PromotionStartedData struct {
	PromotionID string `json:"promotionId"`
	// Start of the placement.
	StartsAt Time `json:"startsAt"`
	// End of the placement.
	EndsAt Time `json:"endsAt"`
}

// PromotionStartedMessage is the message that a featured placement was paid for.
type PromotionStartedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `promotion.started`.
	Data PromotionStartedData `json:"data"`
}

// QueuedDelivery is a message that is on its way.
type QueuedDelivery struct {
	Queued     bool   `json:"queued"`
	DeliveryID string `json:"deliveryId"`
}

// Reason is the reason for which something was not done.
type Reason struct {
	// A stable word.
	Code ReasonCode `json:"code"`
	// A sentence.
	Detail string `json:"detail"`
}

// ReasonCode is a stable word.
type ReasonCode string

// The words of ReasonCode.
const (
	ReasonPaused                 ReasonCode = "paused"
	ReasonNothingToDistribute    ReasonCode = "nothing_to_distribute"
	ReasonNoMarket               ReasonCode = "no_market"
	ReasonBelowCost              ReasonCode = "below_cost"
	ReasonWalletTooLow           ReasonCode = "wallet_too_low"
	ReasonNoHolders              ReasonCode = "no_holders"
	ReasonUnsupportedRewardToken ReasonCode = "unsupported_reward_token"
	ReasonSnapshotDoesNotAddUp   ReasonCode = "snapshot_does_not_add_up"
	ReasonBooksDoNotBalance      ReasonCode = "books_do_not_balance"
	ReasonFrozen                 ReasonCode = "frozen"
)

// Refresh is a transaction to sign for a launch that was prepared before.
type Refresh struct {
	// The transaction, base64, without signatures.
	Transaction string `json:"transaction"`
	// Until when it can land.
	ExpiresAt            Time   `json:"expiresAt"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitzero"`
}

// ReplacedFee is a change of the tax that does not hold yet.
type ReplacedFee struct {
	TransferFeePercent Percent `json:"transferFeePercent"`
	EffectiveEpoch     uint64  `json:"effectiveEpoch"`
}

// RewardBasis is which balance of a holder counts. `snapshot`, that in the distribution's snapshot. `held`, the lesser of that and the balance in the snapshot of the proof before.
type RewardBasis string

// The words of RewardBasis.
const (
	BasisSnapshot RewardBasis = "snapshot"
	BasisHeld     RewardBasis = "held"
)

// RewardBases returns the words of RewardBasis, in the document's order.
func RewardBases() []RewardBasis {
	return []RewardBasis{BasisSnapshot, BasisHeld}
}

// RotatedSecret is the new secret of a webhook.
type RotatedSecret struct {
	WebhookID string `json:"webhookId"`
	// The key that signs the messages. Only this response has the secret.
	Secret string `json:"secret"`
	// The time until which the earlier secret signs as well.
	EarlierSecretUntil Time `json:"earlierSecretUntil"`
}

// Run is a distribution, with everything that is known of it.
type Run struct {
	RunSummary

	MintAddress solana.PublicKey `json:"mintAddress"`
	// When no new payment is begun any more.
	Deadline Time `json:"deadline"`
	// As they were at its slot.
	Settings DistributionSettings `json:"settings"`
	// The holders of the token; null before the snapshot.
	Snapshot *Snapshot `json:"snapshot"`
	// The steps that were begun, in their order.
	Steps []RunStep `json:"steps"`
	// The payments by asset. The first is the reward token; the others are earlier reward tokens with debts.
	Legs []RunLeg `json:"legs"`
	// That nothing was lost, asset by asset; empty until the end.
	Statements []Statement `json:"statements"`
	// How many transactions the proof lists.
	Transactions int `json:"transactions"`
	// The file that ties the proof to the chain; null before the proof.
	Anchor *Anchor `json:"anchor"`
}

// RunCreator is the payment to one of the creator's wallets.
type RunCreator struct {
	Wallet solana.PublicKey `json:"wallet"`
	// Its part of the creator's share.
	Percent Percent `json:"percent"`
	// The amount of the wallet, earlier debts included.
	Amount Amount `json:"amount"`
	// The outcome; null until the outcome of every wallet of the creator is final.
	Paid *RunStep `json:"paid"`
}

// RunFailedData is the data of a message of the type `run.failed`.
type RunFailedData struct {
	RunID string `json:"runId"`
	// The scheduled time of the distribution.
	ScheduledAt Time `json:"scheduledAt"`
	// Use `scheduledAt`, which has the same value.
	Slot Time `json:"slot"`
	// Whether the distribution failed or was left out.
	Status RunStatus `json:"status"`
	// The reason, for a program to switch on.
	Code ReasonCode `json:"code"`
	// The reason in a sentence.
	Detail string `json:"detail"`
}

// RunFailedMessage is the message that a distribution failed, or was left out because the distribution wallet is too low or holders cannot be paid in the reward token.
type RunFailedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `run.failed`.
	Data RunFailedData `json:"data"`
}

// RunKind is the purpose of the distribution. A claim only pays debts, because holders claimed them or the token brought nothing for 90 days.
type RunKind string

// The words of RunKind.
const (
	RunDistribution RunKind = "distribution"
	RunClaim        RunKind = "claim"
)

// RunLeg is the part of a distribution that pays one asset.
type RunLeg struct {
	Asset string `json:"asset"`
	// The creator's share.
	Creator Amount `json:"creator"`
	// The outcome; null until it is final.
	CreatorPaid *RunStep `json:"creatorPaid"`
	// The same of each of the creator's wallets.
	Creators []RunCreator `json:"creators"`
	// The amount that is divided among holders.
	Share Amount `json:"share"`
	// How many of them are to be paid.
	Payments int `json:"payments"`
	// The sum of the holders' payments, earlier debts included.
	Due         Amount `json:"due"`
	Paid        Amount `json:"paid"`
	PaidHolders int    `json:"paidHolders"`
	// For the rent of accounts that were made for holders.
	Charged Amount `json:"charged"`
	// Owed still, and in the next distribution.
	Carried          Amount `json:"carried"`
	CarriedToHolders int    `json:"carriedToHolders"`
}

// RunList is one page of distributions.
type RunList struct {
	Runs []RunSummary `json:"runs"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// RunPreview is the next distribution, if it began now. Amounts of the token in base units; `proceeds`, `creator` and `holders` in those of the reward token.
type RunPreview struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	// The scheduled time of the distribution; null while distribution is switched off.
	ScheduledAt *Time `json:"scheduledAt"`
	// Use `scheduledAt`, which has the same value.
	Slot        *Time  `json:"slot"`
	RewardToken string `json:"rewardToken"`
	// The balance of the distribution wallet.
	Tokens Amount `json:"tokens"`
	// Tax that waits in the mint.
	WithheldOnMint Amount `json:"withheldOnMint"`
	// The part that already belongs to holders and the creator.
	Owed      Amount `json:"owed"`
	Spendable Amount `json:"spendable"`
	// The part that the distribution takes.
	Slice Amount `json:"slice"`
	Burn  Amount `json:"burn"`
	// The amount to exchange; if the reward is the token itself, the amount to share out.
	Sell     Amount  `json:"sell"`
	Proceeds *Amount `json:"proceeds"`
	Creator  *Amount `json:"creator"`
	Holders  *Amount `json:"holders"`
	// The part of `creator` for each wallet of the creator; empty while `creator` is null.
	Creators []PreviewCreator `json:"creators"`
	// The exchange whose price is used; null when there was none or none is needed.
	Price *PreviewPrice `json:"price"`
	// Who shared in the last settled distribution; null before the first.
	Snapshot *PreviewSnapshot `json:"snapshot"`
	// Why slots pass without a distribution for now; null when they do not.
	Rest       *PreviewRest `json:"rest"`
	ComputedAt Time         `json:"computedAt"`
}

// RunSettledData is the data of a message of the type `run.settled`.
type RunSettledData struct {
	RunID string `json:"runId"`
	// The scheduled time of the distribution.
	ScheduledAt Time `json:"scheduledAt"`
	// Use `scheduledAt`, which has the same value.
	Slot        Time   `json:"slot"`
	RewardToken string `json:"rewardToken"`
	// Tax that was collected.
	Collected Amount `json:"collected"`
	// Part of the tax that was burned.
	Burned Amount `json:"burned"`
	// Part of the tax that was exchanged.
	Sold Amount `json:"sold"`
	// Proceeds of the exchange in the reward token.
	Proceeds Amount `json:"proceeds"`
	// Amount that the creator got.
	CreatorPaid Amount `json:"creatorPaid"`
	// Amount that holders got.
	HoldersPaid Amount `json:"holdersPaid"`
	// Number of holders that were paid.
	PaidHolders int `json:"paidHolders"`
	// Amount that is kept for later.
	Carried Amount `json:"carried"`
	// CID of the manifest; null without a proof.
	Proof *string `json:"proof"`
	// CID of the anchor, which a verifier takes; null without a proof.
	Anchor *string `json:"anchor"`
}

// RunSettledMessage is the message that a distribution is done. The fields are those of `GET /distribution/{tokenId}/runs/{runId}`.
type RunSettledMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `run.settled`.
	Data RunSettledData `json:"data"`
}

// RunStatus is the progress of the distribution. `settled`, `skipped` and `failed` are ends.
type RunStatus string

// The words of RunStatus.
const (
	RunOpened       RunStatus = "opened"
	RunCollecting   RunStatus = "collecting"
	RunSnapshotting RunStatus = "snapshotting"
	RunBurning      RunStatus = "burning"
	RunExchanging   RunStatus = "exchanging"
	RunPaying       RunStatus = "paying"
	RunSettled      RunStatus = "settled"
	RunSkipped      RunStatus = "skipped"
	RunFailed       RunStatus = "failed"
)

// RunStep is one step of a distribution.
type RunStep struct {
	// The name of the step. `fuel` is the sale for the wallet's own network fees.
	Step RunStepName `json:"step"`
	Done bool        `json:"done"`
	// The amount that was collected, burned, sold or paid.
	Amount *Amount `json:"amount,omitzero"`
	// The proceeds of a sale.
	Proceeds *Amount `json:"proceeds,omitzero"`
	// There when one transaction did it.
	Signature solana.Signature `json:"signature,omitzero"`
	ChainSlot uint64           `json:"chainSlot,omitzero"`
	At        Time             `json:"at,omitzero"`
	// Why nothing was paid.
	Why string `json:"why,omitzero"`
}

// RunStepName is the name of the step. `fuel` is the sale for the wallet's own network fees.
type RunStepName string

// The words of RunStepName.
const (
	StepCollect  RunStepName = "collect"
	StepSnapshot RunStepName = "snapshot"
	StepBurn     RunStepName = "burn"
	StepFuel     RunStepName = "fuel"
	StepExchange RunStepName = "exchange"
	StepCreator  RunStepName = "creator"
	StepPay      RunStepName = "pay"
	StepAnchor   RunStepName = "anchor"
)

// RunSummary is one distribution. Amounts are zero until they are known.
type RunSummary struct {
	// The purpose of the distribution. A claim only pays debts, because holders claimed them or the token brought nothing for 90 days.
	Kind RunKind `json:"kind"`
	// Id of the distribution, which follows from mint and slot.
	ID string `json:"id"`
	// The scheduled time of the distribution, a boundary of the interval.
	ScheduledAt Time `json:"scheduledAt"`
	// Use `scheduledAt`, which has the same value.
	Slot Time `json:"slot"`
	// The progress of the distribution. `settled`, `skipped` and `failed` are ends.
	Status   RunStatus `json:"status"`
	OpenedAt Time      `json:"openedAt"`
	// Null while it is at work.
	EndedAt *Time `json:"endedAt"`
	// Why it was skipped or failed; null otherwise.
	Reason *Reason `json:"reason"`
	// The reward asset: `SOL` or a mint.
	RewardToken string `json:"rewardToken"`
	// Tax that was collected, base units of the token.
	Collected Amount `json:"collected"`
	// Base units of the token.
	Burned Amount `json:"burned"`
	// Base units of the token.
	Sold Amount `json:"sold"`
	// The proceeds of the sale, in base units of the reward token, as all amounts below.
	Proceeds    Amount `json:"proceeds"`
	CreatorPaid Amount `json:"creatorPaid"`
	HoldersPaid Amount `json:"holdersPaid"`
	// How many holders were paid.
	PaidHolders int `json:"paidHolders"`
	// The debts to holders, which the next distribution pays.
	Carried Amount `json:"carried"`
	// The network fees of all transactions.
	FeesLamports Lamports `json:"feesLamports"`
	// The rent that stays in created accounts.
	RentLamports Lamports `json:"rentLamports"`
	// The manifest of the proof; null until there is one.
	Proof *Content `json:"proof"`
	// The anchor of the proof, which a verifier takes; null before the proof.
	Anchor *AnchorFile `json:"anchor"`
}

// Session is an access token for the header `Authorization`.
type Session struct {
	// The access token, for the header `Authorization`.
	Token     string `json:"token"`
	TokenType string `json:"tokenType"`
	// The wallet that the token belongs to.
	Wallet solana.PublicKey `json:"wallet"`
	// 7 days after issue.
	ExpiresAt Time `json:"expiresAt"`
}

// SettingsChange is a change of a token's settings. An absent, null or empty field keeps its value, except that an empty `telegramGroupId` or `creatorSplits` removes the value.
type SettingsChange struct {
	// `SOL` or the address of a mint that holders can be paid in.
	RewardToken string `json:"rewardToken,omitzero" jsonschema:"'SOL' or the address of a mint that holders can be paid in."`
	// The value of the last response. The field cannot be changed.
	DistributionModel string `json:"distributionModel,omitzero" jsonschema:"The value of the last response. The field cannot be changed."`
	// Base units that a holder must have to be paid, at least 1; 0 only where it is 0 already.
	MinimumHoldingRequirement *Amount `json:"minimumHoldingRequirement,omitzero" jsonschema:"Base units that a holder must have to be paid, at least 1; 0 only where it is 0 already."`
	// Share of the collected tax that one distribution uses.
	PercentageToSellPerDistribution *Percent `json:"percentageToSellPerDistribution,omitzero" jsonschema:"Share of the collected tax that one distribution uses."`
	// False pauses the distributions.
	DistributionEnabled *bool `json:"distributionEnabled,omitzero" jsonschema:"False pauses the distributions."`
	// The interval between distributions of the tax.
	DistributionInterval Interval `json:"distributionInterval,omitzero" jsonschema:"The interval between distributions of the tax."`
	// Share of the tax that is burned. With developerFeePercent at most 100.
	BurnPercent *Percent `json:"burnPercent,omitzero" jsonschema:"Share of the tax that is burned. With developerFeePercent at most 100."`
	// Share of the tax that the creator gets.
	DeveloperFeePercent *Percent `json:"developerFeePercent,omitzero" jsonschema:"Share of the tax that the creator gets."`
	// Where the creator's share goes. It cannot be changed while there are `creatorSplits`.
	DeveloperWallet solana.PublicKey `json:"developerWallet,omitzero" jsonschema:"Where the creator's share goes. It cannot be changed while there are 'creatorSplits'."`
	// Two to ten wallets that share the creator's part. Their percentages add up to 100; the first also gets the remainder of rounding. An empty list ends the split.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitzero" jsonschema:"Two to ten wallets that share the creator's part. Their percentages add up to 100; the first also gets the remainder of rounding. An empty list ends the split."`
	// Which balance of a holder counts. `snapshot`, that in the distribution's snapshot. `held`, the lesser of that and the balance in the snapshot of the proof before, so that a purchase just before a distribution earns nothing.
	RewardBasis RewardBasis `json:"rewardBasis,omitzero" jsonschema:"Which balance of a holder counts. 'snapshot', that in the distribution's snapshot. 'held', the lesser of that and the balance in the snapshot of the proof before, so that a purchase just before a distribution earns nothing."`
	// Share of the tax that holders always get. Can only be raised. While it is not 0, `burnPercent` and `developerFeePercent` together can be at most the rest, `rewardToken` can only become `SOL`, and `minimumHoldingRequirement` can only be lowered.
	MinimumHoldersPercent *Percent `json:"minimumHoldersPercent,omitzero" jsonschema:"Share of the tax that holders always get. Can only be raised. While it is not 0, 'burnPercent' and 'developerFeePercent' together can be at most the rest, 'rewardToken' can only become 'SOL', and 'minimumHoldingRequirement' can only be lowered."`
	// Time between the order and the effect of a change that lowers what holders get. Can only be raised.
	ChangeDelay ChangeDelay `json:"changeDelay,omitzero" jsonschema:"Time between the order and the effect of a change that lowers what holders get. Can only be raised."`
	// Telegram group that is notified once it is linked, its id or its public name; empty unsets it.
	TelegramGroupID *string `json:"telegramGroupId,omitzero" jsonschema:"Telegram group that is notified once it is linked, its id or its public name; empty unsets it."`
	// Tax on every transfer, of a token whose tax is adjustable.
	TransferFeePercent *Percent `json:"transferFeePercent,omitzero" jsonschema:"Tax on every transfer, of a token whose tax is adjustable."`
	// The value of the last response. The field cannot be changed.
	EffectiveAt Time `json:"effectiveAt,omitzero" jsonschema:"The value of the last response. The field cannot be changed."`
	// The value of the last response. The field cannot be changed.
	Version int `json:"version,omitzero" jsonschema:"The value of the last response. The field cannot be changed."`
	// The value of the last response. The field cannot be changed.
	OrderedByCreator *bool `json:"orderedByCreator,omitzero" jsonschema:"The value of the last response. The field cannot be changed."`
	// The value of the last response. An administrator of the group changes the field.
	TelegramLinked *bool `json:"telegramLinked,omitzero" jsonschema:"The value of the last response. An administrator of the group changes the field."`
	// Your signature over the settings after the change.
	Order *SettingsOrder `json:"order,omitzero" jsonschema:"Your signature over the settings after the change."`
}

// SettingsChangedData is the data of a message of the type `settings.changed`.
type SettingsChangedData struct {
	// Version of the new settings.
	Version int64 `json:"version"`
	// The settings that differ.
	Changed []ChangedSetting `json:"changed"`
	// When the next distribution is due, which takes the new settings.
	EffectiveAt Time `json:"effectiveAt"`
}

// SettingsChangedMessage is the message that the creator changed the distribution settings.
type SettingsChangedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `settings.changed`.
	Data SettingsChangedData `json:"data"`
}

// SettingsHistory is one page of the changes of a token's settings.
type SettingsHistory struct {
	Changes []PastChange `json:"changes"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// SettingsOrder is the creator's signature over one version of a token's settings.
type SettingsOrder struct {
	// The number that the settings have after the change.
	Version int `json:"version"`
	// The wallet's signature over the text of that version, base58 of 64 bytes.
	Signature solana.Signature `json:"signature"`
}

// SignedSettings are settings that the creator's wallet signed.
type SignedSettings struct {
	// The wallet that signed, the token's creator.
	Wallet solana.PublicKey `json:"wallet"`
	// The signed text, as in `PATCH /distribution/{tokenId}/settings`.
	Text string `json:"text"`
	// The signature over the text, or over an off-chain message with the text.
	Signature solana.Signature `json:"signature"`
}

// Simulation is how the transaction would go on the chain as it is now.
type Simulation struct {
	// Whether the transaction would succeed.
	OK bool `json:"ok"`
	// The reason for which the transaction would fail, or for which the result is unknown, for a program to switch on. `program_unavailable` means that this network lacks a program that the transaction calls. Absent when ok.
	Reason SimulationReason `json:"reason,omitzero"`
	// The same in a sentence. Absent when ok.
	Detail string `json:"detail,omitzero"`
	// The lamports that your wallet lacks. Absent if your wallet has enough.
	MissingLamports Lamports `json:"missingLamports,omitzero"`
	// The amount of the token that your wallet lacks, in base units. Absent if your wallet has enough, or sends none.
	MissingTokens Amount `json:"missingTokens,omitzero"`
	// Compute units used.
	ComputeUnits int `json:"computeUnits,omitzero"`
	// The log of the programs.
	Logs []string `json:"logs,omitzero"`
}

// SimulationReason is the reason for which the transaction would fail, or for which the result is unknown, for a program to switch on. `program_unavailable` means that this network lacks a program that the transaction calls. Absent when ok.
type SimulationReason string

// The words of SimulationReason.
const (
	SimulationInsufficientFunds  SimulationReason = "insufficient_funds"
	SimulationInsufficientTokens SimulationReason = "insufficient_tokens"
	SimulationProgramUnavailable SimulationReason = "program_unavailable"
	SimulationProgramError       SimulationReason = "program_error"
)

// Snapshot is the snapshot of the token's holders at one slot.
type Snapshot struct {
	// The finalized slot of the snapshot.
	ChainSlot uint64 `json:"chainSlot"`
	Supply    Amount `json:"supply"`
	// Who held something.
	Owners int `json:"owners"`
	// Those of them who share.
	Eligible int `json:"eligible"`
	// The sum of their balances.
	EligibleBalance Amount `json:"eligibleBalance"`
	// The part of their balances that counts; null if the reward basis is `snapshot`.
	Held   *Held  `json:"held"`
	SHA256 string `json:"sha256"`
}

// State is the state of a part of the service. `degraded`: it continues, late or in part. `down`: it does not work. `unknown`: it could not be read.
type State string

// The words of State.
const (
	StateOK       State = "ok"
	StateDegraded State = "degraded"
	StateDown     State = "down"
	StateUnknown  State = "unknown"
)

// Statement is the balance sheet of an asset. The sum of `opening` and `in` equals the sum of `out` and `closing`. `closing` is divided by the purposes for which the wallet holds the amount.
type Statement struct {
	Asset   string           `json:"asset"`
	Opening Amount           `json:"opening"`
	In      []StatementEntry `json:"in"`
	Out     []StatementEntry `json:"out"`
	Closing Amount           `json:"closing"`
	HeldFor []StatementEntry `json:"heldFor"`
}

// StatementEntry is one line of a statement.
type StatementEntry struct {
	// The kind of the line.
	Name   StatementName `json:"name"`
	Amount Amount        `json:"amount"`
	// Why an adjustment was entered. Only adjustments have one.
	Reason string `json:"reason,omitzero"`
}

// StatementName is the kind of the line.
type StatementName string

// The words of StatementName.
const (
	StatementCollected        StatementName = "collected"
	StatementDeposits         StatementName = "deposits"
	StatementProceeds         StatementName = "proceeds"
	StatementFuel             StatementName = "fuel"
	StatementReturned         StatementName = "returned"
	StatementReceiptsReturned StatementName = "receiptsReturned"
	StatementBurned           StatementName = "burned"
	StatementSold             StatementName = "sold"
	StatementFuelSold         StatementName = "fuelSold"
	StatementCreator          StatementName = "creator"
	StatementHolders          StatementName = "holders"
	StatementTaxOnSending     StatementName = "taxOnSending"
	StatementFees             StatementName = "fees"
	StatementRent             StatementName = "rent"
	StatementReceiptsLent     StatementName = "receiptsLent"
	StatementUndecided        StatementName = "undecided"
	StatementAdjustment       StatementName = "adjustment"
	StatementOwed             StatementName = "owed"
	StatementReserved         StatementName = "reserved"
	StatementCarried          StatementName = "carried"
	StatementFloat            StatementName = "float"
)

// Stats are the payments to holders.
type Stats struct {
	// The time at which the response was computed.
	AsOf Time `json:"asOf"`
	// Visible tokens.
	Tokens int `json:"tokens"`
	// Settled distributions, also those in which no holder was paid.
	Runs   int            `json:"runs"`
	Assets []StatsOfAsset `json:"assets"`
}

// StatsOfAsset is the sum of an asset that was paid to holders.
type StatsOfAsset struct {
	// `SOL`, or the address of a mint.
	Asset    string `json:"asset"`
	Decimals int    `json:"decimals"`
	Paid     Sum    `json:"paid"`
	// Settled runs that paid it.
	Runs    int        `json:"runs"`
	LastDay StatsOfDay `json:"lastDay"`
	// The newest of its distributions.
	Proofs []StatsProof `json:"proofs"`
}

// StatsOfDay is the total of payments since a time.
type StatsOfDay struct {
	// The beginning of the hour 23 hours before the hour of the response.
	Since Time `json:"since"`
	Paid  Sum  `json:"paid"`
	Runs  int  `json:"runs"`
}

// StatsProof is a distribution and its proof.
type StatsProof struct {
	RunID       string           `json:"runId"`
	MintAddress solana.PublicKey `json:"mintAddress"`
	Paid        Amount           `json:"paid"`
	SettledAt   Time             `json:"settledAt"`
	// The manifest of the proof.
	Proof Content `json:"proof"`
	// The anchor of the proof, which a verifier takes; null before the proof.
	Anchor *AnchorFile `json:"anchor"`
}

// Status is the state of the service and of its parts.
type Status struct {
	Status State `json:"status"`
	// The faults, in sentences. Empty if there is none.
	Reasons []string `json:"reasons"`
	// When the service last checked itself.
	At *Time `json:"at"`
	// How old that is.
	AgeSeconds *int `json:"ageSeconds"`
	// The parts of the service.
	Parts StatusParts `json:"parts"`
}

// StatusParts are the parts of the service.
type StatusParts struct {
	// The state of the API.
	API APIStatus `json:"api"`
	// The state of the Solana network.
	Chain ChainStatus `json:"chain"`
	// The progress of launches.
	Launches LaunchStatus `json:"launches"`
	// The progress of distributions.
	Distributions DistributionStatus `json:"distributions"`
	Notices       BacklogStatus      `json:"notices"`
	Pins          BacklogStatus      `json:"pins"`
}

// Submission is a signed launch.
type Submission struct {
	// From the response of `POST /tokens/create-unsigned`.
	TransactionID string `json:"transactionId" jsonschema:"From the response of 'POST /tokens/create-unsigned'."`
	// The transaction with your wallet's signature, base64. Other signatures are ignored.
	SignedTransaction string `json:"signedTransaction" jsonschema:"The transaction with your wallet's signature, base64. Other signatures are ignored."`
}

// SubmissionResult is the result of a submitted launch.
type SubmissionResult struct {
	Success bool `json:"success"`
	// The transaction's signature.
	Signature solana.Signature `json:"signature"`
	// Address of the mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Token       Token            `json:"token"`
	Status      TokenStatus      `json:"status"`
}

// TelegramLink is a code that links a Telegram group to a token.
type TelegramLink struct {
	// The token's mint and a random part. It works once.
	Code string `json:"code"`
	// The message that an administrator posts in the group.
	Command string `json:"command"`
	// When the code ends.
	ExpiresAt Time `json:"expiresAt"`
	// The group that the code is for, as the settings have it.
	TelegramGroupID string `json:"telegramGroupId"`
	// Whether this group is linked already.
	TelegramLinked bool `json:"telegramLinked"`
	// The public name of the service's bot, without the @. Null while the service has not read the bot's messages yet.
	Bot *string `json:"bot"`
}

// TelegramTest is a message to a token's Telegram group that is on its way.
type TelegramTest struct {
	Queued bool `json:"queued"`
	// The group that it goes to, as the settings have it.
	TelegramGroupID string `json:"telegramGroupId"`
}

// Token is a launched token.
type Token struct {
	// Id of the token.
	ID string `json:"id"`
	// Address of the mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Name        string           `json:"name"`
	Symbol      string           `json:"symbol"`
	// The description of the token; null if unset.
	Description *string `json:"description"`
	ImageURI    string  `json:"imageUri"`
	// The image through an IPFS gateway.
	ImageURL string `json:"imageUrl"`
	// Address of the metadata, as the mint holds it.
	MetadataURI string `json:"metadataUri"`
	// Null when unset.
	Twitter *string `json:"twitter"`
	// Null when unset.
	Telegram *string `json:"telegram"`
	// Null when unset.
	Website *string `json:"website"`
	// The state of the launch, `submitted` until the chain has decided.
	Status TokenStatus `json:"status"`
	// Whether the public list shows it.
	Visible bool `json:"visible"`
	// The wallet that launched it.
	Creator  solana.PublicKey `json:"creator"`
	Decimals int              `json:"decimals"`
	// The supply at launch, in base units.
	Supply Amount `json:"supply"`
	// Tax on every transfer, at launch. The tax never changes unless the tax is adjustable; then the mint has the present tax.
	TransferFeePercent Percent `json:"transferFeePercent"`
	// Whether the creator may change the tax.
	TransferFeeAdjustable bool `json:"transferFeeAdjustable"`
	// Whether the metadata is locked permanently.
	ImmutableMetadata bool `json:"immutableMetadata"`
	// The wallet that collects the tax.
	DistributionWallet DistributionWallet `json:"distributionWallet"`
	// The guardian, of whom, the distribution wallet and the creator two together collect the tax or hand it over; null when the distribution wallet alone does.
	Guardian *solana.PublicKey    `json:"guardian"`
	Settings DistributionSettings `json:"settings"`
	// When its promotion ends or has ended; null when it had none.
	FeaturedUntil *Time `json:"featuredUntil"`
	// A change of the settings that is not in force yet, because it lowers what holders get; null without one.
	PendingSettings *PendingSettings `json:"pendingSettings"`
	// From when on the operator ends its distributions, pays what is owed and hands the tax over to the creator; null without such an order.
	WindsDownAt *Time `json:"windsDownAt"`
	// The bonding curve that the token's creator made, with details at `GET /launchpad/{mintAddress}/status`; null without a curve.
	Launchpad *TokenLaunchpad `json:"launchpad"`
	// Pools of the token and SOL that its creator made and that are on the chain, the oldest first. Distributions sell through these.
	Pools []Pool `json:"pools"`
	// Pools of the token and SOL that other wallets made here, the oldest first, some twenty at most. Any wallet can make one; the service sells through none of them.
	OtherPools []Pool `json:"otherPools"`
	// The transaction that created it.
	Signature   solana.Signature `json:"signature"`
	CreatedAt   Time             `json:"createdAt"`
	Authorities Authorities      `json:"authorities"`
	// The payments and the holders. Only in `GET /tokens`, `GET /tokens/me` and `GET /tokens/{mintAddress}`.
	Figures *TokenFigures `json:"figures,omitzero"`
	// Id of the transaction that launches it. Only in `GET /tokens/me`, while the launch is not confirmed.
	TransactionID string `json:"transactionId,omitzero"`
	// Why the launch failed. Only in `GET /tokens/me`, of a failed one.
	Reason string `json:"reason,omitzero"`
}

// TokenCreation is a token to launch. A field that is absent has the default.
type TokenCreation struct {
	// 1 to 32 characters, counted in Unicode code points. At least one letter, digit, sign or emoji. No control characters, no characters that cannot be seen, are unassigned or for private use, or change the direction of text, and no space at either end. Joiners and variation selectors are allowed inside emoji, and joiners where a script needs them.
	Name string `json:"name" jsonschema:"1 to 32 characters, counted in Unicode code points. At least one letter, digit, sign or emoji. No control characters, no characters that cannot be seen, are unassigned or for private use, or change the direction of text, and no space at either end. Joiners and variation selectors are allowed inside emoji, and joiners where a script needs them."`
	// 1 to 10 characters, as for the name.
	Symbol string `json:"symbol" jsonschema:"1 to 10 characters, as for the name."`
	// A description of the token. Line breaks and tabs are allowed, other control characters are not.
	Description string `json:"description,omitzero" jsonschema:"A description of the token. Line breaks and tabs are allowed, other control characters are not."`
	// From the response of `POST /tokens/upload-image`.
	ImageURI string `json:"imageUri" jsonschema:"From the response of 'POST /tokens/upload-image'."`
	// From the response of `POST /tokens/generate-distribution-wallet`. One wallet serves one token.
	WalletID string `json:"walletId" jsonschema:"From the response of 'POST /tokens/generate-distribution-wallet'. One wallet serves one token."`
	// Link to a profile. `@name` and `x.com/name` are completed to an https address.
	Twitter string `json:"twitter,omitzero" jsonschema:"Link to a profile. '@name' and 'x.com/name' are completed to an https address."`
	// Link to a group. `@name` and `t.me/name` are completed to an https address.
	Telegram string `json:"telegram,omitzero" jsonschema:"Link to a group. '@name' and 't.me/name' are completed to an https address."`
	// An http or https address. A bare `name.example/page` is completed to https.
	Website string `json:"website,omitzero" jsonschema:"An http or https address. A bare 'name.example/page' is completed to https."`
	// Tax on every transfer of the token.
	TransferFeePercent Percent `json:"transferFeePercent" jsonschema:"Tax on every transfer of the token."`
	// Share of the tax that is burned. Together with `developerFeePercent` at most 100.
	BurnPercent Percent `json:"burnPercent,omitzero" jsonschema:"Share of the tax that is burned. Together with 'developerFeePercent' at most 100."`
	// Share of the tax that the creator gets.
	DeveloperFeePercent Percent `json:"developerFeePercent,omitzero" jsonschema:"Share of the tax that the creator gets."`
	// Where the creator's share goes. Unset, it is your wallet. Not with `creatorSplits`.
	DeveloperWallet solana.PublicKey `json:"developerWallet,omitzero" jsonschema:"Where the creator's share goes. Unset, it is your wallet. Not with 'creatorSplits'."`
	// Two to ten wallets that share the creator's part. Their percentages add up to 100; the first also gets the remainder of rounding. If empty, one wallet gets all of it.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitzero" jsonschema:"Two to ten wallets that share the creator's part. Their percentages add up to 100; the first also gets the remainder of rounding. If empty, one wallet gets all of it."`
	// Which balance of a holder counts. `snapshot`, that in the distribution's snapshot. `held`, the lesser of that and the balance in the snapshot of the proof before, so that a purchase just before a distribution earns nothing. The first distribution then only takes the snapshot, and what came in waits for the next. The default is `snapshot`.
	RewardBasis RewardBasis `json:"rewardBasis,omitzero" jsonschema:"Which balance of a holder counts. 'snapshot', that in the distribution's snapshot. 'held', the lesser of that and the balance in the snapshot of the proof before, so that a purchase just before a distribution earns nothing. The first distribution then only takes the snapshot, and what came in waits for the next. The default is 'snapshot'."`
	// Share of the tax that holders always get. Can only be raised later. While it is not 0, `burnPercent` and `developerFeePercent` together can be at most the rest, `rewardToken` can only become `SOL`, and `minimumHoldingRequirement` can only be lowered. The default is 0.
	MinimumHoldersPercent Percent `json:"minimumHoldersPercent,omitzero" jsonschema:"Share of the tax that holders always get. Can only be raised later. While it is not 0, 'burnPercent' and 'developerFeePercent' together can be at most the rest, 'rewardToken' can only become 'SOL', and 'minimumHoldingRequirement' can only be lowered. The default is 0."`
	// Time between the order and the effect of a change that lowers what holders get. Can only be raised later. Tax that was withheld before such a change is divided by the settings before. The default is `none`.
	ChangeDelay ChangeDelay `json:"changeDelay,omitzero" jsonschema:"Time between the order and the effect of a change that lowers what holders get. Can only be raised later. Tax that was withheld before such a change is divided by the settings before. The default is 'none'."`
	// The interval between distributions of the tax. The default is `1h`.
	DistributionInterval Interval `json:"distributionInterval,omitzero" jsonschema:"The interval between distributions of the tax. The default is '1h'."`
	// Share of the collected tax that one distribution uses.
	PercentageToSellPerDistribution Percent `json:"percentageToSellPerDistribution,omitzero" jsonschema:"Share of the collected tax that one distribution uses."`
	// The reward asset of holders: `SOL`, or the address of a mint that can be paid out.
	RewardToken string `json:"rewardToken,omitzero" jsonschema:"The reward asset of holders: 'SOL', or the address of a mint that can be paid out."`
	// Base units that a holder must have to be paid. `0` means none.
	MinimumHoldingRequirement *Amount `json:"minimumHoldingRequirement,omitzero" jsonschema:"Base units that a holder must have to be paid. '0' means none."`
	// The number of decimals, 6 or 9.
	Decimals int `json:"decimals" jsonschema:"The number of decimals, 6 or 9."`
	// The whole supply in base units (tokens times ten to the power of decimals), at least 1. It is minted to you, and no more can ever be made.
	Supply Amount `json:"supply" jsonschema:"The whole supply in base units (tokens times ten to the power of decimals), at least 1. It is minted to you, and no more can ever be made."`
	// Whether you keep the right to change the tax. Holders trust `false` more.
	TransferFeeAdjustable bool `json:"transferFeeAdjustable,omitzero" jsonschema:"Whether you keep the right to change the tax. Holders trust 'false' more."`
	// Whether name, symbol and metadata address are locked permanently.
	ImmutableMetadata bool `json:"immutableMetadata,omitzero" jsonschema:"Whether name, symbol and metadata address are locked permanently."`
	// The key of the guardian of this service, where it has one. Then two of three together collect the tax, or hand it over: the distribution wallet, the guardian and you. The launch creates an account for this, at your cost. Take the key from the guardian's own publication. By default the distribution wallet alone collects the tax.
	Guardian solana.PublicKey `json:"guardian,omitzero" jsonschema:"The key of the guardian of this service, where it has one. Then two of three together collect the tax, or hand it over: the distribution wallet, the guardian and you.\nThe launch creates an account for this, at your cost. Take the key from the guardian's own publication. By default the distribution wallet alone collects the tax."`
}

// TokenFigures are the figures of a token, some seconds after its newest distribution.
type TokenFigures struct {
	// Settled distributions that paid holders, each with a proof.
	Payouts int64 `json:"payouts"`
	// When the newest of them settled; null before the first.
	LastPayoutAt *Time `json:"lastPayoutAt"`
	// The payments to holders by asset, the asset that was paid last first. Of a token whose reward often changed, the assets that were paid last.
	Paid []TokenPaid `json:"paid"`
	// The holders in the snapshot of the newest settled distribution; null before the first.
	Holders *TokenHolders `json:"holders"`
	// Lamports that went into and out of the token's curve.
	TradedLamports Amount `json:"tradedLamports"`
}

// TokenHolders are the holders of a token in a snapshot, in base units. Pools, curves, the distribution wallet and the incinerator are not counted.
type TokenHolders struct {
	// When the distribution of the snapshot settled.
	AsOf Time `json:"asOf"`
	// The slot of the snapshot.
	ChainSlot uint64 `json:"chainSlot"`
	// Wallets with a balance.
	Owners int `json:"owners"`
	// The supply in the snapshot.
	Supply Amount `json:"supply"`
	// The ten largest balances together, without escrows of Jupiter Lock.
	TopTen Amount `json:"topTen"`
	// The balance of the wallet that launched the token.
	Creator Amount `json:"creator"`
	// Tokens in escrows of Jupiter Lock, of any wallet and for any time; null when they could not be read. Of more than 100 program addresses only the largest are looked up.
	Locked *Amount `json:"locked"`
}

// TokenLaunchedData is the data of a message of the type `token.launched`.
type TokenLaunchedData struct {
	// Name of the token.
	Name string `json:"name"`
	// Symbol of the token.
	Symbol string `json:"symbol"`
	// Wallet of the creator.
	Creator solana.PublicKey `json:"creator"`
	// Signature of the launch.
	Signature solana.Signature `json:"signature"`
}

// TokenLaunchedMessage is the message that the chain has confirmed a launch.
type TokenLaunchedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `token.launched`.
	Data TokenLaunchedData `json:"data"`
}

// TokenLaunchpad is the bonding curve of a token.
type TokenLaunchpad struct {
	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// The state of the curve.
	Status CurveStatus `json:"status"`
}

// TokenList is one page of tokens.
type TokenList struct {
	Tokens []Token `json:"tokens"`
	// The position of a page in the list.
	Pagination Pagination `json:"pagination"`
}

// TokenLock is a lock of tokens with a release in equal parts, of which the first has the remainder.
type TokenLock struct {
	// How many of the token leave your wallet at most, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount" jsonschema:"How many of the token leave your wallet at most, in base units, tax included."`
	// When the first part is released, at least a minute from now by the network's clock and within ten years of 365 days; parts of a second are cut off.
	FirstReleaseAt Time `json:"firstReleaseAt" jsonschema:"When the first part is released, at least a minute from now by the network's clock and within ten years of 365 days; parts of a second are cut off."`
	// The number of equal parts. The remainder of the division comes with the first part.
	Releases int `json:"releases" jsonschema:"The number of equal parts. The remainder of the division comes with the first part."`
	// How long after each release the next one comes; needed with more than one release, and only then. The last one must be within ten years of 365 days.
	PeriodSeconds int `json:"periodSeconds,omitzero" jsonschema:"How long after each release the next one comes; needed with more than one release, and only then. The last one must be within ten years of 365 days."`
	// The wallet that can claim the released tokens; by default your wallet. The wallet must be the address of a key, and cannot be changed.
	Recipient solana.PublicKey `json:"recipient,omitzero" jsonschema:"The wallet that can claim the released tokens; by default your wallet. The wallet must be the address of a key, and cannot be changed."`
}

// TokenMessage is the part that all messages about a token have in common.
type TokenMessage struct {
	// When it happened.
	Timestamp Time `json:"timestamp"`
	// Mint of the token.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// Counts from 1, without gaps for each webhook and mint.
	Sequence int64 `json:"sequence"`
}

// TokenPaid is the sum of an asset that the holders of a token were paid.
type TokenPaid struct {
	// `SOL`, or the address of a mint.
	Asset    string `json:"asset"`
	Decimals int    `json:"decimals"`
	Paid     Sum    `json:"paid"`
	// Settled distributions that paid it.
	Runs    int        `json:"runs"`
	LastDay StatsOfDay `json:"lastDay"`
}

// TokenStatus is the state of the launch, `submitted` until the chain has decided.
type TokenStatus string

// The words of TokenStatus.
const (
	TokenSubmitted TokenStatus = "submitted"
	TokenConfirmed TokenStatus = "confirmed"
	TokenFailed    TokenStatus = "failed"
)

// Trade is a purchase or a sale on a curve.
type Trade struct {
	// The number of the trade on the curve, from 1. A transaction may have several trades.
	Number uint64 `json:"number"`
	// The transaction.
	Signature solana.Signature `json:"signature"`
	// The slot of the chain in which it landed.
	Slot uint64 `json:"slot"`
	// The time of its block.
	Time Time `json:"time"`
	// Whether the trader bought or sold.
	Side TradeSide `json:"side"`
	// The wallet that signed for the trade, or the account of a router; null if an unknown instruction made the trade.
	Trader *solana.PublicKey `json:"trader"`
	// The amount that the trader paid, fee included, or received.
	Lamports Lamports `json:"lamports"`
	// The amount that the trader received, after the token's tax, or sent, before the tax, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// The fee on the trade.
	FeeLamports Lamports `json:"feeLamports"`
	// The price before it, SOL per whole token, without fee and tax.
	PriceBefore Price `json:"priceBefore"`
	// The price after it, SOL per whole token, without fee and tax.
	Price Price `json:"price"`
}

// TradeList is one page of the trades on a curve.
type TradeList struct {
	// Address of the token's mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Trades      []Trade          `json:"trades"`
	// Leads to the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
}

// TradeSide is whether the trader bought or sold.
type TradeSide string

// The words of TradeSide.
const (
	TradeBuy  TradeSide = "buy"
	TradeSell TradeSide = "sell"
)

// TransactionCost is the amount that the transaction takes from your wallet, in lamports.
type TransactionCost struct {
	// Fees of the network.
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	// Rent of the accounts that it makes and leaves open.
	RentLamports Lamports `json:"rentLamports"`
	// The fee of a program, such as Raydium's fee for a new pool.
	ProtocolFeeLamports Lamports `json:"protocolFeeLamports"`
	// The amount that goes elsewhere: into a pool or to the service.
	DepositLamports Lamports `json:"depositLamports"`
	// The sum.
	TotalLamports Lamports `json:"totalLamports"`
}

// TransactionStatus is the state of a prepared launch.
type TransactionStatus struct {
	// From the response of `POST /tokens/create-unsigned`.
	TransactionID string `json:"transactionId"`
	// The progress of the launch. A `superseded` launch gave way to a newer launch.
	Status OrderStatus `json:"status"`
	// The time until which any of its transactions can be submitted.
	ExpiresAt Time `json:"expiresAt"`
	// Address of the mint, which never changes.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// The transaction that landed, and until that is known the one that was submitted last. Null when none was.
	Signature *solana.Signature `json:"signature"`
	// Why it failed, in a sentence. Null when it did not.
	Reason *string `json:"reason"`
}

// UnlinkedHolderTelegram is a wallet whose private chat was unlinked.
type UnlinkedHolderTelegram struct {
	Wallet   solana.PublicKey `json:"wallet"`
	Unlinked bool             `json:"unlinked"`
}

// Unsigned is the part that every transaction of a market has in common. You send the transaction to the network yourself.
type Unsigned struct {
	// The transaction, base64, without your signature.
	Transaction string `json:"transaction"`
	// Id of the transaction. It is not submitted to the service; you send the transaction to the network yourself.
	TransactionID string `json:"transactionId"`
	// The time at which the network passes the last block that accepts the transaction, about 30 seconds after creation. Blocks may be slower than now, and are hardly faster.
	ExpiresAt Time `json:"expiresAt"`
	// The height of the last block that accepts the transaction. After the finalized block height is above this height, the transaction can never land.
	LastValidBlockHeight uint64          `json:"lastValidBlockHeight"`
	Cost                 TransactionCost `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}

// UnsignedCancellation is the transaction that cancels a curve.
type UnsignedCancellation struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The amount of the token that comes back to you, in base units, before its tax.
	TokenAmount Amount `json:"tokenAmount"`
	// The SOL that comes back to you, in lamports.
	SOLAmount Lamports `json:"solAmount"`
}

// UnsignedCurve is the transaction that creates a bonding curve.
type UnsignedCurve struct {
	Unsigned

	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// When the target may be reached, from how long other curves took; a day from now while none is complete.
	ExpectedLaunchTime Time            `json:"expectedLaunchTime"`
	CurveParameters    CurveParameters `json:"curveParameters"`
	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The amount that leaves your wallet, in base units. This amount may be slightly below the requested amount, if the last units would only be tax.
	TokenAmount Amount `json:"tokenAmount"`
	// The amount that arrives on the curve, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// The target, in SOL.
	TargetSOL SOL `json:"targetSol"`
	// The same in lamports.
	TargetLamports Lamports `json:"targetLamports"`
	// Whether the curve was made to lock its liquidity permanently.
	LockLiquidity bool `json:"lockLiquidity"`
	// The fee on each trade.
	TradeFeePercent Percent `json:"tradeFeePercent"`
	// The mint of the NFT that owns the liquidity. The NFT comes to your wallet, and its holder gets the fees.
	PositionNFTMint solana.PublicKey `json:"positionNftMint"`
	// When the curve begins to trade; null when it does so as soon as it is made.
	StartsAt *Time `json:"startsAt"`
	// The amount for which you buy in the same transaction, fee included; 0 without a purchase.
	InitialBuyLamports Lamports `json:"initialBuyLamports"`
	// The amount of that purchase that arrives in your wallet, in base units, after the token's tax.
	InitialBuyTokens Amount `json:"initialBuyTokens"`
}

// UnsignedFeeClaim is the transaction that claims the fees of a curve.
type UnsignedFeeClaim struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The amount of the token that is paid out to you, in base units, before its tax.
	TokenAmount Amount `json:"tokenAmount"`
	// The SOL that is paid out to you, in lamports.
	SOLAmount Lamports `json:"solAmount"`
	// The mint of the position NFT. Your wallet has the NFT.
	PositionNFTMint solana.PublicKey `json:"positionNftMint"`
}

// UnsignedLock is the transaction that locks tokens over time.
type UnsignedLock struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The maximum amount that leaves your wallet, in base units, tax included.
	TokenAmount Amount `json:"tokenAmount"`
	// The locked amount, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// The escrow of Jupiter Lock that keeps it.
	EscrowAddress solana.PublicKey `json:"escrowAddress"`
	// The key from which the escrow's address follows. It has signed already, and was dropped.
	BaseAddress solana.PublicKey `json:"baseAddress"`
	// The wallet that can claim the released tokens.
	Recipient solana.PublicKey `json:"recipient"`
	// When the first part is released.
	FirstReleaseAt Time `json:"firstReleaseAt"`
	// The amount of this release, in base units, before the tax of the payment.
	FirstReleaseAmount Amount `json:"firstReleaseAmount"`
	// In how many parts it is released.
	Releases int `json:"releases"`
	// How long after each release the next one comes; null where there is one.
	PeriodSeconds *int `json:"periodSeconds"`
	// The amount of each later part, in base units, before the tax of the payment; 0 where there is none.
	PeriodAmount Amount `json:"periodAmount"`
	// When the last part is released.
	LastReleaseAt Time `json:"lastReleaseAt"`
}

// UnsignedPool is the transaction that creates a pool.
type UnsignedPool struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// Where the pool will be.
	PoolAddress solana.PublicKey `json:"poolAddress"`
	// The mint of the pool's shares.
	LPMint solana.PublicKey `json:"lpMint"`
	Vaults Vaults           `json:"vaults"`
	// The amount that leaves your wallet, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// The amount that arrives in the pool, in base units.
	TokenAmountAfterTax Amount `json:"tokenAmountAfterTax"`
	// The amount that goes into the pool, in lamports.
	SOLAmount Lamports `json:"solAmount"`
	// The price at which the pool begins, SOL per whole token.
	InitialPrice Price `json:"initialPrice"`
}

// UnsignedPromotion is the payment of a promotion.
type UnsignedPromotion struct {
	Unsigned

	// Id of the promotion, the transaction's too.
	PromotionID string `json:"promotionId"`
	// The cost of the promotion, in lamports.
	Amount Lamports `json:"amount"`
	// How many days it runs.
	DurationDays int `json:"durationDays"`
	// The wallet that is paid.
	Recipient solana.PublicKey `json:"recipient"`
	// A key that only this transaction has, and by which the service finds the payment.
	Reference solana.PublicKey `json:"reference"`
}

// UnsignedPurchase is the transaction of a purchase.
type UnsignedPurchase struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The amount that you receive, in base units; for `lamports`, the amount at the present price.
	TokenAmount Amount `json:"tokenAmount"`
	// The present cost, in SOL, fee included.
	SOLCost SOL `json:"solCost"`
	// The maximum cost, in SOL. The unused part comes back in the same transaction.
	MaximumSOLCost SOL `json:"maximumSolCost"`
	// The same in lamports.
	MaximumLamports Lamports `json:"maximumLamports"`
	// The minimum amount that you receive, in base units. It is `tokenAmount` unless you asked for `lamports`.
	MinimumTokenAmount Amount `json:"minimumTokenAmount"`
}

// UnsignedSale is the transaction of a sale.
type UnsignedSale struct {
	Unsigned

	// Address of the token's mint.
	TokenMint solana.PublicKey `json:"tokenMint"`
	// The amount that leaves your wallet, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// The present proceeds, in SOL, after the fee.
	SOLReceived SOL `json:"solReceived"`
	// The minimum proceeds, in SOL.
	MinimumSOLReceived SOL `json:"minimumSolReceived"`
	// The same in lamports.
	MinimumLamports Lamports `json:"minimumLamports"`
}

// UnsignedToken is the transaction of a launch, to be signed.
type UnsignedToken struct {
	// The transaction, base64, without signatures.
	Transaction string `json:"transaction"`
	// Id to submit it with.
	TransactionID string `json:"transactionId"`
	// The time until which the transaction can land, at most 5 minutes after creation. A transaction on a blockhash can land for about 30 seconds; `POST /tokens/transactions/{transactionId}/refresh` returns another transaction, for 5 minutes in all.
	ExpiresAt Time `json:"expiresAt"`
	// The height of the last block that can accept the transaction. Absent if the transaction uses a durable nonce.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitzero"`
	// The key of the mint.
	MintKeypair MintKey `json:"mintKeypair"`
	// Address of the token's metadata, as the mint will hold it.
	MetadataURI string `json:"metadataUri"`
	Cost        Cost   `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}

// UnsignedTransferFee is the transaction that changes the tax.
type UnsignedTransferFee struct {
	// The transaction, base64, with your signature missing. It is yours to send.
	Transaction string `json:"transaction"`
	// The time at which the network passes the last block that accepts the transaction, about 30 seconds after creation. Blocks may be slower than now, and are hardly faster.
	ExpiresAt Time `json:"expiresAt"`
	// The height of the last block that accepts the transaction. After the finalized block height is above this height, the transaction can never land.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
	// The new tax.
	TransferFeePercent Percent `json:"transferFeePercent"`
	// The epoch from which the new tax holds, if the transaction lands in the current one; one later for each epoch later in which it lands.
	EffectiveEpoch uint64 `json:"effectiveEpoch"`
	// The tax that holds in the current epoch.
	CurrentTransferFeePercent Percent `json:"currentTransferFeePercent"`
	CurrentEpoch              uint64  `json:"currentEpoch"`
	// A change that was made before, does not hold yet, and never will if this one lands; null when there is none.
	Replaces *ReplacedFee `json:"replaces"`
	// The cost of a change of the tax.
	Cost FeeChangeCost `json:"cost"`
	// One sentence per instruction.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}

// UploadedImage is a stored image.
type UploadedImage struct {
	Success bool `json:"success"`
	// The address of the stored image, for `POST /tokens/create-unsigned`.
	ImageURI string `json:"imageUri"`
	ImageCID string `json:"imageCid"`
	// In pixels.
	Width int `json:"width"`
	// In pixels.
	Height int `json:"height"`
	// Size of the stored JPEG.
	Bytes int `json:"bytes"`
}

// ValidToken is the cost and the steps of a valid launch.
type ValidToken struct {
	// Always true; an invalid request is rejected.
	Valid bool `json:"valid"`
	// The cost of signing the transaction. Its priority fee follows the network.
	Cost Cost `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string `json:"explanation"`
}

// Vaults are the accounts that hold what is in a pool.
type Vaults struct {
	// The account with the tokens.
	Token solana.PublicKey `json:"token"`
	// The account with the SOL, wrapped.
	SOL solana.PublicKey `json:"sol"`
}

// VerifyRequest is a signed message, to be exchanged for an access token. It has either `signature` or `signedTransaction`.
type VerifyRequest struct {
	// The wallet of the challenge.
	Wallet solana.PublicKey `json:"wallet" jsonschema:"The wallet of the challenge."`
	// The message, exactly as it was issued.
	Challenge string `json:"challenge" jsonschema:"The message, exactly as it was issued."`
	// The wallet's Ed25519 signature of the message or of an off-chain message with it, 64 bytes in base58 or base64.
	Signature solana.Signature `json:"signature,omitzero" jsonschema:"The wallet's Ed25519 signature of the message or of an off-chain message with it, 64 bytes in base58 or base64."`
	// A signed transaction with the message as its memo and a blockhash of zeros, base64, instead of `signature`.
	SignedTransaction string `json:"signedTransaction,omitzero" jsonschema:"A signed transaction with the message as its memo and a blockhash of zeros, base64, instead of 'signature'."`
}

// Webhook is a webhook.
type Webhook struct {
	WebhookID string `json:"webhookId"`
	// Where messages are sent.
	URL string `json:"url"`
	// The events that the webhook receives.
	Events []WebhookEvent `json:"events"`
	// Of which tokens; empty for all of the wallet's.
	Mints []solana.PublicKey `json:"mints"`
	// The state of the webhook. `pending`: the address has not answered its challenge. `disabled`: the address has accepted nothing for too long, or returned 410.
	Status    WebhookStatus `json:"status"`
	CreatedAt Time          `json:"createdAt"`
}

// WebhookChallengeData is the data of a message of the type `webhook.challenge`.
type WebhookChallengeData struct {
	// The text of the response.
	Challenge string `json:"challenge"`
}

// WebhookChallengeMessage is the message with a challenge, which makes a webhook active. It has neither `mintAddress` nor `sequence`.
type WebhookChallengeMessage struct {
	Type string `json:"type"`
	// When it was sent.
	Timestamp Time `json:"timestamp"`
	// The data of a message of the type `webhook.challenge`.
	Data WebhookChallengeData `json:"data"`
}

// WebhookCreation is a webhook that is to be.
type WebhookCreation struct {
	// Where messages are sent, `https` and public, without user name or fragment. A name must lead to public addresses each time that it is called.
	URL string `json:"url" jsonschema:"Where messages are sent, 'https' and public, without user name or fragment. A name must lead to public addresses each time that it is called."`
	// The events that the webhook receives.
	Events []WebhookEvent `json:"events" jsonschema:"The events that the webhook receives."`
	// Mints of your tokens. Without any, all tokens of your wallet, those to come too.
	Mints []solana.PublicKey `json:"mints,omitzero" jsonschema:"Mints of your tokens. Without any, all tokens of your wallet, those to come too."`
}

// WebhookEvent is the events that a webhook can receive.
type WebhookEvent string

// The words of WebhookEvent.
const (
	EventTokenLaunched     WebhookEvent = "token.launched"
	EventRunSettled        WebhookEvent = "run.settled"
	EventRunFailed         WebhookEvent = "run.failed"
	EventSettingsChanged   WebhookEvent = "settings.changed"
	EventCurveCompleted    WebhookEvent = "curve.completed"
	EventPromotionStarted  WebhookEvent = "promotion.started"
	EventHandoverOrdered   WebhookEvent = "handover.ordered"
	EventHandoverCancelled WebhookEvent = "handover.cancelled"
	EventHandoverDone      WebhookEvent = "handover.done"
	EventWinddownOrdered   WebhookEvent = "winddown.ordered"
	EventWinddownCancelled WebhookEvent = "winddown.cancelled"
	EventWinddownFinished  WebhookEvent = "winddown.finished"
)

// WebhookEvents returns the words of WebhookEvent, in the document's order.
func WebhookEvents() []WebhookEvent {
	return []WebhookEvent{EventTokenLaunched, EventRunSettled, EventRunFailed, EventSettingsChanged, EventCurveCompleted, EventPromotionStarted, EventHandoverOrdered, EventHandoverCancelled, EventHandoverDone, EventWinddownOrdered, EventWinddownCancelled, EventWinddownFinished}
}

// WebhookList is the list of all webhooks of a wallet.
type WebhookList struct {
	Webhooks []Webhook `json:"webhooks"`
}

// WebhookStatus is the state of the webhook. `pending`: the address has not answered its challenge. `disabled`: the address has accepted nothing for too long, or returned 410.
type WebhookStatus string

// The words of WebhookStatus.
const (
	WebhookPending  WebhookStatus = "pending"
	WebhookActive   WebhookStatus = "active"
	WebhookDisabled WebhookStatus = "disabled"
)

// WebhookTestData is the data of a message of the type `webhook.test`, which has no fields.
type WebhookTestData struct {
}

// WebhookTestMessage is the message that `POST /webhooks/{webhookId}/test` sends. It has neither `mintAddress` nor `sequence`.
type WebhookTestMessage struct {
	Type string `json:"type"`
	// When it was sent.
	Timestamp Time `json:"timestamp"`
	// The data of a message of the type `webhook.test`, which has no fields.
	Data WebhookTestData `json:"data"`
}

// WebhookUpdate is a change of a webhook.
type WebhookUpdate struct {
	// Where messages are sent from then on, with the rules of a creation. An empty text changes nothing.
	URL string `json:"url,omitzero" jsonschema:"Where messages are sent from then on, with the rules of a creation. An empty text changes nothing."`
	// The events that the webhook receives from then on.
	Events []WebhookEvent `json:"events,omitzero" jsonschema:"The events that the webhook receives from then on."`
	// Mints of your tokens. An empty list is all tokens of your wallet, those to come too.
	Mints []solana.PublicKey `json:"mints,omitzero" jsonschema:"Mints of your tokens. An empty list is all tokens of your wallet, those to come too."`
}

// WindDownCancelledData is the data of a message of the type `winddown.cancelled`.
type WindDownCancelledData struct {
	// The time from which the service distributes no more tax of the token.
	WindsDownAt Time `json:"windsDownAt"`
}

// WindDownCancelledMessage is the message that the operator of the service took the order back: the distributions do not end.
type WindDownCancelledMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `winddown.cancelled`.
	Data WindDownCancelledData `json:"data"`
}

// WindDownFinishedData is the data of a message of the type `winddown.finished`.
type WindDownFinishedData struct {
	// The creator, who received the SOL of the distribution wallet.
	ReturnedTo solana.PublicKey `json:"returnedTo"`
	// The returned SOL.
	Lamports Lamports `json:"lamports"`
	// The transaction; null if the wallet had no SOL.
	TransactionSignature *string `json:"transactionSignature"`
}

// WindDownFinishedMessage is the message that the distribution wallet of a token is empty and closed: claims are not paid any more. The message `handover.done` came before.
type WindDownFinishedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `winddown.finished`.
	Data WindDownFinishedData `json:"data"`
}

// WindDownOrderedData is the data of a message of the type `winddown.ordered`.
type WindDownOrderedData struct {
	// The time from which the service distributes no more tax of the token.
	WindsDownAt Time `json:"windsDownAt"`
}

// WindDownOrderedMessage is the message that the operator of the service ordered to end the distributions of a token.
type WindDownOrderedMessage struct {
	Type string `json:"type"`
	TokenMessage

	// The data of a message of the type `winddown.ordered`.
	Data WindDownOrderedData `json:"data"`
}

// decodeMessage returns a message of a webhook as the type of its event; nil for an event that is not in the document.
func decodeMessage(event string, body []byte) (any, error) {
	switch event {
	case "token.launched":
		return decode[TokenLaunchedMessage](body)
	case "run.settled":
		return decode[RunSettledMessage](body)
	case "run.failed":
		return decode[RunFailedMessage](body)
	case "settings.changed":
		return decode[SettingsChangedMessage](body)
	case "curve.completed":
		return decode[CurveCompletedMessage](body)
	case "promotion.started":
		return decode[PromotionStartedMessage](body)
	case "handover.ordered":
		return decode[HandoverOrderedMessage](body)
	case "handover.cancelled":
		return decode[HandoverCancelledMessage](body)
	case "handover.done":
		return decode[HandoverDoneMessage](body)
	case "winddown.ordered":
		return decode[WindDownOrderedMessage](body)
	case "winddown.cancelled":
		return decode[WindDownCancelledMessage](body)
	case "winddown.finished":
		return decode[WindDownFinishedMessage](body)
	case "webhook.challenge":
		return decode[WebhookChallengeMessage](body)
	case "webhook.test":
		return decode[WebhookTestMessage](body)
	default:
		return nil, nil
	}
}
