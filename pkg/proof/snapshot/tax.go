package snapshot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/content"
)

// The tax file: a sealed taxHeader, then a record per account that holds withheld
// tax: address (32 bytes), amount (u64, little-endian), the largest first. A batch of
// a run that collects it is a range of the records.

var taxMagic = [8]byte{'T', 'L', 'T', 'A', 'X', 'E', '0', '1'}

type taxHeader struct {
	Magic   [8]byte
	Summary TaxSummary
	Records [sha256.Size]byte
}

var taxHeaderLength = sealedLength(taxHeader{})

// TaxSummary is what a tax file says about all accounts. Amounts are in base units.
type TaxSummary struct {
	Mint           solana.PublicKey
	Span           Span
	WithheldOnMint uint64
	Withheld       uint64 // in the accounts
	Accounts       uint64 // that hold tax, which is the number of records
}

// Tax is an account that holds withheld tax.
type Tax struct {
	Account  solana.PublicKey
	Withheld uint64 // base units, never 0
}

// Collectable lists the accounts that hold withheld tax, unless there is such a list
// under the key, and gives the summary of the one that is there. The list need not
// add up: whatever it misses is collected by a later run.
func (t Snapshotter) Collectable(ctx context.Context, mint solana.PublicKey, key string) (TaxSummary, error) {
	if s, err := ReadTaxSummary(ctx, t.Store, key); err == nil || !errors.Is(err, content.ErrNoObject) {
		return s, err
	}
	l, err := t.list(ctx, mint, wanted{tax: true})
	if err != nil {
		return TaxSummary{}, fmt.Errorf("list the tax of %s: %w", key, err)
	}
	defer l.close()
	if err := t.storeTax(ctx, mint, key, l); err != nil {
		return TaxSummary{}, fmt.Errorf("list the tax of %s: %w", key, err)
	}
	return ReadTaxSummary(ctx, t.Store, key)
}

func (t Snapshotter) storeTax(ctx context.Context, mint solana.PublicKey, key string, l *listing) error {
	d, err := newDraft(t.Folder, taxHeaderLength)
	if err != nil {
		return err
	}
	defer d.close()
	var record []byte
	var last entry
	var n uint64
	for e, err := range l.tax.sorted() {
		if err != nil {
			return err
		}
		if n > 0 && mostFirst(last, e) >= 0 {
			return fmt.Errorf("%w: %s was listed twice", ErrDoesNotAddUp, e.key)
		}
		record = e.appendTo(record[:0])
		if err := d.add(record); err != nil {
			return err
		}
		last, n = e, n+1
	}
	header := taxHeader{taxMagic, TaxSummary{
		Mint: mint, Span: l.span, WithheldOnMint: withheldOn(l.mint), Withheld: l.withheld, Accounts: n,
	}, d.records()}
	return d.store(ctx, t.Store, key, seal(header))
}

func readTaxHeader(b []byte) (h taxHeader, err error) {
	if err = unseal(b, &h); err == nil && h.Magic != taxMagic {
		err = fmt.Errorf("its header: %w", ErrCorrupt)
	}
	return h, err
}

// ReadTaxSummary reads the summary of a tax file. It fails with content.ErrNoObject
// when there is none.
func ReadTaxSummary(ctx context.Context, files Files, key string) (TaxSummary, error) {
	b, err := files.GetRange(ctx, key, 0, int64(taxHeaderLength))
	if err != nil {
		return TaxSummary{}, fmt.Errorf("read the summary of tax file %s: %w", key, err)
	}
	h, err := readTaxHeader(b)
	if err != nil {
		return TaxSummary{}, fmt.Errorf("read the summary of tax file %s: %w", key, err)
	}
	return h.Summary, nil
}

// ReadTax reads n records of a tax file, from the one with the index first.
func ReadTax(ctx context.Context, files Files, key string, first, n int) ([]Tax, error) {
	b, err := files.GetRange(ctx, key, int64(taxHeaderLength)+int64(first)*entryLength, int64(n)*entryLength)
	if err == nil && len(b) != n*entryLength {
		err = errShort
	}
	if err != nil {
		return nil, fmt.Errorf("read %d records of tax file %s from %d: %w", n, key, first, err)
	}
	list := make([]Tax, n)
	for i := range list {
		e := decodeEntry(b[i*entryLength:])
		list[i] = Tax{e.key, e.amount}
	}
	return list, nil
}

// TaxFile is a tax file that is being read.
type TaxFile struct {
	TaxSummary

	body    io.ReadCloser
	records [sha256.Size]byte
}

// OpenTax begins to read a tax file. The caller closes it.
func OpenTax(ctx context.Context, files Files, key string) (*TaxFile, error) {
	body, err := files.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("open tax file %s: %w", key, err)
	}
	b := make([]byte, taxHeaderLength)
	if _, err = io.ReadFull(body, b); err != nil {
		err = fmt.Errorf("its header: %w: %w", ErrCorrupt, err)
	}
	var h taxHeader
	if err == nil {
		h, err = readTaxHeader(b)
	}
	if err != nil {
		_ = body.Close()
		return nil, fmt.Errorf("open tax file %s: %w", key, err)
	}
	return &TaxFile{h.Summary, body, h.Records}, nil
}

// Close ends the reading.
func (f *TaxFile) Close() error { return f.body.Close() }

// Each gives every account that holds tax, the largest first; else it is as
// File.Rows.
func (f *TaxFile) Each() iter.Seq2[Tax, error] {
	return func(yield func(Tax, error) bool) {
		records := newBody(f.body, entryLength, f.Accounts, f.records)
		total := f.Withheld
		var last entry
		for n := 0; ; n++ {
			b, err := records.next()
			if err == nil && b == nil {
				if total != 0 {
					yield(Tax{}, fmt.Errorf("the sum of its records: %w", ErrCorrupt))
				}
				return
			}
			var e entry
			if err == nil {
				if e = decodeEntry(b); e.amount == 0 || e.amount > total || n > 0 && mostFirst(last, e) >= 0 {
					err = fmt.Errorf("the record of %s: %w", e.key, ErrCorrupt)
				}
			}
			if err != nil {
				yield(Tax{}, err)
				return
			}
			total -= e.amount
			if last = e; !yield(Tax{e.key, e.amount}, nil) {
				return
			}
		}
	}
}

// Price says what tokens are worth: BaseUnits of them are worth Lamports. The zero
// Price is an unknown one.
type Price struct{ Lamports, BaseUnits uint64 }

// worthTimes is how often what a transaction brings must be worth its cost, so that costs
// stay within 2 percent.
const worthTimes = 50

// Covers says whether so many base units are worth collecting for so many lamports.
// With an unknown price they are.
func (p Price) Covers(baseUnits, costLamports uint64) bool {
	if p.BaseUnits == 0 {
		return true
	}
	gainHigh, gainLow := bits.Mul64(baseUnits, p.Lamports)
	costHigh, costLow := bits.Mul64(costLamports, p.BaseUnits)
	carry, costLow := bits.Mul64(costLow, worthTimes)
	over, costHigh := bits.Mul64(costHigh, worthTimes)
	costHigh, more := bits.Add64(costHigh, carry, 0)
	if over+more > 0 {
		return false // More than 128 bits, which no gain has.
	}
	return gainHigh > costHigh || gainHigh == costHigh && gainLow >= costLow
}
