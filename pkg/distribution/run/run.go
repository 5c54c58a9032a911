// Package run carries out one distribution of a token's collected tax: the facts of the
// distribution, the order of the steps, and the progress.
//
// A run is a record of facts. One function derives the status from the facts, so a crash between
// two steps loses no work: the next worker reads the facts and continues. Every transfer of money
// is a payment of package payout.
package run

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Run is one distribution. A nil field has not happened yet. Amounts are in base units of the named
// token or asset, or in lamports.
type Run struct {
	ID   string // terms.RunID(Mint, Slot)
	Mint solana.PublicKey
	Slot time.Time // the boundary for which the run was opened
	// Token is the token's record at the opening of the run. Settings and Reward are as of Slot.
	Token    Token
	Settings terms.Settings
	Reward   Currency
	// SettingsVersion is the number of the settings. SettingsSignature is the creator's signature
	// of the version's terms.OrderText; zero if the settings had no signature at the opening.
	SettingsVersion   int64
	SettingsSignature solana.Signature
	// SettingsNewest is the number of the newest version at the time of reading. The opening fails
	// if a newer version exists.
	SettingsNewest int64
	OpenedAt       time.Time
	// Next is the version in force at Slot, if Settings are earlier settings; see terms.Paid. Since is
	// the slot of the first distribution by the earlier settings, zero in a claim before it.
	Next  *terms.Version `json:",omitempty"`
	Since time.Time      `json:",omitzero"`
	// Deadline is the time after which the run begins no new payment: 80 percent of the interval
	// after the slot, or after the opening of a late run. Claims have a shorter deadline; see
	// openClaim.
	Deadline time.Time
	// Claim describes a claim; nil for a distribution.
	Claim *Claim `json:",omitempty"`
	// Release describes the end of a wound-down token; nil for other runs.
	Release *Release `json:",omitempty"`

	Opening    *Opening
	Collecting *Collecting
	Snapshot   *Snapshot
	Split      *Split
	Burn       *Movement
	Fuel       *Exchange
	Exchange   *Exchange
	Payment    *Payment
	// Handed is the hand-over of the authority over withheld tax; nil before the decision, and in
	// any other run.
	Handed  *Movement `json:",omitempty"`
	Closing *Closing
	Anchor  *Movement
	End     *End
	// Allowed are the adjustments that the proof may enter. An operator allows adjustments after
	// the books did not balance.
	Allowed []Adjustment

	// Version is the number of writes.
	Version int64
}

// Token is the part of a token's record that a run needs.
type Token struct {
	ID       string
	Name     string
	Symbol   string
	Decimals uint8
	FeeBps   uint16
	Wallet   token.Wallet
	Creator  solana.PublicKey
	// Guardian co-signs collections; zero for a token without a guardian.
	Guardian solana.PublicKey
	// Vaults are the owners of the tokens in pools and curves, as known at the opening of the run,
	// in byte order. Vaults never share.
	Vaults []solana.PublicKey
}

// Coin is an asset with the parameters of transfers. Program is zero for SOL.
type Currency struct {
	Asset    terms.Asset
	Program  solana.PublicKey
	Decimals uint8
	// FeeBps and MaximumFee are the coin's own tax on transfers.
	FeeBps     uint16
	MaximumFee uint64
}

// Balances are the balances of a wallet, read at one finalized slot.
type Balances struct {
	ChainSlot uint64
	Lamports  uint64
	// Tokens is the balance of the token itself. Reward is the balance of the reward asset, and so
	// equals Lamports for SOL and Tokens for the token itself.
	Tokens uint64
	Reward uint64
	// Arrears are the balances of earlier reward assets, once the payments are planned.
	Arrears map[terms.Asset]uint64
}

// Of returns the balance of an asset of the run.
func (b Balances) Of(r Run, asset terms.Asset) uint64 {
	own := r.own().Asset
	switch asset {
	case terms.SOL:
		return b.Lamports
	case own:
		return b.Tokens
	case r.Reward.Asset:
		return b.Reward
	}
	return b.Arrears[asset]
}

