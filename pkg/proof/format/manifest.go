package format

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Creator adds up the lines of the creator's wallets. checkCreators rejects sums above 64 bits.
func (l Leg) Creator() (sum CreatorShare) {
	for _, c := range l.Creators {
		sum.Share += c.Share
		sum.Owed += c.Owed
		sum.Paid += c.Paid
		sum.Received += c.Received
		sum.Carried += c.Carried
		sum.Reserved += c.Reserved
	}
	return sum
}

// Format is the first field of a manifest: the type of the file and the version.
const Format = "token distribution proof 2"

// Manifest describes a run: inputs, results and lists. Amounts are in base units of the token, or in
// lamports. The tags of the fields define the file.
type Manifest struct {
	Format string `json:"format"`
	Kind   Kind   `json:"kind"`
	// Number is the number of the proof among the token's proofs, from 1.
	Number uint64 `json:"number"`
	RunID  string `json:"runId"`
	// Slot is the scheduled time of the run.
	Slot     time.Time `json:"slot"`
	Mint     Key       `json:"mint"`
	Program  Key       `json:"program"` // the owner of the mint
	Decimals uint8     `json:"decimals"`
	// Creator is the wallet that launched the token and orders the settings.
	Creator Key `json:"creator"`
	// Wallet is the distribution wallet. TokenAccount is the wallet's account of the token.
	Wallet       Key      `json:"wallet"`
	TokenAccount Key      `json:"tokenAccount"`
	Settings     Settings `json:"settings"`
	// Next is absent if Settings were in force at the run's scheduled time.
	Next       *Next       `json:"next,omitempty"`
	Snapshot   Snapshot    `json:"snapshot"`
	Split      Split       `json:"split"`
	Exchange   Sale        `json:"exchange"`
	Receipts   Receipts    `json:"receipts"`
	Legs       []Leg       `json:"legs"`
	Statements []Statement `json:"statements"`
	// Rows has the lines of all legs, leg by leg. The anchor's memo has the root.
	Rows         Table `json:"rows"`
	LeftOut      Table `json:"leftOut"`
	Transactions Table `json:"transactions"`
	// Cut is the last slot whose transactions are in the statements. Later transactions are in
	// the next proof.
	Cut uint64 `json:"cut"`
	// Previous is the content id of the previous manifest, whose rows have the amounts owed
	// before this run. Previous is empty in a token's first manifest.
	Previous string `json:"previous"`
	// WalletsBefore are the distribution wallets since the previous proof, oldest first, if the
	// operator moved the token to the wallet of another root. Each was emptied into the next.
	WalletsBefore []WalletBefore `json:"walletsBefore,omitempty"`
	// TrustList is the TrustListVersion of the code that wrote the manifest; absent for 1.
	TrustList uint16 `json:"trustList,omitempty"`
}

// WalletBefore is a distribution wallet that a rotation emptied. Last is the transaction that took the
// last lamports, at Slot.
type WalletBefore struct {
	Wallet Key       `json:"wallet"`
	Last   Signature `json:"last"`
	Slot   uint64    `json:"slot"`
}

// RotationMark begins the memo of the transaction that moves the authority over a token's tax to
// another wallet. The address of the wallet follows.
const RotationMark = "tokenlaunch rotation "

// Kind is the purpose of a run.
type Kind string

// The kinds.
const (
	// Distribution shares out the proceeds of the tax.
	Distribution Kind = "distribution"
	// Claim pays holders who requested their outstanding amounts. A claim sells, burns and
	// shares out nothing.
	Claim Kind = "claim"
)

// MaxClaimFee is the maximum fee that a claim deducts from a payment in SOL, in lamports. From a
// payment in another asset, a claim deducts at most half.
const MaxClaimFee = 30_000

// Next describes the settings in force at the run's scheduled time, if these settings lower what holders
// get, and the tax withheld before is divided by the Settings of the manifest.
type Next struct {
	Settings Settings `json:"settings"`
	// Since is the scheduled time of the first distribution by the Settings of the manifest while later
	// settings were in force, in seconds since 1970. Since is absent before the first such distribution.
	Since uint64 `json:"since,omitempty"`
}

