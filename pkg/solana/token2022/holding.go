package token2022

import (
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// A scan over all accounts of a mint asks the node for this part of each: from the
// owner on, for the mint is known. An account that is shorter is answered as far as
// it goes, so the length costs nothing with accounts of the usual 182 bytes; all
// extensions of accounts that exist together take less than half of it.
const (
	HoldingOffset = accountOwnerOffset
	HoldingLength = 1024
)

// Holding is what a scan reads of a token account.
type Holding struct {
	Owner    solana.PublicKey // the wallet
	Amount   uint64           // base units
	Withheld uint64           // transfer fees not yet harvested, base units
	Frozen   bool
}

// DecodeHolding reads the part of a token account between HoldingOffset and
// HoldingOffset + HoldingLength, given the program that owns the account. Of whole
// accounts up to that length it accepts what DecodeAccount accepts, and of longer
// ones at least those whose extensions lie within the part. It fails with
// ErrNotTokenAccount, never panics, and allocates nothing when it succeeds.
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
