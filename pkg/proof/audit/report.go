package audit

import "github.com/gagliardetto/solana-go"

// Report is the result of an audit. Amounts are in base units. JSON omits zero addresses.
type Report struct {
	Mint     solana.PublicKey `json:"mint"`
	Decimals uint8            `json:"decimals"`
	// Slot is the last slot of the report.
	Slot    uint64  `json:"slot"`
	Now     State   `json:"now"`
	History History `json:"history"`
	Supply  Supply  `json:"supply"`
	Tax     Tax     `json:"tax"`
	// Withdrawals are in the order of the chain, like all lists without another stated order.
	Withdrawals []Withdrawal `json:"withdrawals"`
	// Destinations are the accounts of the withdrawals, the largest first.
	Destinations []Destination `json:"destinations"`
	// First are the first movements of withdrawn tax out of the destinations, the largest first.
	First            []Movement        `json:"firstMovements"`
	FeeChanges       []FeeChange       `json:"feeChanges"`
	AuthorityChanges []AuthorityChange `json:"authorityChanges"`
	// AccountChanges are changes of destinations that are not movements.
	AccountChanges []AccountChange `json:"accountChanges"`
	// WithheldBy are the accounts in which tax was withheld, the largest first.
	WithheldBy []Withholding `json:"withheldBy"`
	Checks     []Check       `json:"checks"`
	// Unknown are sentences about facts that this report cannot show.
	Unknown []string `json:"cannotBeKnown"`
}

// State is the node's present state of the mint.
type State struct {
	WithdrawAuthority solana.PublicKey `json:"withdrawAuthority,omitzero"`
	FeeAuthority      solana.PublicKey `json:"feeAuthority,omitzero"`
	MintAuthority     solana.PublicKey `json:"mintAuthority,omitzero"`
	// Fee is the newest setting, which may be valid from a later epoch.
	Fee Fee `json:"fee"`
}

// Fee is a setting of the transfer fee.
type Fee struct {
	Bps     uint16 `json:"bps"`
	Maximum uint64 `json:"maximum,string"`
}

// Place is a position on the chain.
type Place struct {
	Signature solana.Signature `json:"signature"`
	Slot      uint64           `json:"slot"`
}

// History describes the transactions that the audit read.
type History struct {
	// Transactions is the number of transactions that name the mint, up to the report's slot.
	// Failed is the number of transactions without effect. Missing is the number of transactions
	// that the node lists and no longer has.
	Transactions int `json:"transactions"`
	Failed       int `json:"failed"`
	Missing      int `json:"missing"`
	// Newer is the number of omitted transactions that landed during the audit.
	Newer int `json:"newer"`
	// Created is the transaction that created the mint, or nil if the node's history begins later.
	Created *Place `json:"created"`
	// Complete reports whether the history begins with the creation, has no gaps that balances
	// show, and explains every change of a balance.
	Complete bool `json:"complete"`
	// Breaks is the number of times that an account's balance differed from the balance that the
	// previous transaction left. Unexplained is the number of transactions with a change of a
	// balance by no known instruction.
	Breaks      int `json:"breaks"`
	Unexplained int `json:"unexplained"`
	// Batches is the number of batch instructions, whose inner instructions are not read.
	Batches int `json:"batches"`
	// OwnersChanged is the number of token accounts whose owner changed in a transaction that does
	// not name the mint.
	OwnersChanged int `json:"ownersChanged"`
}

// Supply is the origin of the tokens. AtCreation + Minted - Burned is Now, unless the check
// differs.
type Supply struct {
	AtCreation Sum `json:"atCreation"`
	Minted     Sum `json:"minted"`
	Burned     Sum `json:"burned"`
	Now        Sum `json:"now"`
}

