// Package creation composes the transaction that creates a token: one legacy
// transaction that makes the mint with its tax and metadata, mints the whole
// supply to the creator, gives up the authorities that nobody should keep, and
// funds the distribution wallet.
//
// It promises that the transaction fits into one packet for every name and
// symbol that the contract allows, that it has the same size whatever the
// amounts in it, and that each instruction comes with a sentence that says
// what it does.
package creation

import (
	"errors"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Creation says what token is to be created and who pays.
type Creation struct {
	// Payer is the creator: he pays, gets the whole supply, and keeps what
	// authority the token leaves him. He, Mint and NonceAuthority sign.
	Payer, Mint                  solana.PublicKey
	NonceAccount, NonceAuthority solana.PublicKey
	// DistributionWallet may collect the transfer tax, for ever.
	DistributionWallet solana.PublicKey

	Name, Symbol, URI string
	Decimals          uint8
	Supply            uint64 // base units
	TransferFeeBps    uint16
	// FeeAdjustable leaves the payer the right to change the tax.
	FeeAdjustable bool
	// ImmutableMetadata gives up the right to change the metadata.
	ImmutableMetadata bool

	// MintRentLamports is the rent of the mint's final size: see
	// token2022.MintSize.
	MintRentLamports uint64
	// FundingLamports goes to the distribution wallet, which pays its fees
	// with it; zero leaves the transfer out.
	FundingLamports uint64
	// ComputeUnitLimit, when zero, is the most that the network allows, as a
	// first simulation wants it.
	ComputeUnitLimit              uint32
	ComputeUnitPriceMicroLamports uint64
}

// Step is one instruction and what it does, in one sentence.
type Step struct {
	Instruction solana.Instruction
	Explanation string
}

// Steps gives the instructions in order. It fails when a key is missing or the
// tax is out of range.
func (c Creation) Steps() ([]Step, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("compose the creation of a token: %w", err)
	}
	createAccount, account, err := token2022.CreateAssociatedIdempotent{
		Payer: c.Payer, Wallet: c.Payer, Mint: c.Mint,
	}.Instruction()
	if err != nil {
		return nil, fmt.Errorf("compose the creation of a token: %w", err)
	}
	steps := c.prepare()
	steps = append(steps, c.initializeMint()...)
	steps = append(steps,
		Step{createAccount, fmt.Sprintf(
			"Creates your token account %s, unless it exists; its rent is paid by you.", account)},
		Step{
			token2022.MintTo{Mint: c.Mint, Account: account, Authority: c.Payer, Amount: c.Supply}.Instruction(),
			fmt.Sprintf("Mints the whole supply, %s %s, to your token account.", decimal(c.Supply, c.Decimals), c.Symbol),
		},
		Step{
			token2022.SetAuthority{
				Account: c.Mint, Current: c.Payer, Type: token2022.AuthorityMintTokens,
			}.Instruction(),
			"Gives up the right to mint, so that the supply can never grow.",
		})
	if c.ImmutableMetadata {
		steps = append(steps, Step{
			token2022.UpdateMetadataAuthority{Mint: c.Mint, Current: c.Payer}.Instruction(),
			"Locks the metadata: name, symbol and link can never change.",
		})
	}
	if c.FundingLamports > 0 {
		steps = append(steps, Step{
			systemprogram.Transfer{From: c.Payer, To: c.DistributionWallet, Lamports: c.FundingLamports}.Instruction(),
			fmt.Sprintf("Sends %s to the distribution wallet %s, which pays its network fees with it.",
				sol(c.FundingLamports), c.DistributionWallet),
		})
	}
	return steps, nil
}

// Message compiles the transaction's message with the nonce's present value.
func (c Creation) Message(nonce solana.Hash) (wire.Message, error) {
	steps, err := c.Steps()
	if err != nil {
		return wire.Message{}, err
	}
	list := make([]solana.Instruction, len(steps))
	for i, s := range steps {
		list[i] = s.Instruction
	}
	return wire.Compile(c.Payer, nonce, list)
}

func (c Creation) check() error {
	for _, key := range []solana.PublicKey{c.Payer, c.Mint, c.NonceAccount, c.NonceAuthority, c.DistributionWallet} {
		if key.IsZero() {
			return errors.New("a key is missing")
		}
	}
	if c.TransferFeeBps > token2022.MaxBasisPoints {
		return fmt.Errorf("a tax of %d basis points is over %d", c.TransferFeeBps, token2022.MaxBasisPoints)
	}
	return nil
}

// prepare gives what comes before the token itself.
func (c Creation) prepare() []Step {
	limit := c.ComputeUnitLimit
	if limit == 0 {
		limit = computebudget.MaxUnitLimit
	}
	return []Step{
		{
			systemprogram.AdvanceNonceAccount{Nonce: c.NonceAccount, Authority: c.NonceAuthority}.Instruction(),
			"Uses up a one-time number of the service, so that this transaction can be carried out once only.",
		},
		{
			computebudget.SetUnitLimit(limit),
			fmt.Sprintf("Limits the computing that the network may charge for to %d units.", limit),
		},
		{
			computebudget.SetUnitPrice(c.ComputeUnitPriceMicroLamports),
			fmt.Sprintf("Offers the network a priority fee of %s.",
				sol(computebudget.PriorityFee(limit, c.ComputeUnitPriceMicroLamports))),
		},
	}
}

// initializeMint gives what makes the mint.
func (c Creation) initializeMint() []Step {
	var feeAuthority solana.PublicKey
	fixed := "for ever"
	if c.FeeAdjustable {
		feeAuthority = c.Payer
		fixed = "which you may change later"
	}
	return []Step{
		{
			systemprogram.CreateAccount{
				Payer: c.Payer, Account: c.Mint, Lamports: c.MintRentLamports,
				Space: token2022.MintSpace, Owner: solana.Token2022ProgramID,
			}.Instruction(),
			fmt.Sprintf("Creates the mint account %s and pays %s of rent for it.", c.Mint, sol(c.MintRentLamports)),
		},
		{
			token2022.InitializeTransferFeeConfig{
				Mint: c.Mint, ConfigAuthority: feeAuthority, WithdrawWithheldAuthority: c.DistributionWallet,
				BasisPoints: c.TransferFeeBps, MaximumFee: math.MaxUint64,
			}.Instruction(),
			fmt.Sprintf("Sets the transfer tax to %s%%, %s; only the distribution wallet %s can collect it.",
				decimal(uint64(c.TransferFeeBps), 2), fixed, c.DistributionWallet),
		},
		{
			token2022.InitializeMetadataPointer{Mint: c.Mint, Metadata: c.Mint}.Instruction(),
			"Says that the token's metadata is in the mint account itself, for ever.",
		},
		{
			token2022.InitializeMint2{Mint: c.Mint, Decimals: c.Decimals, MintAuthority: c.Payer}.Instruction(),
			fmt.Sprintf("Makes it a token with %d decimals that nobody can freeze.", c.Decimals),
		},
		{
			token2022.InitializeMetadata{
				Mint: c.Mint, UpdateAuthority: c.Payer, MintAuthority: c.Payer,
				Name: c.Name, Symbol: c.Symbol, URI: c.URI,
			}.Instruction(),
			fmt.Sprintf("Names it %s (%s) and links it to %s.", c.Name, c.Symbol, c.URI),
		},
	}
}
