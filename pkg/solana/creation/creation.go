// Package creation composes the instructions of a token's creation: create the mint with its tax
// and metadata, mint the whole supply to the creator, give up the authorities that no key should
// keep, and fund the distribution wallet.
//
// On a durable nonce, the instructions fit into one packet for every name and symbol within the
// contract. The size of the transaction does not depend on the amounts. Each instruction comes with
// a sentence of explanation.
package creation

import (
	"errors"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Creation describes a new token and the payer.
type Creation struct {
	// Payer is the creator, who pays, receives the whole supply, and keeps the authorities that the
	// token leaves to the creator. Payer and Mint sign.
	Payer, Mint solana.PublicKey
	// DistributionWallet may collect the transfer tax, permanently, unless the token has a Guardian.
	DistributionWallet solana.PublicKey
	// Guardian is the third key next to DistributionWallet and Payer, of which two together may
	// collect the transfer tax. Zero: the token has no guardian.
	Guardian solana.PublicKey

	Name, Symbol, URI string
	Decimals          uint8
	Supply            uint64 // base units
	TransferFeeBps    uint16
	// FeeAdjustable leaves the payer the right to change the tax.
	FeeAdjustable bool
	// ImmutableMetadata revokes the right to change the metadata.
	ImmutableMetadata bool

	// MintRentLamports is the rent of the mint's final size: see
	// token2022.MintSize.
	MintRentLamports uint64
	// MultisigRentLamports is the rent of token2022.MultisigSize bytes. Zero without a Guardian.
	MultisigRentLamports uint64
	// FundingLamports goes to the distribution wallet, which pays its fees from the amount. Zero
	// leaves the transfer out.
	FundingLamports uint64
}

// Steps returns the instructions in order. It fails if a key is missing or the tax is out of range.
func (c Creation) Steps() ([]transaction.Step, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("compose the creation of a token: %w", err)
	}
	createAccount, account, err := token2022.CreateAssociatedIdempotent{
		Payer: c.Payer, Wallet: c.Payer, Mint: c.Mint,
	}.Instruction()
	if err != nil {
		return nil, fmt.Errorf("compose the creation of a token: %w", err)
	}
	authority, err := c.authority()
	if err != nil {
		return nil, fmt.Errorf("compose the creation of a token: %w", err)
	}
	steps := append(c.initializeMint(authority), c.initializeMultisig(authority)...)
	steps = append(steps,
		transaction.Step{Instruction: createAccount, Explanation: fmt.Sprintf(
			"Creates your token account %s, unless it exists; you pay its rent.", account)},
		transaction.Step{
			Instruction: token2022.MintTo{Mint: c.Mint, Account: account, Authority: c.Payer, Amount: c.Supply}.Instruction(),
			Explanation: fmt.Sprintf("Mints the whole supply, %s %s, to your token account.", decimal.Grouped(c.Supply, int(c.Decimals)), c.Symbol),
		},
		transaction.Step{
			Instruction: token2022.SetAuthority{
				Account: c.Mint, Current: c.Payer, Type: token2022.AuthorityMintTokens,
			}.Instruction(),
			Explanation: "Gives up the right to mint, so that the supply can never grow.",
		})
	if c.ImmutableMetadata {
		steps = append(steps, transaction.Step{
			Instruction: token2022.UpdateMetadataAuthority{Mint: c.Mint, Current: c.Payer}.Instruction(),
			Explanation: "Locks the metadata: name, symbol and link can never change.",
		})
	}
	if c.FundingLamports > 0 {
		steps = append(steps, transaction.Step{
			Instruction: systemprogram.Transfer{From: c.Payer, To: c.DistributionWallet, Lamports: c.FundingLamports}.Instruction(),
			Explanation: fmt.Sprintf("Sends %s SOL to the distribution wallet %s, for its network fees.",
				decimal.SOL(c.FundingLamports), c.DistributionWallet),
		})
	}
	return steps, nil
}

func (c Creation) check() error {
	for _, key := range []solana.PublicKey{c.Payer, c.Mint, c.DistributionWallet} {
		if key.IsZero() {
			return errors.New("a key is missing")
		}
	}
	if c.Guardian == c.Payer || c.Guardian == c.DistributionWallet {
		return fmt.Errorf("the guardian %s is another member", c.Guardian)
	}
	if c.TransferFeeBps > token2022.MaxBasisPoints {
		return fmt.Errorf("a tax of %d basis points is over %d", c.TransferFeeBps, token2022.MaxBasisPoints)
	}
	return nil
}

// initializeMint returns the instructions for creating the mint.
func (c Creation) initializeMint(authority solana.PublicKey) []transaction.Step {
	var feeAuthority solana.PublicKey
	fixed := "permanently"
	if c.FeeAdjustable {
		feeAuthority = c.Payer
		fixed = "which you may change later"
	}
	collector := fmt.Sprintf("the distribution wallet %s", c.DistributionWallet)
	if !c.Guardian.IsZero() {
		collector = fmt.Sprintf("the account %s of two of three", authority)
	}
	return []transaction.Step{
		{
			Instruction: systemprogram.CreateAccount{
				Payer: c.Payer, Account: c.Mint, Lamports: c.MintRentLamports,
				Space: token2022.MintSpace, Owner: solana.Token2022ProgramID,
			}.Instruction(),
			Explanation: fmt.Sprintf("Creates the mint account %s and pays %s SOL of rent for it.", c.Mint, decimal.SOL(c.MintRentLamports)),
		},
		{
			Instruction: token2022.InitializeTransferFeeConfig{
				Mint: c.Mint, ConfigAuthority: feeAuthority, WithdrawWithheldAuthority: authority,
				BasisPoints: c.TransferFeeBps, MaximumFee: math.MaxUint64,
			}.Instruction(),
			Explanation: fmt.Sprintf("Sets the transfer tax to %s%%, %s; only %s can collect it.",
				decimal.Text(uint64(c.TransferFeeBps), 2), fixed, collector),
		},
		{
			Instruction: token2022.InitializeMetadataPointer{Mint: c.Mint, Metadata: c.Mint}.Instruction(),
			Explanation: "Keeps the token's name, symbol and link in the mint account itself.",
		},
		{
			Instruction: token2022.InitializeMint2{Mint: c.Mint, Decimals: c.Decimals, MintAuthority: c.Payer}.Instruction(),
			Explanation: fmt.Sprintf("Gives it %d decimals and no freeze authority.", c.Decimals),
		},
		{
			Instruction: token2022.InitializeMetadata{
				Mint: c.Mint, UpdateAuthority: c.Payer, MintAuthority: c.Payer,
				Name: c.Name, Symbol: c.Symbol, URI: c.URI,
			}.Instruction(),
			Explanation: fmt.Sprintf("Names it %s (%s) and links it to %s.", c.Name, c.Symbol, c.URI),
		},
	}
}
