package allocation

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// PaymentSize is the length of a payment's record, in bytes: owner 32, row u32, amount u64, hold 8,
// integers little-endian. A plan's file is the concatenation of the records, so a batch is a range of
// bytes.
const PaymentSize = 32 + 4 + 8 + 8

// Payment is one record of a plan: an owner and an amount.
type Payment struct {
	Owner  solana.PublicKey
	Row    uint32 // the claim's index in the leg's rows
	Amount uint64 // in base units of the asset
	// Hold is the fingerprint of an account that the last payment could not pay.
	Hold Hold
}

type record [PaymentSize]byte

func encode(p Payment) (r record) {
	copy(r[:32], p.Owner[:])
	binary.LittleEndian.PutUint32(r[32:], p.Row)
	binary.LittleEndian.PutUint64(r[36:], p.Amount)
	copy(r[44:], p.Hold[:])
	return r
}

func (r *record) amount() uint64 { return binary.LittleEndian.Uint64(r[36:]) }

func (r *record) payment() Payment {
	p := Payment{Row: binary.LittleEndian.Uint32(r[32:]), Amount: r.amount()}
	copy(p.Owner[:], r[:32])
	copy(p.Hold[:], r[44:])
	return p
}

// DecodePayments reads the records of a range of a plan's file.
func DecodePayments(file []byte) ([]Payment, error) {
	if len(file)%PaymentSize != 0 {
		return nil, fmt.Errorf("%d bytes of a plan are no whole records of %d", len(file), PaymentSize)
	}
	payments := make([]Payment, 0, len(file)/PaymentSize)
	for part := range slices.Chunk(file, PaymentSize) {
		r := record(part)
		payments = append(payments, r.payment())
	}
	return payments, nil
}

// Batch is a range of a plan's records, To excluded.
type Batch struct{ From, To uint32 }

// Batches divides a plan's records into batches of the given size. The last batch may be smaller. A
// size of zero yields no batches.
func Batches(records, size uint32) iter.Seq2[int, Batch] {
	return func(yield func(int, Batch) bool) {
		if size == 0 {
			return
		}
		for i, from := 0, uint32(0); from < records; i++ {
			to := from + min(size, records-from)
			if !yield(i, Batch{From: from, To: to}) {
				return
			}
			from = to
		}
	}
}

// Bytes returns the batch's range of the plan's file, to excluded.
func (b Batch) Bytes() (from, to int64) {
	return int64(b.From) * PaymentSize, int64(b.To) * PaymentSize
}

// Totals are the sums of a leg's claims.
type Totals struct {
	Rows                           uint32
	Balance, Share, Owed, Reserved uint64
}

func (t *Totals) add(c Claim) error {
	t.Rows++
	for _, column := range []struct {
		into   *uint64
		amount uint64
	}{{&t.Balance, c.Balance}, {&t.Share, c.Share}, {&t.Owed, c.Owed}, {&t.Reserved, c.Reserved}} {
		sum, err := add(*column.into, column.amount)
		if err != nil {
			return err
		}
		*column.into = sum
	}
	return nil
}

// Plan is the list of a leg's payments, largest amount first. Equal amounts are in the order of the
// owners' bytes.
type Plan struct {
	// Totals are the sums of all claims, including the claims that are not paid.
	Totals Totals
	// Amount is the sum of the payments.
	Amount  uint64
	records []record
}

// NewPlan plans the payments of all claims whose due amount is at least worthPaying and at least one
// unit. atMost is the expected maximum number of claims, for which NewPlan allocates memory.
func NewPlan(claims iter.Seq2[Claim, error], worthPaying uint64, atMost int) (*Plan, error) {
	p := &Plan{records: make([]record, 0, atMost)}
	for c, err := range claims {
		if err == nil {
			err = p.Totals.add(c)
		}
		if err != nil {
			return nil, fmt.Errorf("plan the payments: %w", err)
		}
		if !c.planned(worthPaying) {
			continue
		}
		due := c.Due() - c.Fee
		if p.Amount, err = add(p.Amount, due); err != nil {
			return nil, fmt.Errorf("plan the payments: %w", err)
		}
		p.records = append(p.records, encode(Payment{Owner: c.Owner, Row: c.Row, Amount: due, Hold: c.Hold}))
	}
	slices.SortFunc(p.records, func(a, b record) int {
		if c := cmp.Compare(b.amount(), a.amount()); c != 0 {
			return c
		}
		return bytes.Compare(a[:32], b[:32])
	})
	return p, nil
}

// Fit drops payments so that the sum is at most room. Fit keeps every payment, largest first, that
// fits into the remaining room.
func (p *Plan) Fit(room uint64) {
	if p.Amount <= room {
		return
	}
	p.Amount = 0
	p.records = slices.DeleteFunc(p.records, func(r record) bool {
		if r.amount() > room-p.Amount {
			return true
		}
		p.Amount += r.amount()
		return false
	})
}

// planned reports whether the plan pays a claim.
func (c Claim) planned(worthPaying uint64) bool {
	due := c.Due()
	return due > c.Fee && due >= worthPaying && !c.Quiet
}

// Len returns the number of payments.
func (p *Plan) Len() uint32 { return uint32(len(p.records)) } //nolint:gosec // rows are counted in 32 bits

// Size returns the length of the plan's file, in bytes.
func (p *Plan) Size() int64 { return int64(len(p.records)) * PaymentSize }

// File returns a reader of the plan's file. The reader encodes the plan without a copy.
func (p *Plan) File() io.ReadSeeker { return io.NewSectionReader(content(p.records), 0, p.Size()) }

// content is the bytes of records.
type content []record

// ReadAt implements io.ReaderAt.
func (c content) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		i, from := int(at)/PaymentSize, int(at)%PaymentSize
		if i >= len(c) {
			return n, io.EOF
		}
		copied := copy(b[n:], c[i][from:])
		n, at = n+copied, at+int64(copied)
	}
	return n, nil
}
