// Package run is one distribution of a token's collected tax: what it is made of,
// in which order, and what of it is done.
//
// A run is a record of facts. How far it has come is derived from them by one
// function, so a crash between any two steps loses nothing: the next worker
// reads the facts and goes on. Every movement of money is a payment of package
// payout.
package run

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Run is one distribution. A field that is nil has not happened yet. Amounts are
// in base units of the token or asset that they name, or in lamports.
type Run struct {
	ID   string // terms.RunID(Mint, Slot)
	Mint solana.PublicKey
	Slot time.Time // the boundary that it is for
	// Token is as it was when the run was opened, Settings and Reward as they stood at Slot.
	Token    Token
	Settings terms.Settings
	Reward   Coin
	// SettingsVersion numbers the settings, and SettingsSignature is the creator's over that
	// version's terms.OrderText; zero: there was none when the run was opened.
	SettingsVersion   int64
	SettingsSignature solana.Signature
	// SettingsNewest is the number of the newest version when the settings were read, on
	// which the opening depends.
	SettingsNewest int64
	OpenedAt       time.Time
	// Deadline is when no new payment is begun: 80 percent of the interval after the
	// slot, or after the opening of a run that was late.
	Deadline time.Time
	// Claim says what the run is about when it is no distribution.
	Claim *Claim `json:",omitempty"`

	Opening    *Opening
	Collecting *Collecting
	Snapshot   *Snapshot
	Split      *Split
	Burn       *Movement
	Fuel       *Exchange
	Exchange   *Exchange
	Payment    *Payment
	Closing    *Closing
	Anchor     *Movement
	End        *End
	// Allowed is what its proof may enter as adjustments: an operator's word, given after
	// the books did not balance.
	Allowed []Adjustment

	// Version counts the writes.
	Version int64
}

// Token is what a run needs to know of its token.
type Token struct {
	ID       string
	Name     string
	Symbol   string
	Decimals uint8
	FeeBps   uint16
	Wallet   token.Wallet
	Creator  solana.PublicKey
	// Vaults are the owners of the tokens in pools and curves, as they were known when
	// the run was opened, in the order of their bytes: they never share.
	Vaults []solana.PublicKey
}

// Coin is an asset with what is needed to move it. Of SOL, Program is zero.
type Coin struct {
	Asset    terms.Asset
	Program  solana.PublicKey
	Decimals uint8
	// FeeBps and MaximumFee are the coin's own tax on transfers.
	FeeBps     uint16
	MaximumFee uint64
}

// Balances are what a wallet has, read at one finalized slot.
type Balances struct {
	ChainSlot uint64
	Lamports  uint64
	// Tokens is of the token itself, Reward of the reward asset: for SOL the
	// lamports, for the token itself the tokens.
	Tokens uint64
	Reward uint64
	// Arrears are of what was the reward before, once the payments are planned.
	Arrears map[terms.Asset]uint64
}

// Of gives the balance of an asset that the run is about.
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
	// CreatorOwedTo divides CreatorOwed by the creator's wallets; the rest is due to the first.
	CreatorOwedTo map[terms.Asset]map[solana.PublicKey]uint64 `json:",omitempty"`
	// Remainder is not allocated yet, because shares are rounded down.
	Remainder map[terms.Asset]uint64
	// Reserved covers movements, except payments to holders, that may or may not have landed.
	Reserved map[terms.Asset]uint64
}

// ForOthers returns the sum of all that the wallet holds for others in an asset.
func (d Debts) ForOthers(asset terms.Asset) uint64 {
	return d.Owed[asset] + d.CreatorOwed[asset] + d.Remainder[asset] + d.Reserved[asset]
}

// Opening is what a run begins with.
type Opening struct {
	Balances
	// Previous is the run whose rows say what is owed; empty for the first.
	Previous string
	// PreviousManifest is the content id of its manifest.
	PreviousManifest string
	// Unsold is how much of the tokens had its burn taken in an earlier run, whose
	// exchange was put off.
	Unsold uint64
	Debts
	// Resolved are payments to holders of earlier runs that were undecided and are no
	// more; the books take them over. See Head.
	Resolved []Resolved
	// Before is the newest snapshot that a proof has, which counts beside the run's own where
	// the reward basis is terms.BasisHeld; nil otherwise, and when there is none.
	Before *SnapshotBefore `json:",omitempty"`
}

