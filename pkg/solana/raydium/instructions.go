package raydium

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Tags of instructions: the first eight bytes of the SHA-256 of "global:<name>"
// (Anchor).
var (
	tagInitialize     = [8]byte{175, 175, 109, 31, 13, 152, 155, 237}
	tagSwapBaseInput  = [8]byte{143, 190, 90, 218, 196, 30, 51, 222}
	tagSwapBaseOutput = [8]byte{55, 217, 98, 86, 163, 74, 180, 173}
)

// Initialize creates the pool of a token and wrapped SOL and deposits the first tokens. The created
// accounts must not exist. Both accounts of the creator must exist.
type Initialize struct {
	Network   Network
	Addresses Addresses
	Creator   solana.PublicKey
	// TokenProgram owns the token's mint.
	TokenProgram solana.PublicKey
	// TokenAccount and SOLAccount are the creator's accounts that pay the deposit. LPAccount is the
	// creator's associated account for the shares, which the program creates.
	TokenAccount, SOLAccount, LPAccount solana.PublicKey
	TokenAmount                         uint64 // base units, before tax
	Lamports                            uint64
	// OpenTime is the Unix second at which trading starts. A past time means immediately.
	OpenTime uint64
}

// Instruction encodes the creation. Creator signs and pays. A pool account with its own key signs,
// too.
func (i Initialize) Instruction() solana.Instruction {
	a := i.Addresses
	mints := a.ordered(a.Token, solana.WrappedSol)
	accounts := a.ordered(i.TokenAccount, i.SOLAccount)
	vaults := a.ordered(a.TokenVault, a.SOLVault)
	programs := a.ordered(i.TokenProgram, solana.TokenProgramID)
	amounts := [2]uint64{i.Lamports, i.TokenAmount}
	if a.TokenFirst {
		amounts = [2]uint64{i.TokenAmount, i.Lamports}
	}
	return solana.NewInstruction(i.Network.Program,
		solana.AccountMetaSlice{
			solana.NewAccountMeta(i.Creator, true, true),
			readonly(i.Network.Config), readonly(a.Authority), solana.NewAccountMeta(a.Pool, true, a.Own),
			readonly(mints[0]), readonly(mints[1]), writable(a.LPMint),
			writable(accounts[0]), writable(accounts[1]), writable(i.LPAccount),
			writable(vaults[0]), writable(vaults[1]),
			writable(i.Network.FeeReceiver), writable(a.Observation),
			readonly(solana.TokenProgramID), readonly(programs[0]), readonly(programs[1]),
			readonly(solana.SPLAssociatedTokenAccountProgramID), readonly(solana.SystemProgramID),
			readonly(solana.SysVarRentPubkey),
		},
		arguments(tagInitialize, amounts[0], amounts[1], i.OpenTime))
}

// Side is one of the two tokens of a swap, the input or the output.
type Side struct {
	Account solana.PublicKey // the trader's
	Vault   solana.PublicKey
	Program solana.PublicKey // owns the mint
	Mint    solana.PublicKey
}

// Sides returns the two sides of a pool, given the trader's accounts of the token and of wrapped
// SOL.
func (a Addresses) Sides(tokenAccount, tokenProgram, solAccount solana.PublicKey) (token, sol Side) {
	return Side{Account: tokenAccount, Vault: a.TokenVault, Program: tokenProgram, Mint: a.Token},
		Side{Account: solAccount, Vault: a.SOLVault, Program: solana.TokenProgramID, Mint: solana.WrappedSol}
}

// Swap has the common fields of both kinds of swap.
type Swap struct {
	Network     Network
	Trader      solana.PublicKey
	Authority   solana.PublicKey
	Config      solana.PublicKey // the pool's; zero: the network's
	Pool        solana.PublicKey
	Observation solana.PublicKey
	In, Out     Side
}

// SwapBaseInput swaps an exact input for at least a minimum output.
type SwapBaseInput struct {
	Swap
	// AmountIn leaves the trader, before tax. MinimumOut is the minimum that must reach the trader,
	// after tax. Both are in base units.
	AmountIn, MinimumOut uint64
}

// Instruction encodes the swap. Trader signs.
func (s SwapBaseInput) Instruction() solana.Instruction {
	return s.instruction(arguments(tagSwapBaseInput, s.AmountIn, s.MinimumOut))
}

// SwapBaseOutput swaps at most a maximum input for an exact output.
type SwapBaseOutput struct {
	Swap
	// MaximumIn is the maximum that may leave the trader, before tax. AmountOut reaches the trader,
	// after tax. Both are in base units.
	MaximumIn, AmountOut uint64
}

// Instruction encodes the swap. Trader signs.
func (s SwapBaseOutput) Instruction() solana.Instruction {
	return s.instruction(arguments(tagSwapBaseOutput, s.MaximumIn, s.AmountOut))
}

func (s Swap) instruction(data []byte) solana.Instruction {
	config := s.Config
	if config.IsZero() {
		config = s.Network.Config
	}
	return solana.NewInstruction(s.Network.Program,
		solana.AccountMetaSlice{
			solana.NewAccountMeta(s.Trader, false, true),
			readonly(s.Authority), readonly(config), writable(s.Pool),
			writable(s.In.Account), writable(s.Out.Account),
			writable(s.In.Vault), writable(s.Out.Vault),
			readonly(s.In.Program), readonly(s.Out.Program),
			readonly(s.In.Mint), readonly(s.Out.Mint),
			writable(s.Observation),
		}, data)
}

func arguments(tag [8]byte, numbers ...uint64) []byte {
	data := tag[:]
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}
