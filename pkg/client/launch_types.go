package client

import "github.com/gagliardetto/solana-go"

// DistributionWallet is the wallet that collects the tax of one token.
type DistributionWallet struct {
	// Id to pass to `POST /tokens/create-unsigned`.
	WalletID string `json:"walletId"`
	// Address of the wallet.
	Address solana.PublicKey `json:"address"`
}

// UploadedImage is a picture that was stored.
type UploadedImage struct {
	Success bool `json:"success"`
	// Address of the stored picture, for `POST /tokens/create-unsigned`.
	ImageURI string `json:"imageUri"`
	ImageCID string `json:"imageCid"`
	// In pixels.
	Width int `json:"width"`
	// In pixels.
	Height int `json:"height"`
	// Size of the stored JPEG.
	Bytes int `json:"bytes"`
}

// TokenCreation says what token is to be launched. What is zero is left out, and has the default.
type TokenCreation struct {
	// Counted in Unicode code points. No control characters, none that cannot be seen or that change the direction of text, no space at either end. Joiners and variation selectors are taken inside emoji, and joiners where a script needs them.
	Name string `json:"name"`
	// As for the name.
	Symbol string `json:"symbol"`
	// What the token is. Line breaks and tabs are fine, other control characters are not.
	Description string `json:"description,omitzero"`
	// As answered by `POST /tokens/upload-image`.
	ImageURI string `json:"imageUri"`
	// As answered by `POST /tokens/generate-distribution-wallet`. One wallet serves one token.
	WalletID string `json:"walletId"`
	// Link to a profile. `@name` and `x.com/name` are completed to an https address.
	Twitter string `json:"twitter,omitzero"`
	// Link to a group. `@name` and `t.me/name` are completed to an https address.
	Telegram string `json:"telegram,omitzero"`
	// An http or https address. A bare `name.example/page` is completed to https.
	Website string `json:"website,omitzero"`
	// Tax on every transfer of the token.
	TransferFeePercent Percent `json:"transferFeePercent"`
	// Share of the tax that is burned. Together with `developerFeePercent` at most 100.
	BurnPercent Percent `json:"burnPercent,omitzero"`
	// Share of the tax that the creator gets.
	DeveloperFeePercent Percent `json:"developerFeePercent,omitzero"`
	// Where the creator's share goes. Unset, it is your wallet.
	DeveloperWallet solana.PublicKey `json:"developerWallet,omitzero"`
	// Two to ten wallets that share what the creator gets, in place of `developerWallet`. Their percentages add up to 100.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitzero"`
	// Which balance of a holder counts: `snapshot`, or `held`, by which a purchase just before a distribution earns nothing. Unset, it is `snapshot`.
	RewardBasis RewardBasis `json:"rewardBasis,omitzero"`
	// How often the tax is distributed.
	DistributionInterval Interval `json:"distributionInterval,omitzero"`
	// Share of the collected tax that one distribution uses.
	PercentageToSellPerDistribution Percent `json:"percentageToSellPerDistribution,omitzero"`
	// What holders are paid in, `SOL` or the address of a mint that can be paid out.
	RewardToken string `json:"rewardToken,omitzero"`
	// Base units that a holder must have to be paid. `0` means none.
	MinimumHoldingRequirement *Amount `json:"minimumHoldingRequirement,omitzero"`
	Decimals                  int     `json:"decimals"`
	// The whole supply in base units (tokens times ten to the power of decimals), at least 1. It is minted to you, and no more can ever be made.
	Supply Amount `json:"supply"`
	// Whether you keep the right to change the tax. Holders trust `false` more.
	TransferFeeAdjustable bool `json:"transferFeeAdjustable,omitzero"`
	// Whether name, symbol and metadata address are permanently locked.
	ImmutableMetadata bool `json:"immutableMetadata,omitzero"`
}