// Debts are the amounts that the distribution wallet holds for others, in base units by asset.
type Debts struct {
	// Owed is due to holders of earlier runs, CreatorOwed to the creator.
	Owed        map[terms.Asset]uint64
	CreatorOwed map[terms.Asset]uint64
	// CreatorOwedTo divides CreatorOwed by the creator's wallets. The rest is due to the first
	// wallet.
	CreatorOwedTo map[terms.Asset]map[solana.PublicKey]uint64 `json:",omitempty"`
	// Remainder is not allocated yet, because shares are rounded down.
	Remainder map[terms.Asset]uint64
	// Reserved covers undecided payments, except payments to holders.
	Reserved map[terms.Asset]uint64
}

// ForOthers returns the sum that the wallet holds for others in an asset.
func (d Debts) ForOthers(asset terms.Asset) uint64 {
	return d.Owed[asset] + d.CreatorOwed[asset] + d.Remainder[asset] + d.Reserved[asset]
}

// Opening is the state at the beginning of a run.
type Opening struct {
	Balances
	// Previous is the run whose rows list the debts; empty for the first run.
	Previous string
	// PreviousManifest is the content ID of the previous run's manifest.
	PreviousManifest string
	// Unsold is the amount of tokens from an earlier run whose burn is done and whose exchange was
	// deferred.
	Unsold uint64
	Debts
	// Resolved are formerly undecided payments to holders of earlier runs that are now decided. The
	// books take these payments over. See Head.
	Resolved []Resolved
	// Before is the newest snapshot that has a proof. Before counts in addition to the run's own
	// snapshot if the reward basis is terms.BasisHeld. Before is nil for another basis, and if no
	// proof has a snapshot.
	Before *SnapshotBefore `json:",omitempty"`
}

// SnapshotBefore is the snapshot of a settled run: the holders according to the run's proof.
type SnapshotBefore struct {
	Run      string
	Number   uint64 // of the proof
	Manifest string // content ID
	File     string
	// SHA256 is the hash of the file, in hex.
	SHA256    string
	ChainSlot uint64
}

// Collecting is the collection of withheld tax.
type Collecting struct {
	// File lists the accounts, largest withheld amount first; empty if no account is collected
	// from.
	File      string
	Accounts  uint32 // in the file
	Withheld  uint64 // in them
	BatchSize uint32
	// Version is the encoding of the collection's transactions, even if the setting changes.
	Version payout.Version `json:",omitempty"`
	Chunks  Chunks
	// Done reports that every batch is decided. Collected is the amount that arrived, by ChainSlot.
	Done      bool
	Collected uint64
	ChainSlot uint64
}

// Snapshot is the list of holders, with the location of the file.
type Snapshot struct {
	File string
	// SHA256 is the hash of the file, in hex.
	SHA256    string
	ChainSlot uint64 // finalized
	Supply    uint64
	// Balances, WithheldInAccounts and WithheldOnMint add up to Supply.
	Balances           uint64
	WithheldInAccounts uint64
	WithheldOnMint     uint64
	Accounts           uint32
	Owners             uint32
	// Eligible is the number of owners that share. Owners share in proportion to EligibleBalance.
	// If the reward basis is terms.BasisHeld, owners share in proportion to the part held before,
	// whose sum is EligibleWeight.
	Eligible        uint32
	EligibleBalance uint64
	EligibleWeight  uint64 `json:",omitempty"`
	// NotHeld is the number of owners that would share if only the present balance counted.
	NotHeld uint32 `json:",omitempty"`
}

// Split is the division of the tokens, in base units.
type Split struct {
	Spendable uint64
	Slice     uint64
	Burn      uint64
	// Sell is the amount to exchange, or to keep if the reward is the token itself.
	Sell uint64
	// FuelSell is the part of Sell that pays the wallet's own costs.
	FuelSell uint64
}

// Movement is a transfer of money by one transaction, or the decision against the transfer.
type Movement struct {
	Amount    uint64
	Signature solana.Signature
	ChainSlot uint64
	At        time.Time
	// Why is the reason why the money did not move, as a sentence; empty if the money moved. Reason
	// is the reason as a stable word.
	Why    string
	Reason payout.Reason
}

