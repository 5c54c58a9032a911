package token2022

import (
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// A scan over all accounts of a mint requests this part of each account from the node. The part
// starts at the owner, because the mint is known. The node returns a shorter account up to its end,
// so the length costs nothing for accounts of the usual 182 bytes. All existing extensions of
// accounts together take less than half of the length.
const (
	HoldingOffset = accountOwnerOffset
	HoldingLength = 1024
)

// Holding is the part of a token account that a scan reads.
type Holding struct {
	Owner    solana.PublicKey // the wallet
	Amount   uint64           // base units
	Withheld uint64           // transfer fees not yet harvested, base units
	Frozen   bool
}

// DecodeHolding reads the part of a token account between HoldingOffset and HoldingOffset +
// HoldingLength, given the program that owns the account. DecodeHolding accepts every account up to
// that length that DecodeAccount accepts, and longer accounts at least if the extensions lie within
// the part. It returns ErrNotTokenAccount for other accounts, never panics, and allocates nothing
// on success.
func DecodeHolding(program solana.PublicKey, part []byte) (Holding, error) {
	h, err := decodeHolding(program, part)
	if err != nil {
		return Holding{}, fmt.Errorf("%w: %w", ErrNotTokenAccount, err)
	}
	return h, nil
}

func decodeHolding(program solana.PublicKey, part []byte) (Holding, error) {
	rest, err := extensionBytes(program, part, accountLength, AccountTypeAccount, HoldingOffset)
	if err != nil {
		return Holding{}, err
	}
	h := Holding{Amount: binary.LittleEndian.Uint64(part[accountAmountOffset-HoldingOffset:])}
	copy(h.Owner[:], part)
	switch part[accountStateOffset-HoldingOffset] {
	case stateInitialized:
	case stateFrozen:
		h.Frozen = true
	default:
		return Holding{}, errUninitialized
	}
	for {
		e, behind, err := nextExtension(rest)
		if err != nil || e.kind == 0 {
			return h, err
		}
		if rest = behind; e.kind != ExtensionTransferFeeAmount {
			continue
		}
		r := reader{rest: e.value}
		if h.Withheld = r.u64(); r.short {
			return Holding{}, fmt.Errorf("extension %s is cut off", e.kind)
		}
	}
}
