package token

import (
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
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
	// Guardian is the third key next to Wallet and Creator, of which two together may collect the
	// tax. Zero: the token has no guardian.
	Guardian solana.PublicKey
	Settings terms.Settings
	// SettingsVersion is the number of the settings' version. SettingsSignature is the creator's
	// signature over terms.OrderText of the version, or zero without a signature.
	SettingsVersion   int64
	SettingsSignature solana.Signature
	// Held is the version in force before SettingsFrom, if Settings are or were pending; zero
	// otherwise. See InForce.
	Held         terms.Version
	SettingsFrom time.Time
	// Pending is the version that is not in force yet, in a record that InForce returned; nil without
	// such a version.
	Pending *terms.Version
	// SettingsNewest is the number of the newest version at the time of reading, if the settings
	// are the settings of a slot. Otherwise it is zero.
	SettingsNewest int64
	// LaunchTerms is terms.OrderHash of the launch's settings, stored by the first change. It is
	// zero if SettingsNewest is zero.
	LaunchTerms [32]byte
	// Launched are the settings of the launch, if these have a delay of changes. Launched is the zero
	// version if SettingsNewest is zero.
	Launched terms.Version
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
	// WindDown is the operator's order to end the token's distributions; zero without an order.
	WindDown WindDown
	// LaunchWallet is the wallet to which the launch gave the tax, if the token was
	// moved to the wallet of another root since; zero otherwise.
	LaunchWallet Wallet
	// RotateTo is the operator's order to move the token to the wallet of another root; zero
	// without an order.
	RotateTo Wallet
	// FeaturedUntil is the end of the token's promotion, possibly in the past. Zero means never
	// promoted.
	FeaturedUntil time.Time
}

// HoldsFrom returns the time from which Settings are in force: now, or later if Settings are pending.
func (r Record) HoldsFrom(now time.Time) time.Time {
	if r.Held.Number != 0 && r.SettingsFrom.After(now) {
		return r.SettingsFrom
	}
	return now
}

// InForce returns the record with the settings in force at a time, instead of pending settings.
func (r Record) InForce(at time.Time) Record {
	if r.HoldsFrom(at).After(at) {
		r.Pending = &terms.Version{Settings: r.Settings, Number: r.SettingsVersion, From: r.SettingsFrom, Signature: r.SettingsSignature}
		r.Settings, r.SettingsVersion, r.SettingsSignature = r.Held.Settings, r.Held.Number, r.Held.Signature
	}
	return r
}

// WindDown is the operator's order to end a token's distributions. From At on, the service pays what
// the wallet owes, and hands the authority over withheld tax and the wallet's float to the creator.
type WindDown struct {
	At time.Time
	// Final reports that the float goes back although the wallet owes amounts to holders who could not
	// be paid. Without Final, the wallet keeps the float, so that these holders can claim.
	Final bool
}

// Begun reports whether the time of the order has come.
func (w WindDown) Begun(now time.Time) bool { return !w.At.IsZero() && !now.Before(w.At) }

// Launchpad is a curve in a token's record.
type Launchpad struct {
	Pool  solana.PublicKey
	State CurveState
}

// Wallet is the distribution wallet that collects a token's tax.
type Wallet struct {
	ID      string // a UUID
	Address solana.PublicKey
	// Root is the number of the root from which the wallet's key is derived; zero for the first
	// root.
	Root uint8 `json:",omitempty"`
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
	a := Authorities{WithdrawWithheld: r.Collector().Authority}
	if !r.Immutable {
		a.MetadataUpdate = r.Creator
	}
	if r.FeeAdjustable {
		a.TransferFee = r.Creator
	}
	return a
}

// AtLaunch returns the record with the wallet of the launch.
func (r Record) AtLaunch() Record {
	if r.LaunchWallet.ID != "" {
		r.Wallet, r.LaunchWallet = r.LaunchWallet, Wallet{}
	}
	return r
}

// Collector is the authority over withheld tax.
type Collector struct {
	// Authority is the distribution wallet, or the multisig account of a token with a guardian.
	Authority solana.PublicKey
	// Guardian is zero for a token without a guardian.
	Guardian solana.PublicKey
}

// Guarded reports whether the guardian co-signs collections.
func (c Collector) Guarded() bool { return !c.Guardian.IsZero() }

// Signers returns the members that sign a collection by the service, for a token's distribution
// wallet. The list is empty if Authority itself signs.
func (c Collector) Signers(wallet solana.PublicKey) []solana.PublicKey {
	if !c.Guarded() {
		return nil
	}
	return []solana.PublicKey{wallet, c.Guardian}
}

// Collector returns the authority over the token's withheld tax.
func (r Record) Collector() Collector {
	return CollectorOf(r.Mint, r.Creator, r.Wallet.Address, r.Guardian)
}

// CollectorOf returns the Collector of a token by the token's keys. guardian is zero for a token
// without a guardian.
func CollectorOf(mint, creator, wallet, guardian solana.PublicKey) Collector {
	if guardian.IsZero() {
		return Collector{Authority: wallet}
	}
	// The only cause of an error is a seed that is too long, and the seed has a constant length.
	account, _ := creation.MultisigAddress(creator, mint)
	return Collector{Authority: account, Guardian: guardian}
}

var (
	// ErrNotFound is returned when a token does not exist.
	ErrNotFound = errors.New("no such token")
	// ErrSettingsUnknown is returned when the settings of a slot are no longer stored.
	ErrSettingsUnknown = errors.New("the settings of that slot are not known any more")
	// ErrWindDownBegun is returned for the cancellation of a wind-down that has begun, or is about to.
	ErrWindDownBegun = errors.New("its wind-down has begun, or begins within a minute")
	// ErrNotListed is returned for a token that no list has, because the token is not confirmed.
	ErrNotListed = errors.New("token is on no list")
)
