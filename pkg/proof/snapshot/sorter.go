package snapshot

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"os"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// entry is an address with an amount: an owner's balance, or the tax withheld in an
// account.
type entry struct {
	key    solana.PublicKey
	amount uint64
}

// entryLength is the length of a stored entry, in bytes: the address and the amount.
const entryLength = 40

func (e *entry) appendTo(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(append(b, e.key[:]...), e.amount)
}

// decodeEntry reads an entry of entryLength bytes.
func decodeEntry(b []byte) entry {
	return entry{solana.PublicKey(b[:32]), binary.LittleEndian.Uint64(b[32:])}
}

// order compares two entries, as for slices.SortFunc.
type order func(a, b entry) int

func byKey(a, b entry) int { return bytes.Compare(a.key[:], b.key[:]) }

// maxFirst orders by amount, largest first, and equal amounts by key.
func maxFirst(a, b entry) int {
	if c := cmp.Compare(b.amount, a.amount); c != 0 {
		return c
	}
	return byKey(a, b)
}

// defaultChunk is the default number of entries that are sorted in memory: 5 MiB.
const defaultChunk = 1 << 17

// runBuffer is the read buffer of a sorted run, in bytes.
const runBuffer = 64 << 10

// sorter sorts more entries than fit into memory. It sorts chunks in memory, writes the chunks to
// unnamed files in folder, and merges the files. close removes the files.
type sorter struct {
	folder string
	limit  int // the maximum length of chunk
	order  order
	// sum merges entries that are equal in the order into one entry with the sum of the amounts.
	sum   bool
	chunk []entry
	runs  []*os.File
}

func (s *sorter) add(e entry) error {
	if s.chunk == nil {
		s.chunk = make([]entry, 0, s.limit)
	}
	s.chunk = append(s.chunk, e)
	if len(s.chunk) < s.limit {
		return nil
	}
	return s.spill()
}

// spill sorts the chunk and writes the chunk to a file.
func (s *sorter) spill() error {
	slices.SortFunc(s.chunk, s.order)
	file, err := unnamed(s.folder)
	if err != nil {
		return fmt.Errorf("set aside a sorted run: %w", err)
	}
	s.runs = append(s.runs, file)
	w := bufio.NewWriterSize(file, runBuffer)
	var b []byte
	for i := range s.chunk {
		b = s.chunk[i].appendTo(b[:0])
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("set aside a sorted run: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("set aside a sorted run: %w", err)
	}
	s.chunk = s.chunk[:0]
	return nil
}

// sorted iterates over all entries in order. It can be used only once, and ends the use of add.
func (s *sorter) sorted() iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		slices.SortFunc(s.chunk, s.order)
		heads := []*head{{memory: s.chunk}}
		for _, run := range s.runs {
			if _, err := run.Seek(0, io.SeekStart); err != nil {
				yield(entry{}, fmt.Errorf("read a sorted run: %w", err))
				return
			}
			heads = append(heads, &head{run: bufio.NewReaderSize(run, runBuffer)})
		}
		m := merge{order: s.order, sum: s.sum}
		if err := m.start(heads); err != nil {
			yield(entry{}, err)
			return
		}
		for {
			e, more, err := m.next()
			if !more && err == nil || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (s *sorter) close() {
	for _, run := range s.runs {
		_ = run.Close() // Closing an unnamed file removes the file.
	}
	s.runs, s.chunk = nil, nil
}

// unnamed creates a file without a name, which the system removes at the end of the process.
func unnamed(folder string) (*os.File, error) {
	file, err := os.CreateTemp(folder, "snapshot-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// sum adds amounts. ok is false if the sum exceeds 64 bits.
func sum(amounts ...uint64) (total uint64, ok bool) {
	ok = true
	for _, a := range amounts {
		total, ok = plus(total, a, ok)
	}
	return total, ok
}

func plus(a, b uint64, ok bool) (uint64, bool) {
	total, carry := bits.Add64(a, b, 0)
	return total, ok && carry == 0
}