// Exchange is the sale of tokens.
type Exchange struct {
	// Tries is the number of decided failures.
	Tries int
	// Done reports that the exchange has ended. Sold and Proceeds are zero if nothing was sold;
	// Deferred is then the reason.
	Done     bool
	Sold     uint64
	Proceeds uint64
	Deferred string
	// Quoted is the price of a venue while nothing was sold; nil otherwise.
	Quoted *Price
	Movement
}

// Payment is the payment of the creator and the holders.
type Payment struct {
	// CreatorShare and HoldersShare are the parts of this run's proceeds.
	CreatorShare uint64
	HoldersShare uint64
	// FuelKept is the part of SOL proceeds that the wallet keeps for its own costs.
	FuelKept uint64
	// Legs are the paid assets. The first leg is the reward asset. The other legs are earlier
	// reward assets that are still owed.
	Legs []Leg
}

// Leg is the payment of one asset.
type Leg struct {
	Currency Currency
	// Creator is the amount due to the creator, earlier debts included. CreatorPaid is nil until
	// the payment is decided. Parts divide both among several wallets; empty if the creator has one
	// wallet. See CreatorParts.
	Creator     uint64
	CreatorPaid *Movement
	Parts       []CreatorPart `json:",omitempty"`
	// Share is the amount to divide among holders. Worth is the minimum payment, and the maximum
	// uint64 if holders are not paid.
	Share uint64
	Worth uint64
	// File lists the payments, largest first; empty without payments.
	File      string
	Payments  uint32
	Due       uint64 // the sum of due payments, including payments whose fees the wallet cannot pay
	BatchSize uint32
	// Version is the encoding of the leg's transactions, even if the setting changes.
	Version payout.Version
	Chunks  Chunks
	// RentFloor and AccountCharge are as in payout.Phase.
	RentFloor     uint64
	AccountCharge uint64
	Done          bool
}

// Chunks is the division of a phase's batches into messages, with the progress of sending.
type Chunks struct {
	// Size is the number of batches in a chunk. AtOnce is the maximum number of concurrent
	// chunks.
	Size   int
	AtOnce int
	// Begun is the number of chunks that were sent to the queue. Fence is the number of sends, and
	// SentAt is the time of the last send; see payout.Phase.
	Begun             int
	MessageGeneration int
	SentAt            time.Time
	// Here reports that the newest chunk is the only chunk under way and was not sent, because
	// the machine itself works on the chunk.
	Here bool `json:",omitempty"`
}

// HolderFigures are figures of a snapshot, for display. Amounts are in base units. Pools, curves, the
// distribution wallet and the incinerator are not holders.
type HolderFigures struct {
	ChainSlot uint64
	Supply    uint64
	Owners    uint32 // with a balance
	// TopTen is the sum of the ten largest balances. Escrows do not count among the ten.
	TopTen  uint64
	Creator uint64 // the balance of the token's creator
	// Locked is the sum in escrows of Jupiter Lock; nil if the escrows are not known.
	Locked *uint64 `json:",omitempty"`
}

// Closing is the proven end of the run's payments.
type Closing struct {
	Balances
	// At is the time at which the books were closed; zero in records of older versions.
	At   time.Time
	Legs []ClosedLeg
	// FeesLamports and RentLamports are the costs of the run.
	FeesLamports uint64
	RentLamports uint64
	// Root is the Merkle root of the rows, in hex. Manifest is the content ID of the proof. Memo is
	// the text that writes both to the chain.
	Root     string
	Manifest string
	Memo     string
	// Owed, Remainder, Reserved and Late become the opening of the next run; see Head.
	Owed      map[terms.Asset]uint64
	Remainder map[terms.Asset]uint64
	Reserved  map[terms.Asset]uint64
	Late      uint32
	// Stated are the wallet's balances that the proof states, by asset.
	Stated map[terms.Asset]uint64
	// Unknown are the payments that the proof leaves undecided.
	Unknown []Unsettled
	// Holders are the figures of the snapshot; nil for a run without a snapshot. Holders are only
	// for display.
	Holders *HolderFigures `json:",omitempty"`
	// AnchorTx is the content ID of the signed transaction with the memo. AnchorTx is set with the
	// anchor.
	AnchorTx string
}

