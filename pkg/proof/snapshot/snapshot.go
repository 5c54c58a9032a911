// Package snapshot takes down who holds a token at a finalized slot, and which
// accounts hold tax that was withheld.
//
// It promises: a snapshot is kept only when it adds up (balances, withheld tax of
// the accounts and of the mint together are the supply); it is written once, so that
// a later caller reads the same file and never the chain again; its owners are
// in order, each once, with the balances of all their accounts; every owner with a
// balance is in it, and says whether they share or why not; memory is bounded by a
// chunk of the scan, whatever the number of holders.
package snapshot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Sentinels.
var (
	// ErrDoesNotAddUp appears when the accounts that were listed are not all of a
	// token's at one moment: some are missing or twice, or the amounts are of
	// different slots.
	ErrDoesNotAddUp = errors.New("the accounts do not add up to the supply")
	// ErrOtherSlot appears when accounts were listed as of a slot outside the time
	// between the two readings of the mint.
	ErrOtherSlot = errors.New("the accounts were listed as of another slot")
	// ErrCorrupt appears when a file is not what was written.
	ErrCorrupt = errors.New("the file is damaged")
)

// Account is a token account of the mint.
type Account struct {
	Address  solana.PublicKey
	Owner    solana.PublicKey // the wallet
	Amount   uint64           // base units
	Withheld uint64           // tax not yet harvested, base units
	Frozen   bool             // its balance counts all the same
}

// Span is the slots that a listing holds for: one slot, unless it was made page by
// page.
type Span struct{ First, Last uint64 }

// Source lists the token accounts of a mint.
type Source interface {
	// TokenAccounts gives every token account of the mint to each, in any order, as
	// of finalized slots that are not before from, and stops with the error of each.
	// An error means that the listing is incomplete. The state of the mint says how its
	// accounts are found: its program, and whether they all have extensions.
	TokenAccounts(ctx context.Context, mint solana.PublicKey, state token2022.Mint, from uint64, each func(Account) error) (Span, error)
}

// Chain reads accounts, finalized.
type Chain interface {
	// FinalizedAccount gives what is stored under an address, and the slot at which it
	// was read; found is false when nothing is.
	FinalizedAccount(ctx context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error)
	// Programs gives the programs that own the accounts, at most MaxPrograms, as of
	// the slot or a later one. An account that does not exist is the System
	// program's.
	Programs(ctx context.Context, addresses []solana.PublicKey, from uint64) ([]solana.PublicKey, error)
}

// MaxPrograms is how many accounts one call of Chain.Programs takes
// (getMultipleAccounts of Solana's nodes).
const MaxPrograms = 100

// Store keeps files.
type Store interface {
	// PutFile stores a file under a key that nothing is under; when something is,
	// that stays, and it is no error.
	PutFile(ctx context.Context, key, contentType string, body io.ReadSeeker, size int64) error
	// Open reads a file; it fails with content.ErrNoObject when there is none.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// GetRange reads a part of a file, less when the file ends before; it fails with
	// content.ErrNoObject when there is none.
	GetRange(ctx context.Context, key string, from, length int64) ([]byte, error)
}

// ContentType is that of the files of this package.
const ContentType = "application/octet-stream"

// Standing says whether an owner shares, or why not.
type Standing uint8

// Standings, in the order in which they are found out; the numbers are stored.
const (
	Eligible Standing = iota
	// DistributionWallet is the wallet whose tokens are distributed.
	DistributionWallet
	// Vault is the owner of a pool's or curve's tokens.
	Vault
	// Incinerator is the address whose tokens cannot be moved.
	Incinerator
	// BelowMinimum is an owner with less than the minimum holding.
	BelowMinimum
	// OffCurve is an address that no key belongs to: a program's.
	OffCurve
	// ProgramOwned is an owner whose account belongs to another program than System, or whose
	// address the network reserves.
	ProgramOwned

	// Standings is their number.
	Standings = 7
)

// IncineratorAddress is where tokens are sent to be permanently out of reach
// (solana-sdk, incinerator).
var IncineratorAddress = solana.MustPublicKeyFromBase58("1nc1nerator11111111111111111111111111111111")

// String gives the word for a standing that files and answers use.
func (s Standing) String() string {
	switch s {
	case Eligible:
		return "eligible"
	case DistributionWallet:
		return "distribution_wallet"
	case Vault:
		return "vault"
	case Incinerator:
		return "incinerator"
	case BelowMinimum:
		return "below_minimum"
	case OffCurve:
		return "off_curve"
	case ProgramOwned:
		return "program_owned"
	}
	return fmt.Sprintf("standing_%d", uint8(s))
}

// Row is an owner in a snapshot.
type Row struct {
	Owner    solana.PublicKey
	Balance  uint64 // of all their accounts, base units; never 0
	Standing Standing
}

// Tally is how many owners there are, and what they have together.
type Tally struct {
	Owners  uint64
	Balance uint64 // base units
}

// Summary is what a snapshot says about all owners. Amounts are in base units.
type Summary struct {
	Mint solana.PublicKey
	Span Span
	// Supply is Balances + WithheldInAccounts + WithheldOnMint.
	Supply             uint64
	Balances           uint64
	WithheldInAccounts uint64
	WithheldOnMint     uint64
	Accounts           uint64 // also those without a balance
	Minimum            uint64 // that an owner must have to share
	// By is the owners with a balance by their standing.
	By [Standings]Tally
}

// Taken is a snapshot that is stored.
type Taken struct {
	Summary

	// Digest is the SHA-256 of the header, which holds that of the records, so that a
	// file with this digest is the same to the last byte. It stands at the header's end.
	Digest [sha256.Size]byte
}

// Slot is the slot that the snapshot holds for.
func (s Summary) Slot() uint64 { return s.Span.Last }

// Eligible is the owners who share.
func (s Summary) Eligible() Tally { return s.By[Eligible] }

// Owners is the number of owners with a balance, which is that of the rows.
func (s Summary) Owners() (n uint64) {
	for _, t := range s.By {
		n += t.Owners
	}
	return n
}

// addsUp says whether the sums of a summary are those of its parts.
func (s Summary) addsUp() bool {
	total, ok := sum(s.Balances, s.WithheldInAccounts, s.WithheldOnMint)
	var parts uint64
	for _, t := range s.By {
		if parts, ok = plus(parts, t.Balance, ok); !ok {
			return false
		}
	}
	return ok && total == s.Supply && parts == s.Balances
}
