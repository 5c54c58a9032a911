// Package snapshot records the holders of a token at a finalized slot, and the accounts with
// withheld tax.
//
// The package promises:
//   - A snapshot is stored only if the sums are right: balances, and the withheld tax of the
//     accounts and the mint, are together the supply.
//   - A snapshot is written once. A later caller reads the same file, and never the chain.
//   - Owners are in order. Every owner with a balance occurs once, with the balance of all
//     accounts, and with a standing: a share, or the reason for no share.
//   - The size of a chunk bounds memory, for any number of holders.
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
	// ErrDoesNotAddUp is returned when a listing is not the state of one slot: accounts are
	// missing or repeated, or amounts are from different slots.
	ErrDoesNotAddUp = errors.New("the accounts do not add up to the supply")
	// ErrOtherSlot is returned when the slot of a listing is not between the slots of the two
	// readings of the mint.
	ErrOtherSlot = errors.New("the accounts were listed as of another slot")
	// ErrCorrupt is returned when a file differs from the written file.
	ErrCorrupt = errors.New("the file is damaged")
)

// Account is a token account of the mint.
type Account struct {
	Address  solana.PublicKey
	Owner    solana.PublicKey // the wallet
	Amount   uint64           // base units
	Withheld uint64           // tax not yet harvested, base units
	Frozen   bool             // the balance of a frozen account counts, too
}

// Span is the range of a listing's slots: one slot, except for a listing in pages.
type Span struct{ First, Last uint64 }

// Source lists the token accounts of a mint.
type Source interface {
	// TokenAccounts calls each with every token account of the mint, in any order, at finalized
	// slots from from on. It stops with an error of each. An error means that the listing is
	// incomplete. The mint's state decides the query: the program, and whether all accounts have
	// extensions.
	TokenAccounts(ctx context.Context, mint solana.PublicKey, state token2022.Mint, from uint64, each func(Account) error) (Span, error)
}

// Chain reads accounts, finalized.
type Chain interface {
	// FinalizedAccount returns an account, and the slot of the read. found is false for a
	// missing account.
	FinalizedAccount(ctx context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error)
	// Programs returns the owning programs of up to MaxPrograms accounts, at slot from or later.
	// A missing account belongs to the System program.
	Programs(ctx context.Context, addresses []solana.PublicKey, from uint64) ([]solana.PublicKey, error)
}

// MaxPrograms is the maximum number of accounts in one call of Chain.Programs (getMultipleAccounts of
// Solana's nodes).
const MaxPrograms = 100

// Store stores files.
type Store interface {
	// PutFile stores a file under a new key. If the key exists, PutFile keeps the stored file
	// and returns no error.
	PutFile(ctx context.Context, key, contentType string, body io.ReadSeeker, size int64) error
	// Open opens a file. It returns content.ErrNoObject for a missing file.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// GetRange reads a part of a file, or less if the file is shorter. It returns
	// content.ErrNoObject for a missing file.
	GetRange(ctx context.Context, key string, from, length int64) ([]byte, error)
}

// ContentType is the content type of this package's files.
const ContentType = "application/octet-stream"

// Standing is an owner's share, or the reason for no share.
type Standing uint8

// Standings, in the order of the checks. The numbers are stored.
const (
	Eligible Standing = iota
	// DistributionWallet is the wallet whose tokens are distributed.
	DistributionWallet
	// Vault is the owner of a pool's or curve's tokens.
	Vault
	// Incinerator is the address whose tokens can never move.
	Incinerator
	// BelowMinimum is an owner with less than the minimum holding.
	BelowMinimum
	// OffCurve is an address without a key, such as a program's address.
	OffCurve
	// ProgramOwned is an owner whose account belongs to a program other than System, or whose
	// address is reserved by the network.
	ProgramOwned

	// Standings is the number of standings.
	Standings = 7
)

// IncineratorAddress is the address for destroying tokens (solana-sdk, incinerator).
var IncineratorAddress = solana.MustPublicKeyFromBase58("1nc1nerator11111111111111111111111111111111")

// String returns the word for a standing in files and responses.
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
	Balance  uint64 // the sum of the owner's accounts, base units; never 0
	Standing Standing
}

// Tally is a number of owners and the sum of their balances.
type Tally struct {
	Owners  uint64
	Balance uint64 // base units
}

// Summary is the sums of a snapshot. Amounts are in base units.
type Summary struct {
	Mint solana.PublicKey
	Span Span
	// Supply is Balances + WithheldInAccounts + WithheldOnMint.
	Supply             uint64
	Balances           uint64
	WithheldInAccounts uint64
	WithheldOnMint     uint64
	Accounts           uint64 // including accounts without a balance
	Minimum            uint64 // the minimum balance of an owner who shares
	// By is the owners with a balance, by standing.
	By [Standings]Tally
}

// Taken is a stored snapshot.
type Taken struct {
	Summary

	// Digest is the SHA-256 of the header. The header has the hash of the records, so two files
	// with the same digest are equal to the last byte. Digest is at the end of the header.
	Digest [sha256.Size]byte
}

// Slot returns the slot of the snapshot.
func (s Summary) Slot() uint64 { return s.Span.Last }

// Eligible returns the tally of the owners who share.
func (s Summary) Eligible() Tally { return s.By[Eligible] }

// Owners returns the number of owners with a balance, which is the number of rows.
func (s Summary) Owners() (n uint64) {
	for _, t := range s.By {
		n += t.Owners
	}
	return n
}

// addsUp reports whether the sums of a summary are consistent.
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
