package meteora

import "github.com/gagliardetto/solana-go"

// Direction is the direction of a trade.
type Direction uint8

// Directions (params/swap.rs, TradeDirection).
const (
	Sell Direction = 0 // token A into the pool
	Buy  Direction = 1 // token A out of the pool
)

// SwapMode is the fixed side of a trade (ix_swap.rs, SwapMode).
type SwapMode uint8

// Swap modes.
const (
	ExactIn     SwapMode = 0
	PartialFill SwapMode = 1
	ExactOut    SwapMode = 2
)

var (
	swapV1 = discriminator("global:swap")
	swapV2 = discriminator("global:swap2")
)

// Swap2 buys from a pool or sells to a pool. One of our pools needs no further accounts.
type Swap2 struct {
	Pool, TokenVault, SOLVault solana.PublicKey
	TokenMint                  solana.PublicKey
	TokenProgram               solana.PublicKey // zero: Token-2022
	QuoteMint                  solana.PublicKey // zero: wrapped SOL
	Payer                      solana.PublicKey
	// PayerToken and PayerSOL are the payer's token accounts.
	PayerToken, PayerSOL solana.PublicKey
	Direction            Direction
	Mode                 SwapMode
	// Amount is the fixed side: for ExactIn the amount that leaves the payer, before tax, for
	// ExactOut the amount that arrives, after tax. Limit bounds the other side: for ExactIn the
	// minimum that arrives after tax, for ExactOut the maximum that leaves before tax.
	Amount, Limit uint64
}

// Instruction encodes the swap, without a referral. Payer signs.
func (s Swap2) Instruction() solana.Instruction {
	input, output := s.PayerToken, s.PayerSOL
	if s.Direction == Buy {
		input, output = output, input
	}
	data := append(appendU64(appendU64(swapV2[:], s.Amount), s.Limit), byte(s.Mode))
	return instruction(data,
		readonly(PoolAuthority), writable(s.Pool), writable(input), writable(output),
		writable(s.TokenVault), writable(s.SOLVault),
		readonly(s.TokenMint), readonly(or(s.QuoteMint, solana.WrappedSol)), signer(s.Payer),
		readonly(or(s.TokenProgram, solana.Token2022ProgramID)), readonly(solana.TokenProgramID),
		readonly(Program), // referral_token_account: none
	)
}
