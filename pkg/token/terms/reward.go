package terms

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Mints that are accepted as rewards although their issuers may freeze accounts.
var (
	usdc = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	usdt = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
)

// Stablecoin returns the name of the token with the given mint, USDC or USDT. It returns "" for any
// other mint, whose only certain name is the address.
func Stablecoin(mint string) string {
	switch mint {
	case usdc.String():
		return "USDC"
	case usdt.String():
		return "USDT"
	default:
		return ""
	}
}

// Currencies are the assets that no creator can create: SOL, USDC and USDT.
func Currencies() []Asset { return []Asset{SOL, Asset(usdc), Asset(usdt)} }

// payable are the extensions of a Token-2022 mint that do not affect payments to holders.
// WhyNotReward rejects any other extension, known or not: a transfer hook, permanent delegate,
// frozen default, pause or ban on transfers could stop or take back a payment.
var payable = map[token2022.ExtensionType]bool{
	token2022.ExtensionTransferFeeConfig:        true,
	token2022.ExtensionMetadataPointer:          true,
	token2022.ExtensionTokenMetadata:            true,
	token2022.ExtensionInterestBearingConfig:    true,
	token2022.ExtensionScaledUIAmount:           true,
	token2022.ExtensionGroupPointer:             true,
	token2022.ExtensionTokenGroup:               true,
	token2022.ExtensionGroupMemberPointer:       true,
	token2022.ExtensionTokenGroupMember:         true,
	token2022.ExtensionConfidentialTransferMint: true,
	token2022.ExtensionConfidentialTransferFee:  true,
	token2022.ExtensionConfidentialMintBurn:     true,
}

// WhyNotReward returns a sentence on why holders cannot be paid in this mint, given the account's
// owner program and data. It returns "" if holders can be paid.
func WhyNotReward(mint, owner solana.PublicKey, data []byte) string {
	if owner != solana.TokenProgramID && owner != solana.Token2022ProgramID {
		return "This address is not a token mint."
	}
	m, err := token2022.DecodeMint(owner, data)
	if err != nil {
		return "This address is not a token mint."
	}
	for _, extension := range m.Extensions {
		if !payable[extension] {
			return fmt.Sprintf("Holders cannot be paid in this token: its mint has the extension %s.", extension)
		}
	}
	if !m.FreezeAuthority.IsZero() && mint != usdc && mint != usdt {
		return "Holders cannot be paid in this token: its issuer may freeze accounts."
	}
	return ""
}
