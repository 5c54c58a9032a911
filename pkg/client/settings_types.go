package client

import "github.com/gagliardetto/solana-go"

// CreatorSplit is what one wallet gets of the creator's share.
type CreatorSplit struct {
	// Each wallet stands there once.
	Wallet  solana.PublicKey `json:"wallet"`
	Percent Percent          `json:"percent"`
}

// RewardBasis says which balance of a holder counts.
type RewardBasis string

// The bases.
const (
	// BasisSnapshot: the balance in the distribution's snapshot.
	BasisSnapshot RewardBasis = "snapshot"
	// BasisHeld: the lesser of that and the balance in the snapshot before, so that a purchase just
	// before a distribution earns nothing.
	BasisHeld RewardBasis = "held"
)

// DistributionSettings say how the tax is distributed.
type DistributionSettings struct {
	RewardToken string `json:"rewardToken"`
	// Holders are paid in proportion to what they hold.
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
	// Where the creator's share goes; with CreatorSplits it gets nothing, and cannot be changed.
	DeveloperWallet solana.PublicKey `json:"developerWallet"`
	// The wallets that share what the creator gets; empty: DeveloperWallet gets all of it.
	CreatorSplits []CreatorSplit `json:"creatorSplits"`
	// Which balance of a holder counts.
	RewardBasis RewardBasis `json:"rewardBasis"`
	// Telegram group that is notified, its id or its public name; empty when unset.
	TelegramGroupID string `json:"telegramGroupId"`
}

// EffectiveSettings say how the tax is distributed, and from when on.
type EffectiveSettings struct {
	DistributionSettings

	// When the next distribution is due, which takes these settings.
	EffectiveAt Time `json:"effectiveAt"`
	// Number of these settings, 1 for those of the launch and one more with each change.
	Version int `json:"version"`
	// Whether the creator's wallet signed this version.
	OrderedByCreator bool `json:"orderedByCreator"`
	// There when `transferFeePercent` was sent.
	TransferFee *UnsignedTransferFee `json:"transferFee,omitzero"`
}

// SettingsChange is what is to change of the settings. What is zero stays.
type SettingsChange struct {
	// `SOL` or the address of a mint that holders can be paid in.
	RewardToken string `json:"rewardToken,omitzero"`
	// As it was answered; it cannot be changed.
	DistributionModel string `json:"distributionModel,omitzero"`
	// Base units that a holder must have to be paid, at least 1; 0 only where it is 0 already.
	MinimumHoldingRequirement *Amount `json:"minimumHoldingRequirement,omitzero"`
	// Share of the collected tax that one distribution uses.
	PercentageToSellPerDistribution *Percent `json:"percentageToSellPerDistribution,omitzero"`
	// False pauses the distributions.
	DistributionEnabled *bool `json:"distributionEnabled,omitzero"`
	// How often the tax is distributed.
	DistributionInterval Interval `json:"distributionInterval,omitzero"`
	// Share of the tax that is burned. With developerFeePercent at most 100.
	BurnPercent *Percent `json:"burnPercent,omitzero"`
	// Share of the tax that the creator gets.
	DeveloperFeePercent *Percent `json:"developerFeePercent,omitzero"`
	// Where the creator's share goes.
	DeveloperWallet solana.PublicKey `json:"developerWallet,omitzero"`
	// The wallets that share what the creator gets, 2 to 10, whose percentages add up to 100. Empty and not nil ends the split.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitzero"`
	// Which balance of a holder counts.
	RewardBasis RewardBasis `json:"rewardBasis,omitzero"`
	// Telegram group that is notified, its id or its public name; empty unsets it.
	TelegramGroupID *string `json:"telegramGroupId,omitzero"`
	// Tax on every transfer, of a token whose tax is adjustable.
	TransferFeePercent *Percent `json:"transferFeePercent,omitzero"`
	// As it was answered; it cannot be changed.
	EffectiveAt Time `json:"effectiveAt,omitzero"`
	// As it was answered; it cannot be changed.
	Version int `json:"version,omitzero"`
	// As it was answered; it cannot be changed.
	OrderedByCreator *bool `json:"orderedByCreator,omitzero"`
	// Your signature over the settings after the change. OrderDistributionSettings makes it.
	Order *SettingsOrder `json:"order,omitzero"`
}

// SettingsOrder is the creator's signature over one version of a token's settings.
type SettingsOrder struct {
	// The number that the settings have after the change.
	Version int `json:"version"`
	// The wallet's signature over the text of that version.
	Signature solana.Signature `json:"signature"`
}

// TelegramTest is a message to a token's Telegram group that is on its way.
type TelegramTest struct {
	Queued bool `json:"queued"`
	// The group that it goes to, as the settings have it.
	TelegramGroupID string `json:"telegramGroupId"`
}

// UnsignedTransferFee is a transaction that changes the tax.
type UnsignedTransferFee struct {
	// The transaction, base64, with your signature missing. It is yours to send.
	Transaction string `json:"transaction"`
	// When the network is past the last block that takes the transaction, some 30 seconds after creation: blocks may be slower than now, and are hardly faster.
	ExpiresAt Time `json:"expiresAt"`
	// The height of the last block that takes the transaction. Once the finalized height is above it, it can never land.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
	// The new tax.
	TransferFeePercent Percent `json:"transferFeePercent"`
	// The epoch from which the new tax holds, if the transaction lands in the current one; one later for each epoch later in which it lands.
	EffectiveEpoch uint64 `json:"effectiveEpoch"`
	// The tax that holds in the current epoch.
	CurrentTransferFeePercent Percent `json:"currentTransferFeePercent"`
	CurrentEpoch              uint64  `json:"currentEpoch"`
	// A change that was made before, does not hold yet, and never will if this one lands; nil when there is none.
	Replaces *ReplacedFee  `json:"replaces"`
	Cost     FeeChangeCost `json:"cost"`
	// One sentence per instruction.
	Explanation []string   `json:"explanation"`
	Simulation  Simulation `json:"simulation"`
}

// ReplacedFee is a change of the tax that does not hold yet.
type ReplacedFee struct {
	TransferFeePercent Percent `json:"transferFeePercent"`
	EffectiveEpoch     uint64  `json:"effectiveEpoch"`
}

// FeeChangeCost is what a change of the tax costs you.
type FeeChangeCost struct {
	NetworkFeeLamports Lamports `json:"networkFeeLamports"`
	TotalLamports      Lamports `json:"totalLamports"`
}
