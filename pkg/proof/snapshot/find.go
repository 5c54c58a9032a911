package snapshot

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sort"

	"github.com/gagliardetto/solana-go"
)

// windowRecords is the number of records that one step of a search reads: 42 KB. Addresses are spread
// evenly, so among a million owners a guess misses by some hundreds of records.
const windowRecords = 1024

// Find looks up an owner in a snapshot without reading the whole file. Among a million owners, Find
// usually needs two reads, and at most 20 for any distribution of addresses. found is false if the
// owner had no balance. It returns content.ErrNoObject for a missing snapshot.
func Find(ctx context.Context, files Files, key string, owner solana.PublicKey) (row Row, found bool, err error) {
	s, err := ReadSummary(ctx, files, key)
	if err != nil {
		return Row{}, false, err
	}
	low, high := span{}, span{at: s.Owners(), key: ^uint64(0)}
	for step := 0; low.at < high.at; step++ {
		guess := between(low, high, prefix(owner[:]))
		if step%2 == 1 { // Bisect every second time, for addresses that are not spread evenly.
			guess = low.at + (high.at-low.at)/2
		}
		first := max(low.at, guess-min(guess, windowRecords/2))
		n := min(windowRecords, high.at-first)
		records, err := readRecords(ctx, files, key, first, n)
		if err != nil {
			return Row{}, false, err
		}
		record := func(i uint64) []byte { return records[i*RowLength : (i+1)*RowLength] }
		order := func(i uint64) int { return bytes.Compare(record(i)[:len(owner)], owner[:]) }
		switch {
		case order(0) > 0:
			high = span{first, prefix(record(0))}
		case order(n-1) < 0:
			low = span{first + n, prefix(record(n - 1))}
		default:
			i, found := sort.Find(int(n), func(i int) int { return -order(uint64(i)) }) //nolint:gosec // At most windowRecords.
			if !found {
				return Row{}, false, nil
			}
			return decodeRow(record(uint64(i))), true, nil //nolint:gosec // As n.
		}
	}
	return Row{}, false, nil
}

// span is one end of the range that can contain an owner: a record's index, and the prefix of the
// record's address.
type span struct{ at, key uint64 }

// prefix returns the first 8 bytes of an address, or of a record, as a number.
func prefix(owner []byte) uint64 { return binary.BigEndian.Uint64(owner) }

// between guesses the index of a key by interpolation.
func between(low, high span, key uint64) uint64 {
	if key <= low.key || high.key <= low.key {
		return low.at
	}
	if key >= high.key {
		return high.at - 1
	}
	product, rest := bits.Mul64(key-low.key, high.at-low.at)
	share, _ := bits.Div64(product, rest, high.key-low.key)
	return low.at + share
}

func readRecords(ctx context.Context, files Files, key string, first, n uint64) ([]byte, error) {
	from, length := int64(HeaderLength)+int64(first)*RowLength, int64(n)*RowLength //nolint:gosec // A file's length is an int64.
	b, err := files.GetRange(ctx, key, from, length)
	if err == nil && int64(len(b)) != length {
		err = errShort
	}
	if err != nil {
		return nil, fmt.Errorf("read %d records of snapshot %s from %d: %w", n, key, first, err)
	}
	return b, nil
}