// UnsignedToken is the transaction of a launch, to be signed.
type UnsignedToken struct {
	// The transaction, base64, without your signature.
	Transaction string `json:"transaction"`
	// Id to submit it with.
	TransactionID string `json:"transactionId"`
	// Until when the transaction can land, 5 minutes after creation at most. One on a blockhash has what is left of that, as fast as the network is, some 30 seconds; `POST /tokens/transactions/{transactionId}/refresh` gives another for 5 minutes in all.
	ExpiresAt Time `json:"expiresAt"`
	// Height of the last block that can take the transaction. Absent when it uses a durable nonce.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitzero"`

	MintKeypair MintKey `json:"mintKeypair"`
	// Address of the token's metadata.
	MetadataURI string `json:"metadataUri"`
	Cost        Cost   `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}

// ValidToken is what a launch would cost and do.
type ValidToken struct {
	// Always true: what is not valid is refused.
	Valid bool `json:"valid"`
	// What signing it would cost. The priority fee in it follows the network.
	Cost Cost `json:"cost"`
	// One sentence for each instruction, in their order.
	Explanation []string `json:"explanation"`
}

// MintKey names the mint.
type MintKey struct {
	// Address of the mint.
	PublicKey solana.PublicKey `json:"publicKey"`
}

// Cost is what signing a launch costs you.
type Cost struct {
	// Fees of the network.
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	// Rent for the accounts of the mint and of your tokens.
	RentLamports Lamports `json:"rentLamports"`
	// What the distribution wallet gets to pay its own network fees with.
	DistributionWalletFundingLamports Lamports `json:"distributionWalletFundingLamports"`
	// The sum.
	TotalLamports Lamports `json:"totalLamports"`
}

// Simulation is how a transaction would go on the chain as it is now.
type Simulation struct {
	OK bool `json:"ok"`
	// Why it would fail, or why that is unknown, for a program to switch on. `program_unavailable` means that this network lacks a program that the transaction calls. Absent when
	// ok.
	Reason string `json:"reason,omitzero"`
	// The same in a sentence. Absent when ok.
	Detail string `json:"detail,omitzero"`
	// What your wallet lacks, in lamports. Absent when it has enough.
	MissingLamports Lamports `json:"missingLamports,omitzero"`
	// What your wallet lacks of the token, in base units. Absent when it has enough, or parts with none.
	MissingTokens Amount `json:"missingTokens,omitzero"`
	// Compute units used.
	ComputeUnits int `json:"computeUnits,omitzero"`
	// What the programs logged.
	Logs []string `json:"logs,omitzero"`
}

// Submission is a signed launch.
type Submission struct {
	// As answered by `POST /tokens/create-unsigned`.
	TransactionID string `json:"transactionId"`
	// The transaction with your signature, base64.
	SignedTransaction string `json:"signedTransaction"`
}

// SubmissionResult is what came of a launch.
type SubmissionResult struct {
	Success bool `json:"success"`
	// The transaction's signature.
	Signature solana.Signature `json:"signature"`
	// Address of the mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Token       Token            `json:"token"`
	Status      TokenStatus      `json:"status"`
}

// Refresh is a transaction to sign for a launch that was prepared before.
type Refresh struct {
	// The transaction, base64, without your signature.
	Transaction string `json:"transaction"`
	// Until when it can land.
	ExpiresAt Time `json:"expiresAt"`
	// Height of the last block that can take the transaction. Absent when it uses a durable nonce.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight,omitzero"`
}

// TransactionStatus is what has become of a launch that was prepared.
type TransactionStatus struct {
	// As answered by `POST /tokens/create-unsigned`.
	TransactionID string `json:"transactionId"`
	// How far it has come.
	Status OrderStatus `json:"status"`
	// Until when it can be submitted, whichever transaction you sign for it.
	ExpiresAt Time `json:"expiresAt"`
	// Address of the mint, which never changes.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// The transaction that landed, and until that is known the one that was submitted last. Null when none was.
	Signature *solana.Signature `json:"signature"`
	// Why it failed, in a sentence. Null when it did not.
	Reason *string `json:"reason"`
}
