package client

import (
	"crypto/sha256"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Metadata renders the metadata file of a launch by the wallet, equal to the byte to the file that
// the service publishes. The launch names the file by the file's content ID. The wallet's signature
// therefore fixes the texts, the links, the picture and the distribution settings.
func (r TokenCreation) Metadata(wallet, mint solana.PublicKey) ([]byte, error) {
	return r.draft(wallet).Metadata(mint)
}

// SettingsText returns the distribution settings that the wallet's signature on the launch fixes,
// one line for each setting. Omitted settings have the defaults.
func (r TokenCreation) SettingsText(wallet, mint solana.PublicKey) string {
	return terms.OrderText(mint, terms.LaunchVersion, r.draft(wallet).Settings)
}

// metadataURI returns the address of the metadata file in the launch.
func (r TokenCreation) metadataURI(wallet, mint solana.PublicKey) (string, error) {
	file, err := r.Metadata(wallet, mint)
	if err != nil {
		return "", err
	}
	return content.Gateway + format.CID(sha256.Sum256(file)), nil
}

// draft returns the parts of the service's draft that determine the metadata file.
func (r TokenCreation) draft(wallet solana.PublicKey) token.Draft {
	d := token.DefaultDraft(wallet)
	d.Name, d.Symbol, d.Description, d.ImageURI = r.Name, r.Symbol, r.Description, r.ImageURI
	d.Links = token.Links{Twitter: r.Twitter, Telegram: r.Telegram, Website: r.Website}
	chosen := SettingsChange{
		RewardToken: r.RewardToken, MinimumHoldingRequirement: r.MinimumHoldingRequirement, DistributionInterval: r.DistributionInterval,
		BurnPercent: &r.BurnPercent, DeveloperFeePercent: &r.DeveloperFeePercent,
		DeveloperWallet: r.DeveloperWallet, CreatorSplits: r.CreatorSplits, RewardBasis: r.RewardBasis,
		MinimumHoldersPercent: &r.MinimumHoldersPercent, ChangeDelay: r.ChangeDelay,
	}
	if r.PercentageToSellPerDistribution != (Percent{}) {
		chosen.PercentageToSellPerDistribution = &r.PercentageToSellPerDistribution
	}
	d.Settings = chosen.patch().Apply(d.Settings)
	return d.Normalize()
}
