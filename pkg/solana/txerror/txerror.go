// Package txerror reads the errors of transactions that Solana nodes report, and puts them into
// sentences that a sender understands.
package txerror

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/programerror"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Error is why the chain refused a transaction (solana-transaction-error,
// TransactionError).
type Error struct {
	// Name is the variant: "BlockhashNotFound", "InstructionError", ….
	Name string
	// Instruction is the index of the failed instruction, with Name
	// "InstructionError".
	Instruction int
	// Cause is the variant of InstructionError then: "Custom", "InvalidArgument", ….
	Cause string
	// Code is the program's own error code, with Cause "Custom".
	Code uint32
	// Account is the index of the account that is left with too little, with Name
	// "InsufficientFundsForRent"; 0 is the fee payer.
	Account int
}

// Names of variants that are looked for.
const (
	InstructionError = "InstructionError"
	AlreadyProcessed = "AlreadyProcessed"
	nameRent         = "InsufficientFundsForRent"
	causeCustom      = "Custom"
)

// UnmarshalJSON reads the error as nodes answer it: the name of a variant, or
// an object of the name and what belongs to it.
func (e *Error) UnmarshalJSON(raw []byte) error {
	name, value, err := variant(raw)
	if err != nil {
		return err
	}
	e.Name = name
	switch {
	case name == InstructionError:
	case name == nameRent && value != nil:
		var at struct {
			Account int `json:"account_index"`
		}
		if err := json.Unmarshal(value, &at); err != nil {
			return fmt.Errorf("the account that lacks its rent: %w", err)
		}
		e.Account = at.Account
		return nil
	default:
		return nil
	}
	var pair []json.RawMessage
	if err := json.Unmarshal(value, &pair); err != nil || len(pair) != 2 {
		return errors.New("an InstructionError is not a pair")
	}
	if err := json.Unmarshal(pair[0], &e.Instruction); err != nil {
		return fmt.Errorf("an instruction's index: %w", err)
	}
	if e.Cause, value, err = variant(pair[1]); err != nil {
		return err
	}
	if e.Cause == causeCustom {
		return json.Unmarshal(value, &e.Code)
	}
	return nil
}

// variant reads an enumeration's value: its name, and what belongs to it.
func variant(raw json.RawMessage) (string, json.RawMessage, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name, nil, nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil || len(values) != 1 {
		return "", nil, errors.New("an error of a transaction is neither a name nor an object of one")
	}
	for n, value := range values {
		return n, value, nil
	}
	return "", nil, nil
}

// Error describes it, for logs.
func (e *Error) Error() string {
	if e.Name != InstructionError {
		return e.Name
	}
	if e.Cause == causeCustom {
		return fmt.Sprintf("instruction %d: custom program error 0x%x", e.Instruction, e.Code)
	}
	return fmt.Sprintf("instruction %d: %s", e.Instruction, e.Cause)
}

// Explain returns the reason of the rejection, in a sentence for the sender. The transaction's
// bytes and logs tell which program it was; without them the sentence is less exact.
func (e *Error) Explain(tx []byte, logs []string) string {
	if e.Name != InstructionError {
		if sentence, ok := transactionErrors[e.Name]; ok {
			return sentence
		}
		return "The network refused the transaction: " + e.Name + "."
	}
	failed := fmt.Sprintf("Instruction %d failed", e.Instruction+1)
	if e.Cause != causeCustom {
		if sentence, ok := programerror.ExplainCause(e.Cause); ok {
			return failed + ": " + sentence
		}
		return failed + " with " + e.Cause + "."
	}
	if program, code, ok := e.program(tx, logs); ok {
		return failed + ": " + programerror.Explain(program, code)
	}
	return fmt.Sprintf("%s with error 0x%x.", failed, e.Code)
}

