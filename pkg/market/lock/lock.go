// Package lock prepares locks over time: the transaction moves a wallet's tokens into an escrow of
// Jupiter Lock, which releases the tokens in parts. A lock cannot be cancelled, and the recipient
// cannot be changed.
package lock

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Bounds of a lock.
const (
	MaxReleases = 1_000
	// LongestPeriod is a year of 365 days, in seconds.
	LongestPeriod = 365 * 24 * 60 * 60
	// Soonest is the minimum time until the first release, and Longest the maximum time until the
	// last release.
	Soonest = time.Minute
	Longest = 10 * 365 * 24 * time.Hour
)

// Draft is the lock that a caller requests: Releases equal parts, the first at FirstAt, and the
// others at intervals of Period. The first part includes the remainder of the division.
type Draft struct {
	Mint solana.PublicKey
	// Tokens is the maximum amount that leaves the caller's wallet, in base units, tax included.
	Tokens    uint64
	FirstAt   time.Time // with a resolution of seconds
	Releases  int
	Period    int              // seconds; zero if Releases is 1
	Recipient solana.PublicKey // zero: the caller
}

// Validate checks the rules between fields. The bounds of single fields are above.
func (d Draft) Validate() []apperr.Field {
	var bad []apperr.Field
	reject := func(field string, code apperr.Code, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	if d.Tokens == 0 {
		reject("tokenAmount", apperr.CodeOutOfRange, "Must be at least 1.")
	}
	switch {
	case d.Releases > 1 && d.Period == 0:
		reject("periodSeconds", apperr.CodeRequired, "Needed where there is more than one release: how long after each the next one comes.")
	case d.Releases == 1 && d.Period > 0:
		reject("periodSeconds", apperr.CodeOutOfRange, "Leave it out where there is one release: no other follows it.")
	}
	if !d.Recipient.IsZero() && !d.Recipient.IsOnCurve() {
		reject("recipient", apperr.CodeInvalidFormat, "Must be the address of a key: the recipient signs to claim what is released.")
	}
	return bad
}

// LastAt returns the time of the last release. The calculation is in seconds because a
// time.Duration overflows after 292 years.
func (d Draft) LastAt() time.Time {
	return time.Unix(d.FirstAt.Unix()+int64(d.Releases-1)*int64(d.Period), 0).UTC()
}

// within rejects a release too early or too late by the chain's clock.
func (d Draft) within(now time.Time) error {
	field, message := "", ""
	switch latest := now.Add(Longest); {
	case d.FirstAt.Before(now.Add(Soonest)):
		field, message = "firstReleaseAt", fmt.Sprintf("Must be at least %d seconds from now", int(Soonest.Seconds()))
	case d.FirstAt.After(latest):
		field, message = "firstReleaseAt", "Must be within ten years of 365 days"
	case d.LastAt().After(latest):
		field, message = "periodSeconds", "The last release must be within ten years of 365 days"
	default:
		return nil
	}
	return outOfRange(field, fmt.Sprintf("%s: the network's clock shows %s.", message, now.Format(time.RFC3339)))
}

func outOfRange(field, message string) error {
	return apperr.Validation([]apperr.Field{{Field: field, Code: apperr.CodeOutOfRange, Message: message}})
}

// Lock is a transaction that creates a lock.
type Lock struct {
	transaction.Unsigned

	// Sent is the maximum amount that leaves the caller's wallet, in base units. Locked is the
	// amount that arrives in the escrow. Each payment to the recipient is taxed again.
	Sent, Locked uint64
	Schedule     locker.Schedule
	FirstAt      time.Time
	LastAt       time.Time
	Recipient    solana.PublicKey
	// Escrow holds the tokens. The address is derived from Base, a key that signs once and is
	// deleted.
	Escrow, Base solana.PublicKey
}

// NotFound returns the error for an address without a mint.
func NotFound() error { return market.NoToken() }

// Chain is the subset of the RPC API that the service needs; see solanarpc.Client.
type Chain interface {
	// Accounts reads accounts in one confirmed slot. A missing account is nil.
	Accounts(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
	// MinimumBalance returns the rent-exempt minimum of an account with the given number of bytes,
	// in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Issued records the transactions; see package issued of the launch table.
type Issued interface {
	Record(ctx context.Context, i transaction.Issued) error
}

// Service prepares locks. Every field is required.
type Service struct {
	Issued   Issued
	Chain    Chain
	Preparer transaction.Preparer
	// Random is the source of the keys of escrows: crypto/rand.Reader.
	Random io.Reader
}

// Compute units of the transaction. The program used 45,000 to 60,000, because the search for
// program addresses varies. maxUnits is the limit of the simulation. defaultUnits is the
// transaction's limit if the simulation fails.
const (
	maxUnits     = 400_000
	defaultUnits = 200_000
)

// Create prepares and records the transaction that locks a caller's tokens. The record is not
// watched. The simulation reports missing tokens or lamports. It returns token_not_found,
// unsupported_token or validation_failed.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, d Draft) (Lock, error) {
	f, err := s.facts(ctx, caller, d.Mint)
	if err != nil {
		return Lock{}, err
	}
	if err := d.within(f.now.Time()); err != nil {
		return Lock{}, err
	}
	out := Lock{FirstAt: d.FirstAt, LastAt: d.LastAt(), Recipient: d.Recipient}
	if out.Locked, out.Sent = locker.Fit(f.tax(), d.Tokens); out.Locked < uint64(d.Releases) { //nolint:gosec // 1 to MaxReleases
		return Lock{}, outOfRange("tokenAmount", fmt.Sprintf(
			"Too little for %d releases: %d base units would arrive after tax, and each releases at least one.", d.Releases, out.Locked))
	}
	out.Schedule = locker.Divide(out.Locked, d.FirstAt, d.Releases, d.Period)
	if out.Recipient.IsZero() {
		out.Recipient = caller
	}
	public, private, err := ed25519.GenerateKey(s.Random)
	if err != nil {
		return Lock{}, fmt.Errorf("make the key of an escrow: %w", err)
	}
	defer clear(private)
	out.Base = solana.PublicKeyFromBytes(public)
	if out.Escrow, err = locker.EscrowAddress(out.Base); err != nil {
		return Lock{}, err
	}
	draft := transaction.Draft{
		Kind: transaction.KindLock, Caller: caller, Mint: d.Mint, Programs: []solana.PublicKey{locker.Program},
		Signers: []ed25519.PrivateKey{private}, MaxUnits: maxUnits, DefaultUnits: defaultUnits,
		Holds: f.tokens, Moves: out.Sent,
	}
	for _, size := range []uint64{locker.EscrowSize, f.mint.AssociatedSize()} {
		rent, err := s.Chain.MinimumBalance(ctx, size)
		if err != nil {
			return Lock{}, err
		}
		draft.Cost.Rent += rent
	}
	if draft.Steps, err = steps(caller, f, out); err != nil {
		return Lock{}, err
	}
	if out.Unsigned, err = s.Preparer.Prepare(ctx, "", draft); err != nil {
		return Lock{}, fmt.Errorf("prepare a lock of %s: %w", d.Mint, err)
	}
	return out, s.Issued.Record(ctx, out.Issue(solana.PublicKey{}, time.Time{}))
}

func steps(caller solana.PublicKey, f facts, l Lock) ([]transaction.Step, error) {
	open, account, err := token2022.CreateAssociatedIdempotent{
		Payer: caller, Wallet: l.Escrow, Mint: f.mint.Address, Program: f.mint.Program,
	}.Instruction()
	if err != nil {
		return nil, err
	}
	create := locker.CreateEscrow{
		Schedule: l.Schedule, Base: l.Base, Escrow: l.Escrow, EscrowToken: account, Sender: caller, SenderToken: f.account,
		Recipient: l.Recipient, Mint: f.mint.Address, TokenProgram: f.mint.Program,
	}.Instruction()
	return []transaction.Step{
		{Instruction: open, Explanation: fmt.Sprintf("Opens the account %s in which the escrow keeps the token %s; you pay its rent.", account, f.mint.Address)},
		{Instruction: create, Explanation: explain(l, f.mint)},
	}, nil
}

func (l Lock) taxed() bool { return l.Sent > l.Locked }

// explain describes the locked amount and the releases.
func explain(l Lock, mint market.Mint) string {
	text := fmt.Sprintf("Moves %s of the token out of your wallet into the escrow %s of Jupiter Lock. ", mint.Tokens(l.Sent), l.Escrow)
	if l.taxed() {
		text = fmt.Sprintf("Moves at most %s of the token out of your wallet into the escrow %s of Jupiter Lock, where %s arrive after tax. ",
			mint.Tokens(l.Sent), l.Escrow, mint.Tokens(l.Locked))
	}
	text += fmt.Sprintf("It releases %s at %s", mint.Tokens(l.Schedule.First), l.FirstAt.UTC().Format(time.RFC3339))
	if s := l.Schedule; s.Times > 0 {
		text += fmt.Sprintf(", and %s after every %s, %d times, the last at %s", mint.Tokens(s.Each), period(s.Period), s.Times, l.LastAt.UTC().Format(time.RFC3339))
	}
	text += fmt.Sprintf(". Only %s can claim what is released", l.Recipient)
	if l.taxed() {
		text += ", and the token's tax is taken of each payment again"
	}
	return text + ". No one can cancel this or change the recipient."
}

// period returns seconds in the largest whole unit: "30 days", "1 hour".
func period(seconds uint64) string {
	for _, unit := range []struct {
		name   string
		length uint64
	}{{"day", 86_400}, {"hour", 3_600}, {"minute", 60}, {"second", 1}} {
		if seconds%unit.length != 0 {
			continue
		}
		if n := seconds / unit.length; n != 1 {
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
		return "1 " + unit.name
	}
	return ""
}

// facts are the state of a caller and a token on the chain.
type facts struct {
	now     market.Clock
	mint    market.Mint
	account solana.PublicKey // the caller's associated account
	tokens  uint64           // balance of account
}

// tax returns the token's present tax.
func (f facts) tax() token2022.TransferFee {
	if f.mint.Fee == nil {
		return token2022.TransferFee{}
	}
	return f.mint.Fee.At(f.now.Epoch)
}

func (s Service) facts(ctx context.Context, caller, mint solana.PublicKey) (f facts, err error) {
	// The account's address depends on the mint's program, which is unknown. Read both addresses.
	programs := []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID}
	addresses := []solana.PublicKey{solana.SysVarClockPubkey, mint}
	for _, program := range programs {
		account, err := token2022.AssociatedAddress(caller, mint, program)
		if err != nil {
			return f, err
		}
		addresses = append(addresses, account)
	}
	found, err := s.Chain.Accounts(ctx, addresses...)
	if err != nil {
		return f, fmt.Errorf("read the accounts of %s for %s: %w", caller, mint, err)
	}
	clock, token := onchain.Account{}, onchain.Account{}
	if found[0] != nil {
		clock = *found[0]
	}
	if found[1] != nil {
		token = *found[1]
	}
	if f.now, err = market.DecodeClock(clock.Data); err != nil {
		return f, fmt.Errorf("read the network's clock: %w", err)
	}
	if f.mint, err = market.CheckMint(mint, token.Owner, token.Data); err != nil {
		return f, err
	}
	for i, program := range programs {
		if program != f.mint.Program {
			continue
		}
		f.account = addresses[2+i]
		if a := found[2+i]; a != nil && a.Owner == program {
			held, err := token2022.DecodeAccount(a.Owner, a.Data)
			if err != nil {
				return f, fmt.Errorf("read the account %s: %w", f.account, err)
			}
			f.tokens = held.Amount
		}
	}
	return f, nil
}
