package audit

import "github.com/gagliardetto/solana-go"

// Report is what the chain tells of a mint's tax. Amounts are in base units; an address
// that is none is left out of the JSON.
type Report struct {
	Mint     solana.PublicKey `json:"mint"`
	Decimals uint8            `json:"decimals"`
	// Slot is the last that the report takes in.
	Slot    uint64  `json:"slot"`
	Now     State   `json:"now"`
	History History `json:"history"`
	Supply  Supply  `json:"supply"`
	Tax     Tax     `json:"tax"`
	// Withdrawals are in the order of the chain, as all lists are that do not say otherwise.
	Withdrawals []Withdrawal `json:"withdrawals"`
	// Destinations are the accounts that tax was withdrawn into, the largest first.
	Destinations []Destination `json:"destinations"`
	// First is where withdrawn tax went from there, the largest first.
	First            []Movement        `json:"firstMovements"`
	FeeChanges       []FeeChange       `json:"feeChanges"`
	AuthorityChanges []AuthorityChange `json:"authorityChanges"`
	// AccountChanges are what happened to destinations beside movements.
	AccountChanges []AccountChange `json:"accountChanges"`
	// WithheldBy are the accounts in which tax was withheld, the largest first.
	WithheldBy []Withholding `json:"withheldBy"`
	Checks     []Check       `json:"checks"`
	// Unknown says what this report cannot know, in sentences.
	Unknown []string `json:"cannotBeKnown"`
}

// State is the mint as the node has it now.
type State struct {
	WithdrawAuthority solana.PublicKey `json:"withdrawAuthority,omitzero"`
	FeeAuthority      solana.PublicKey `json:"feeAuthority,omitzero"`
	MintAuthority     solana.PublicKey `json:"mintAuthority,omitzero"`
	// Fee is the newest setting, which may hold from a later epoch on.
	Fee Fee `json:"fee"`
}

// Fee is a setting of the transfer fee.
type Fee struct {
	Bps     uint16 `json:"bps"`
	Maximum uint64 `json:"maximum,string"`
}

// Place is where on the chain something happened.
type Place struct {
	Signature solana.Signature `json:"signature"`
	Slot      uint64           `json:"slot"`
}

// History is what was read.
type History struct {
	// Transactions name the mint and are not newer than the report; Failed of them changed
	// nothing, and the node does not have the Missing ones any more.
	Transactions int `json:"transactions"`
	Failed       int `json:"failed"`
	Missing      int `json:"missing"`
	// Newer are left out, for they came while the report was made.
	Newer int `json:"newer"`
	// Created is the transaction that made the mint; nil when the node's history begins
	// later.
	Created *Place `json:"created"`
	// Complete says that the history begins with the creation, lacks nothing that its
	// balances show, and that every change of a balance is explained.
	Complete bool `json:"complete"`
	// Breaks are how often an account's balance was not what the transaction before left,
	// Unexplained how many transactions changed a balance by what no known instruction did.
	Breaks      int `json:"breaks"`
	Unexplained int `json:"unexplained"`
	// Batches are instructions that hold others and are not read.
	Batches int `json:"batches"`
	// OwnersChanged are token accounts that changed hands without a word of the mint.
	OwnersChanged int `json:"ownersChanged"`
}

// Supply is where the tokens came from. AtCreation + Minted - Burned is Now, unless the
// check says otherwise.
type Supply struct {
	AtCreation Sum `json:"atCreation"`
	Minted     Sum `json:"minted"`
	Burned     Sum `json:"burned"`
	Now        Sum `json:"now"`
}

// Tax is what became of the transfer fees. Withheld is Withdrawn + InAccounts + OnMint,
// unless the check says otherwise.
type Tax struct {
	Withheld  Sum `json:"withheld"`
	Transfers int `json:"transfers"`
	// ByBalances, Stated and Computed are the parts of Withheld that follow from balances,
	// stand in the instruction (TransferCheckedWithFee), and were computed from the fee.
	ByBalances Sum `json:"byBalances"`
	Stated     Sum `json:"stated"`
	Computed   Sum `json:"computed"`
	// OtherFees are transfers that withheld something else than any setting that was seen.
	OtherFees int `json:"otherFees"`
	// Harvests are how often tax was moved to the mint; Harvested is how much by the history.
	Harvests  int `json:"harvests"`
	Harvested Sum `json:"harvested"`
	Withdrawn Sum `json:"withdrawn"`
	// OnMint and InAccounts can still be withdrawn. Listed says that the node listed the
	// accounts; else InAccounts follows from the history.
	OnMint     Sum  `json:"onMint"`
	InAccounts Sum  `json:"inAccounts"`
	Listed     bool `json:"inAccountsListed"`
}

