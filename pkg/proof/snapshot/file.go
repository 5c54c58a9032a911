package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gagliardetto/solana-go"
)

// The holders' file is a sealed holdersHeader, followed by a record per owner with a balance: owner
// (32 bytes), balance (u64), standing (1 byte), strictly ascending by owner. Integers are
// little-endian.

// RowLength is the length of an owner's record, in bytes.
const RowLength = 41

var holdersMagic = [8]byte{'T', 'L', 'H', 'O', 'L', 'D', '0', '1'}

type holdersHeader struct {
	Magic   [8]byte
	Summary Summary
	Records [sha256.Size]byte
}

// HeaderLength is the length of the sealed header, in bytes.
var HeaderLength = sealedLength(holdersHeader{})

func appendRow(b []byte, r Row) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, r.Owner[:]...), r.Balance)
	return append(b, byte(r.Standing))
}

// decodeRow reads a record of RowLength bytes.
func decodeRow(b []byte) Row {
	return Row{Owner: solana.PublicKey(b[:32]), Balance: binary.LittleEndian.Uint64(b[32:]), Standing: Standing(b[40])}
}

// holdersDraft is a holders' file under construction.
type holdersDraft struct {
	*draft
	summary Summary
	last    solana.PublicKey
	record  []byte
}

func newHoldersDraft(folder string, s Summary) (*holdersDraft, error) {
	d, err := newDraft(folder, HeaderLength)
	if err != nil {
		return nil, err
	}
	return &holdersDraft{draft: d, summary: s}, nil
}

func (d *holdersDraft) add(r Row) error {
	t := &d.summary.By[r.Standing]
	t.Owners++
	t.Balance += r.Balance // The listing has checked the sum of all balances.
	d.record = appendRow(d.record[:0], r)
	return d.draft.add(d.record)
}

func (d *holdersDraft) store(ctx context.Context, s Store, key string) error {
	if !d.summary.addsUp() {
		return fmt.Errorf("write %s: %w", key, ErrDoesNotAddUp)
	}
	return d.draft.store(ctx, s, key, seal(holdersHeader{holdersMagic, d.summary, d.records()}))
}

func readHoldersHeader(b []byte) (holdersHeader, error) {
	var h holdersHeader
	if err := unseal(b, &h); err != nil {
		return h, err
	}
	if h.Magic != holdersMagic || !h.Summary.addsUp() {
		return h, fmt.Errorf("its header: %w", ErrCorrupt)
	}
	return h, nil
}

// File is an open snapshot.
type File struct {
	Taken

	content io.ReadCloser
	records [sha256.Size]byte
}

// Files reads stored files. Store implements Files.
type Files interface {
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	GetRange(ctx context.Context, key string, from, length int64) ([]byte, error)
}

// Open opens a snapshot. It returns content.ErrNoObject for a missing snapshot. The caller closes the
// file.
func Open(ctx context.Context, files Files, key string) (*File, error) {
	content, err := files.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("open snapshot %s: %w", key, err)
	}
	f, err := Read(content)
	if err != nil {
		_ = content.Close()
		return nil, fmt.Errorf("open snapshot %s: %w", key, err)
	}
	return f, nil
}

// Read reads a snapshot's header from content.
func Read(content io.ReadCloser) (*File, error) {
	b := make([]byte, HeaderLength)
	if _, err := io.ReadFull(content, b); err != nil {
		return nil, fmt.Errorf("its header: %w: %w", ErrCorrupt, err)
	}
	h, err := readHoldersHeader(b)
	if err != nil {
		return nil, err
	}
	return &File{Taken: h.taken(b), content: content, records: h.Records}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.content.Close() }

// Rows iterates over all owners with a balance, in the order of the owners' bytes. Rows can be used
// only once. If the file is damaged or truncated, Rows ends with ErrCorrupt, and the caller must drop
// all results of the earlier rows.
func (f *File) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		records := newBody(f.content, RowLength, f.Owners(), f.records)
		var by [Standings]Tally
		var last solana.PublicKey
		for n := 0; ; n++ {
			b, err := records.next()
			if err == nil && b == nil {
				if by != f.By {
					yield(Row{}, fmt.Errorf("the sums of its records: %w", ErrCorrupt))
				}
				return
			}
			var r Row
			if err == nil {
				r = decodeRow(b)
				err = r.check(n > 0, last)
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			by[r.Standing].Owners++
			by[r.Standing].Balance += r.Balance
			if last = r.Owner; !yield(r, nil) {
				return
			}
		}
	}
}

// check returns an error for an invalid row. follows reports that before is the previous row's owner.
func (r Row) check(follows bool, before solana.PublicKey) error {
	if r.Standing >= Standings || r.Balance == 0 || follows && byKey(entry{key: before}, entry{key: r.Owner}) >= 0 {
		return fmt.Errorf("the record of %s: %w", r.Owner, ErrCorrupt)
	}
	return nil
}

// taken returns the content of a header with the bytes b.
func (h holdersHeader) taken(b []byte) Taken {
	return Taken{h.Summary, [sha256.Size]byte(b[len(b)-sha256.Size:])}
}

// ReadSummary reads a snapshot's header. It returns content.ErrNoObject for a missing snapshot.
func ReadSummary(ctx context.Context, files Files, key string) (Taken, error) {
	b, err := files.GetRange(ctx, key, 0, int64(HeaderLength))
	if err != nil {
		return Taken{}, fmt.Errorf("read the summary of snapshot %s: %w", key, err)
	}
	h, err := readHoldersHeader(b)
	if err != nil {
		return Taken{}, fmt.Errorf("read the summary of snapshot %s: %w", key, err)
	}
	return h.taken(b), nil
}

// errShort is returned when a part of a file is shorter than requested.
var errShort = errors.New("the part is too short")
