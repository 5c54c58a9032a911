package token2022

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// InstructionKind distinguishes the instructions of the Token program and of Token-2022
// (TokenInstruction): the first byte, and for extension instructions also the second byte.
type InstructionKind uint16

// The kinds that a reader of transactions distinguishes. All other kinds are unknown to the reader.
const (
	KindTransfer         InstructionKind = 3 << 8
	KindApprove          InstructionKind = 4 << 8
	KindRevoke           InstructionKind = 5 << 8
	KindSetAuthority     InstructionKind = tagSetAuthority << 8
	KindMintTo           InstructionKind = tagMintTo << 8
	KindBurn             InstructionKind = 8 << 8
	KindCloseAccount     InstructionKind = tagCloseAccount << 8
	KindTransferChecked  InstructionKind = tagTransferChecked << 8
	KindApproveChecked   InstructionKind = 13 << 8
	KindMintToChecked    InstructionKind = 14 << 8
	KindBurnChecked      InstructionKind = tagBurnChecked << 8
	KindInitAccount      InstructionKind = 1 << 8
	KindInitAccount2     InstructionKind = 16 << 8
	KindSyncNative       InstructionKind = tagSyncNative << 8
	KindInitAccount3     InstructionKind = 18 << 8
	KindAccountSize      InstructionKind = 21 << 8
	KindInitImmutable    InstructionKind = 22 << 8
	KindInitFee                          = tagTransferFeeExtension<<8 | feeInitialize
	KindTransferWithFee                  = tagTransferFeeExtension<<8 | feeTransferChecked
	KindWithdrawMint                     = tagTransferFeeExtension<<8 | feeWithdrawFromMint
	KindWithdrawAccounts                 = tagTransferFeeExtension<<8 | feeWithdrawFromAccounts
	KindHarvest                          = tagTransferFeeExtension<<8 | feeHarvest
	KindSetFee                           = tagTransferFeeExtension<<8 | feeSet
)

// ErrMalformed is returned for an instruction that is too short, or names too few accounts, for its
// kind.
var ErrMalformed = errors.New("the instruction of the token program is malformed")

// InstructionKindOf reads an instruction's kind. It returns ErrMalformed if data is too short.
func InstructionKindOf(data []byte) (InstructionKind, error) {
	switch {
	case len(data) == 0:
		return 0, fmt.Errorf("%w: it has no data", ErrMalformed)
	case data[0] != tagTransferFeeExtension:
		return InstructionKind(data[0]) << 8, nil
	case len(data) == 1:
		return 0, fmt.Errorf("%w: it ends after its tag", ErrMalformed)
	}
	return InstructionKind(data[0])<<8 | InstructionKind(data[1]), nil
}

// Movement is a transfer, mint, burn or withdrawal of tokens by an instruction.
type Movement struct {
	Kind InstructionKind
	// From is the account that loses tokens, zero for withdrawals and mints. To is the account that
	// gains tokens, zero for burns.
	From, To solana.PublicKey
	// Mint is zero for a plain transfer, whose instruction does not name the mint.
	Mint solana.PublicKey
	// Authority signs. If Authority is a multisignature account, its signers sign.
	Authority solana.PublicKey
	// Amount is in base units, tax included. Amount is zero for withdrawals, whose instruction does
	// not contain the amount.
	Amount uint64
}

// places are the positions of a kind's accounts and amount; -1 for a missing account or amount.
type places struct{ from, mint, to, authority, amount int }

var movements = map[InstructionKind]places{
	KindTransfer:         {0, -1, 1, 2, 1},
	KindTransferChecked:  {0, 1, 2, 3, 1},
	KindTransferWithFee:  {0, 1, 2, 3, 2},
	KindMintTo:           {-1, 0, 1, 2, 1},
	KindMintToChecked:    {-1, 0, 1, 2, 1},
	KindBurn:             {0, 1, -1, 2, 1},
	KindBurnChecked:      {0, 1, -1, 2, 1},
	KindWithdrawMint:     {-1, 0, 1, 2, -1},
	KindWithdrawAccounts: {-1, 0, 1, 2, -1},
}

// ReadMovement reads an instruction of a token program that moves tokens. ok is false for other
// kinds. It returns ErrMalformed if accounts or data are missing.
func ReadMovement(accounts []solana.PublicKey, data []byte) (m Movement, ok bool, err error) {
	kind, err := InstructionKindOf(data)
	if err != nil {
		return Movement{}, false, err
	}
	at, ok := movements[kind]
	if !ok {
		return Movement{}, false, nil
	}
	if maximum := max(at.from, at.mint, at.to, at.authority); len(accounts) <= maximum || at.amount > 0 && len(data) < at.amount+8 {
		return Movement{}, false, fmt.Errorf("%w: kind %d with %d accounts and %d bytes", ErrMalformed, kind, len(accounts), len(data))
	}
	m.Kind = kind
	for _, one := range []struct {
		into *solana.PublicKey
		at   int
	}{{&m.From, at.from}, {&m.Mint, at.mint}, {&m.To, at.to}, {&m.Authority, at.authority}} {
		if one.at >= 0 {
			*one.into = accounts[one.at]
		}
	}
	if at.amount > 0 {
		m.Amount = binary.LittleEndian.Uint64(data[at.amount:])
	}
	return m, true, nil
}

// Burns reports whether the kind burns.
func (k InstructionKind) Burns() bool { return k == KindBurn || k == KindBurnChecked }

// Withdraws reports whether the kind withdraws withheld tax.
func (k InstructionKind) Withdraws() bool { return k == KindWithdrawMint || k == KindWithdrawAccounts }

// IsProgram reports whether a program is one of the two token programs.
func IsProgram(program solana.PublicKey) bool {
	return slices.Contains([]solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID}, program)
}