// Withdrawal is tax that was taken out.
type Withdrawal struct {
	Place

	// From is "mint" or "accounts", and Sources how many of these.
	From    string `json:"from"`
	Sources int    `json:"sources"`
	// Authority ordered it. Account got it, and Owner owned that then.
	Authority solana.PublicKey `json:"authority"`
	Account   solana.PublicKey `json:"account"`
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Amount    uint64           `json:"amount,string"`
	// Basis says how the amount is known.
	Basis Basis `json:"basis"`
}

// Basis says how an amount is known.
type Basis string

// The bases.
const (
	// ByBalances: by the balances of its transaction.
	ByBalances Basis = "balances"
	// ByHistory: the balances show it together with others, and the history what its part is.
	ByHistory Basis = "history"
	// ByFee: less what the fee was computed to be that was withheld beside it.
	ByFee Basis = "computed"
)

// Destination is an account that tax was withdrawn into.
type Destination struct {
	Account solana.PublicKey `json:"account"`
	// Owner is the last that was seen.
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Withdrawn Sum              `json:"withdrawn"`
	Left      Sum              `json:"left"`
	// Still is what is in the account.
	Still Sum `json:"still"`
}

// Movement is withdrawn tax that left its destination, first in, first out: all that one
// authority withdrew and that went the same way.
type Movement struct {
	// Account is the destination, Owner whose it was, and Authority who had withdrawn.
	Account   solana.PublicKey `json:"account"`
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Authority solana.PublicKey `json:"authority"`
	Way       Way              `json:"way"`
	// To owns the account that got it, as far as the transactions show.
	To solana.PublicKey `json:"to,omitzero"`
	// Program is the one that the instruction of the message was for, if that was not the
	// token program.
	Program solana.PublicKey `json:"program,omitzero"`
	// Amount is before the fee that may have been withheld again.
	Amount Sum   `json:"amount"`
	Times  int   `json:"times"`
	First  Place `json:"first"`
	Last   Place `json:"last"`
}

// Way says how tokens left an account.
type Way string

// The ways.
const (
	Transferred Way = "transferred"
	Burned      Way = "burned"
	// Exchanged: moved by a program, and the owner got something else in the transaction.
	Exchanged Way = "exchanged"
	// MovedByProgram: moved by a program, for nothing that shows.
	MovedByProgram Way = "moved by a program"
	// Unexplained: gone, by no instruction that is known.
	Unexplained Way = "unexplained"
)

// FeeChange is a new setting of the fee. The first is that of the creation; later ones
// hold two epochs later.
type FeeChange struct {
	Place
	Fee

	Authority solana.PublicKey `json:"authority,omitzero"`
}

// AuthorityChange is a new authority of the mint. Kind is "mint", "freeze", "fee",
// "withdraw", or a number of AuthorityType.
type AuthorityChange struct {
	Place

	Kind string           `json:"kind"`
	From solana.PublicKey `json:"from,omitzero"`
	To   solana.PublicKey `json:"to,omitzero"`
}

// AccountChange is what happened to a destination: What is "owner", "close authority",
// "delegate", "delegate revoked" or "closed".
type AccountChange struct {
	Place

	Account solana.PublicKey `json:"account"`
	What    string           `json:"what"`
	To      solana.PublicKey `json:"to,omitzero"`
}

// Withholding is an account in which tax was withheld.
type Withholding struct {
	Account  solana.PublicKey `json:"account"`
	Owner    solana.PublicKey `json:"owner,omitzero"`
	Withheld Sum              `json:"withheld"`
}

// Check is what must agree.
type Check struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Verdict is what came of a check.
type Verdict string

// The verdicts.
const (
	Agrees   Verdict = "agrees"
	Differs  Verdict = "differs"
	NotKnown Verdict = "not known"
)
