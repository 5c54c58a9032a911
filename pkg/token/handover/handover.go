// Package handover has the rules of a hand-over: the order by which the authority over a token's
// withheld tax goes to another address, and the states of the order.
//
// A creator orders a hand-over by a signature of the creator's wallet over Text. The order is
// public at once, takes effect after a delay, and can be cancelled until the hand-over begins. An
// operator who ends the service hands authorities over to the creators themselves, without a
// signature and without a delay. The signer itself checks both: see package signing.
package handover

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// domain is the first line of every order's text. As with the first line of an order of settings
// (package terms), no transaction and no sign-in message begins with this line.
const domain = "Tokenlaunch hand-over of the tax"

const (
	// DefaultDelay is the delay of an order where the operator sets no other delay.
	DefaultDelay = 7 * 24 * time.Hour
	// MaxAhead is the maximum time between the earliest effect of an order and the effect that the
	// creator chooses.
	MaxAhead = 90 * 24 * time.Hour
)

// Order is an order of a hand-over.
type Order struct {
	// Number counts the orders of a token, from 1. A number is used once, also by a cancelled order.
	Number int64
	// To is the new authority over withheld tax.
	To solana.PublicKey
	// EffectiveAt is the earliest time of the hand-over, in whole seconds.
	EffectiveAt time.Time
	// Signature is the creator's signature over Text; zero in an order of the operator, whose To is
	// the creator's wallet.
	Signature solana.Signature
}

// By is the party that ordered a hand-over.
type By string

// The parties.
const (
	ByCreator  By = "creator"
	ByOperator By = "operator"
)

// By returns the party that gave the order.
func (o Order) By() By {
	if o.Signature.IsZero() {
		return ByOperator
	}
	return ByCreator
}

// Text returns the text that a creator signs to order a hand-over. An order has exactly one text,
// in ASCII. A line feed separates lines, and no line feed ends the text.
func (o Order) Text(mint solana.PublicKey) string {
	return strings.Join([]string{
		domain,
		"Token: " + mint.String(),
		"Order: " + strconv.FormatInt(o.Number, 10),
		"New authority over withheld tax: " + o.To.String(),
		"Not before: " + o.EffectiveAt.UTC().Format(time.RFC3339),
	}, "\n")
}

// Hash returns the SHA-256 of Text.
func (o Order) Hash(mint solana.PublicKey) [sha256.Size]byte {
	return sha256.Sum256([]byte(o.Text(mint)))
}

// cancelDomain is the first line of every cancellation's text.
const cancelDomain = "Tokenlaunch cancellation of a hand-over of the tax"

// CancelText returns the text that a creator signs to cancel an order at a guardian, and every order
// with a lower number.
func CancelText(mint solana.PublicKey, number int64) string {
	return strings.Join([]string{cancelDomain, "Token: " + mint.String(), "Order: " + strconv.FormatInt(number, 10)}, "\n")
}

// Collects reports whether the order's address can collect the tax of a mint.
func (o Order) Collects(mint solana.PublicKey) bool {
	return !slices.Contains([]solana.PublicKey{mint, solana.SystemProgramID, solana.TokenProgramID, solana.Token2022ProgramID}, o.To)
}

// ErrNotOrdered is returned for an order that the creator did not sign.
var ErrNotOrdered = errors.New("the creator did not sign this hand-over")

// Verify returns ErrNotOrdered unless the creator signed the order, in one of the forms of
// auth.SignedText.
func (o Order) Verify(creator, mint solana.PublicKey) error {
	if o.Signature.IsZero() || !auth.SignedText(creator, o.Text(mint), o.Signature) {
		return fmt.Errorf("order %d of %s: %w", o.Number, mint, ErrNotOrdered)
	}
	return nil
}

// MemoMark begins the memo of the transaction that hands the authority over.
const MemoMark = "tokenlaunch handover"

// Memo returns the memo of the transaction that hands the authority over: number, address, time in
// Unix seconds, and the creator's signature, or "operator". So the chain alone shows who ordered
// the hand-over.
func (o Order) Memo() string {
	by := string(ByOperator)
	if !o.Signature.IsZero() {
		by = o.Signature.String()
	}
	return fmt.Sprintf("%s %d %s %d %s", MemoMark, o.Number, o.To, o.EffectiveAt.Unix(), by)
}

// ParseMemo parses the output of Memo. It returns false for any other text.
func ParseMemo(memo string) (o Order, ok bool) {
	rest, ok := strings.CutPrefix(memo, MemoMark+" ")
	parts := strings.Split(rest, " ")
	if !ok || len(parts) != 4 {
		return Order{}, false
	}
	var at int64
	var errs [4]error
	o.Number, errs[0] = strconv.ParseInt(parts[0], 10, 64)
	o.To, errs[1] = solana.PublicKeyFromBase58(parts[1])
	at, errs[2] = strconv.ParseInt(parts[2], 10, 64)
	if parts[3] != string(ByOperator) {
		o.Signature, errs[3] = solana.SignatureFromBase58(parts[3])
	}
	o.EffectiveAt = time.Unix(at, 0).UTC()
	if errors.Join(errs[:]...) != nil || o.Memo() != memo {
		return Order{}, false
	}
	return o, true
}