// NewNext converts the version that was in force for a manifest; nil for a run by the version in force.
func NewNext(p terms.Paid) *Next {
	if p.Next == nil {
		return nil
	}
	n := &Next{Settings: NewSettings(p.Next.Settings, p.Next.Number, p.Next.Signature)}
	if !p.Since.IsZero() {
		n.Since = uint64(p.Since.Unix()) //nolint:gosec // after 1970
	}
	return n
}

// SellBps returns the part of the collected tax that the run takes up. A run by earlier settings takes
// up everything, so that later settings get nothing of the tax.
func (m Manifest) SellBps() int {
	if m.Next != nil {
		return terms.FullBps
	}
	return m.Settings.SellBps
}

// Reward returns the asset in which the run pays. A run by earlier settings pays in SOL if the reward of
// the settings cannot be paid any more.
func (m Manifest) Reward() string {
	if m.Next != nil && len(m.Legs) > 0 && m.Legs[0].Asset == terms.RewardSOL {
		return terms.RewardSOL
	}
	return m.Settings.RewardToken
}

// Paid returns the facts that decide the settings of the next run.
func (m Manifest) Paid() terms.Paid {
	p := terms.Paid{Version: m.Settings.version()}
	if m.Next == nil {
		return p
	}
	p.Next = new(m.Next.Settings.version())
	if slot := m.Slot.Unix(); slot > 0 && m.Next.Since > 0 && m.Next.Since <= uint64(slot) {
		p.Since = time.Unix(int64(m.Next.Since), 0).UTC() //nolint:gosec // at most the slot
	}
	// A postponed run leaves everything, and its UnsoldAfter is Unsold.
	postponed := m.Split.Burned < m.Split.Burn || m.Exchange.Sold == 0 && m.Exchange.FuelSold == 0 && m.Exchange.Proceeds == 0 && m.Split.Sell > 0
	p.Done = m.Kind == Distribution && m.Split.UnsoldAfter == 0 && !postponed
	return p
}

// Settings divided the tax of the run. Without Next, they were in force at the run's scheduled time.
type Settings struct {
	// Version is the number of the settings. The settings of the launch have version 1.
	Version         int64  `json:"version"`
	Interval        string `json:"interval"`
	RewardToken     string `json:"rewardToken"`
	MinimumHolding  Amount `json:"minimumHolding"`
	SellBps         int    `json:"sellBps"`
	BurnBps         int    `json:"burnBps"`
	DeveloperFeeBps int    `json:"developerFeeBps"`
	DeveloperWallet Key    `json:"developerWallet"`
	// CreatorSplits divide the creator's share among several wallets. CreatorSplits is absent
	// if DeveloperWallet receives the whole share.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitempty"`
	// RewardBasis is "held" if the lesser of two snapshots' balances counts. RewardBasis is
	// absent if the balance in the run's own snapshot counts.
	RewardBasis string `json:"rewardBasis,omitempty"`
	// MinimumHoldersBps is the minimum share of holders, which the creator can only raise. It is
	// absent without a minimum.
	MinimumHoldersBps int `json:"minimumHoldersBps,omitempty"`
	// ChangeDelay is the time between the order and the effect of a change that lowers what holders
	// get. It is absent without a delay.
	ChangeDelay string `json:"changeDelay,omitempty"`
	// Order is the creator's signature over the settings' text (terms.OrderText). Order is
	// empty if the creator did not sign the settings.
	Order Signature `json:"order"`
}

// NewSettings converts a version of a token's settings for a manifest. A zero signature means that the
// creator did not sign the version.
func NewSettings(s terms.Settings, version int64, order solana.Signature) Settings {
	made := Settings{
		Version: version, Interval: string(s.Interval), RewardToken: s.RewardToken, MinimumHolding: Amount(s.MinimumHolding),
		SellBps: s.SellBps, BurnBps: s.BurnBps, DeveloperFeeBps: s.DeveloperFeeBps, DeveloperWallet: Key(s.DeveloperWallet),
		RewardBasis: string(s.RewardBasis), MinimumHoldersBps: s.MinimumHoldersBps, ChangeDelay: string(s.ChangeDelay), Order: Signature(order),
	}
	for _, one := range s.CreatorSplits.List() {
		made.CreatorSplits = append(made.CreatorSplits, CreatorSplit{Wallet: Key(one.Wallet), PartBps: one.Bps})
	}
	return made
}

