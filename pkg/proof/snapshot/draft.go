package snapshot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// A file is a header of fixed length, then records of fixed length. The header ends
// with two SHA-256: of the records, and of the header before it. So a header that is
// read alone is known to be whole, and so are the records when all have been read.

// draft is a file that is being written. Its records come first, for the header says
// what they add up to.
type draft struct {
	file *os.File
	hash hash.Hash
	w    *bufio.Writer // to both, in blocks
	size int64
}

const writeBuffer = 256 << 10

func newDraft(folder string, headerLength int) (*draft, error) {
	file, err := unnamed(folder)
	if err != nil {
		return nil, fmt.Errorf("begin a file: %w", err)
	}
	if _, err := file.Seek(int64(headerLength), io.SeekStart); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("begin a file: %w", err)
	}
	digest := sha256.New()
	return &draft{file: file, hash: digest, w: bufio.NewWriterSize(io.MultiWriter(digest, file), writeBuffer), size: int64(headerLength)}, nil
}

func (d *draft) add(record []byte) error {
	d.size += int64(len(record))
	if _, err := d.w.Write(record); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	return nil
}

// records is the SHA-256 of the records so far.
func (d *draft) records() [sha256.Size]byte {
	_ = d.w.Flush() // A failure stays, and store tells of it.
	return [sha256.Size]byte(d.hash.Sum(nil))
}

// store puts the header before the records, and the file into the store.
func (d *draft) store(ctx context.Context, s Store, key string, header []byte) error {
	err := d.w.Flush()
	if err == nil {
		_, err = d.file.WriteAt(header, 0)
	}
	if err == nil {
		_, err = d.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return s.PutFile(ctx, key, ContentType, d.file, d.size)
}

func (d *draft) close() { _ = d.file.Close() }

// seal gives the bytes of a header, a struct of fixed size, with its SHA-256.
func seal(header any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, header)
	if err != nil {
		panic(err) // Only for a struct that has no fixed size.
	}
	digest := sha256.Sum256(b)
	return append(b, digest[:]...)
}

// sealedLength is that of what seal gives.
func sealedLength(header any) int { return binary.Size(header) + sha256.Size }

// unseal reads what seal gives; header is a pointer.
func unseal(b []byte, header any) error {
	end := binary.Size(header)
	if len(b) != end+sha256.Size || sha256.Sum256(b[:end]) != [sha256.Size]byte(b[end:]) {
		return fmt.Errorf("its header: %w", ErrCorrupt)
	}
	if _, err := binary.Decode(b[:end], binary.LittleEndian, header); err != nil {
		return fmt.Errorf("its header: %w: %w", ErrCorrupt, err)
	}
	return nil
}

// body reads records, n of them, and then checks that they are those that were
// written and that nothing follows.
type body struct {
	r      *bufio.Reader // what it reads ahead is in the hash, a block at a time
	hash   hash.Hash
	digest [sha256.Size]byte
	left   uint64
	record []byte
}

func newBody(r io.Reader, recordLength int, n uint64, digest [sha256.Size]byte) *body {
	sum := sha256.New()
	return &body{r: bufio.NewReaderSize(io.TeeReader(r, sum), writeBuffer), hash: sum, digest: digest, left: n, record: make([]byte, recordLength)}
}

// next gives a record, which holds until the next call; nil at the end.
func (b *body) next() ([]byte, error) {
	if b.left == 0 {
		switch _, err := b.r.ReadByte(); {
		case err == nil:
			return nil, fmt.Errorf("more than its records: %w", ErrCorrupt)
		case !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read its end: %w", err)
		case [sha256.Size]byte(b.hash.Sum(nil)) != b.digest:
			return nil, fmt.Errorf("its records: %w", ErrCorrupt)
		}
		return nil, nil
	}
	b.left--
	if _, err := io.ReadFull(b.r, b.record); err != nil {
		return nil, fmt.Errorf("%d records are missing: %w: %w", b.left+1, ErrCorrupt, err)
	}
	return b.record, nil
}
