package token2022

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// ErrNotTokenAccount is returned for an account that is not an initialized token account.
var ErrNotTokenAccount = errors.New("the account is not a token account")

// Account is the state of a token account.
type Account struct {
	Program  solana.PublicKey // the token program that owns it
	Mint     solana.PublicKey
	Owner    solana.PublicKey // the wallet
	Amount   uint64           // base units
	Frozen   bool
	Withheld uint64 // transfer fees not yet harvested, base units
	// MemoRequired reports that a transfer to the account fails unless a memo precedes the
	// transfer.
	MemoRequired bool
	// ConfidentialOnly reports that only confidential transfers to the account succeed.
	ConfidentialOnly bool
	Extensions       []ExtensionType
}

// Layout of a token account (spl-token, Account): mint, owner, amount, copt delegate, state, and
// fields that are not read here.
const (
	accountLength       = 165
	accountMintOffset   = 0
	accountOwnerOffset  = 32
	accountAmountOffset = 64
	accountStateOffset  = 108

	stateInitialized = 1
	stateFrozen      = 2

	// allowNonConfidentialOffset is the position of the flag by which the extension of confidential
	// transfers accepts other transfers (spl-token-2022, ConfidentialTransferAccount). The flag
	// comes after the approval, the ElGamal key, three encrypted balances, a decryptable balance,
	// and the flag of confidential credits.
	allowNonConfidentialOffset = 1 + 32 + 3*64 + 36 + 1
)

// DecodeAccount reads a token account, given its owner (a token program) and data. It returns
// ErrNotTokenAccount for other accounts, and never panics.
func DecodeAccount(owner solana.PublicKey, data []byte) (Account, error) {
	a, err := decodeAccount(owner, data)
	if err != nil {
		return Account{}, fmt.Errorf("%w: %w", ErrNotTokenAccount, err)
	}
	return a, nil
}

func decodeAccount(owner solana.PublicKey, data []byte) (Account, error) {
	entries, err := extensions(owner, data, accountLength, AccountTypeAccount)
	if err != nil {
		return Account{}, err
	}
	a := Account{Program: owner, Amount: binary.LittleEndian.Uint64(data[accountAmountOffset:])}
	copy(a.Mint[:], data[accountMintOffset:])
	copy(a.Owner[:], data[accountOwnerOffset:])
	switch data[accountStateOffset] {
	case stateInitialized:
	case stateFrozen:
		a.Frozen = true
	default:
		return Account{}, errUninitialized
	}
	for _, e := range entries {
		a.Extensions = append(a.Extensions, e.kind)
		switch e.kind { //nolint:exhaustive // the others say nothing that is read
		case ExtensionTransferFeeAmount:
			r := reader{rest: e.value}
			if a.Withheld = r.u64(); r.short {
				return Account{}, fmt.Errorf("extension %s is cut off", e.kind)
			}
		case ExtensionConfidentialTransferAccount:
			a.ConfidentialOnly = len(e.value) <= allowNonConfidentialOffset || e.value[allowNonConfidentialOffset] == 0
		case ExtensionMemoTransfer:
			a.MemoRequired = len(e.value) == 0 || e.value[0] != 0
		}
	}
	return a, nil
}
