// Package inflate reads zlib streams (RFC 1950 and 1951) that are in memory as a whole,
// faster than compress/zlib, and takes and refuses the same ones.
//
// It takes eight bytes of input at once, looks up a code together with its extra bits, and
// copies eight bytes at once.
package inflate

import (
	"encoding/binary"
	"errors"
	"io"
)

var (
	// ErrCorrupt says that a stream is damaged.
	ErrCorrupt = errors.New("a zlib stream that is damaged")
	// ErrCut says that a stream ends too early.
	ErrCut = errors.New("a zlib stream that is cut off")
)

const (
	window = 32 << 10 // how far back a match can be
	ahead  = 64 << 10 // how much is unpacked at once
	// slack is the room that a round of the quick loop needs behind that: two literals and
	// a match, which is copied in words.
	slack = 2 + 258 + 8
	// padding is what a round can read behind the input.
	padding = 24
)

// Reader is an io.Reader of what was packed.
type Reader struct {
	in   []byte // with zeros behind it
	size int    // without them
	at   int    // the next byte that is not in bits yet
	bits uint64 // the next bits, the first of them lowest
	have uint64 // how many of them count; those above are right, or zero

	buffer   []byte
	from, to int // what was unpacked and not read yet

	next   part
	last   bool // this block is the last one
	stored int  // bytes left of a plain block
	digest uint32
	err    error

	lengths     [mostLiterals + mostDistances]uint8
	lits        [literalSize]entry
	dists       [distanceSize]entry
	litsSecond  uint64 // the masks of the second tables
	distsSecond uint64
}

// part is what is to be read next.
type part uint8

const (
	header part = iota // of a block
	plain
	packed
	trailer
)

// NewReader begins to read a stream, of which there may be several pieces.
func NewReader(stream ...[]byte) (*Reader, error) {
	size := 0
	for _, piece := range stream {
		size += len(piece)
	}
	if size < 2 {
		return nil, ErrCut
	}
	r := &Reader{in: make([]byte, 0, size+padding), size: size, digest: 1, buffer: make([]byte, window+ahead+slack)}
	for _, piece := range stream {
		r.in = append(r.in, piece...)
	}
	r.in = r.in[:size+padding]
	const deflate, largest, dictionary = 8, 7, 0x20
	if r.in[0]&15 != deflate || r.in[0]>>4 > largest || binary.BigEndian.Uint16(r.in)%31 != 0 || r.in[1]&dictionary != 0 {
		return nil, ErrCorrupt
	}
	r.at = 2
	return r, nil
}

// Read gives what was packed. With io.EOF the checksum is verified.
func (r *Reader) Read(p []byte) (int, error) {
	for r.from == r.to && len(p) > 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.err = r.unpack()
	}
	n := copy(p, r.buffer[r.from:r.to])
	r.from += n
	return n, nil
}

// Left is how many bytes there are behind a stream that was read to its end.
func (r *Reader) Left() int { return r.size - r.at }

// unpack fills the buffer, when all that was in it is read.
func (r *Reader) unpack() error {
	if r.to > window {
		r.to = copy(r.buffer, r.buffer[r.to-window:r.to])
	}
	r.from = r.to
	if err := r.blocks(); err != nil {
		r.to = r.from
		return err
	}
	r.digest = adler(r.digest, r.buffer[r.from:r.to])
	if r.next != trailer {
		return nil
	}
	r.align()
	if r.size-r.at < 4 {
		return ErrCut
	}
	if binary.BigEndian.Uint32(r.in[r.at:]) != r.digest {
		return ErrCorrupt
	}
	r.at += 4
	return io.EOF
}

// blocks reads until the buffer is full, or the last block ends.
func (r *Reader) blocks() (err error) {
	for err == nil && r.to < window+ahead && r.next != trailer {
		switch r.next {
		case header:
			err = r.block()
		case plain:
			r.copyStored()
		case packed:
			err = r.inflate()
		case trailer: // the loop has ended
		}
		if r.at-int(r.have/8) > r.size { //nolint:gosec // G115: at most 63
			return ErrCut // before what the zeros behind it say
		}
	}
	return err
}

// block reads the head of a block.
func (r *Reader) block() error {
	head, err := r.take(3)
	if err != nil {
		return err
	}
	r.last = head&1 != 0
	switch head >> 1 {
	case 0:
		r.align()
		if r.size-r.at < 4 {
			return ErrCut
		}
		length := binary.LittleEndian.Uint16(r.in[r.at:])
		if length != ^binary.LittleEndian.Uint16(r.in[r.at+2:]) {
			return ErrCorrupt
		}
		r.at += 4
		r.next, r.stored = plain, int(length)
		if r.size-r.at < r.stored {
			return ErrCut
		}
		return nil
	case 1:
		return r.fixed()
	case 2:
		return r.dynamic()
	default:
		return ErrCorrupt
	}
}

func (r *Reader) copyStored() {
	n := copy(r.buffer[r.to:window+ahead], r.in[r.at:][:r.stored])
	r.to, r.at, r.stored = r.to+n, r.at+n, r.stored-n
	if r.stored == 0 {
		r.endBlock()
	}
}

func (r *Reader) endBlock() {
	r.next = header
	if r.last {
		r.next = trailer
	}
}

// align goes to the next whole byte.
func (r *Reader) align() {
	r.at -= int(r.have / 8) //nolint:gosec // G115: at most 63
	r.bits, r.have = 0, 0
}

// fill makes so many bits be there, at most 32; where the input ends there are zeros.
func (r *Reader) fill(n uint64) error {
	if r.have >= n {
		return nil
	}
	if r.at+8 > len(r.in) {
		return ErrCut
	}
	r.bits |= binary.LittleEndian.Uint64(r.in[r.at:]) << (r.have & 63)
	r.at += int(63-r.have) >> 3
	r.have |= 56
	return nil
}

func (r *Reader) drop(n uint64) {
	r.bits >>= n
	r.have -= n
}

// take gives the next bits, at most 32.
func (r *Reader) take(n uint64) (uint64, error) {
	if err := r.fill(n); err != nil {
		return 0, err
	}
	taken := r.bits & (1<<n - 1)
	r.drop(n)
	return taken, nil
}