// Outdated reports whether what the transaction uses is not valid: its blockhash, or
// its nonce, which the network knows by another value or does not advance (any more).
func (e *Error) Outdated(tx []byte) bool {
	if e.Name == "BlockhashNotFound" {
		return true
	}
	if e.Name != InstructionError || e.Instruction != 0 {
		return false
	}
	parsed, err := wire.ParseOwn(tx)
	if err != nil {
		return false
	}
	first := parsed.Message().Instructions()[0]
	return systemprogram.IsAdvanceNonce(first.ProgramID, first.Data)
}

// LacksFunds reports whether the rejection means that a wallet has too little SOL.
func (e *Error) LacksFunds(tx []byte, logs []string) bool {
	switch e.Name {
	case "AccountNotFound", "InsufficientFundsForFee", nameRent:
		return true
	case InstructionError:
	default:
		return false
	}
	if e.Cause != causeCustom {
		return e.Cause == "InsufficientFunds"
	}
	program, code, ok := e.program(tx, logs)
	return ok && program == solana.SystemProgramID && code == programerror.SystemInsufficientFunds
}

// program returns the program that refused with a code of its own: the innermost
// one, which is the first to fail in the logs, or else that of the instruction.
func (e *Error) program(tx []byte, logs []string) (solana.PublicKey, uint32, bool) {
	for _, line := range logs {
		rest, ok := strings.CutPrefix(line, "Program ")
		if !ok {
			continue
		}
		address, hex, ok := strings.Cut(rest, " failed: custom program error: 0x")
		if !ok {
			continue
		}
		program, keyErr := solana.PublicKeyFromBase58(address)
		code, codeErr := strconv.ParseUint(hex, 16, 32)
		if keyErr == nil && codeErr == nil {
			return program, uint32(code), true
		}
	}
	parsed, err := wire.ParseOwn(tx)
	if err != nil {
		return solana.PublicKey{}, 0, false
	}
	instructions := parsed.Message().Instructions()
	if e.Instruction < 0 || e.Instruction >= len(instructions) {
		return solana.PublicKey{}, 0, false
	}
	return instructions[e.Instruction].ProgramID, e.Code, true
}

// transactionErrors puts the variants that a sender may meet into sentences.
var transactionErrors = map[string]string{
	"AccountInUse":                          "An account of the transaction is busy; try again.",
	"AccountNotFound":                       "The paying wallet has no SOL.",
	"AlreadyProcessed":                      "The transaction has been carried out before.",
	"BlockhashNotFound":                     "The transaction is too old, or its one-time number has been used.",
	"InsufficientFundsForFee":               "The paying wallet does not have enough SOL for the network fee.",
	"InsufficientFundsForRent":              "An account would be left with too little SOL for its rent.",
	"InvalidAccountForFee":                  "The paying wallet is not an ordinary wallet and cannot pay fees.",
	"MaxLoadedAccountsDataSizeExceeded":     "The accounts of the transaction are too large together.",
	"SignatureFailure":                      "A signature does not fit the transaction.",
	"TooManyAccountLocks":                   "The transaction names too many accounts.",
	"WouldExceedMaxBlockCostLimit":          "The network is too busy for the transaction; try again.",
	"WouldExceedAccountDataBlockLimit":      "The network is too busy for the transaction; try again.",
	"WouldExceedMaxAccountCostLimit":        "The network is too busy for the transaction; try again.",
	"ProgramExecutionTemporarilyRestricted": "The network does not run one of the programs at the moment.",
	"ProgramCacheHitMaxLimit":               "The network is too busy for the transaction; try again.",
}

// Transient reports whether a simulation failed for a temporary reason: a conflict with another
// transaction, an unknown blockhash, or a limit of the block or the cluster.
func (e *Error) Transient() bool {
	switch e.Name {
	case "AccountInUse", "BlockhashNotFound", "AlreadyProcessed", "ClusterMaintenance", "ProgramCacheHitMaxLimit",
		"WouldExceedMaxBlockCostLimit", "WouldExceedAccountDataBlockLimit", "WouldExceedMaxAccountCostLimit",
		"WouldExceedMaxVoteCostLimit", "WouldExceedAccountDataTotalLimit", "ResanitizationNeeded",
		"ProgramExecutionTemporarilyRestricted":
		return true
	}
	return false
}
