package token2022

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Tags of TransferFeeInstruction, after tagTransferFeeExtension.
const (
	feeInitialize           = 0
	feeTransferChecked      = 1
	feeWithdrawFromMint     = 2
	feeWithdrawFromAccounts = 3
	feeHarvest              = 4
	feeSet                  = 5
)

// MaxFeeSources is the maximum number of accounts of a WithdrawWithheldFromAccounts, because the
// number is a byte. Far fewer accounts fit into a transaction.
const MaxFeeSources = 255

// InitializeTransferFeeConfig adds a transfer fee to a mint, before InitializeMint2.
type InitializeTransferFeeConfig struct {
	Mint                      solana.PublicKey
	ConfigAuthority           solana.PublicKey // may change the fee; zero: none
	WithdrawWithheldAuthority solana.PublicKey // may collect withheld fees; zero: none
	BasisPoints               uint16           // at most MaxBasisPoints
	MaximumFee                uint64           // base units per transfer
}

// Instruction encodes the initialization. No key signs.
func (i InitializeTransferFeeConfig) Instruction() solana.Instruction {
	data := appendOption([]byte{tagTransferFeeExtension, feeInitialize}, i.ConfigAuthority)
	data = appendOption(data, i.WithdrawWithheldAuthority)
	data = binary.LittleEndian.AppendUint16(data, i.BasisPoints)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(i.Mint)}, binary.LittleEndian.AppendUint64(data, i.MaximumFee))
}

// SetTransferFee changes a mint's fee, two epochs from now.
type SetTransferFee struct {
	Mint, Authority solana.PublicKey
	BasisPoints     uint16
	MaximumFee      uint64 // base units per transfer
}

// Instruction encodes the change. Authority signs.
func (s SetTransferFee) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint16([]byte{tagTransferFeeExtension, feeSet}, s.BasisPoints)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(s.Mint), signer(s.Authority)},
		binary.LittleEndian.AppendUint64(data, s.MaximumFee))
}

// TransferCheckedWithFee moves tokens, and fails if the fee is not Fee.
type TransferCheckedWithFee struct {
	Source, Mint, Destination, Owner solana.PublicKey
	Amount                           uint64 // base units, of which Fee is withheld
	Decimals                         uint8
	Fee                              uint64 // base units
}

// Instruction encodes the transfer. Owner signs.
func (t TransferCheckedWithFee) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint64([]byte{tagTransferFeeExtension, feeTransferChecked}, t.Amount)
	data = append(data, t.Decimals)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(t.Source), readonly(t.Mint), writable(t.Destination), signer(t.Owner)},
		binary.LittleEndian.AppendUint64(data, t.Fee))
}

// WithdrawWithheldFromMint moves the fees harvested into the mint to an account. Signers are the
// members that sign if Authority is a multisig account, and empty otherwise.
type WithdrawWithheldFromMint struct {
	Mint, Destination, Authority solana.PublicKey
	Signers                      []solana.PublicKey
}

// Instruction encodes the withdrawal. Authority signs, or Signers sign.
func (w WithdrawWithheldFromMint) Instruction() solana.Instruction {
	return solana.NewInstruction(solana.Token2022ProgramID,
		append(solana.AccountMetaSlice{writable(w.Mint), writable(w.Destination)}, authority(w.Authority, w.Signers)...),
		[]byte{tagTransferFeeExtension, feeWithdrawFromMint})
}

// WithdrawWithheldFromAccounts moves the fees withheld in the sources to an account. Signers are as
// in WithdrawWithheldFromMint.
type WithdrawWithheldFromAccounts struct {
	Mint, Destination, Authority solana.PublicKey
	Signers, Sources             []solana.PublicKey
}

// Instruction encodes the withdrawal. Authority signs, or Signers sign. It fails for more than MaxFeeSources
// sources.
func (w WithdrawWithheldFromAccounts) Instruction() (solana.Instruction, error) {
	if len(w.Sources) > MaxFeeSources {
		return nil, fmt.Errorf("withdraw withheld tokens of %d accounts: %w", len(w.Sources), errTooManySources)
	}
	metas := append(solana.AccountMetaSlice{readonly(w.Mint), writable(w.Destination)}, authority(w.Authority, w.Signers)...)
	for _, source := range w.Sources {
		metas = append(metas, writable(source))
	}
	return solana.NewInstruction(solana.Token2022ProgramID, metas,
		[]byte{tagTransferFeeExtension, feeWithdrawFromAccounts, uint8(len(w.Sources))}), nil //nolint:gosec // Checked above.
}

var errTooManySources = errors.New("their number must fit a byte")

// HarvestWithheldToMint moves the fees withheld in the sources into their mint. Any caller may
// harvest. The program skips accounts that cannot be harvested.
type HarvestWithheldToMint struct {
	Mint    solana.PublicKey
	Sources []solana.PublicKey
}

// Instruction encodes the harvest. No key signs.
func (h HarvestWithheldToMint) Instruction() solana.Instruction {
	metas := solana.AccountMetaSlice{writable(h.Mint)}
	for _, source := range h.Sources {
		metas = append(metas, writable(source))
	}
	return solana.NewInstruction(solana.Token2022ProgramID, metas,
		[]byte{tagTransferFeeExtension, feeHarvest})
}
