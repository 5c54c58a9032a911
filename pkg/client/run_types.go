package client

import "github.com/gagliardetto/solana-go"

// RunList is one page of distributions.
type RunList struct {
	Runs []RunSummary `json:"runs"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// RunSummary is one distribution. Amounts are zero until they are known.
type RunSummary struct {
	// Id of the distribution, which follows from mint and slot.
	ID string `json:"id"`
	// distribution, or claim: then it pays what was owed and nothing else.
	Kind string `json:"kind"`
	// The boundary of the interval that it is for.
	Slot Time `json:"slot"`
	// How far it has come.
	Status   RunStatus `json:"status"`
	OpenedAt Time      `json:"openedAt"`
	// Nil while it is at work.
	EndedAt *Time `json:"endedAt"`
	// Why it was skipped or failed; nil otherwise.
	Reason *Reason `json:"reason"`
	// What holders are paid in, `SOL` or a mint.
	RewardToken string `json:"rewardToken"`
	// Tax that was collected, base units of the token.
	Collected Amount `json:"collected"`
	// Base units of the token.
	Burned Amount `json:"burned"`
	// Base units of the token.
	Sold Amount `json:"sold"`
	// What the sale brought, in base units of the reward token, as all amounts below.
	Proceeds    Amount `json:"proceeds"`
	CreatorPaid Amount `json:"creatorPaid"`
	HoldersPaid Amount `json:"holdersPaid"`
	// How many holders were paid.
	PaidHolders int `json:"paidHolders"`
	// What is owed to holders still, and is in the next distribution.
	Carried Amount `json:"carried"`
	// The manifest of the proof; nil until there is one.
	Proof *Content `json:"proof"`
}

// Run is a distribution, with everything that is known of it.
type Run struct {
	RunSummary

	MintAddress solana.PublicKey `json:"mintAddress"`
	// When no new payment is begun any more.
	Deadline Time `json:"deadline"`
	// Those in force when it was opened.
	Settings DistributionSettings `json:"settings"`
	// Who held the token; nil until it is taken.
	Snapshot *Snapshot `json:"snapshot"`
	// The steps that were begun, in their order.
	Steps []RunStep `json:"steps"`
	// What is paid, asset by asset. The first is the reward token; others were that before, and are owed still.
	Legs []RunLeg `json:"legs"`
	// What the network took for all transactions.
	FeesLamports Lamports `json:"feesLamports"`
	// What was left in accounts that were made.
	RentLamports Lamports `json:"rentLamports"`
	// That nothing was lost, asset by asset; empty until the end.
	Statements []Statement `json:"statements"`
	// How many transactions the proof lists.
	Transactions int `json:"transactions"`
	// What ties the proof to the chain; nil until there is one.
	Anchor *Anchor `json:"anchor"`
}

// Snapshot is who held the token.
type Snapshot struct {
	// The finalized slot that it was taken at.
	ChainSlot uint64 `json:"chainSlot"`
	Supply    Amount `json:"supply"`
	// Who held something.
	Owners int `json:"owners"`
	// Those of them who share.
	Eligible int `json:"eligible"`
	// What they had together.
	EligibleBalance Amount `json:"eligibleBalance"`
	// How much of what they had counts; nil where the reward basis is BasisSnapshot.
	Held   *Held  `json:"held"`
	SHA256 string `json:"sha256"`
}

// Held is what counts where the lesser of two snapshots' balances does.
type Held struct {
	// The distribution whose snapshot was the one before; nil when there was none, and then
	// nothing is shared out.
	PreviousRunID *string `json:"previousRunId"`
	// The sum of the lesser balances, in proportion to which those who share are paid.
	Weight Amount `json:"weight"`
}

// RunStep is one step of a distribution.
type RunStep struct {
	// `fuel` is the sale for the wallet's own network fees.
	Step string `json:"step"`
	Done bool   `json:"done"`
	// What was collected, burned, sold or paid.
	Amount *Amount `json:"amount,omitzero"`
	// What a sale brought.
	Proceeds *Amount `json:"proceeds,omitzero"`
	// There when one transaction did it.
	Signature solana.Signature `json:"signature,omitzero"`
	ChainSlot uint64           `json:"chainSlot,omitzero"`
	At        Time             `json:"at,omitzero"`
	// Why it came to nothing.
	Why string `json:"why,omitzero"`
}

// RunLeg is what is paid in one asset.
type RunLeg struct {
	Asset string `json:"asset"`
	// What the creator is to get.
	Creator Amount `json:"creator"`
	// What became of that; nil until it is decided.
	CreatorPaid *RunStep `json:"creatorPaid"`
	// The same of each of the creator's wallets.
	Creators []RunCreator `json:"creators"`
	// What is divided among holders.
	Share Amount `json:"share"`
	// How many of them are to be paid.
	Payments int `json:"payments"`
	// What those are to be paid together, what is owed from before included.
	Due         Amount `json:"due"`
	Paid        Amount `json:"paid"`
	PaidHolders int    `json:"paidHolders"`
	// For the rent of accounts that were made for holders.
	Charged Amount `json:"charged"`
	// Owed still, and in the next distribution.
	Carried          Amount `json:"carried"`
	CarriedToHolders int    `json:"carriedToHolders"`
}

// RunCreator is what one of the creator's wallets gets of a leg.
type RunCreator struct {
	Wallet solana.PublicKey `json:"wallet"`
	// Its part of the creator's share.
	Percent Percent `json:"percent"`
	// What it is to get, what is owed to it from before included.
	Amount Amount `json:"amount"`
	// What became of that; nil until all of the creator's wallets are decided.
	Paid *RunStep `json:"paid"`
}

// Statement shows that nothing of an asset was lost: Opening and In are Out and Closing, and Closing is what it is held for.
type Statement struct {
	Asset   string           `json:"asset"`
	Opening Amount           `json:"opening"`
	In      []StatementEntry `json:"in"`
	Out     []StatementEntry `json:"out"`
	Closing Amount           `json:"closing"`
	HeldFor []StatementEntry `json:"heldFor"`
}

// StatementEntry is one line of a statement.
type StatementEntry struct {
	Name   string `json:"name"`
	Amount Amount `json:"amount"`
	// Why an adjustment was entered. Only adjustments have one.
	Reason string `json:"reason,omitzero"`
}

// Anchor ties a proof to the chain.
type Anchor struct {
	// Root of the tree of all rows.
	MerkleRoot string `json:"merkleRoot"`
	// What the transaction says, the root and the SHA-256 of the manifest in it.
	Memo string `json:"memo"`
	// The transaction; nil until it has landed.
	Signature *solana.Signature `json:"signature"`
	// The signed transaction itself.
	Transaction *Content `json:"transaction"`
	// Version of the proof's format.
	Version int `json:"version"`
	// Counts the token's proofs, from 1.
	Number uint64 `json:"number"`
	// Which version of the settings it was.
	SettingsVersion uint64 `json:"settingsVersion"`
	// Whether the proof has the creator's signature over that version.
	OrderedByCreator bool `json:"orderedByCreator"`
	// What the proof takes on the service's word, by the names of a verifier's checks. The service has not verified the rest: a verifier does.
	OnTrust []string `json:"onTrust"`
}

// Content is a file on IPFS.
type Content struct {
	CID string `json:"cid"`
	URI string `json:"uri"`
	// The same through an IPFS gateway.
	URL string `json:"url"`
}

// Reason says why something was not done.
type Reason struct {
	// A stable word.
	Code string `json:"code"`
	// A sentence.
	Detail string `json:"detail"`
}
