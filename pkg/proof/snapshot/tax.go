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

// The tax file is a sealed taxHeader, followed by a record per account with withheld tax: address (32
// bytes), amount (u64, little-endian), largest amount first. A batch of a collection is a range of
// records.

var taxMagic = [8]byte{'T', 'L', 'T', 'A', 'X', 'E', '0', '1'}

type taxHeader struct {
	Magic   [8]byte
	Summary TaxSummary
	Records [sha256.Size]byte
}

var taxHeaderLength = sealedLength(taxHeader{})

// TaxSummary is the sums of a tax file. Amounts are in base units.
type TaxSummary struct {
	Mint           solana.PublicKey
	Span           Span
	WithheldOnMint uint64
	Withheld       uint64 // in the accounts
	Accounts       uint64 // the number of records
}

// Tax is an account with withheld tax.
type Tax struct {
	Account  solana.PublicKey
	Withheld uint64 // base units, never 0
}

// Collectable lists the accounts with withheld tax, unless the key has a list already, and returns the
// stored summary. The list need not add up, because a later run collects missing accounts.
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
		if n > 0 && maxFirst(last, e) >= 0 {
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

// ReadTaxSummary reads the summary of a tax file. It returns content.ErrNoObject for a missing file.
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

// ReadTax reads n records of a tax file, starting at index first.
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

// TaxFile is an open tax file.
type TaxFile struct {
	TaxSummary

	body    io.ReadCloser
	records [sha256.Size]byte
}

// OpenTax opens a tax file. The caller closes the file.
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

// Close closes the file.
func (f *TaxFile) Close() error { return f.body.Close() }

// Each iterates over all accounts with withheld tax, largest amount first. Errors are as for File.Rows.
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
				if e = decodeEntry(b); e.amount == 0 || e.amount > total || n > 0 && maxFirst(last, e) >= 0 {
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

// Price is the price of a token: BaseUnits base units are worth Lamports lamports. The zero Price is
// unknown.
type Price struct{ Lamports, BaseUnits uint64 }

// worthTimes is the minimum ratio of a transaction's proceeds to its cost, so that costs are at most 2
// percent.
const worthTimes = 50

// Covers reports whether collecting baseUnits is worth costLamports. If the price is unknown, Covers
// returns true.
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
		return false // The cost has more than 128 bits, and the gain at most 128.
	}
	return gainHigh > costHigh || gainHigh == costHigh && gainLow >= costLow
}
