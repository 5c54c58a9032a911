package localchain

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Account is the state of an account.
type Account struct {
	Lamports   uint64
	Owner      string // base58; the System program's if empty
	Data       []byte
	Executable bool
}

// SystemProgram, TokenProgram and Token2022Program are owners of accounts.
const (
	SystemProgram    = "11111111111111111111111111111111"
	TokenProgram     = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" // #nosec G101 -- an address
	Token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" // #nosec G101 -- an address
)

// Mints of the stablecoins in which a token may pay its holders, at their mainnet addresses: legacy
// Token program, six decimals, freezable.
const (
	USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	USDT = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
)

// Sizes and rent of a mint account of the Token program (spl-token, state.rs).
const (
	mintSize         = 82
	mintRentLamports = 1_461_600
)

// Stablecoins returns the accounts of the mints of USDC and USDT. The authority may issue and
// freeze both. The initial supply of each is in no account.
func Stablecoins(authority solana.PublicKey, supply uint64) map[string]Account {
	account := Account{Lamports: mintRentLamports, Owner: TokenProgram, Data: stablecoinMint(authority, supply)}
	return map[string]Account{USDC: account, USDT: account}
}

func stablecoinMint(authority solana.PublicKey, supply uint64) []byte {
	const decimals = 6
	data := make([]byte, 0, mintSize)
	data = binary.LittleEndian.AppendUint32(data, 1) // the mint authority is set
	data = append(data, authority[:]...)
	data = binary.LittleEndian.AppendUint64(data, supply)
	data = append(data, decimals, 1)                 // 1: initialized
	data = binary.LittleEndian.AppendUint32(data, 1) // the freeze authority is set
	return append(data, authority[:]...)
}