// SnapshotBefore is the snapshot of a settled run: what its proof says of who held the token.
type SnapshotBefore struct {
	Run      string
	Number   uint64 // of the proof
	Manifest string // content id
	File     string
	// SHA256 is the file's, in hex.
	SHA256    string
	ChainSlot uint64
}

// Collecting is the collection of withheld tax.
type Collecting struct {
	// File lists the accounts, most withheld first; empty when there are none.
	File      string
	Accounts  uint32 // in the file
	Withheld  uint64 // in them
	BatchSize uint32
	// Version is the encoding of its transactions, even if the setting changes.
	Version payout.Version `json:",omitempty"`
	Stripes Stripes
	// Done says that every batch is decided; Collected is what arrived, by ChainSlot.
	Done      bool
	Collected uint64
	ChainSlot uint64
}

// Snapshot is who held the token, and where the list is.
type Snapshot struct {
	File string
	// SHA256 is the file's, in hex.
	SHA256    string
	ChainSlot uint64 // finalized
	Supply    uint64
	// Balances, WithheldInAccounts and WithheldOnMint add up to Supply.
	Balances           uint64
	WithheldInAccounts uint64
	WithheldOnMint     uint64
	Accounts           uint32
	Owners             uint32
	// Eligible owners share in proportion to EligibleBalance, or, where the reward basis is
	// terms.BasisHeld, to what of it they held before, which is EligibleWeight together.
	Eligible        uint32
	EligibleBalance uint64
	EligibleWeight  uint64 `json:",omitempty"`
	// NotHeld owners would share if what they have now counted alone.
	NotHeld uint32 `json:",omitempty"`
}

// Split is what becomes of the tokens: base units.
type Split struct {
	Spendable uint64
	Slice     uint64
	Burn      uint64
	// Sell is what is to be exchanged, or kept when the reward is the token itself.
	Sell uint64
	// FuelSell is the part of Sell that is sold for the wallet's own costs.
	FuelSell uint64
}

// Movement is money that moved by one transaction, or the decision that it does
// not.
type Movement struct {
	Amount    uint64
	Signature solana.Signature
	ChainSlot uint64
	At        time.Time
	// Why says, in a sentence, why it did not move; empty when it did. Reason is that
	// as a stable word.
	Why    string
	Reason payout.Reason
}

// Exchange is the sale of tokens.
type Exchange struct {
	// Tries counts the decided failures.
	Tries int
	// Done says that it is at its end. Sold and Proceeds are zero when Deferred says
	// why nothing was sold.
	Done     bool
	Sold     uint64
	Proceeds uint64
	Deferred string
	// Quoted is the price that was named while nothing was sold; nil otherwise.
	Quoted *Price
	Movement
}

// Payment is the paying of creator and holders.
type Payment struct {
	// CreatorShare and HoldersShare are this run's part of the proceeds.
	CreatorShare uint64
	HoldersShare uint64
	// FuelKept is what the wallet keeps of SOL proceeds for its own costs.
	FuelKept uint64
	// Legs are what is paid: the first is the reward asset, the others are assets
	// that were the reward before and are owed still.
	Legs []Leg
}

// Leg is the payment of one asset.
type Leg struct {
	Coin Coin
	// Creator is what the creator is to get, owed from before included; CreatorPaid
	// is nil until that is decided. Parts divide both among several wallets; there are none
	// where one gets it all. See CreatorParts.
	Creator     uint64
	CreatorPaid *Movement
	Parts       []CreatorPart `json:",omitempty"`
	// Share is what is divided among holders; Worth is the least that is paid, and the
	// largest u64 when nothing is.
	Share uint64
	Worth uint64
	// File lists the payments, largest first; empty when there are none.
	File      string
	Payments  uint32
	Due       uint64 // the sum of all that are due, also of those that the wallet cannot pay the fees for
	BatchSize uint32
	// Version is how its transactions are encoded, whatever is set meanwhile.
	Version payout.Version
	Stripes Stripes
	// RentFloor and AccountCharge are as in payout.Phase.
	RentFloor     uint64
	AccountCharge uint64
	Done          bool
}

