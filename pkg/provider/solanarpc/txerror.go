package solanarpc

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

// TransactionError is the chain's error for a transaction (solana-transaction-error,
// TransactionError).
type TransactionError struct {
	// Name is the variant: "BlockhashNotFound", "InstructionError", ….
	Name string
	// Instruction is the index of the failed instruction if Name is "InstructionError".
	Instruction int
	// Cause is the variant of InstructionError: "Custom", "InvalidArgument", ….
	Cause string
	// Code is the program's error code if Cause is "Custom".
	Code uint32
	// Account is the index of the account with too few lamports if Name is
	// "InsufficientFundsForRent"; 0 is the fee payer.
	Account int
}

// The variants that the client distinguishes.
const (
	nameInstructionError = "InstructionError"
	nameAlreadyProcessed = "AlreadyProcessed"
	nameRent             = "InsufficientFundsForRent"
	causeCustom          = "Custom"
)

// UnmarshalJSON decodes the error in a node's response: the name of a variant, or an object with
// the name and the variant's value.
func (e *TransactionError) UnmarshalJSON(raw []byte) error {
	name, value, err := variant(raw)
	if err != nil {
		return err
	}
	e.Name = name
	switch {
	case name == nameInstructionError:
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

// variant decodes an enumeration: the name and the value of the variant.
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

// Error describes the error for logs.
func (e *TransactionError) Error() string {
	if e.Name != nameInstructionError {
		return e.Name
	}
	if e.Cause == causeCustom {
		return fmt.Sprintf("instruction %d: custom program error 0x%x", e.Instruction, e.Code)
	}
	return fmt.Sprintf("instruction %d: %s", e.Instruction, e.Cause)
}

// Explain describes the error in a sentence for the sender. The transaction's bytes and logs
// identify the program. Without bytes and logs the sentence is less exact.
func (e *TransactionError) Explain(tx []byte, logs []string) string {
	if e.Name != nameInstructionError {
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

// outdated reports whether the transaction's blockhash or nonce is not valid. A nonce is not valid
// if the network has another value, or does not advance the nonce.
func (e *TransactionError) outdated(tx []byte) bool {
	if e.Name == "BlockhashNotFound" {
		return true
	}
	if e.Name != nameInstructionError || e.Instruction != 0 {
		return false
	}
	parsed, err := wire.ParseOwn(tx)
	if err != nil {
		return false
	}
	first := parsed.Message().Instructions()[0]
	return systemprogram.IsAdvanceNonce(first.ProgramID, first.Data)
}

// lacksFunds reports whether the error means that a wallet has too little SOL.
func (e *TransactionError) lacksFunds(tx []byte, logs []string) bool {
	switch e.Name {
	case "AccountNotFound", "InsufficientFundsForFee", nameRent:
		return true
	case nameInstructionError:
	default:
		return false
	}
	if e.Cause != causeCustom {
		return e.Cause == "InsufficientFunds"
	}
	program, code, ok := e.program(tx, logs)
	return ok && program == solana.SystemProgramID && code == programerror.SystemInsufficientFunds
}

// program returns the program that failed with a custom error code: the innermost program, which
// fails first in the logs, or the program of the instruction without such logs.
func (e *TransactionError) program(tx []byte, logs []string) (solana.PublicKey, uint32, bool) {
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

// alreadyProcessed reports whether a node rejected a transaction because the node has already
// processed the transaction.
func (e *rpcError) alreadyProcessed() bool {
	if e.Code != codeSimulationFailed {
		return false
	}
	var data struct {
		Err *TransactionError `json:"err"`
	}
	if json.Unmarshal(e.Data, &data) == nil && data.Err != nil {
		return data.Err.Name == nameAlreadyProcessed
	}
	return strings.Contains(e.Message, "already been processed")
}

// transactionErrors has sentences for the variants that a sender may meet.
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
