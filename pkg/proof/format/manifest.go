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

// Creator adds up the lines of the creator's wallets; checkCreators sees that they have 64 bits
// together.
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

// Format is the first field of a manifest: what it is, and how it is to be read.
const Format = "token distribution proof 2"

// Manifest says everything about a run: the inputs, what came of them,
// and which lists there are. Amounts of the token and of SOL are in base units. Its
// tags are those of the file, whose definition it is.
type Manifest struct {
	Format string `json:"format"`
	Kind   Kind   `json:"kind"`
	// Number counts the proofs of the token, from 1.
	Number uint64 `json:"number"`
	RunID  string `json:"runId"`
	// Slot is the boundary of the interval that the run is for.
	Slot     time.Time `json:"slot"`
	Mint     Key       `json:"mint"`
	Program  Key       `json:"program"` // that owns the mint
	Decimals uint8     `json:"decimals"`
	// Creator launched the token, and orders its settings.
	Creator Key `json:"creator"`
	// Wallet is the distribution wallet, TokenAccount its account for the token.
	Wallet       Key         `json:"wallet"`
	TokenAccount Key         `json:"tokenAccount"`
	Settings     Settings    `json:"settings"`
	Snapshot     Snapshot    `json:"snapshot"`
	Split        Split       `json:"split"`
	Exchange     Sale        `json:"exchange"`
	Receipts     Receipts    `json:"receipts"`
	Legs         []Leg       `json:"legs"`
	Statements   []Statement `json:"statements"`
	// Rows has the lines of all legs, leg by leg; its root is in the anchor's memo.
	Rows         Table `json:"rows"`
	LeftOut      Table `json:"leftOut"`
	Transactions Table `json:"transactions"`
	// Cut is the last slot whose transactions the statements have. What lands after it is
	// in the next proof.
	Cut uint64 `json:"cut"`
	// Previous is the content id of the manifest before, whose rows say what was owed;
	// empty for a token's first.
	Previous string `json:"previous"`
	// TrustList is the TrustListVersion of the code that wrote the manifest; absent for 1.
	TrustList uint16 `json:"trustList,omitempty"`
}

// Kind is what a run is for.
type Kind string

// The kinds.
const (
	// Distribution shares out what the tax has brought.
	Distribution Kind = "distribution"
	// Claim pays holders who asked for what they are owed: nothing is sold, burned or
	// shared out.
	Claim Kind = "claim"
)

// MostClaimFee is what a claim may keep of a payment in SOL for its transactions, in
// lamports. Of another asset it keeps half at most.
const MostClaimFee = 30_000

// Settings are those that held at the run's slot.
type Settings struct {
	// Version counts the changes since the launch, whose settings have 1.
	Version         int64  `json:"version"`
	Interval        string `json:"interval"`
	RewardToken     string `json:"rewardToken"`
	MinimumHolding  Amount `json:"minimumHolding"`
	SellBps         int    `json:"sellBps"`
	BurnBps         int    `json:"burnBps"`
	DeveloperFeeBps int    `json:"developerFeeBps"`
	DeveloperWallet Key    `json:"developerWallet"`
	// CreatorSplits divide the creator's share among several wallets; absent where
	// DeveloperWallet gets all of it.
	CreatorSplits []CreatorSplit `json:"creatorSplits,omitempty"`
	// RewardBasis is "held" where the lesser of two snapshots' balances counts; absent where the
	// balance in the run's own snapshot does.
	RewardBasis string `json:"rewardBasis,omitempty"`
	// Order is the creator's signature over the settings' text (terms.OrderText); empty
	// where they are the service's word.
	Order Signature `json:"order"`
}

// NewSettings returns a version of a token's settings as a proof has them. The zero signature
// means that the creator did not sign the version.
func NewSettings(s terms.Settings, version int64, order solana.Signature) Settings {
	made := Settings{
		Version: version, Interval: string(s.Interval), RewardToken: s.RewardToken, MinimumHolding: Amount(s.MinimumHolding),
		SellBps: s.SellBps, BurnBps: s.BurnBps, DeveloperFeeBps: s.DeveloperFeeBps, DeveloperWallet: Key(s.DeveloperWallet),
		RewardBasis: string(s.RewardBasis), Order: Signature(order),
	}
	for _, one := range s.CreatorSplits.List() {
		made.CreatorSplits = append(made.CreatorSplits, CreatorSplit{Wallet: Key(one.Wallet), PartBps: one.Bps})
	}
	return made
}