// Stripes is how the batches of a phase are divided among messages, and how far they
// were sent to the queue.
type Stripes struct {
	// Size is how many batches a stripe has, AtOnce how many stripes are under way.
	Size   int
	AtOnce int
	// Begun is how many stripes were sent to the queue. Fence counts how often, and SentAt is
	// when that was last; see payout.Phase.
	Begun  int
	Fence  int
	SentAt time.Time
	// Here reports whether the stripe that was begun last is alone and was not sent: the machine
	// works on it.
	Here bool `json:",omitempty"`
}

// Closing is the end of the money's movements, proven.
type Closing struct {
	Balances
	// At is when the books were closed; zero in records of older versions.
	At   time.Time
	Legs []ClosedLeg
	// FeesLamports and RentLamports are what the run cost.
	FeesLamports uint64
	RentLamports uint64
	// Root is the Merkle root of the rows, in hex; Manifest names the proof by its
	// content id; Memo is what puts both on the chain.
	Root     string
	Manifest string
	Memo     string
	// Owed, Remainder, Reserved and Late are what the next run opens with; see Head.
	Owed      map[terms.Asset]uint64
	Remainder map[terms.Asset]uint64
	Reserved  map[terms.Asset]uint64
	Late      uint32
	// Stated are the wallet's balances by asset that the proof states.
	Stated map[terms.Asset]uint64
	// Unknown names what the proof leaves undecided.
	Unknown []Unsettled
	// AnchorTx is the content id of the signed transaction that has the memo; set
	// with the anchor.
	AnchorTx string
}

// ClosedLeg is what became of a leg.
type ClosedLeg struct {
	Asset       terms.Asset
	Paid        uint64 // to holders
	PaidHolders uint32
	Charged     uint64 // for accounts
	Carried     uint64 // to holders, in the next run
	CarriedTo   uint32 // holders
	// CreatorOwed is what the creator has still to get, CreatorOwedTo at which wallet.
	CreatorOwed   uint64
	CreatorOwedTo map[solana.PublicKey]uint64 `json:",omitempty"`
}

// End is how a run ended.
type End struct {
	At time.Time
	// Code is empty when the run is settled; otherwise the reason in a stable word,
	// and Detail in a sentence for the creator. Failed tells failed from skipped.
	Code   Code
	Detail string
	Failed bool
	// Lacks is what the books lacked when they did not balance.
	Lacks []Lack
	// Again: the run before came to nothing for the same reason, of which the creator was told.
	Again bool `json:",omitempty"`
}

// Adjustment allows the proof to state that amounts which no transaction explains are
// gone, up to UpTo base units of the asset. Reason is published; see format.ValidReason.
type Adjustment struct {
	Asset  terms.Asset
	UpTo   uint64
	Reason string
	At     time.Time
}

// Code says why a run was skipped or failed.
type Code string

// The codes.
const (
	// CodePaused: distribution was switched off before the run began.
	CodePaused Code = "paused"
	// CodeNothing: there was nothing to distribute.
	CodeNothing Code = "nothing_to_distribute"
	// CodeBelowCost: what there is would not be worth its own cost.
	CodeBelowCost Code = "below_cost"
	// CodeWalletTooLow: the wallet has not the SOL for its fees.
	CodeWalletTooLow Code = "wallet_too_low"
	// CodeNoHolders: no holder has as much as the settings ask for.
	CodeNoHolders Code = "no_holders"
	// CodeReward: holders can no longer be paid in the reward token.
	CodeReward Code = "unsupported_reward_token"
	// CodeSnapshot: the holders' balances did not add up to the supply.
	CodeSnapshot Code = "snapshot_does_not_add_up"
	// CodeBooks: what the transactions say and what the wallet has do not agree; nothing
	// moves until people have looked.
	CodeBooks Code = "books_do_not_balance"
)

