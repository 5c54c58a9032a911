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

// A file is a header of fixed length, followed by records of fixed length. The header ends with two
// SHA-256: the hash of the records, and the hash of the header's preceding bytes. So a reader can check
// the header without the records, and the records after reading all of them.

// draft is a file under construction. The records are written first, because the header has the sums
// of the records.
type draft struct {
	file *os.File
	hash hash.Hash
	w    *bufio.Writer // writes to file and hash, in blocks
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

// records returns the SHA-256 of the records so far.
func (d *draft) records() [sha256.Size]byte {
	_ = d.w.Flush() // store returns the error.
	return [sha256.Size]byte(d.hash.Sum(nil))
}

// store writes the header before the records, and puts the file into the store.
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

// seal encodes a header, a struct of fixed size, and appends the SHA-256.
func seal(header any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, header)
	if err != nil {
		panic(err) // Only for a struct without a fixed size.
	}
	digest := sha256.Sum256(b)
	return append(b, digest[:]...)
}

// sealedLength returns the length of a sealed header.
func sealedLength(header any) int { return binary.Size(header) + sha256.Size }

// unseal decodes a sealed header into the pointer header. It returns ErrCorrupt if the hash differs.
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

// body reads a number of records. At the end, body checks the hash of the records, and that no byte
// follows.
type body struct {
	r      *bufio.Reader // hashes every block that it reads
	hash   hash.Hash
	digest [sha256.Size]byte
	left   uint64
	record []byte
}

func newBody(r io.Reader, recordLength int, n uint64, digest [sha256.Size]byte) *body {
	sum := sha256.New()
	return &body{r: bufio.NewReaderSize(io.TeeReader(r, sum), writeBuffer), hash: sum, digest: digest, left: n, record: make([]byte, recordLength)}
}

// next returns the next record, or nil at the end. The record is valid until the next call.
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
