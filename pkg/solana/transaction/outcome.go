package transaction

import (
	"fmt"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Simulation is what the chain says would happen to a transaction.
type Simulation struct {
	OK bool
	// Reason is a stable snake_case word when OK is false.
	Reason Reason
	// Detail says why not, in a sentence.
	Detail string
	// MissingLamports is what the caller lacks; with it OK is false.
	MissingLamports uint64
	// MissingTokens is what the caller lacks of a token, in base units; with it OK is false.
	MissingTokens uint64
	ComputeUnits  uint64
	Logs          []string
	// Slot is the one whose state it was simulated on.
	Slot uint64
	// Outdated: the blockhash or nonce that it uses is not valid (any more), or
	// not yet for this node; with it OK is false. Busy: it failed for the moment's sake.
	Outdated, Busy bool
}

// Afford says, too, what the caller lacks, if it is money. They have balance, pay cost, and
// must have passing beside that, which they get back. At the end they must keep
// walletRent, what an account without data must have, or nothing at all, and so too
// once the fee is paid, before anything else is. All in lamports.
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

// Hold says, too, how many tokens the caller lacks: they have balance and would part
// with amount, both in base units.
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

// Reason is why a simulation failed.
type Reason string

const (
	// InsufficientFunds: the caller cannot pay for the transaction yet.
	InsufficientFunds Reason = "insufficient_funds"
	// InsufficientTokens: the caller has too few of the tokens that it moves.
	InsufficientTokens Reason = "insufficient_tokens"
	// ProgramUnavailable: this network lacks a program that it calls, so its outcome cannot be
	// simulated.
	ProgramUnavailable Reason = "program_unavailable"
	// ProgramError: a program refuses; the detail and the logs say why.
	ProgramError Reason = "program_error"
)

// Outcome is what the chain has made of a transaction that was sent.
type Outcome struct {
	State OutcomeState
	// Detail says why it failed, in a sentence.
	Detail string
}

// OutcomeState is how far a sent transaction has come.
type OutcomeState string

const (
	// Unknown: not seen at the wanted commitment; it may still land.
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
