package meteora

import (
	"math/big"
	"slices"

	"github.com/gagliardetto/solana-go"
)

var (
	permanentLockPosition = discriminator("global:permanent_lock_position")
	removeAllLiquidity    = discriminator("global:remove_all_liquidity")
	closePosition         = discriminator("global:close_position")
	claimPositionFee      = discriminator("global:claim_position_fee")
)

// PermanentLockPosition locks liquidity of a position permanently. The owner can no longer withdraw
// the liquidity, but still earns its fees.
type PermanentLockPosition struct {
	Pool, Position, PositionNFTAccount solana.PublicKey
	Owner                              solana.PublicKey
	Liquidity                          *big.Int
}

// Instruction encodes the lock. Owner signs. It fails if Liquidity is not a u128.
func (p PermanentLockPosition) Instruction() (solana.Instruction, error) {
	data, err := appendU128(permanentLockPosition[:], "liquidity", p.Liquidity)
	if err != nil {
		return nil, err
	}
	return instruction(data,
		writable(p.Pool), writable(p.Position), readonly(p.PositionNFTAccount), signer(p.Owner)), nil
}

// PositionSide is the set of accounts with which the owner of a position withdraws from the pool.
type PositionSide struct {
	Accounts
	Owner solana.PublicKey
	// OwnerToken and OwnerSOL are the receiving token accounts.
	OwnerToken, OwnerSOL solana.PublicKey
	TokenMint            solana.PublicKey
	TokenProgram         solana.PublicKey // zero: Token-2022
	QuoteMint            solana.PublicKey // zero: wrapped SOL
}

func (s PositionSide) accounts(pool *solana.AccountMeta) []*solana.AccountMeta {
	return []*solana.AccountMeta{
		readonly(PoolAuthority), pool, writable(s.Position), writable(s.OwnerToken), writable(s.OwnerSOL),
		writable(s.TokenVault), writable(s.SOLVault),
		readonly(s.TokenMint), readonly(or(s.QuoteMint, solana.WrappedSol)),
		readonly(s.PositionNFTAccount), signer(s.Owner),
		readonly(or(s.TokenProgram, solana.Token2022ProgramID)), readonly(solana.TokenProgramID),
	}
}

// RemoveAllLiquidity withdraws the unlocked liquidity of a position. The program rejects the
// instruction if the position has no unlocked liquidity.
type RemoveAllLiquidity struct {
	PositionSide
	// MinTokens (after tax) and MinLamports are the minimum amounts that must arrive.
	MinTokens, MinLamports uint64
}

// Instruction encodes the withdrawal. Owner signs.
func (r RemoveAllLiquidity) Instruction() solana.Instruction {
	data := appendU64(appendU64(removeAllLiquidity[:], r.MinTokens), r.MinLamports)
	return instruction(data, r.accounts(writable(r.Pool))...)
}

// ClaimPositionFee pays out the fees that a position has earned. Locked positions earn fees as
// well.
type ClaimPositionFee struct{ PositionSide }

// Instruction encodes the claim. Owner signs.
func (c ClaimPositionFee) Instruction() solana.Instruction {
	return instruction(slices.Clone(claimPositionFee[:]), c.accounts(readonly(c.Pool))...)
}

// ClosePosition closes an empty position (no liquidity, no fees), burns its NFT, and refunds the
// rents of the position, the NFT mint and the NFT account. The pool and its vaults remain.
type ClosePosition struct {
	Accounts
	Owner        solana.PublicKey
	RentReceiver solana.PublicKey // zero: Owner
}

// Instruction encodes the closing. Owner signs.
func (c ClosePosition) Instruction() solana.Instruction {
	return instruction(slices.Clone(closePosition[:]),
		writable(c.NFTMint), writable(c.PositionNFTAccount), writable(c.Pool), writable(c.Position),
		readonly(PoolAuthority), writable(or(c.RentReceiver, c.Owner)), signer(c.Owner),
		readonly(solana.Token2022ProgramID))
}
