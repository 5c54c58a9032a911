package meteora

import (
	"math/big"

	"github.com/gagliardetto/solana-go"
)

// CollectFeeMode says in which token a pool takes its fees (state/pool.rs).
type CollectFeeMode uint8

// Collect fee modes. Pools of ours are CollectOnlyB.
const (
	CollectBoth        CollectFeeMode = 0
	CollectOnlyB       CollectFeeMode = 1
	CollectCompounding CollectFeeMode = 2
)

// ActivationType says in what a pool counts time (utils/activation_handler.rs).
type ActivationType uint8

// Activation types. Pools of ours are ActivationByTime.
const (
	ActivationBySlot ActivationType = 0
	ActivationByTime ActivationType = 1 // Unix seconds of the chain's clock
)

var initializeCustomizablePool = discriminator("global:initialize_customizable_pool")

// InitializeCustomizablePool makes a pool with its first position, that of NFTMint.
// The program moves in what Liquidity takes at SqrtPrice, rounded up, and at least
// one unit of each token: of a taxed token, so much that this arrives.
// It fails when the pair has a customizable pool.
type InitializeCustomizablePool struct {
	Accounts
	// Creator is written into the pool and gets the position's NFT; it does not
	// sign. Payer pays rents and brings the tokens.
	Creator, Payer solana.PublicKey
	TokenMint      solana.PublicKey
	TokenProgram   solana.PublicKey // zero: Token-2022
	QuoteMint      solana.PublicKey // zero: wrapped SOL; its program is the Token program
	// PayerToken and PayerSOL are the payer's token accounts.
	PayerToken, PayerSOL solana.PublicKey
	Fee                  BaseFee
	// SqrtPrice is where the pool starts, between the other two.
	MinSqrtPrice, MaxSqrtPrice, SqrtPrice *big.Int
	Liquidity                             *big.Int
	// ActivationPoint, Unix seconds, is when trades begin; nil is at once.
	ActivationPoint *uint64
}

// Instruction encodes it: fees in token B, time in seconds, no dynamic fee, no
// alpha vault. Payer and NFTMint sign. It fails when a number is no u128.
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
