package terms

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Asset is the asset of rewards: the mint of a token, in its base units. The zero Asset is SOL, in
// lamports.
type Asset solana.PublicKey

// SOL is the native asset, in lamports.
var SOL Asset

// Mint returns the mint of a token. For SOL, which has no mint, Mint returns the mint of wrapped
// SOL.
func (a Asset) Mint() solana.PublicKey {
	if a.IsSOL() {
		return solana.WrappedSol
	}
	return solana.PublicKey(a)
}

// IsSOL reports whether the asset is SOL itself.
func (a Asset) IsSOL() bool { return a == SOL }

// String returns RewardSOL, or the mint's address.
func (a Asset) String() string {
	if a.IsSOL() {
		return RewardSOL
	}
	return solana.PublicKey(a).String()
}

// ParseAsset parses the result of String. The address of wrapped SOL means SOL.
func ParseAsset(text string) (Asset, error) {
	if text == RewardSOL {
		return SOL, nil
	}
	if !isAddress(text) {
		return Asset{}, fmt.Errorf("%q is neither %q nor the address of a mint", text, RewardSOL)
	}
	mint, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return Asset{}, fmt.Errorf("read the address of a mint: %w", err)
	}
	if mint == solana.WrappedSol {
		return SOL, nil
	}
	return Asset(mint), nil
}

// Reward returns the reward asset of settings that are valid by Validate.
func (s Settings) Reward() (Asset, error) { return ParseAsset(s.RewardToken) }

// MarshalText returns String.
func (a Asset) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText parses text by ParseAsset.
func (a *Asset) UnmarshalText(text []byte) error {
	parsed, err := ParseAsset(string(text))
	if err == nil {
		*a = parsed
	}
	return err
}
