package wire

import (
	"errors"
	"fmt"
)

// A "short vec" length is a little-endian base-128 number of at most 16 bits:
// one to three bytes, the shortest form only (Agave, solana-short-vec).

var (
	errShort        = errors.New("the bytes end too early")
	errNotCanonical = errors.New("a length is not in its shortest form")
)

func appendShort(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)) //nolint:gosec // Under 0x80 here.
}

// appendBytes appends bytes with their length in front.
func appendBytes(b, list []byte) []byte { return append(appendShort(b, len(list)), list...) }

func shortLen(n int) int {
	size := 1
	for n >= 0x80 {
		n >>= 7
		size++
	}
	return size
}

// reader reads parts from bytes. After the first failure every further read fails, so a caller may
// check once per group of reads.
type reader struct {
	rest []byte
	err  error
}

// take returns the next n bytes. If fewer bytes are left, take returns nil and records an error
// with the given name of the part.
func (r *reader) take(n int, what string) []byte {
	if r.err != nil {
		return nil
	}
	if len(r.rest) < n {
		r.err = fmt.Errorf("%w, in %s", errShort, what)
		return nil
	}
	part := r.rest[:n:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) byte(what string) byte {
	if b := r.take(1, what); b != nil {
		return b[0]
	}
	return 0
}

// length reads a short-vec length. length fails immediately if the remaining bytes cannot hold that
// many elements, so an attacker cannot cause a large allocation. each is the minimum size of an
// element, in bytes.
func (r *reader) length(each int, what string) int {
	n := 0
	for shift := 0; shift <= 14; shift += 7 {
		b := r.byte(what)
		if r.err != nil {
			return 0
		}
		if b == 0 && shift > 0 {
			r.err = fmt.Errorf("%w, in %s", errNotCanonical, what)
			return 0
		}
		n |= int(b&0x7f) << shift
		if b&0x80 == 0 {
			switch {
			case n > 0xffff:
				r.err = fmt.Errorf("a length is over 16 bits, in %s", what)
			case n*each > len(r.rest):
				r.err = fmt.Errorf("%w, in %s", errShort, what)
			default:
				return n
			}
			return 0
		}
	}
	r.err = fmt.Errorf("a length is over 16 bits, in %s", what)
	return 0
}