// Terms gives the settings as the token's record has them.
func (s Settings) Terms() terms.Settings {
	return terms.Settings{
		RewardToken: s.RewardToken, MinimumHolding: uint64(s.MinimumHolding), SellBps: s.SellBps, Enabled: true,
		Interval: terms.Interval(s.Interval), BurnBps: s.BurnBps, DeveloperFeeBps: s.DeveloperFeeBps,
		DeveloperWallet: s.DeveloperWallet.PublicKey(), CreatorSplits: s.splits(),
		RewardBasis: terms.Basis(s.RewardBasis),
	}
}

// CreatorSplit is what one of the creator's wallets gets of the creator's share.
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

// PreviousHash is the hash of the manifest before; zero for the first.
func (m Manifest) PreviousHash() (merkle.Hash, error) {
	if m.Previous == "" {
		return merkle.Hash{}, nil
	}
	return hashOf(m.Previous)
}

// OrderHash is the hash of the settings' text, which the anchor has.
func (m Manifest) OrderHash() merkle.Hash {
	return terms.OrderHash(m.Mint.PublicKey(), m.Settings.Version, m.Settings.Terms())
}

// Tally is how many owners there are, and what they have together.
type Tally struct {
	Owners  uint64 `json:"owners"`
	Balance Amount `json:"balance"`
}

// Snapshot is who held the token. Eligible and LeftOut are all owners; their
// balances and the tax withheld are the supply.
type Snapshot struct {
	ChainSlot          uint64 `json:"chainSlot"`
	Supply             Amount `json:"supply"`
	WithheldInAccounts Amount `json:"withheldInAccounts"`
	WithheldOnMint     Amount `json:"withheldOnMint"`
	Eligible           Tally  `json:"eligible"`
	LeftOut            Tally  `json:"leftOut"`
	// Held is absent where the balance in this snapshot alone counts.
	Held *Held `json:"held,omitempty"`
}

// Split is what became of the wallet's tokens.
type Split struct {
	Spendable Amount `json:"spendable"`
	// Unsold is the part of it whose burn was taken in an earlier run.
	Unsold Amount `json:"unsold"`
	Slice  Amount `json:"slice"`
	Burn   Amount `json:"burn"`
	Sell   Amount `json:"sell"`
	// Burned is Burn, or nothing when the run was put off before it.
	Burned Amount `json:"burned"`
	// UnsoldAfter is what the next run has as Unsold.
	UnsoldAfter Amount `json:"unsoldAfter"`
}

// Sale is the exchange. Where the reward is the token itself nothing is sold, and
// Proceeds are what is kept for it.
type Sale struct {
	Sold     Amount `json:"sold"`
	Proceeds Amount `json:"proceeds"`
	// FuelSold was sold for the wallet's own costs, and brought Fuel, in lamports.
	FuelSold Amount `json:"fuelSold"`
	Fuel     Amount `json:"fuel"`
}

// Receipts is what the named transactions lent to receipts and returned from them, in
// lamports. The statement of SOL may have more, of transactions of runs that came to no
// proof.
type Receipts struct {
	Lent     Amount `json:"lent"`
	Returned Amount `json:"returned"`
}

// Leg is one asset that is paid: the first is the reward of this run, others are
// arrears in what the reward was before.
type Leg struct {
	// Asset is "SOL" or the address of a mint; of SOL, Program is empty.
	Asset    string `json:"asset"`
	Program  string `json:"program"`
	Decimals uint8  `json:"decimals"`
	// RemainderIn is what rounding left over in the run before; Total is shared out,
	// and RemainderOut is what rounding leaves.
	RemainderIn  Amount `json:"remainderIn"`
	Total        Amount `json:"total"`
	RemainderOut Amount `json:"remainderOut"`
	// WorthPaying is the least that was paid.
	WorthPaying Amount `json:"worthPaying"`
	// Creators are the creator's wallets, which have parts of the creator's share.
	Creators []CreatorShare `json:"creators"`
	Rows     uint64         `json:"rows"`
	Sums     Sums           `json:"sums"`
}

// CreatorShare is the line of one of the creator's wallets in a leg; its columns are
// those of a row.
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
	// PaidTo and CarriedTo are how many rows have something in that column.
	PaidTo    uint64 `json:"paidTo"`
	CarriedTo uint64 `json:"carriedTo"`
}

// Add adds a row. It fails when a column exceeds 64 bits.
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

// EncodeManifest gives the manifest's file.
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

// DecodeManifest reads what EncodeManifest gives, and nothing else.
func DecodeManifest(content []byte) (Manifest, error) {
	var m Manifest
	if err := DecodeJSON(content, &m); err != nil {
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
