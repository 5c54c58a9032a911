package client

import "github.com/gagliardetto/solana-go"

// Token is a launched token.
type Token struct {
	// Id of the token.
	ID string `json:"id"`
	// Address of the mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Name        string           `json:"name"`
	Symbol      string           `json:"symbol"`
	// What the token is; nil when unset.
	Description *string `json:"description"`
	ImageURI    string  `json:"imageUri"`
	// The picture through an IPFS gateway.
	ImageURL string `json:"imageUrl"`
	// Address of the metadata, as the mint holds it.
	MetadataURI string `json:"metadataUri"`
	// Nil when unset.
	Twitter *string `json:"twitter"`
	// Nil when unset.
	Telegram *string `json:"telegram"`
	// Nil when unset.
	Website *string `json:"website"`
	// `submitted` until the chain has decided.
	Status TokenStatus `json:"status"`
	// Whether the public list shows it.
	Visible bool `json:"visible"`
	// The wallet that launched it.
	Creator  solana.PublicKey `json:"creator"`
	Decimals int              `json:"decimals"`
	// The supply at launch, in base units.
	Supply Amount `json:"supply"`
	// Tax on every transfer, at launch. It never changes unless it is adjustable; then the mint says what it is now.
	TransferFeePercent Percent `json:"transferFeePercent"`
	// Whether the creator may change the tax.
	TransferFeeAdjustable bool `json:"transferFeeAdjustable"`
	// Whether the metadata is permanently locked.
	ImmutableMetadata bool `json:"immutableMetadata"`
	// The wallet that collects the tax.
	DistributionWallet DistributionWallet   `json:"distributionWallet"`
	Settings           DistributionSettings `json:"settings"`
	// When its promotion ends or has ended; nil when it had none.
	FeaturedUntil *Time `json:"featuredUntil"`
	// The bonding curve that the token's creator made, of which `GET /launchpad/{mintAddress}/status` tells more; nil while there is none.
	Launchpad *TokenLaunchpad `json:"launchpad"`
	// Pools of the token and SOL that its creator made and that are on the chain, the oldest first. Distributions sell through these.
	Pools []Pool `json:"pools"`
	// Pools of the token and SOL that other wallets made here, the oldest first, some twenty at most. Anyone can make one; the service sells through none of them.
	OtherPools []Pool `json:"otherPools"`
	// The transaction that created it.
	Signature   solana.Signature `json:"signature"`
	CreatedAt   Time             `json:"createdAt"`
	Authorities Authorities      `json:"authorities"`
	// Id of the transaction that launches it. Only of the wallet's own tokens, while the launch is not confirmed.
	TransactionID string `json:"transactionId,omitzero"`
	// Why the launch failed. Only of the wallet's own tokens.
	Reason string `json:"reason,omitzero"`
}

// TokenLaunchpad is the bonding curve of a token.
type TokenLaunchpad struct {
	// Id of the curve, the address of its pool.
	BondingCurveID solana.PublicKey `json:"bondingCurveId"`
	// How the curve stands.
	Status CurveStatus `json:"status"`
}

// Pool is a pool of a token and SOL.
type Pool struct {
	// The program that it is of.
	Kind    string           `json:"kind"`
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

// Vaults are the accounts that hold what is in a pool.
type Vaults struct {
	// The account with the tokens.
	Token solana.PublicKey `json:"token"`
	// The account with the SOL, wrapped.
	SOL solana.PublicKey `json:"sol"`
}

// Authorities are who can still change the mint. Nil means no key, ever.
type Authorities struct {
	// No more of it can be made.
	Mint *solana.PublicKey `json:"mint"`
	// Accounts cannot be frozen.
	Freeze *solana.PublicKey `json:"freeze"`
	// The creator, or nil when the metadata is immutable.
	MetadataUpdate *solana.PublicKey `json:"metadataUpdate"`
	// The creator when the tax is adjustable, else nil.
	TransferFeeConfig *solana.PublicKey `json:"transferFeeConfig"`
	// The distribution wallet.
	WithdrawWithheld solana.PublicKey `json:"withdrawWithheld"`
}

// TokenList is one page of tokens.
type TokenList struct {
	Tokens     []Token    `json:"tokens"`
	Pagination Pagination `json:"pagination"`
}

// Pagination says where in the list a page is.
type Pagination struct {
	Page  int `json:"page"`
	Limit int `json:"limit"`
	// Tokens on all pages.
	Total      int `json:"total"`
	TotalPages int `json:"totalPages"`
	// Whether a page follows.
	HasNext bool `json:"hasNext"`
}
