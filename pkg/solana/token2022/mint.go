package token2022

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// ErrNotMint is returned for an account that is not an initialized mint.
var ErrNotMint = errors.New("the account is not a token mint")

// Mint is the state of a mint.
type Mint struct {
	Program         solana.PublicKey // the token program that owns it
	Supply          uint64           // base units
	Decimals        uint8
	MintAuthority   solana.PublicKey // zero: none, the supply is fixed
	FreezeAuthority solana.PublicKey // zero: none
	Extensions      []ExtensionType  // in the order in which they are stored
	TransferFee     *TransferFeeConfig
	MetadataPointer *MetadataPointer
	Metadata        *Metadata // nil if the mint itself holds no metadata
}

// TransferFeeConfig is a mint's transfer fee.
type TransferFeeConfig struct {
	ConfigAuthority           solana.PublicKey // zero: the fee cannot be changed
	WithdrawWithheldAuthority solana.PublicKey // zero: the fee cannot be collected
	Withheld                  uint64           // harvested into the mint, base units
	Older, Newer              TransferFee
}

// At returns the fee of an epoch.
func (c TransferFeeConfig) At(epoch uint64) TransferFee {
	if epoch >= c.Newer.Epoch {
		return c.Newer
	}
	return c.Older
}

// TransferFee is a setting of a transfer fee.
type TransferFee struct {
	Epoch       uint64 // the first epoch of the setting
	MaximumFee  uint64 // base units per transfer
	BasisPoints uint16
}

// On returns the amount withheld from a transfer of amount, in base units: the basis points of the
// amount, rounded up, and at most MaximumFee (spl-token-2022, TransferFee::calculate_fee).
func (f TransferFee) On(amount uint64) uint64 {
	high, low := bits.Mul64(amount, uint64(f.BasisPoints))
	low, carry := bits.Add64(low, MaxBasisPoints-1, 0)
	high += carry
	if high >= MaxBasisPoints { // More than the whole amount: no fee of a real mint.
		return f.MaximumFee
	}
	fee, _ := bits.Div64(high, low, MaxBasisPoints)
	return min(fee, f.MaximumFee)
}

// extendsAccounts are the mint extensions that require an extension in each account of the mint,
// from the account's initialization on (spl-token-2022-interface,
// ExtensionType::required_init_account_extensions).
var extendsAccounts = []ExtensionType{
	ExtensionTransferFeeConfig, ExtensionNonTransferable, ExtensionTransferHook, ExtensionPausable,
}

// ExtendsAccounts reports whether every token account of the mint has extensions, and therefore the
// account type at AccountTypeOffset. A mint's extensions are fixed before its first account exists.
func (m Mint) ExtendsAccounts() bool {
	return slices.ContainsFunc(m.Extensions, func(e ExtensionType) bool { return slices.Contains(extendsAccounts, e) })
}

// MetadataPointer is the location of a mint's metadata.
type MetadataPointer struct {
	Authority solana.PublicKey // zero: the pointer cannot be changed
	Address   solana.PublicKey
}

// Metadata is the metadata of a mint.
type Metadata struct {
	UpdateAuthority   solana.PublicKey // zero: locked
	Mint              solana.PublicKey
	Name, Symbol, URI string
	Additional        []MetadataEntry
}

// MetadataEntry is a further field of metadata.
type MetadataEntry struct{ Key, Value string }

// Layout of a mint (spl-token, Mint): copt authority, supply, decimals, initialized, copt freeze
// authority. An option has a u32 tag.
const (
	mintLength            = 82
	mintSupplyOffset      = 36
	mintDecimalsOffset    = 44
	mintInitializedOffset = 45
	mintFreezeOffset      = 46
)

// DecodeMint reads a mint, given its account's owner and data. It returns ErrNotMint for other
// accounts, and never panics.
func DecodeMint(owner solana.PublicKey, data []byte) (Mint, error) {
	m, err := decodeMint(owner, data)
	if err != nil {
		return Mint{}, fmt.Errorf("%w: %w", ErrNotMint, err)
	}
	return m, nil
}

func decodeMint(owner solana.PublicKey, data []byte) (Mint, error) {
	entries, err := extensions(owner, data, mintLength, accountTypeMint)
	if err != nil {
		return Mint{}, err
	}
	if data[mintInitializedOffset] != 1 {
		return Mint{}, errUninitialized
	}
	m := Mint{
		Program:  owner,
		Supply:   binary.LittleEndian.Uint64(data[mintSupplyOffset:]),
		Decimals: data[mintDecimalsOffset],
	}
	if m.MintAuthority, err = optionalKey(data); err != nil {
		return Mint{}, err
	}
	if m.FreezeAuthority, err = optionalKey(data[mintFreezeOffset:]); err != nil {
		return Mint{}, err
	}
	for _, e := range entries {
		m.Extensions = append(m.Extensions, e.kind)
		if err := m.decodeExtension(e); err != nil {
			return Mint{}, err
		}
	}
	return m, nil
}

func (m *Mint) decodeExtension(e extension) error {
	r := reader{rest: e.value}
	switch e.kind { //nolint:exhaustive // Others are listed, not read.
	case ExtensionTransferFeeConfig:
		m.TransferFee = &TransferFeeConfig{
			ConfigAuthority: r.key(), WithdrawWithheldAuthority: r.key(), Withheld: r.u64(),
			Older: r.transferFee(), Newer: r.transferFee(),
		}
	case ExtensionMetadataPointer:
		m.MetadataPointer = &MetadataPointer{Authority: r.key(), Address: r.key()}
	case ExtensionTokenMetadata:
		m.Metadata = r.metadata()
	}
	if r.short {
		return fmt.Errorf("extension %s is cut off", e.kind)
	}
	return nil
}
