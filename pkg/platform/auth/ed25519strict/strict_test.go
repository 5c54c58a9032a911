package ed25519strict_test

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"

	"filippo.io/edwards25519"

	"tokenlaunch.example/service/pkg/platform/auth/ed25519strict"
)

// signer makes signatures with any R and any part of small order in its key.
type signer struct {
	secret *edwards25519.Scalar
	key    []byte
}

func newSigner(t *testing.T, torsion *edwards25519.Point) signer {
	t.Helper()
	a := scalar(t, "secret")
	key := new(edwards25519.Point).ScalarBaseMult(a)
	return signer{a, key.Add(key, torsion).Bytes()}
}

// scalar is a number below the group's order, always the same for a name.
func scalar(t *testing.T, name string) *edwards25519.Scalar {
	t.Helper()
	wide := sha512.Sum512([]byte(name))
	s, err := new(edwards25519.Scalar).SetUniformBytes(wide[:])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// challenge is the k of RFC 8032.
func challenge(t *testing.T, r, key, message []byte) *edwards25519.Scalar {
	t.Helper()
	wide := sha512.Sum512(slices.Concat(r, key, message))
	k, err := new(edwards25519.Scalar).SetUniformBytes(wide[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// sign returns R and S = r + k·a, with R = r·B for the base point B.
func (s signer) sign(t *testing.T, r *edwards25519.Scalar, point, message []byte) []byte {
	t.Helper()
	sum := new(edwards25519.Scalar).MultiplyAdd(challenge(t, point, s.key, message), s.secret, r)
	return slices.Concat(point, sum.Bytes())
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// order8 is a point of order 8; its multiples are the points of small order.
const order8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"

func torsion(t *testing.T) *edwards25519.Point {
	t.Helper()
	p, err := new(edwards25519.Point).SetBytes(decode(t, order8))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// messageWhose finds a message for which the challenge has this rest by 8.
func messageWhose(t *testing.T, rest byte, r, key []byte) []byte {
	t.Helper()
	for n := uint64(0); ; n++ {
		message := binary.LittleEndian.AppendUint64(nil, n)
		if challenge(t, r, key, message).Bytes()[0]&7 == rest {
			return message
		}
	}
}

// TestVerifyRejectsAsChainDoes tests docs/attacks.md, "Launching": signatures that Go's verifier
// accepts and the chain's rejects. All rejected signatures except the first pass crypto/ed25519 if
// the table marks them.
func TestVerifyRejectsAsChainDoes(t *testing.T) {
	none := edwards25519.NewIdentityPoint()
	zero := edwards25519.NewScalar()
	usual, mixed := newSigner(t, none), newSigner(t, torsion(t))
	identity := none.Bytes()
	message := []byte("launch")
	r := scalar(t, "r")
	point := new(edwards25519.Point).ScalarBaseMult(r).Bytes()

	good := usual.sign(t, r, point, message)
	large := slices.Clone(good)
	copy(large[32:], plusOrder(good[32:]))
	// With k = 0 mod 8 the small part of the key drops out.
	mixedMessage := messageWhose(t, 0, point, mixed.key)
	// R = -k·T makes up for the small part of the key.
	small := new(edwards25519.Point).Negate(torsion(t)).Bytes()
	smallMessage := messageWhose(t, 1, small, mixed.key)
	nonCanonical := decode(t, "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f") // p+1, which is 1

	for _, c := range []struct {
		name                    string
		key, message, signature []byte
		lenient, strict         bool
	}{
		{"a usual one", usual.key, message, good, true, true},
		{"a key with a part of small order", mixed.key, mixedMessage, mixed.sign(t, r, point, mixedMessage), true, true},
		{"another message", usual.key, []byte("other"), good, false, false},
		{"R is the identity", usual.key, message, usual.sign(t, zero, identity, message), true, false},
		{"R is of order 8", mixed.key, smallMessage, mixed.sign(t, zero, small, smallMessage), true, false},
		{"the key is the identity", identity, message, slices.Concat(point, r.Bytes()), true, false},
		{"key and R are the identity", identity, message, slices.Concat(identity, zero.Bytes()), true, false},
		{"the key is the identity, written p+1", nonCanonical, message, slices.Concat(point, r.Bytes()), true, false},
		{"R is the identity, written p+1", usual.key, message, usual.sign(t, zero, nonCanonical, message), false, false},
		{"S is not below the order", usual.key, message, large, false, false},
	} {
		if got := ed25519.Verify(c.key, c.message, c.signature); got != c.lenient {
			t.Errorf("%s: Go's verifier returns %v, want %v", c.name, got, c.lenient)
		}
		if got := ed25519strict.Verify(c.key, c.message, c.signature); got != c.strict {
			t.Errorf("%s: %v, want %v", c.name, got, c.strict)
		}
	}
	if ed25519strict.Verify(usual.key[:31], message, good) || ed25519strict.Verify(usual.key, message, good[:63]) || ed25519strict.Verify(nil, nil, nil) {
		t.Error("a key or signature of another length is accepted")
	}
}

// TestSmallOrderEncodings tests that each encoding, canonical or not, with either sign, is rejected
// as key and as R.
func TestSmallOrderEncodings(t *testing.T) {
	var encodings [][]byte
	for p, n := torsion(t), 0; n < 8; n++ {
		encodings = append(encodings, p.Bytes())
		p = new(edwards25519.Point).Add(p, torsion(t))
	}
	for _, low := range []byte{0xec, 0xed, 0xee} { // p-1, p, p+1
		y := decode(t, "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
		y[0] = low
		encodings = append(encodings, y)
	}
	for _, e := range encodings {
		for _, sign := range []byte{0, 0x80} {
			key := slices.Clone(e)
			key[31] ^= sign
			for n := range uint64(16) { // an eighth of the messages suits a key of order 8
				message := binary.LittleEndian.AppendUint64(nil, n)
				if ed25519strict.Verify(key, message, make([]byte, 64)) || ed25519strict.Verify(key, message, slices.Concat(key, make([]byte, 32))) {
					t.Errorf("%x signs", key)
				}
			}
		}
	}
}

// plusOrder adds the group's order, 2^252 + 27742317777372353535851937790883648493.
func plusOrder(s []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	little := slices.Clone(s)
	slices.Reverse(little)
	sum := new(big.Int).SetBytes(little)
	out := sum.Add(sum, order).FillBytes(make([]byte, 32))
	slices.Reverse(out)
	return out
}
