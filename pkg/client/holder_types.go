package client

import "github.com/gagliardetto/solana-go"

// RunPreview is the next distribution, if it began now.
type RunPreview struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	// When it is due; nil while distribution is switched off.
	Slot        *Time  `json:"slot"`
	RewardToken string `json:"rewardToken"`
	// What the distribution wallet has.
	Tokens Amount `json:"tokens"`
	// Tax that waits in the mint.
	WithheldOnMint Amount `json:"withheldOnMint"`
	// What of it belongs to holders and the creator already.
	Owed      Amount `json:"owed"`
	Spendable Amount `json:"spendable"`
	// What the distribution takes of it.
	Slice Amount `json:"slice"`
	Burn  Amount `json:"burn"`
	// What is exchanged, or shared out when the reward is the token itself.
	Sell     Amount  `json:"sell"`
	Proceeds *Amount `json:"proceeds"`
	Creator  *Amount `json:"creator"`
	Holders  *Amount `json:"holders"`
	// What each of the creator's wallets gets of Creator; empty while that is nil.
	Creators []PreviewCreator `json:"creators"`
	// The exchange whose price is used; nil when there was none or none is needed.
	Price *PreviewPrice `json:"price"`
	// Who shared in the last settled distribution; nil before the first.
	Snapshot *PreviewSnapshot `json:"snapshot"`
	// Why slots pass without a distribution for now; nil when they do not.
	Rest       *PreviewRest `json:"rest"`
	ComputedAt Time         `json:"computedAt"`
}

// PreviewRest says why slots pass without a distribution. Code is
// nothing_to_distribute, below_cost, no_market, no_holders or wallet_too_low.
type PreviewRest struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	// When the token is looked at again at the latest; nil when only new tax or new
	// settings end the rest.
	Until *Time `json:"until"`
}

// PreviewCreator is what one of the creator's wallets gets.
type PreviewCreator struct {
	Wallet  solana.PublicKey `json:"wallet"`
	Percent Percent          `json:"percent"`
	Amount  Amount           `json:"amount"`
}

// PreviewPrice is the exchange whose price a preview uses.
type PreviewPrice struct {
	Sold     Amount `json:"sold"`
	Proceeds Amount `json:"proceeds"`
	At       Time   `json:"at"`
}

// PreviewSnapshot is who shared in the last settled distribution.
type PreviewSnapshot struct {
	RunID           string `json:"runId"`
	ChainSlot       uint64 `json:"chainSlot"`
	Eligible        int    `json:"eligible"`
	EligibleBalance Amount `json:"eligibleBalance"`
	// The one of that distribution.
	MinimumHoldingRequirement Amount `json:"minimumHoldingRequirement"`
}

// Holder is what the last settled distribution came to for one wallet.
type Holder struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	Wallet      solana.PublicKey `json:"wallet"`
	// The distribution; nil when there was none.
	Run *HolderRun `json:"run"`
	// What the wallet had at its snapshot.
	Balance Amount      `json:"balance"`
	Assets  []HolderRow `json:"assets"`
	// Why nothing was paid; nil when something was.
	Why *Reason `json:"why"`
}

// HolderRun names the distribution.
type HolderRun struct {
	ID    string   `json:"id"`
	Slot  Time     `json:"slot"`
	Proof *Content `json:"proof"`
}

// HolderRow is what a wallet got in one asset.
type HolderRow struct {
	Asset string `json:"asset"`
	// Of this distribution.
	Share Amount `json:"share"`
	// From those before.
	OwedBefore Amount `json:"owedBefore"`
	Paid       Amount `json:"paid"`
	// What arrived; less than what was paid when the reward token is taxed itself.
	Received Amount `json:"received"`
	// For the rent of the account that was made for the wallet.
	Charged Amount `json:"charged"`
	// Kept for the next distribution.
	Owed Amount `json:"owed"`
	// What of it was sent, perhaps, and is not sent again before that is known.
	Reserved Amount `json:"reserved"`
	// Why something is kept; nil when nothing is.
	Reason *Reason `json:"reason"`
	// The transaction that paid; nil when nothing was paid.
	Signature *solana.Signature `json:"signature"`
	// Shows that the row is in the proof.
	Inclusion Inclusion `json:"inclusion"`
}

// Inclusion shows that a row is in the proof.
type Inclusion struct {
	// The row as the proof has it.
	Line string `json:"line"`
	// Which line it is, from 0.
	Index int `json:"index"`
	// How many lines there are.
	Size int `json:"size"`
	// The hashes beside its way to the root.
	Path []string `json:"path"`
	Root string   `json:"root"`
}

// BurnHistory is one page of what was burned of a token.
type BurnHistory struct {
	MintAddress solana.PublicKey `json:"mintAddress"`
	// All burns together, on all pages.
	TotalBurned Amount `json:"totalBurned"`
	Burns       []Burn `json:"burns"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
	// What there is of the token now, read from the chain.
	CurrentSupply Amount `json:"currentSupply"`
}

// Burn is one burn.
type Burn struct {
	// Id of the burn.
	ID string `json:"id"`
	// The distribution that burned.
	RunID  string `json:"runId"`
	Amount Amount `json:"amount"`
	// The transaction.
	Signature solana.Signature `json:"signature"`
	// The slot of the chain in which it landed.
	ChainSlot uint64 `json:"chainSlot"`
	Timestamp Time   `json:"timestamp"`
}
