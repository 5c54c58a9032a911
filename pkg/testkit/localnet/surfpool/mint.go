package surfpool

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Mints of the stablecoins that a token may pay its holders in, at their mainnet
// addresses: legacy Token program, six decimals, freezable.
const (
	USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	USDT = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
)

// Sizes and rent of a mint account of the Token program (spl-token, state.rs).
const (
	mintSize         = 82
	mintRentLamports = 1_461_600
)

// CreateMints makes USDC and USDT exist on an offline chain. Their authorities
// are an address that has no key.
func (c *Chain) CreateMints(ctx context.Context) error {
	for _, mint := range []string{USDC, USDT} {
		account := Account{Lamports: mintRentLamports, Owner: TokenProgram, Data: stablecoinMint()}
		if err := c.SetAccount(ctx, mint, account); err != nil {
			return fmt.Errorf("create the mint %s: %w", mint, err)
		}
	}
	return nil
}

func stablecoinMint() []byte {
	const decimals = 6
	authority := solana.SysVarRentPubkey // any key will do: nothing signs for it
	data := make([]byte, 0, mintSize)
	data = binary.LittleEndian.AppendUint32(data, 1) // the mint authority is set
	data = append(data, authority[:]...)
	data = binary.LittleEndian.AppendUint64(data, 1_000_000_000_000_000) // supply
	data = append(data, decimals, 1)                                     // 1: initialized
	data = binary.LittleEndian.AppendUint32(data, 1)                     // the freeze authority is set
	return append(data, authority[:]...)
}
