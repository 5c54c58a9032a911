package format

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MaxLine is the longest line of a list, in bytes without its end.
const MaxLine = 510

// The first lines of the lists.
const (
	RowHeader         = "asset,owner,balance,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature"
	LeftOutHeader     = "owner,balance,why"
	TransactionHeader = "purpose,signature,slot"
)

var errSpelling = errors.New("the line is not in its one spelling")

// AppendRow appends the row's line, without its end. The line is the Merkle leaf.
func AppendRow(b []byte, r allocation.Row) []byte {
	b = append(b, r.Asset.String()...)
	b = append(b, ',')
	b = base58.AppendEncode32(b, (*[32]byte)(&r.Owner))
	b = strconv.AppendUint(append(b, ','), r.Balance, 10)
	if r.Held {
		b = strconv.AppendUint(append(b, ','), r.Before, 10)
	}
	for _, amount := range []uint64{r.Share, r.Owed, r.Paid, r.Received, r.Charged, r.Carried, r.Reserved, r.Total} {
		b = append(b, ',')
		b = strconv.AppendUint(b, amount, 10)
	}
	b = append(b, ',')
	b = append(b, r.Reason...)
	b = append(b, ',')
	if r.Hold != (allocation.Hold{}) {
		b = hex.AppendEncode(b, r.Hold[:])
	}
	return appendSignature(append(b, ','), r.Signature)
}

// appendSignature appends what Signature.String gives.
func appendSignature(b []byte, s solana.Signature) []byte {
	if s == (solana.Signature{}) {
		return b
	}
	return base58.AppendEncode64(b, (*[64]byte)(&s))
}

// ParseRow reads what AppendRow gives, of a row that does not contradict itself,
// and nothing else.
func ParseRow(line []byte) (allocation.Row, error) {
	f := split(line, 14, 15)
	r := allocation.Row{Held: len(f.texts) == 15}
	r.Asset = read(f, terms.ParseAsset)
	r.Owner = read(f, ParseKey)
	r.Balance = read(f, parseAmount)
	if r.Held {
		r.Before = read(f, parseAmount)
	}
	for _, amount := range []*uint64{&r.Share, &r.Owed, &r.Paid, &r.Received, &r.Charged, &r.Carried, &r.Reserved, &r.Total} {
		*amount = read(f, parseAmount)
	}
	r.Reason = allocation.Reason(f.next())
	r.Hold = read(f, parseHold)
	r.Signature = read(f, parseSignature)
	if f.err == nil {
		f.err = r.Check()
	}
	if f.err == nil && string(AppendRow(nil, r)) != string(line) {
		f.err = errSpelling
	}
	if f.err != nil {
		return allocation.Row{}, fmt.Errorf("read a row: %w", f.err)
	}
	return r, nil
}

func parseHold(text string) (allocation.Hold, error) {
	var h allocation.Hold
	if text == "" {
		return h, nil
	}
	if len(text) != hex.EncodedLen(len(h)) {
		return h, fmt.Errorf("%.30q is not a fingerprint", text)
	}
	if _, err := hex.Decode(h[:], []byte(text)); err != nil {
		return h, fmt.Errorf("%.30q is not a fingerprint", text)
	}
	return h, nil
}

// LeftOut is an owner who has no share, and why.
type LeftOut struct {
	Owner   solana.PublicKey
	Balance uint64
	// Held says that what owners held in the snapshot before counts, too, and Before is that.
	Held   bool
	Before uint64
	// Why is a word of at most allocation.MaxReason lower-case letters and
	// underscores. BelowMinimum and OffCurve have a meaning here.
	Why string
}

// BelowMinimum is why those are left out who hold less than the settings' minimum.
const BelowMinimum = "below_minimum"

// OffCurve is why owners are left out whose address is no point of ed25519, so that no key
// belongs to it.
const OffCurve = "off_curve"

// AppendLeftOut appends the owner's line, without its end.
func AppendLeftOut(b []byte, l LeftOut) []byte {
	b = base58.AppendEncode32(b, (*[32]byte)(&l.Owner))
	b = append(b, ',')
	b = strconv.AppendUint(b, l.Balance, 10)
	if l.Held {
		b = strconv.AppendUint(append(b, ','), l.Before, 10)
	}
	b = append(b, ',')
	return append(b, l.Why...)
}

