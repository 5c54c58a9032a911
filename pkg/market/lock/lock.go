// Package lock prepares locks over time: what a wallet has of a token goes into an escrow of
// Jupiter Lock, which releases it in parts. No one can cancel one, and its recipient stays.
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
	MostReleases = 1_000
	// LongestPeriod is a year of 365 days, in seconds.
	LongestPeriod = 365 * 24 * 60 * 60
	// Soonest and Longest bound when the first part is released, and the last.
	Soonest = time.Minute
	Longest = 10 * 365 * 24 * time.Hour
)

// Draft says what lock a caller wants: Releases equal parts, the first at FirstAt and then one
// after every period. What does not divide comes with the first.
type Draft struct {
	Mint solana.PublicKey
	// Tokens is what leaves the caller's wallet at most, in base units; the tax is taken off it.
	Tokens    uint64
	FirstAt   time.Time // in seconds' resolution
	Releases  int
	Period    int              // seconds; zero where there is one release
	Recipient solana.PublicKey // zero: the caller
}

// Validate finds what goes against the rules between fields; the bounds of each are above.
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

// LastAt is when the last part is released. It counts in seconds: in a time.Duration, 292 years
// are all that there is.
func (d Draft) LastAt() time.Time {
	return time.Unix(d.FirstAt.Unix()+int64(d.Releases-1)*int64(d.Period), 0).UTC()
}

// within refuses times that the chain's clock is past, or that are too far.
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

// Lock is a transaction that makes one.
type Lock struct {
	transaction.Unsigned

	// Sent leaves the caller's wallet at most, in base units, and Locked arrives in the escrow.
	// Each payment to the recipient is taxed again.
	Sent, Locked uint64
	Schedule     locker.Schedule
	FirstAt      time.Time
	LastAt       time.Time
	Recipient    solana.PublicKey
	// Escrow keeps the tokens; its address follows from Base, a key that signed and was dropped.
	Escrow, Base solana.PublicKey
}

// NotFound is the answer for an address that is no mint.
func NotFound() error { return market.NoToken() }

// Chain is what the service asks of the network; see solanarpc.Client.
type Chain interface {
	// Accounts reads accounts in one confirmed slot; nil where there is none.
	Accounts(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
	// MinimumBalance is the rent that exempts an account of so many bytes, in lamports.
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
	// Random makes the keys from which escrows' addresses follow: crypto/rand.Reader.
	Random io.Reader
}

// Compute units of the transaction: the program took 45,000 to 60,000, for finding
// addresses takes more or less. The first is the limit of the simulation, the second stands in when that
// cannot tell.
const (
	mostUnits    = 400_000
	defaultUnits = 200_000
)

// Create prepares the transaction by which a caller locks what they have of a token, and records
// that it was made; nothing follows from it here. What the caller lacks is said by its
// simulation. It fails with token_not_found, unsupported_token, and validation_failed.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, d Draft) (Lock, error) {
	f, err := s.facts(ctx, caller, d.Mint)
	if err != nil {
		return Lock{}, err
	}
	if err := d.within(f.now.Time()); err != nil {
		return Lock{}, err
	}
	out := Lock{FirstAt: d.FirstAt, LastAt: d.LastAt(), Recipient: d.Recipient}
	if out.Locked, out.Sent = locker.Fit(f.tax(), d.Tokens); out.Locked < uint64(d.Releases) { //nolint:gosec // 1 to MostReleases
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
		Signers: []ed25519.PrivateKey{private}, MostUnits: mostUnits, DefaultUnits: defaultUnits,
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
		{Instruction: create, Explanation: explain(l)},
	}, nil
}

func (l Lock) taxed() bool { return l.Sent > l.Locked }

// explain says what is locked, and what is released when.
func explain(l Lock) string {
	text := fmt.Sprintf("Moves %d base units of the token out of your wallet into the escrow %s of Jupiter Lock. ", l.Sent, l.Escrow)
	if l.taxed() {
		text = fmt.Sprintf("Moves at most %d base units of the token out of your wallet into the escrow %s of Jupiter Lock, where %d arrive after tax. ",
			l.Sent, l.Escrow, l.Locked)
	}
	text += fmt.Sprintf("It releases %d at %s", l.Schedule.First, l.FirstAt.UTC().Format(time.RFC3339))
	if s := l.Schedule; s.Times > 0 {
		text += fmt.Sprintf(", and %d after every %d seconds, %d times, the last at %s", s.Each, s.Period, s.Times, l.LastAt.UTC().Format(time.RFC3339))
	}
	text += fmt.Sprintf(". Only %s can claim what is released", l.Recipient)
	if l.taxed() {
		text += ", and the token's tax is taken of each payment again"
	}
	return text + ". No one can cancel this or change the recipient."
}

// facts are what the chain has of a caller and a token.
type facts struct {
	now     market.Clock
	mint    market.Mint
	account solana.PublicKey // the caller's associated account
	tokens  uint64           // in it
}

// tax is the token's tax now.
func (f facts) tax() token2022.TransferFee {
	if f.mint.Fee == nil {
		return token2022.TransferFee{}
	}
	return f.mint.Fee.At(f.now.Epoch)
}

func (s Service) facts(ctx context.Context, caller, mint solana.PublicKey) (f facts, err error) {
	// The account's address depends on the mint's program: both are asked for.
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
