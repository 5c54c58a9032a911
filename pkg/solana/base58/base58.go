// Package base58 writes addresses and signatures in base58, and reads addresses.
//
// A proof writes one of each a row and a snapshot reads one address an account, millions in
// all. Knowing that there are 32 or 64 bytes, no division is longer than a word: the number
// is turned into digits of 58^5 by a table, as Firedancer does. It takes less than half as
// long as the general encoder, and allocates nothing. The texts are the same.
package base58

import (
	"encoding/binary"
	"math/bits"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const (
	// KeyText is how long the text of an address is at most, and SignatureText that of a
	// signature.
	KeyText       = 44
	SignatureText = 88

	digits = 5                      // of a limb
	limb   = 58 * 58 * 58 * 58 * 58 // just below 2^29.3
	limbs  = 9                      // of 32 bytes
)

// number is one of 32 bytes in limbs, the highest first.
type number [limbs]uint64

// table has what each word of 32 bits counts, the highest first: a power of 2^32. half is
// 2^256, what the first half of a signature counts.
var (
	table [8]number
	half  number
)

// pairs has the two digits of every number below 58².
var pairs [58 * 58][2]byte

func init() {
	power := number{limbs - 1: 1}
	for i := len(table) - 1; i >= 0; i-- {
		table[i] = power
		for j := range power {
			power[j] <<= 32
		}
		carry(power[:])
	}
	half = power
	for i := range pairs {
		pairs[i] = [2]byte{alphabet[i/58], alphabet[i%58]}
	}
}

// carry makes each limb a digit.
func carry(n []uint64) {
	for j := len(n) - 1; j > 0; j-- {
		over := n[j] / limb
		n[j-1] += over
		n[j] -= over * limb
	}
}

// numberOf reads 32 bytes.
func numberOf(b *[32]byte) (n number) {
	for i := range table {
		word, row := uint64(binary.BigEndian.Uint32(b[4*i:])), &table[i]
		for j := i; j < limbs; j++ { // The limbs before are zero.
			n[j] += word * row[j]
		}
	}
	carry(n[:])
	return n
}

// write writes the limbs' digits.
func write(text []byte, n []uint64) {
	for j, value := range n {
		part := (*[digits]byte)(text[digits*j:])
		rest := uint32(value) //nolint:gosec // Below limb.
		part[0] = alphabet[rest/(58*58*58*58)]
		*(*[2]byte)(part[1:]) = pairs[rest/(58*58)%(58*58)]
		*(*[2]byte)(part[3:]) = pairs[rest%(58*58)]
	}
}

// AppendKey appends the text of an address.
func AppendKey(b []byte, key *[32]byte) []byte {
	n := numberOf(key)
	var text [digits * limbs]byte
	write(text[:], n[:])
	return appendText(b, key[:], text[:])
}

// AppendSignature appends the text of a signature.
func AppendSignature(b []byte, signature *[64]byte) []byte {
	high, low := numberOf((*[32]byte)(signature[:])), numberOf((*[32]byte)(signature[32:]))
	var n [2 * limbs]uint64
	copy(n[limbs:], low[:])
	for i, factor := range high {
		row := (*number)(n[i+1:])
		for j := range half {
			row[j] += factor * half[j] // Nine of them are below 2^62.
		}
	}
	carry(n[:])
	var text [digits * len(n)]byte
	write(text[:], n[:])
	return appendText(b, signature[:], text[:])
}

// appendText appends the digits of a number of so many bytes. A zero byte in front is a one,
// and the digits have more ones in front than that.
func appendText(b, of, text []byte) []byte {
	return append(b, text[leading(text, alphabet[0])-leading(of, 0):]...)
}

// values of the digits; none for what is no digit.
var values = func() (v [256]uint8) {
	for i := range v {
		v[i] = none
	}
	for i := range len(alphabet) {
		v[alphabet[i]] = uint8(i)
	}
	return v
}()

const none = 0xff

// DecodeKey reads an address of exactly 32 bytes in the spelling of AppendKey; ok is false
// of any other text.
func DecodeKey(text []byte) (key [32]byte, ok bool) {
	if len(text) > KeyText {
		return key, false
	}
	var words [4]uint64 // the lowest first
	for rest := text; len(rest) > 0; {
		const together = 10 // 58^10 is below 2^59
		part := rest[:min(len(rest), together)]
		rest = rest[len(part):]
		chunk, scale := uint64(0), uint64(1)
		for _, c := range part {
			digit := values[c]
			if digit == none {
				return key, false
			}
			chunk, scale = chunk*58+uint64(digit), scale*58
		}
		for i := range words {
			high, low := bits.Mul64(words[i], scale)
			low, over := bits.Add64(low, chunk, 0)
			words[i], chunk = low, high+over
		}
		if chunk > 0 {
			return key, false // more than 256 bits
		}
	}
	for i, word := range words {
		binary.BigEndian.PutUint64(key[24-8*i:], word)
	}
	return key, leading(text, alphabet[0]) == leading(key[:], 0)
}

// leading counts how often a byte stands at the beginning.
func leading(text []byte, c byte) (n int) {
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}
