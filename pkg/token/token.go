package token

import (
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Status is the progress of a launch.
type Status string

const (
	// Submitted: the signed launch is recorded and on its way to the chain.
	Submitted Status = "submitted"
	// Confirmed: the token exists on the chain.
	Confirmed Status = "confirmed"
	// Failed: the chain rejected the launch, and the token does not exist.
	Failed Status = "failed"
)

// Listed reports whether the public list shows tokens with this status.
func (s Status) Listed() bool {
	switch s {
	case Confirmed:
		return true
	case Submitted, Failed:
		return false
	}
	return false
}

// Record is a launched token. Amounts are in base units, shares in basis points.
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
	// Visible is false if operations hid the token from the public list.
	Visible        bool
	Decimals       int
	Supply         uint64
	TransferFeeBps int
	FeeAdjustable  bool
	Immutable      bool
	Wallet         Wallet
	Settings       terms.Settings
	// SettingsVersion is the number of the settings' version. SettingsSignature is the creator's
	// signature over terms.OrderText of the version, or zero without a signature.
	SettingsVersion   int64
	SettingsSignature solana.Signature
	// SettingsNewest is the number of the newest version at the time of reading, if the settings
	// are the settings of a slot. Otherwise it is zero.
	SettingsNewest int64
	// LaunchTerms is terms.OrderHash of the launch's settings, stored by the first change. It is
	// zero if SettingsNewest is zero.
	LaunchTerms [32]byte
	// Signature is the transaction ID of the launch.
	Signature solana.Signature
	CreatedAt time.Time
	// TransactionID is the ID of the order to launch, and Reason the reason of a failure. Only the
	// creator can read both.
	TransactionID, Reason string
	// Pools are the creator's pools of the token and SOL that were seen on the chain, the oldest
	// first. Launchpad is the creator's curve, or nil.
	Pools     []Pool
	Launchpad *Launchpad
	// OtherPools are the pools of other wallets, the oldest first.
	OtherPools []Pool
	// FeaturedUntil is the end of the token's promotion, possibly in the past. Zero means never
	// promoted.
	FeaturedUntil time.Time
}

// Launchpad is a curve in a token's record.
type Launchpad struct {
	Pool  solana.PublicKey
	State CurveState
}

// Wallet is the distribution wallet that collects a token's tax.
type Wallet struct {
	ID      string // a UUID
	Address solana.PublicKey
}

// Authorities are the keys that may change a token. Zero means that the authority was given up.
type Authorities struct {
	Mint             solana.PublicKey
	Freeze           solana.PublicKey
	MetadataUpdate   solana.PublicKey
	TransferFee      solana.PublicKey
	WithdrawWithheld solana.PublicKey
}

// Authorities returns the keys that may change the token after the launch. The authorities to mint
// and to freeze are always zero.
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
	// ErrNotFound is returned when a token does not exist.
	ErrNotFound = errors.New("no such token")
	// ErrSettingsUnknown is returned when the settings of a slot are no longer stored.
	ErrSettingsUnknown = errors.New("the settings of that slot are not known any more")
	// ErrNotListed is returned for a token that no list has, because the token is not confirmed.
	ErrNotListed = errors.New("token is on no list")
)
