package market

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Mint is the data about a token that markets need.
type Mint struct {
	Address solana.PublicKey
	// Program is the token program that owns the mint.
	Program  solana.PublicKey
	Decimals int
	Supply   uint64 // base units
	// Fee is the transfer tax; nil for a mint that never has a tax.
	Fee *token2022.TransferFeeConfig
}

// Tokens formats base units of the token for a sentence that people read: 1,000,000.5.
func (m Mint) Tokens(units uint64) string { return decimal.Grouped(units, m.Decimals) }

// traded are the extensions of a Token-2022 mint that every market accepts. Both programs accept a
// few more. Tokens of this service have no other extensions.
var traded = map[token2022.ExtensionType]bool{
	token2022.ExtensionTransferFeeConfig: true,
	token2022.ExtensionMetadataPointer:   true,
	token2022.ExtensionTokenMetadata:     true,
}

// ReadMint reads the token of a new or existing market. It returns token_not_found if the address
// is not a mint, and unsupported_token if no market accepts the mint.
func ReadMint(ctx context.Context, chain onchain.Reader, mint solana.PublicKey) (Mint, error) {
	stored, found, err := chain.Account(ctx, mint)
	if err != nil {
		return Mint{}, fmt.Errorf("read the mint %s: %w", mint, err)
	}
	if !found {
		return Mint{}, errNoToken
	}
	return CheckMint(mint, stored.Owner, stored.Data)
}

// CheckMint is ReadMint given the account under the address.
func CheckMint(mint, owner solana.PublicKey, data []byte) (Mint, error) {
	if mint == solana.WrappedSol {
		return Mint{}, unsupported("Markets are priced in wrapped SOL, so wrapped SOL has no market.")
	}
	m, err := token2022.DecodeMint(owner, data)
	if err != nil {
		refusal := *errNoToken
		refusal.Cause = err
		return Mint{}, &refusal
	}
	for _, extension := range m.Extensions {
		if !traded[extension] {
			return Mint{}, unsupported(fmt.Sprintf(
				"No market takes this token: its mint has the extension %s. Transfer fee, metadata pointer and metadata are taken.", extension))
		}
	}
	return Mint{Address: mint, Program: owner, Decimals: int(m.Decimals), Supply: m.Supply, Fee: m.TransferFee}, nil
}

var errNoToken = apperr.New(apperr.CodeTokenNotFound, "There is no token with this mint address on this network.")

// NoToken returns the error for an address that is not a mint.
func NoToken() error { return errNoToken }

func unsupported(why string) error {
	return &apperr.Error{
		Code: apperr.CodeUnsupportedToken, Detail: why,
		Fields: []apperr.Field{{Field: "tokenMint", Code: apperr.CodeUnsupportedToken, Message: why}},
	}
}

// TaxOn returns the tax withheld from a transfer of amount in an epoch, in base units.
func (m Mint) TaxOn(epoch, amount uint64) uint64 {
	if m.Fee == nil {
		return 0
	}
	return m.Fee.At(epoch).On(amount)
}

// TaxFor returns the tax, in an epoch, of the transfer of which exactly arriving base units arrive,
// as both programs compute the tax (spl-token-2022, TransferFee::calculate_inverse_fee). ok is
// false if there is no such transfer.
func (m Mint) TaxFor(epoch, arriving uint64) (tax uint64, ok bool) {
	if m.Fee == nil || arriving == 0 {
		return 0, true
	}
	fee := m.Fee.At(epoch)
	tax = fee.MaximumFee
	if rest := token2022.MaxBasisPoints - uint64(fee.BasisPoints); fee.BasisPoints < token2022.MaxBasisPoints {
		// arriving·10000/rest, rounded up, is the amount to send if the tax has no limit.
		high, low := bits.Mul64(arriving, token2022.MaxBasisPoints)
		low, carry := bits.Add64(low, rest-1, 0)
		if high += carry; high < rest {
			sent, _ := bits.Div64(high, low, rest)
			tax = min(tax, sent-arriving)
		}
	}
	sent, overflow := bits.Add64(arriving, tax, 0)
	return tax, overflow == 0 && fee.On(sent) == tax
}

// Sizes of token accounts, in bytes (spl-token, Account::LEN; spl-token-2022, extension/mod.rs):
// the base account; the base account with its type; the ImmutableOwner of associated Token-2022
// accounts; and TransferFeeAmount.
const (
	plainAccount      = 165
	extendedAccount   = 166
	ownerExtension    = 4
	withheldExtension = 12
)

// VaultSize returns the size in bytes of a plain account for the token, such as a pool's vault.
func (m Mint) VaultSize() uint64 {
	if m.Fee == nil {
		return plainAccount
	}
	return extendedAccount + withheldExtension
}

// AssociatedSize returns the size in bytes of a wallet's associated account for the token.
func (m Mint) AssociatedSize() uint64 {
	switch {
	case m.Program == solana.TokenProgramID:
		return plainAccount
	case m.Fee == nil:
		return extendedAccount + ownerExtension
	default:
		return extendedAccount + ownerExtension + withheldExtension
	}
}
