package token

import (
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Status says how far a launch has come.
type Status string

const (
	// Submitted: the signed launch is recorded and on its way to the chain.
	Submitted Status = "submitted"
	// Confirmed: the token exists on the chain.
	Confirmed Status = "confirmed"
	// Failed: the chain refused the launch; there is no such token.
	Failed Status = "failed"
)

// Listed says whether the public list shows tokens in this state.
func (s Status) Listed() bool {
	switch s {
	case Confirmed:
		return true
	case Submitted, Failed:
		return false
	}
	return false
}

// Record is one launched token. Amounts are in base units, shares in basis
// points; a zero key stands for an authority that was given up.
type Record struct {
	ID   string // a UUID
	Mint solana.PublicKey
	// Creator is the wallet that signed the launch.
	Creator     solana.PublicKey
	Name        string
	Symbol      string
	Description string
	ImageCID    string
	MetadataCID string
	Links
	Status Status
	// Visible is false when operations hid the token from the public list.
	Visible        bool
	Decimals       int
	Supply         uint64
	TransferFeeBps int
	FeeAdjustable  bool
	Immutable      bool
	Wallet         Wallet
	Settings       terms.Settings
	// SettingsVersion numbers the settings, and SettingsSignature is the creator's over
	// that version's terms.OrderText; zero: they did not sign it.
	SettingsVersion   int64
	SettingsSignature solana.Signature
	// SettingsNewest is the number of the newest version when the settings were read, where
	// they are those of a slot; zero elsewhere.
	SettingsNewest int64
	// LaunchTerms is terms.OrderHash of the settings of the launch, as the first change
	// found them; zero where SettingsNewest is.
	LaunchTerms [32]byte
	// Signature of the transaction that launched it.
	Signature solana.Signature
	CreatedAt time.Time
	// TransactionID is that of the transaction that launches it, Reason why that failed;
	// only its creator is told.
	TransactionID, Reason string
	// Pools are the pools of the token and SOL that its creator made and that were seen on
	// the chain, the oldest first; Launchpad is its creator's curve, nil while there is none.
	Pools     []Pool
	Launchpad *Launchpad
	// OtherPools are those that others made, the oldest first.
	OtherPools []Pool
	// FeaturedUntil is when its promotion ends or has ended; zero: it had none.
	FeaturedUntil time.Time
}

// Launchpad is what a token's record says of its curve.
type Launchpad struct {
	Pool  solana.PublicKey
	State CurveState
}

// Wallet is the distribution wallet that collects a token's tax.
type Wallet struct {
	ID      string // a UUID
	Address solana.PublicKey
}

// Authorities are the keys that may still change a token. The zero key stands for none.
type Authorities struct {
	Mint             solana.PublicKey
	Freeze           solana.PublicKey
	MetadataUpdate   solana.PublicKey
	TransferFee      solana.PublicKey
	WithdrawWithheld solana.PublicKey
}

// Authorities tells who may change the token after its launch: no key can mint
// or freeze, ever.
func (r Record) Authorities() Authorities {
	a := Authorities{WithdrawWithheld: r.Wallet.Address}
	if !r.Immutable {
		a.MetadataUpdate = r.Creator
	}
	if r.FeeAdjustable {
		a.TransferFee = r.Creator
	}
	return a
}

var (
	// ErrNotFound: there is no such token.
	ErrNotFound = errors.New("no such token")
	// ErrSettingsUnknown: what a token's settings were at a slot is not kept any more.
	ErrSettingsUnknown = errors.New("the settings of that slot are not known any more")
	// ErrNotListed: the token is on no list, because it is not confirmed.
	ErrNotListed = errors.New("token is on no list")
)