// Terms converts the settings for a token's record.
func (s Settings) Terms() terms.Settings {
	return terms.Settings{
		RewardToken: s.RewardToken, MinimumHolding: uint64(s.MinimumHolding), SellBps: s.SellBps, Enabled: true,
		Interval: terms.Interval(s.Interval), BurnBps: s.BurnBps, DeveloperFeeBps: s.DeveloperFeeBps,
		DeveloperWallet: s.DeveloperWallet.PublicKey(), CreatorSplits: s.splits(),
		RewardBasis: terms.Basis(s.RewardBasis), MinimumHoldersBps: s.MinimumHoldersBps, ChangeDelay: terms.Delay(s.ChangeDelay),
	}
}

func (s Settings) version() terms.Version {
	return terms.Version{Settings: s.Terms(), Number: s.Version, Signature: solana.Signature(s.Order)}
}

// CreatorSplit is the part of a wallet in the creator's share.
type CreatorSplit struct {
	Wallet  Key `json:"wallet"`
	PartBps int `json:"partBps"`
}

func (s Settings) splits() terms.Splits {
	list := make([]terms.Split, 0, len(s.CreatorSplits))
	for _, one := range s.CreatorSplits {
		list = append(list, terms.Split{Wallet: one.Wallet.PublicKey(), Bps: one.PartBps})
	}
	return terms.NewSplits(list)
}

// PreviousHash returns the hash of the previous manifest; zero for the first manifest.
func (m Manifest) PreviousHash() (merkle.Hash, error) {
	if m.Previous == "" {
		return merkle.Hash{}, nil
	}
	return hashOf(m.Previous)
}

// OrderHash returns the hash of the settings' text, which is also in the anchor's memo.
func (m Manifest) OrderHash() merkle.Hash {
	return terms.OrderHash(m.Mint.PublicKey(), m.Settings.Version, m.Settings.Terms())
}

// Tally is a number of owners and the sum of their balances.
type Tally struct {
	Owners  uint64 `json:"owners"`
	Balance Amount `json:"balance"`
}

// Snapshot describes the owners of the token. Every owner is in Eligible or LeftOut. The supply is the
// sum of all balances and the withheld tax.
type Snapshot struct {
	ChainSlot          uint64 `json:"chainSlot"`
	Supply             Amount `json:"supply"`
	WithheldInAccounts Amount `json:"withheldInAccounts"`
	WithheldOnMint     Amount `json:"withheldOnMint"`
	Eligible           Tally  `json:"eligible"`
	LeftOut            Tally  `json:"leftOut"`
	// Held is absent if only the balance in this snapshot counts.
	Held *Held `json:"held,omitempty"`
}

// Split is the division of the wallet's tokens.
type Split struct {
	Spendable Amount `json:"spendable"`
	// Unsold is the part of Spendable whose burn an earlier run has deducted.
	Unsold Amount `json:"unsold"`
	Slice  Amount `json:"slice"`
	Burn   Amount `json:"burn"`
	Sell   Amount `json:"sell"`
	// Burned is Burn, or zero if the run was postponed before the burn.
	Burned Amount `json:"burned"`
	// UnsoldAfter becomes Unsold of the next run.
	UnsoldAfter Amount `json:"unsoldAfter"`
}

// Sale is the exchange. If the reward is the token itself, Sold is zero and Proceeds is the amount
// kept for the reward.
type Sale struct {
	Sold     Amount `json:"sold"`
	Proceeds Amount `json:"proceeds"`
	// FuelSold is the amount sold for the wallet's own costs. Fuel is the proceeds of that
	// sale, in lamports.
	FuelSold Amount `json:"fuelSold"`
	Fuel     Amount `json:"fuel"`
}

// Receipts are the lamports that the named transactions deposited in receipts and returned from
// receipts. The statement of SOL may have larger amounts, from runs without a proof.
type Receipts struct {
	Lent     Amount `json:"lent"`
	Returned Amount `json:"returned"`
}

// Leg is the payout of one asset. The first leg is the reward of this run. Further legs pay outstanding
// amounts in earlier rewards.
type Leg struct {
	// Asset is "SOL" or the address of a mint. Program is empty for SOL.
	Asset    string `json:"asset"`
	Program  string `json:"program"`
	Decimals uint8  `json:"decimals"`
	// RemainderIn is the rounding remainder of the previous run. Total is the amount that is
	// shared out. RemainderOut is the rounding remainder of this run.
	RemainderIn  Amount `json:"remainderIn"`
	Total        Amount `json:"total"`
	RemainderOut Amount `json:"remainderOut"`
	// WorthPaying is the minimum amount of a payment.
	WorthPaying Amount `json:"worthPaying"`
	// Creators are the creator's wallets, with their parts of the creator's share.
	Creators []CreatorShare `json:"creators"`
	Rows     uint64         `json:"rows"`
	Sums     Sums           `json:"sums"`
}

