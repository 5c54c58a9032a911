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

// MaxLine is the maximum length of a line, in bytes, without the line break.
const MaxLine = 510

// The first lines of the lists.
const (
	RowHeader         = "asset,owner,balance,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature"
	LeftOutHeader     = "owner,balance,why"
	TransactionHeader = "purpose,signature,slot"
)

var errSpelling = errors.New("the line is not in its one spelling")

// AppendRow appends the row's line, without a line break. The line is the Merkle leaf.
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

// appendSignature appends the text of Signature.String.
func appendSignature(b []byte, s solana.Signature) []byte {
	if s == (solana.Signature{}) {
		return b
	}
	return base58.AppendEncode64(b, (*[64]byte)(&s))
}

// ParseRow parses a line of AppendRow. It rejects any other encoding, and a row that contradicts
// itself.
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

// LeftOut is an owner without a share, with the reason.
type LeftOut struct {
	Owner   solana.PublicKey
	Balance uint64
	// Held reports that the previous snapshot counts, too. Before is the owner's balance in
	// the previous snapshot.
	Held   bool
	Before uint64
	// Why is a word of at most allocation.MaxReason lower-case letters and underscores. The
	// verifier checks the reasons BelowMinimum, NotHeld and OffCurve.
	Why string
}

// BelowMinimum is the reason for leaving out an owner who holds less than the settings' minimum.
const BelowMinimum = "below_minimum"

// OffCurve is the reason for leaving out an owner whose address is not a point of ed25519. Such an
// address has no key.
const OffCurve = "off_curve"

// AppendLeftOut appends the owner's line, without a line break.
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

// ParseLeftOut parses a line of AppendLeftOut. It rejects any other encoding.
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

// Purpose is the purpose of a transaction.
type Purpose string

// The purposes. The words are the kinds of the ledger's payments.
const (
	Setup    Purpose = "setup"
	Collect  Purpose = "collect"
	Burn     Purpose = "burn"
	Exchange Purpose = "exchange"
	Fuel     Purpose = "fuel"
	Creator  Purpose = "creator"
	Pay      Purpose = "pay"
	// Anchoring is the purpose of the previous run's anchor, because a proof cannot contain
	// the signature of its own anchor.
	Anchoring Purpose = "anchor"
	// Handover moves the authority over withheld tax to another address.
	Handover Purpose = "handover"
	// Void transactions only create the receipt of a payment that must not land any more.
	Void Purpose = "void"
	// Return transactions only empty receipts into the wallet.
	Return Purpose = "return"
)

// The purposes whose transactions begin with a receipt, and the purposes without receipts.
var (
	withReceipt    = []Purpose{Burn, Exchange, Fuel, Creator, Pay, Anchoring, Handover, Void}
	withoutReceipt = []Purpose{Setup, Collect, Return}
)

// Valid reports whether p is one of the purposes.
func (p Purpose) Valid() bool { return p.HasReceipt() || slices.Contains(withoutReceipt, p) }

// HasReceipt reports whether transactions of this purpose begin with a receipt.
func (p Purpose) HasReceipt() bool { return slices.Contains(withReceipt, p) }

// Pays reports whether transactions of this purpose pay rows or the creator's wallets.
func (p Purpose) Pays() bool { return p == Pay || p == Creator }

// OnlyReceipts reports whether transactions of this purpose only create or empty receipts.
func (p Purpose) OnlyReceipts() bool { return p == Void || p == Return }

// Transaction is a landed transaction of a run.
type Transaction struct {
	Purpose   Purpose
	Signature solana.Signature
	Slot      uint64
}

// AppendTransaction appends the transaction's line, without a line break.
func AppendTransaction(b []byte, t Transaction) []byte {
	b = append(b, t.Purpose...)
	b = append(appendSignature(append(b, ','), t.Signature), ',')
	return strconv.AppendUint(b, t.Slot, 10)
}

// ParseTransaction parses a line of AppendTransaction. It rejects any other encoding.
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

// fields reads the fields of a line in order. err is the first error.
type fields struct {
	texts []string
	err   error
}

// split divides a line into fields. The number of fields must be one of n.
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