// Instructions returns the instructions with which two members of a multisig account hand its
// authority over: the order as a memo, and the change of the authority.
func (o Order) Instructions(mint, authority, creator, guardian solana.PublicKey) []solana.Instruction {
	return []solana.Instruction{memo.Note(o.Memo()), token2022.SetAuthority{
		Account: mint, Current: authority, Type: token2022.AuthorityWithdrawWithheld, New: o.To, Signers: []solana.PublicKey{creator, guardian},
	}.Instruction()}
}

// Status is the progress of a hand-over.
type Status string

// The states. None is the state of a token without an order.
const (
	None      Status = ""
	Ordered   Status = "ordered"   // public, and waiting for the effective time
	Begun     Status = "begun"     // no longer cancellable
	Cancelled Status = "cancelled" // by the creator
	Done      Status = "done"      // final on the chain
)

// State is the newest order of a token, with the facts about the order. A zero State has no order.
type State struct {
	Order

	OrderedAt time.Time
	// NotedAt is the time at which the signer has recorded the order; zero before. SignsAt is the
	// earliest time at which the signer signs: the delay after the signer's own record.
	NotedAt time.Time
	SignsAt time.Time
	// BegunAt is the time from which the order cannot be cancelled. LastSlot is the slot of the last
	// distribution, and TriedAt is the newest opening of a run that hands over.
	BegunAt  time.Time
	LastSlot time.Time
	TriedAt  time.Time
	// RevokedAt is the time at which the signer has recorded the cancellation.
	RevokedAt   time.Time
	CancelledAt time.Time
	// DoneAt is the time at which the hand-over was seen to be final, and Transaction is the
	// transaction; zero if a transaction of another party changed the authority.
	DoneAt      time.Time
	Transaction solana.Signature
	// LeftUntil is the time until which the tokens that the wallet collected before the hand-over are
	// distributed; zero before the hand-over, and if nothing is left.
	LeftUntil time.Time `json:",omitzero"`
	// Version is the number of writes.
	Version int64
}

// Status derives the progress.
func (s State) Status() Status {
	switch {
	case s.Number == 0:
		return None
	case !s.DoneAt.IsZero():
		return Done
	case !s.CancelledAt.IsZero():
		return Cancelled
	case !s.BegunAt.IsZero():
		return Begun
	}
	return Ordered
}

// Outstanding reports whether an order is under way.
func (s State) Outstanding() bool { return s.Status() == Ordered || s.Status() == Begun }

// Due returns the time from which the hand-over may begin: the effective time of the order, and not
// before the signer signs. ok is false while the signer has not recorded the order, and for an order
// that is not outstanding.
func (s State) Due() (at time.Time, ok bool) {
	switch {
	case !s.Outstanding():
		return time.Time{}, false
	case s.By() == ByOperator:
		return s.EffectiveAt, true
	case s.NotedAt.IsZero():
		return time.Time{}, false
	case s.SignsAt.After(s.EffectiveAt):
		return s.SignsAt, true
	}
	return s.EffectiveAt, true
}

var (
	// ErrConflict is returned when another process wrote first. The caller reads again.
	ErrConflict = errors.New("the hand-over has changed meanwhile")
	// ErrOutstanding is returned for an order while another order is outstanding.
	ErrOutstanding = errors.New("another hand-over is ordered")
	// ErrDone is returned for a token that was handed over.
	ErrDone = errors.New("the token was handed over")
	// ErrBegun is returned for the cancellation of an order that has begun.
	ErrBegun = errors.New("the hand-over has begun")
	// ErrNone is returned for the cancellation of no order.
	ErrNone = errors.New("no hand-over is ordered")
)

// Give returns the state after a new order. It returns ErrDone, ErrOutstanding, or ErrConflict for
// an order of another number. A cancelled order is outstanding until the signer has recorded the
// cancellation, so that no cancelled order can come back.
func (s State) Give(o Order, now time.Time) (State, error) {
	switch status := s.Status(); {
	case status == Done:
		return s, ErrDone
	case s.Outstanding(), status == Cancelled && s.By() == ByCreator && s.RevokedAt.IsZero():
		return s, ErrOutstanding
	case o.Number != s.Number+1:
		return s, ErrConflict
	}
	return State{Order: o, OrderedAt: now.UTC().Truncate(time.Millisecond), Version: s.Version}, nil
}

// Cancel returns the state after the cancellation. It returns ErrDone, ErrBegun or ErrNone.
func (s State) Cancel(now time.Time) (State, error) {
	switch s.Status() {
	case Done:
		return s, ErrDone
	case Begun:
		return s, ErrBegun
	case None, Cancelled:
		return s, ErrNone
	case Ordered:
	}
	s.CancelledAt = now.UTC().Truncate(time.Millisecond)
	return s, nil
}