// ClosedLeg is the result of a leg.
type ClosedLeg struct {
	Asset       terms.Asset
	Paid        uint64 // to holders
	PaidHolders uint32
	Charged     uint64 // for accounts
	Carried     uint64 // to holders, in the next run
	CarriedTo   uint32 // holders
	// CreatorOwed is the amount still due to the creator. CreatorOwedTo divides the amount by
	// wallet.
	CreatorOwed   uint64
	CreatorOwedTo map[solana.PublicKey]uint64 `json:",omitempty"`
}

// End is the end of a run.
type End struct {
	At time.Time
	// Code is empty if the run settled. Otherwise Code is the reason as a stable word, and Detail
	// is a sentence for the creator. Failed distinguishes failed runs from skipped runs.
	Code   Code
	Detail string
	Failed bool
	// Lacks are the differences of books that did not balance.
	Discrepancies []Discrepancy
	// Again reports that the previous run ended for the same reason, so the creator knows the
	// reason already.
	Again bool `json:",omitempty"`
}

// Adjustment allows the proof to state a loss of up to UpTo base units of the asset without a
// transaction. Reason is published; see format.ValidReason.
type Adjustment struct {
	Asset  terms.Asset
	UpTo   uint64
	Reason string
	At     time.Time
}

// Code is the reason for a skipped or failed run.
type Code string

// The codes.
const (
	// CodePaused: distribution was switched off before the run began.
	CodePaused Code = "paused"
	// CodeNothing: there was no tax to distribute.
	CodeNothing Code = "nothing_to_distribute"
	// CodeBelowCost: the available amount is worth less than the cost of the run.
	CodeBelowCost Code = "below_cost"
	// CodeWalletTooLow: the wallet has too few lamports for its fees.
	CodeWalletTooLow Code = "wallet_too_low"
	// CodeNoHolders: no holder has the minimum holding of the settings.
	CodeNoHolders Code = "no_holders"
	// CodeWoundDown: the token was given up by the operator's order. The authority over the tax is the
	// creator's.
	CodeWoundDown Code = "wound_down"
	// CodeReward: holders can no longer be paid in the reward token.
	CodeReward Code = "unsupported_reward_token"
	// CodeSnapshot: the holders' balances did not add up to the supply.
	CodeSnapshot Code = "snapshot_does_not_add_up"
	// CodeBooks: the transactions and the wallet's balances do not agree. The token is frozen until
	// an operator has investigated.
	CodeBooks Code = "books_do_not_balance"
)