// CreatorShare is the line of one of the creator's wallets in a leg. The columns are the columns of a
// row.
type CreatorShare struct {
	Wallet Key `json:"wallet"`
	// PartBps is the wallet's part of the creator's share, in basis points.
	PartBps   int               `json:"partBps"`
	Share     Amount            `json:"share"`
	Owed      Amount            `json:"owed"`
	Paid      Amount            `json:"paid"`
	Received  Amount            `json:"received"`
	Carried   Amount            `json:"carried"`
	Reserved  Amount            `json:"reserved"`
	Reason    allocation.Reason `json:"reason"`
	Signature Signature         `json:"signature"`
}

// Sums add up the rows of a leg, column by column.
type Sums struct {
	Balance  Amount `json:"balance"`
	Share    Amount `json:"share"`
	Owed     Amount `json:"owed"`
	Paid     Amount `json:"paid"`
	Received Amount `json:"received"`
	Charged  Amount `json:"charged"`
	Carried  Amount `json:"carried"`
	Reserved Amount `json:"reserved"`
	Total    Amount `json:"total"`
	// PaidTo and CarriedTo are the numbers of rows with a nonzero Paid or Carried column.
	PaidTo    uint64 `json:"paidTo"`
	CarriedTo uint64 `json:"carriedTo"`
}

// Add adds a row. It returns an error if a column exceeds 64 bits.
func (s *Sums) Add(r allocation.Row) error {
	for _, column := range []struct {
		into   *Amount
		amount uint64
	}{
		{&s.Balance, r.Balance},
		{&s.Share, r.Share},
		{&s.Owed, r.Owed},
		{&s.Paid, r.Paid},
		{&s.Received, r.Received},
		{&s.Charged, r.Charged},
		{&s.Carried, r.Carried},
		{&s.Reserved, r.Reserved},
		{&s.Total, r.Total},
	} {
		sum := uint64(*column.into) + column.amount
		if sum < column.amount {
			return fmt.Errorf("the rows of %s add up to more than 64 bits", r.Asset)
		}
		*column.into = Amount(sum)
	}
	if r.Paid > 0 {
		s.PaidTo++
	}
	if r.Carried > 0 {
		s.CarriedTo++
	}
	return nil
}

// EncodeManifest returns the manifest's file.
func EncodeManifest(m Manifest) ([]byte, error) {
	m.Format = Format
	m.Slot = m.Slot.UTC()
	if m.TrustList == 1 {
		m.TrustList = 0
	}
	if m.Legs == nil {
		m.Legs = []Leg{}
	}
	if m.Statements == nil {
		m.Statements = []Statement{}
	}
	for i := range m.Legs {
		if m.Legs[i].Creators == nil {
			m.Legs[i].Creators = []CreatorShare{}
		}
	}
	for i := range m.Statements {
		s := &m.Statements[i]
		for _, list := range []*[]Entry{&s.In, &s.Out, &s.HeldFor} {
			if *list == nil {
				*list = []Entry{}
			}
		}
	}
	for _, table := range []*Table{&m.Rows, &m.LeftOut, &m.Transactions} {
		if table.Pages == nil {
			table.Pages = []Part{}
		}
		if table.Root == "" {
			table.Root = emptyRoot
		}
	}
	return EncodeJSON(m)
}

// DecodeManifest parses a file of EncodeManifest. It rejects any other encoding.
func DecodeManifest(content []byte) (Manifest, error) {
	var m Manifest
	if err := decodeProof(content, &m); err != nil {
		return Manifest{}, fmt.Errorf("the manifest: %w", err)
	}
	if m.Format != Format {
		return Manifest{}, fmt.Errorf("the manifest is of the format %.40q, not %q", m.Format, Format)
	}
	again, err := EncodeManifest(m)
	if err != nil {
		return Manifest{}, err
	}
	if sha256.Sum256(again) != sha256.Sum256(content) {
		return Manifest{}, fmt.Errorf("the manifest is not in its one spelling")
	}
	return m, nil
}
