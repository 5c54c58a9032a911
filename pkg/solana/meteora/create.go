package meteora

import (
	"math/big"

	"github.com/gagliardetto/solana-go"
)

// CollectFeeMode is the token in which a pool collects its fees (state/pool.rs).
type CollectFeeMode uint8

// Collect fee modes. Our pools are CollectOnlyB.
const (
	CollectBoth        CollectFeeMode = 0
	CollectOnlyB       CollectFeeMode = 1
	CollectCompounding CollectFeeMode = 2
)

// ActivationType is the unit in which a pool counts time (utils/activation_handler.rs).
type ActivationType uint8

// Activation types. Our pools are ActivationByTime.
const (
	ActivationBySlot ActivationType = 0
	ActivationByTime ActivationType = 1 // Unix seconds of the chain's clock
)

var initializeCustomizablePool = discriminator("global:initialize_customizable_pool")

// InitializeCustomizablePool creates a pool with its first position, the position of NFTMint. The
// program moves in the tokens that Liquidity needs at SqrtPrice, rounded up, and at least one unit
// of each token. For a taxed token, the program moves more, so that this amount arrives. The
// instruction fails if the pair already has a customizable pool.
type InitializeCustomizablePool struct {
	Accounts
	// Creator is written into the pool and receives the position NFT. Creator does not sign. Payer
	// pays the rents and supplies the tokens.
	Creator, Payer solana.PublicKey
	TokenMint      solana.PublicKey
	TokenProgram   solana.PublicKey // zero: Token-2022
	QuoteMint      solana.PublicKey // zero: wrapped SOL; its program is the Token program
	// PayerToken and PayerSOL are the payer's token accounts.
	PayerToken, PayerSOL solana.PublicKey
	Fee                  BaseFee
	// SqrtPrice is the pool's start price, between MinSqrtPrice and MaxSqrtPrice.
	MinSqrtPrice, MaxSqrtPrice, SqrtPrice *big.Int
	Liquidity                             *big.Int
	// ActivationPoint is the start of trading, in Unix seconds; nil means immediately.
	ActivationPoint *uint64
}

// Instruction encodes the creation: fees in token B, time in seconds, no dynamic fee, no alpha
// vault. Payer and NFTMint sign. It fails if a number is not a u128.
func (i InitializeCustomizablePool) Instruction() (solana.Instruction, error) {
	data := i.Fee.appendParameters(initializeCustomizablePool[:])
	data = append(data, 0, 0, 0) // compounding_fee_bps, padding
	data = append(data, 0)       // dynamic_fee: none
	var err error
	if data, err = appendU128(data, "least square-root price", i.MinSqrtPrice); err != nil {
		return nil, err
	}
	if data, err = appendU128(data, "greatest square-root price", i.MaxSqrtPrice); err != nil {
		return nil, err
	}
	data = append(data, 0) // has_alpha_vault
	if data, err = appendU128(data, "liquidity", i.Liquidity); err != nil {
		return nil, err
	}
	if data, err = appendU128(data, "square-root price", i.SqrtPrice); err != nil {
		return nil, err
	}
	data = append(data, byte(ActivationByTime), byte(CollectOnlyB))
	if i.ActivationPoint == nil {
		data = append(data, 0)
	} else {
		data = appendU64(append(data, 1), *i.ActivationPoint)
	}
	return instruction(data,
		readonly(i.Creator), solana.NewAccountMeta(i.NFTMint, true, true), writable(i.PositionNFTAccount),
		solana.NewAccountMeta(i.Payer, true, true), readonly(PoolAuthority),
		writable(i.Pool), writable(i.Position),
		readonly(i.TokenMint), readonly(or(i.QuoteMint, solana.WrappedSol)),
		writable(i.TokenVault), writable(i.SOLVault), writable(i.PayerToken), writable(i.PayerSOL),
		readonly(or(i.TokenProgram, solana.Token2022ProgramID)), readonly(solana.TokenProgramID),
		readonly(solana.Token2022ProgramID), readonly(solana.SystemProgramID),
	), nil
}
