package terms

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Mints whose issuers may freeze accounts and which are paid out all the same.
var (
	usdc = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	usdt = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
)

// Stablecoin gives the name of a mint's token when its address makes that certain: USDC or
// USDT. Of any other token the address is the only certain name, and this gives none.
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

// Currencies are the assets that no creator can make: SOL, USDC and USDT.
func Currencies() []Asset { return []Asset{SOL, Asset(usdc), Asset(usdt)} }

// payable are the extensions of a Token-2022 mint that change nothing about
// whether a holder can be paid. Any other one, known or not, is refused: a
// transfer hook, permanent delegate, frozen default, pause or ban on transfers
// could stop or take back a payment.
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

// WhyNotReward says, in a sentence, why holders cannot be paid in this mint,
// given the account's owner program and data; empty when they can.
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