// Tax is the use of the transfer fees. Withheld is Withdrawn + InAccounts + OnMint, unless the
// check differs.
type Tax struct {
	Withheld  Sum `json:"withheld"`
	Transfers int `json:"transfers"`
	// ByBalances, Stated and Computed are parts of Withheld: known from balances, stated in the
	// instruction (TransferCheckedWithFee), and computed from the fee.
	ByBalances Sum `json:"byBalances"`
	Stated     Sum `json:"stated"`
	Computed   Sum `json:"computed"`
	// OtherFees is the number of transfers whose fee matches no known setting.
	OtherFees int `json:"otherFees"`
	// Harvests is the number of harvests to the mint. Harvested is the amount by the history.
	Harvests  int `json:"harvests"`
	Harvested Sum `json:"harvested"`
	Withdrawn Sum `json:"withdrawn"`
	// OnMint and InAccounts are the amounts that can be withdrawn. Listed reports whether the node
	// listed the accounts. Otherwise InAccounts follows from the history.
	OnMint     Sum  `json:"onMint"`
	InAccounts Sum  `json:"inAccounts"`
	Listed     bool `json:"inAccountsListed"`
}

// Withdrawal is a withdrawal of tax.
type Withdrawal struct {
	Place

	// From is "mint" or "accounts". Sources is the number of accounts.
	From    string `json:"from"`
	Sources int    `json:"sources"`
	// Authority signed the withdrawal. Account received the tax, and Owner owned the account at the
	// time.
	Authority solana.PublicKey `json:"authority"`
	Account   solana.PublicKey `json:"account"`
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Amount    uint64           `json:"amount,string"`
	// Basis is the source of the amount.
	Basis Basis `json:"basis"`
}

// Basis is the source of an amount.
type Basis string

// The bases.
const (
	// ByBalances: the balances of the transaction.
	ByBalances Basis = "balances"
	// ByHistory: the balances show a sum, and the history the part of this withdrawal.
	ByHistory Basis = "history"
	// ByFee: the balances, minus the computed fee of transfers in the same transaction.
	ByFee Basis = "computed"
)

// Destination is an account that received withdrawn tax.
type Destination struct {
	Account solana.PublicKey `json:"account"`
	// Owner is the last seen owner.
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Withdrawn Sum              `json:"withdrawn"`
	Left      Sum              `json:"left"`
	// Still is the tax that remains in the account.
	Still Sum `json:"still"`
}

// Movement is withdrawn tax that left a destination, first in, first out. A Movement sums the tax
// of one authority that left the same way.
type Movement struct {
	// Account is the destination, Owner the owner of the destination, and Authority the authority
	// of the withdrawal.
	Account   solana.PublicKey `json:"account"`
	Owner     solana.PublicKey `json:"owner,omitzero"`
	Authority solana.PublicKey `json:"authority"`
	Way       Way              `json:"way"`
	// To is the owner of the receiving account, if the transaction shows the owner.
	To solana.PublicKey `json:"to,omitzero"`
	// Program is the program of the message's instruction, or zero for the token program.
	Program solana.PublicKey `json:"program,omitzero"`
	// Amount is the amount before a further fee.
	Amount Sum   `json:"amount"`
	Times  int   `json:"times"`
	First  Place `json:"first"`
	Last   Place `json:"last"`
}

// Way is the kind of a movement out of an account.
type Way string

// The ways.
const (
	Transferred Way = "transferred"
	Burned      Way = "burned"
	// Exchanged: moved by a program, and the owner received another asset in the transaction.
	Exchanged Way = "exchanged"
	// MovedByProgram: moved by a program, and the owner received nothing visible.
	MovedByProgram Way = "moved by a program"
	// Unexplained: moved by no known instruction.
	Unexplained Way = "unexplained"
)

// FeeChange is a new setting of the fee. The first setting is part of the creation. A later setting
// becomes valid two epochs later.
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

// AccountChange is a change of a destination. What is "owner", "close authority", "delegate",
// "delegate revoked" or "closed".
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

// Check is a comparison of the history with the node's state.
type Check struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Agrees   Verdict = "agrees"
	Differs  Verdict = "differs"
	NotKnown Verdict = "not known"
)