// Head is what is known of a token's distributions as a whole.
type Head struct {
	Mint solana.PublicKey
	// Active is the slot of the run that is at work, zero when none is. LastSlot is
	// the newest slot that was opened.
	Active   time.Time
	LastSlot time.Time
	// Ended is why the newest run that is over did not settle; empty when it did.
	Ended Code
	// Frozen says why nothing may be opened; empty otherwise.
	Frozen string
	// Compared is when the wallet's history was last compared with ledger and journal; zero:
	// it never was. See Stopped.
	Compared time.Time
	// Origin is the origin.Mark of the record that was checked last; empty: none was.
	Origin string
	// Last is the last run that was settled, nil when none was.
	Last *Last
	// Snapshot is the newest that a proof has; nil when none has one.
	Snapshot *SnapshotBefore `json:",omitempty"`
	// Unsold and Debts are what the next run opens with; see Opening.
	Unsold uint64
	Debts
	// Late is how many payments the last run had no time for.
	Late uint32
	// Unproven is what runs have moved since the last proof: those that were skipped
	// or failed after they had begun.
	Unproven Totals
	// Unlisted are the slots of those runs, whose transactions the next proof names.
	Unlisted []time.Time
	// Unreturned names payments whose receipts the next run closes.
	Unreturned []payout.ID
	// Earned is the slot of the last distribution that had something to share out.
	Earned time.Time `json:",omitzero"`
	// Claimed is when the last claim was opened, Swept the slot of the last sweep that was
	// tried, and SweptAfter what Earned was when one was settled.
	Claimed    time.Time `json:",omitzero"`
	Swept      time.Time `json:",omitzero"`
	SweptAfter time.Time `json:",omitzero"`
	// Look is what was seen of the token when a run was last opened or put off; nil when
	// nothing was.
	Look *Look
	// Unknown names the payments of proven runs of which it cannot be said what landed.
	// Resolved are those to holders of which it can be said since: the next run's books
	// take them over.
	Unknown  []Unsettled
	Resolved []Resolved
	// Prices are those of the newest exchanges, newest last, at most KeepPrices.
	Prices []Price
	// Burned is the sum of all burns.
	Burned  uint64
	Version int64
}

// Stopped says whether nothing of the token may move: it is frozen, or its wallet's history
// has not been compared since the service was recovered from copies. Those may be older than
// the chain, and then neither ledger nor journal knows what was paid last. recovered is zero
// where the service never was.
func (h Head) Stopped(recovered time.Time) bool {
	return h.Frozen != "" || h.Compared.Before(recovered)
}

// Unsettled names a payment of the run of a slot.
type Unsettled struct {
	Slot time.Time
	ID   payout.ID
	// Since is when the payment became undecided, Next when the providers are asked about it
	// again; zero: at once.
	Since time.Time `json:",omitzero"`
	Next  time.Time `json:",omitzero"`
}

// Resolved is a payment to holders, without its attempts, that ended after its run was
// proven, and the file that its records are in.
type Resolved struct {
	Payment       payout.Payment
	File          string
	AccountCharge uint64
	Coin          Coin
	// Fee was kept of each payment; see Claim.
	Fee uint64 `json:",omitempty"`
}

// Landed says that the holders have the money; otherwise it is owed to them again.
func (s Resolved) Landed() bool { return s.Payment.Status() == payout.Landed }

// Left is what is still owed of an amount that had this payment in it, when it landed.
func (s Resolved) Left(owed uint64) uint64 {
	p := s.Payment
	gone := p.Amount + s.AccountCharge*uint64(len(p.Made)) + s.Fee*uint64(int(p.To-p.From)-len(p.Skips)) //nolint:gosec // a batch's
	return owed - min(gone, owed)
}

// Last is the last settled run, and what its closing was.
type Last struct {
	Run  string
	Slot time.Time
	// Number counts the token's proofs, from 1.
	Number   uint64
	Manifest string // content id
	Anchor   string // content id; empty for a run that ended before the service recorded it
	// Closing are the wallet's balances by asset when the proof was made.
	Closing map[terms.Asset]uint64
}

// Price is what an exchange brought: Out of Asset for In tokens.
type Price struct {
	Asset terms.Asset
	In    uint64
	Out   uint64
	At    time.Time
}

// KeepPrices is how many prices a head remembers: enough for the floor under an
// exchange (exchange.KeptPrices) when a run makes two.
const KeepPrices = 18

// Burn is one burn, as the public sees it.
type Burn struct {
	Mint      solana.PublicKey
	Run       string
	Amount    uint64
	Signature solana.Signature
	ChainSlot uint64
	At        time.Time
}
