package transaction

import (
	"fmt"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Simulation is the result of a transaction's simulation.
type Simulation struct {
	OK bool
	// Reason is a stable snake_case word if OK is false.
	Reason Reason
	// Detail is a sentence about the failure.
	Detail string
	// MissingLamports is the amount that the caller lacks. OK is then false.
	MissingLamports uint64
	// MissingTokens is the amount of a token that the caller lacks, in base units. OK is then
	// false.
	MissingTokens uint64
	ComputeUnits  uint64
	Logs          []string
	// Slot is the slot whose state the simulation used.
	Slot uint64
	// Outdated means that the node does not accept the transaction's blockhash or nonce value: no
	// longer valid, or not yet known to the node. OK is then false. Busy means a temporary failure.
	Outdated, Busy bool
}

// Afford adds missing lamports to a simulation. The caller has balance, pays cost, and must have
// passing in addition, which the transaction returns. A wallet must retain walletRent, the minimum
// of an account without data, or be empty. This holds after the transaction, and also between the
// fee and the other payments. All amounts are in lamports.
func (s Simulation) Afford(balance, walletRent uint64, cost Cost, passing uint64) Simulation {
	total := cost.Total()
	needed := sum(total, max(passing, walletRent))
	afterFee := total - cost.NetworkFee
	spendsAll := balance == total && passing == 0 && (afterFee == 0 || afterFee >= walletRent)
	if balance >= needed || spendsAll {
		return s
	}
	s.OK = false
	s.MissingLamports = needed - balance
	if s.Reason != ProgramUnavailable {
		s.Reason = InsufficientFunds
		s.Detail = fmt.Sprintf("The wallet has %s SOL and needs %s SOL.", decimal.SOL(balance), decimal.SOL(needed))
	}
	return s
}

// Hold adds missing tokens to a simulation. The caller has balance and spends amount, both in base
// units.
func (s Simulation) Hold(balance, amount uint64) Simulation {
	if balance >= amount {
		return s
	}
	s.OK = false
	s.MissingTokens = amount - balance
	if s.Reason != InsufficientFunds && s.Reason != ProgramUnavailable {
		s.Reason = InsufficientTokens
		s.Detail = fmt.Sprintf("The wallet has %d base units of the token and needs %d.", balance, amount)
	}
	return s
}

// Reason is the cause of a simulation's failure.
type Reason string

const (
	// InsufficientFunds: the caller cannot pay for the transaction yet.
	InsufficientFunds Reason = "insufficient_funds"
	// InsufficientTokens: the caller has too few of the moved tokens.
	InsufficientTokens Reason = "insufficient_tokens"
	// ProgramUnavailable: this network lacks a program of the transaction, so a simulation is not
	// possible.
	ProgramUnavailable Reason = "program_unavailable"
	// ProgramError: a program failed. The detail and the logs have the reason.
	ProgramError Reason = "program_error"
)

// Outcome is the result of a sent transaction.
type Outcome struct {
	State OutcomeState
	// Detail is a sentence about the failure.
	Detail string
}

// OutcomeState is the progress of a sent transaction.
type OutcomeState string

const (
	// Unknown: not seen at the wanted commitment. The transaction may still land.
	Unknown OutcomeState = "unknown"
	// Succeeded: landed without an error.
	Succeeded OutcomeState = "succeeded"
	// Refused: landed with an error.
	Refused OutcomeState = "refused"
)

// Look is the state of a sent transaction that a node reports at one moment.
type Look struct {
	// Outcome is Unknown until the transaction is confirmed.
	Outcome
	// Seen reports whether a block has the transaction, confirmed or not.
	Seen bool
	// Slot is the newest slot that the node has processed.
	Slot uint64
}
