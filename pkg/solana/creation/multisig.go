package creation

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// MembersRequired is the number of members that sign for the tax of a token with a guardian.
const MembersRequired = 2

// multisigSeedLength is the length of the seed of a multisig account: the first characters of the
// mint's address. Every character is a byte of the launch. 58^8 seeds keep the tokens of one
// creator apart, and no one except the creator can create an account at the address, because the
// base of the address signs.
const multisigSeedLength = 8

// MultisigAddress returns the address of the multisig account that collects the tax of a creator's
// token, if the token has a guardian. The address follows from creator and mint.
func MultisigAddress(creator, mint solana.PublicKey) (solana.PublicKey, error) {
	return systemprogram.AddressWithSeed(creator, multisigSeed(mint), solana.Token2022ProgramID)
}

func multisigSeed(mint solana.PublicKey) string { return mint.String()[:multisigSeedLength] }

// Members returns the members of the multisig account of a token with a guardian, in the order of
// the account.
func Members(distributionWallet, guardian, creator solana.PublicKey) []solana.PublicKey {
	return []solana.PublicKey{distributionWallet, guardian, creator}
}

// authority returns the authority over withheld tax: the distribution wallet, or the multisig
// account of a token with a guardian.
func (c Creation) authority() (solana.PublicKey, error) {
	if c.Guardian.IsZero() {
		return c.DistributionWallet, nil
	}
	return MultisigAddress(c.Payer, c.Mint)
}

// initializeMultisig returns the instructions that create the multisig account, in the same
// transaction as the mint, so that no other party decides the members.
func (c Creation) initializeMultisig(account solana.PublicKey) []transaction.Step {
	if c.Guardian.IsZero() {
		return nil
	}
	return []transaction.Step{
		{
			Instruction: systemprogram.CreateAccountWithSeed{
				Payer: c.Payer, Account: account, Base: c.Payer, Seed: multisigSeed(c.Mint),
				Lamports: c.MultisigRentLamports, Space: token2022.MultisigSize, Owner: solana.Token2022ProgramID,
			}.Instruction(),
			Explanation: fmt.Sprintf("Creates the account %s, which collects the tax, and pays %s SOL of rent for it.", account, decimal.SOL(c.MultisigRentLamports)),
		},
		{
			Instruction: token2022.InitializeMultisig2{
				Account: account, Required: MembersRequired, Members: Members(c.DistributionWallet, c.Guardian, c.Payer),
			}.Instruction(),
			Explanation: fmt.Sprintf("Makes two of three necessary to collect the tax or to hand it over, permanently: the distribution wallet, the guardian %s and you.", c.Guardian),
		},
	}
}
