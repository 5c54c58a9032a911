package rest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"
)

// Instruction is an instruction in the JSON of venues.
type Instruction struct {
	ProgramID string    `json:"programId"`
	Accounts  []Account `json:"accounts"`
	Data      string    `json:"data"` // base64
}

// Account is an account of an instruction.
type Account struct {
	Pubkey     string `json:"pubkey"`
	IsSigner   bool   `json:"isSigner"`
	IsWritable bool   `json:"isWritable"`
}

// Encode encodes an instruction.
func Encode(in solana.Instruction) (Instruction, error) {
	data, err := in.Data()
	if err != nil {
		return Instruction{}, fmt.Errorf("data of an instruction of %s: %w", in.ProgramID(), err)
	}
	out := Instruction{ProgramID: in.ProgramID().String(), Accounts: []Account{}, Data: base64.StdEncoding.EncodeToString(data)}
	for _, meta := range in.Accounts() {
		out.Accounts = append(out.Accounts, Account{Pubkey: meta.PublicKey.String(), IsSigner: meta.IsSigner, IsWritable: meta.IsWritable})
	}
	return out, nil
}

// Decode decodes an instruction.
func (i Instruction) Decode() (solana.Instruction, error) {
	program, err := ParseKey(i.ProgramID)
	if err != nil {
		return nil, fmt.Errorf("program of an instruction: %w", err)
	}
	data, err := base64.StdEncoding.Strict().DecodeString(i.Data)
	if err != nil {
		return nil, fmt.Errorf("data of an instruction: %w", err)
	}
	metas := make(solana.AccountMetaSlice, len(i.Accounts))
	for n, account := range i.Accounts {
		key, err := ParseKey(account.Pubkey)
		if err != nil {
			return nil, fmt.Errorf("account %d of an instruction: %w", n, err)
		}
		metas[n] = solana.NewAccountMeta(key, account.IsWritable, account.IsSigner)
	}
	return solana.NewInstruction(program, metas, data), nil
}

// maxKeyLength is the maximum length of 32 bytes in base58. The limit is checked first, because
// decoding takes time that is quadratic in the length.
const maxKeyLength = 44

// ParseKey parses an address.
func ParseKey(text string) (solana.PublicKey, error) {
	if len(text) > maxKeyLength {
		return solana.PublicKey{}, errors.New("it is too long for an address")
	}
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return solana.PublicKey{}, errors.New("it is no address")
	}
	return key, nil
}

// ParseAmount parses an amount: decimal digits, no sign, at most 2^64-1.
func ParseAmount(text string) (uint64, error) {
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, errors.New("it is no amount")
		}
	}
	amount, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, errors.New("it is no amount")
	}
	return amount, nil
}

// FormatAmount formats an amount.
func FormatAmount(amount uint64) string { return strconv.FormatUint(amount, 10) }