// Head is the state of a token's distributions across runs.
type Head struct {
	Mint solana.PublicKey
	// Active is the slot of the active run, zero without an active run. LastSlot is the newest
	// opened slot.
	Active   time.Time
	LastSlot time.Time
	// Ended is the reason why the newest finished distribution did not settle; empty if it settled.
	// A claim sets and clears only CodeBooks.
	Ended Code
	// Frozen is the reason why no run may be opened; empty for a token that is not frozen.
	Frozen string
	// Compared is the time of the last comparison of the wallet's history with ledger and journal;
	// zero before the first comparison. See Stopped.
	Compared time.Time
	// Origin is the origin.Mark of the record that was checked last; empty before the first check.
	Origin string
	// Last is the last settled run; nil before the first settled run.
	Last *Last
	// Paid decides the settings of the next run; nil if the last run's settings had no delay.
	Paid *terms.Paid `json:",omitempty"`
	// Snapshot is the newest snapshot that has a proof; nil without such a snapshot.
	Snapshot *SnapshotBefore `json:",omitempty"`
	// Unsold and Debts become the opening of the next run; see Opening.
	Unsold uint64
	Debts
	// Late is the number of payments that the last run did not reach before its deadline.
	Late uint32
	// Unproven are the transfers since the last proof: of runs that were skipped or failed after
	// the beginning, and of the last proof's own anchor.
	Unproven Totals
	// Unlisted are the slots of these runs. The next proof names the runs' transactions.
	Unlisted []time.Time
	// Unreturned are the payments whose receipts the next run closes.
	Unreturned []payout.ID
	// Earned is the slot of the last distribution that had an amount to share out.
	Earned time.Time `json:",omitzero"`
	// Claimed is the opening time of the last claim. Swept is the slot of the last sweep that was
	// tried. SweptAfter is the value of Earned at the last settled sweep.
	Claimed    time.Time `json:",omitzero"`
	Swept      time.Time `json:",omitzero"`
	SweptAfter time.Time `json:",omitzero"`
	// WindDown is the progress of a wind-down; zero before the first run of a wind-down.
	WindDown WindDown `json:",omitzero"`
	// Rotated is the token's wallet after a rotation; nil for a token with the wallet of the launch.
	Rotated *Rotated `json:",omitempty"`
	// Ending is the slot of the last distribution before a hand-over, which has a run even without news;
	// zero for a token whose hand-over has not begun.
	Ending time.Time `json:",omitzero"`
	// HandedOver is the hand-over of the authority over the tax; nil for a token that the service
	// runs. The service collects no tax of a token that was handed over. It distributes the tokens that the
	// wallet still has, and pays claims.
	HandedOver *HandedOver `json:",omitempty"`
	// Look is the result of the last check of the token, when a run was opened or deferred; nil
	// before the first check.
	Look *Look
	// Unknown are the Unknown payments of proven runs. Resolved are payments to holders that were
	// decided since; the next run's books take these payments over.
	Unknown  []Unsettled
	Resolved []Resolved
	// Prices are the prices of the newest exchanges, newest last, at most KeepPrices.
	Prices []Price
	// Burned is the sum of all burns.
	Burned  uint64
	Version int64
}

// Stopped reports whether the token's money must not move: the token is frozen, or the wallet's
// history has not been compared since the service was recovered from backups. A backup may be older
// than the chain, so both ledger and journal may lack the last payments. recovered is zero if the
// service was never recovered.
func (h Head) Stopped(recovered time.Time) bool {
	return h.Frozen != "" || h.Compared.Before(recovered)
}

// Unsettled names a payment of the run of a slot.
type Unsettled struct {
	Slot time.Time
	ID   payout.ID
	// Since is the time at which the payment became undecided. Next is the time of the next request
	// to the providers; zero means at once.
	Since time.Time `json:",omitzero"`
	Next  time.Time `json:",omitzero"`
}

// Resolved is a payment to holders that ended after the run's proof, without the attempts. File has
// the payment's records.
type Resolved struct {
	Payment       payout.Payment
	File          string
	AccountCharge uint64
	Currency      Currency
	// Fee was deducted from every payment; see Claim.
	Fee uint64 `json:",omitempty"`
}

// Landed reports whether the holders have the money. If not, the amount is owed to the holders
// again.
func (s Resolved) Landed() bool { return s.Payment.Status() == payout.Landed }

// Left returns the rest of a debt that included this payment, after the payment landed.
func (s Resolved) Left(owed uint64) uint64 {
	p := s.Payment
	gone := p.Amount + s.AccountCharge*uint64(len(p.Made)) + s.Fee*uint64(int(p.To-p.From)-len(p.Skips)) //nolint:gosec // a batch's
	return owed - min(gone, owed)
}

// Last is the last settled run, with the balances of its closing.
type Last struct {
	Run  string
	Slot time.Time
	// Number counts the token's proofs, from 1.
	Number   uint64
	Manifest string // content ID
	Anchor   string // content ID; empty for a run that ended before the service recorded anchors
	// Closing are the wallet's balances by asset at the time of the proof.
	Closing map[terms.Asset]uint64
}

// Price is the result of an exchange: Out base units of Asset for In tokens.
type Price struct {
	Asset terms.Asset
	In    uint64
	Out   uint64
	At    time.Time
}

// KeepPrices is the maximum number of prices in a head. The limit suffices for the floor under an
// exchange (exchange.KeptPrices) if every run makes two exchanges.
const KeepPrices = 18

// Burn is one burn, as published.
type Burn struct {
	Mint      solana.PublicKey
	Run       string
	Amount    uint64
	Signature solana.Signature
	ChainSlot uint64
	At        time.Time
}