// ParseLeftOut reads what AppendLeftOut gives, and nothing else.
func ParseLeftOut(line []byte) (LeftOut, error) {
	f := split(line, 3, 4)
	l := LeftOut{Held: len(f.texts) == 4, Owner: read(f, ParseKey), Balance: read(f, parseAmount)}
	if l.Held {
		l.Before = read(f, parseAmount)
	}
	l.Why = f.next()
	if f.err == nil && (!allocation.Reason(l.Why).Valid() || l.Balance == 0) {
		f.err = errors.New("there is no balance, or no reason why it does not count")
	}
	if f.err == nil && string(AppendLeftOut(nil, l)) != string(line) {
		f.err = errSpelling
	}
	if f.err != nil {
		return LeftOut{}, fmt.Errorf("read an owner who is left out: %w", f.err)
	}
	return l, nil
}

// Purpose says what a transaction was for.
type Purpose string

// The purposes; the words are those of the ledger's payments.
const (
	Setup    Purpose = "setup"
	Collect  Purpose = "collect"
	Burn     Purpose = "burn"
	Exchange Purpose = "exchange"
	Fuel     Purpose = "fuel"
	Creator  Purpose = "creator"
	Pay      Purpose = "pay"
	// Anchoring is of the anchor of the run before: a proof cannot name its own.
	Anchoring Purpose = "anchor"
	// Void makes the receipt of a payment that is not to land any more, and nothing else.
	Void Purpose = "void"
	// Return empties receipts into the wallet, and does nothing else.
	Return Purpose = "return"
)

// The purposes whose transactions begin with a receipt, and those without.
var (
	withReceipt    = []Purpose{Burn, Exchange, Fuel, Creator, Pay, Anchoring, Void}
	withoutReceipt = []Purpose{Setup, Collect, Return}
)

// Valid says whether p is one of the purposes.
func (p Purpose) Valid() bool { return p.HasReceipt() || slices.Contains(withoutReceipt, p) }

// HasReceipt says whether transactions of this purpose begin with a receipt.
func (p Purpose) HasReceipt() bool { return slices.Contains(withReceipt, p) }

// Pays says whether transactions of this purpose pay rows, or wallets of the creator's.
func (p Purpose) Pays() bool { return p == Pay || p == Creator }

// OnlyReceipts says whether transactions of this purpose do nothing but make or empty
// receipts.
func (p Purpose) OnlyReceipts() bool { return p == Void || p == Return }

// Transaction is one that a run landed.
type Transaction struct {
	Purpose   Purpose
	Signature solana.Signature
	Slot      uint64
}

// AppendTransaction appends the transaction's line, without its end.
func AppendTransaction(b []byte, t Transaction) []byte {
	b = append(b, t.Purpose...)
	b = append(appendSignature(append(b, ','), t.Signature), ',')
	return strconv.AppendUint(b, t.Slot, 10)
}

// ParseTransaction reads what AppendTransaction gives, and nothing else.
func ParseTransaction(line []byte) (Transaction, error) {
	f := split(line, 3)
	t := Transaction{Purpose: Purpose(f.next()), Signature: read(f, parseSignature), Slot: read(f, parseAmount)}
	if f.err == nil && (!t.Purpose.Valid() || t.Signature.IsZero() || t.Slot == 0) {
		f.err = errors.New("a transaction has a purpose, a signature and a slot")
	}
	if f.err == nil && string(AppendTransaction(nil, t)) != string(line) {
		f.err = errSpelling
	}
	if f.err != nil {
		return Transaction{}, fmt.Errorf("read a transaction: %w", f.err)
	}
	return t, nil
}

// fields are those of a line, read one after the other; the first error stays.
type fields struct {
	texts []string
	err   error
}

// split divides a line into as many fields as one of these.
func split(line []byte, n ...int) *fields {
	if len(line) > MaxLine {
		return &fields{err: fmt.Errorf("the line has %d bytes, at most %d", len(line), MaxLine)}
	}
	texts := strings.Split(string(line), ",")
	if !slices.Contains(n, len(texts)) {
		return &fields{err: fmt.Errorf("the line has %d fields, want %d", len(texts), n)}
	}
	return &fields{texts: texts}
}

func (f *fields) next() string {
	if f.err != nil {
		return ""
	}
	text := f.texts[0]
	f.texts = f.texts[1:]
	return text
}

func read[T any](f *fields, parse func(string) (T, error)) T {
	var none T
	text := f.next()
	if f.err != nil {
		return none
	}
	v, err := parse(text)
	if err != nil {
		f.err = err
		return none
	}
	return v
}
