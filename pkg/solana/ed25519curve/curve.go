// Package ed25519curve says whether an address is a point of Ed25519's curve, which is whether a
// key may belong to it; addresses of programs are not.
//
// A snapshot asks it of every owner. Decompressing the point, as libraries do, takes a
// square root, which is an exponentiation with 254 squarings. Whether there is a root is
// told by a Jacobi symbol, in an eighth of the time.
package ed25519curve

import (
	"encoding/binary"

	"filippo.io/edwards25519/field"
	"github.com/gagliardetto/solana-go"
)

// d is the curve's constant, -121665/121666 (RFC 8032, section 5.1).
var d = constant()

func constant() *field.Element {
	one := new(field.Element).One()
	over := new(field.Element).Mult32(one, 121666)
	under := new(field.Element).Mult32(one, 121665)
	return over.Multiply(under.Negate(under), over.Invert(over))
}

// Contains says whether the address is a point of the curve: the answer of
// solana.IsOnCurve. It takes a time that depends on the address, which is no secret.
func Contains(key solana.PublicKey) bool {
	// x² = u/v with u = y²-1 and v = dy²+1, which is never 0. u/v is a square when uv is.
	var y, u, v, one field.Element
	if _, err := y.SetBytes(key[:]); err != nil { // It ignores the highest bit, which is x's sign.
		return false
	}
	one.One()
	y.Square(&y)
	u.Subtract(&y, &one)
	v.Add(v.Multiply(&y, d), &one)
	product := u.Multiply(&u, &v).Bytes()
	var g number
	for i := range g {
		g[i] = binary.LittleEndian.Uint64(product[8*i:])
	}
	if g == (number{}) {
		return true // x is 0.
	}
	symbol, sure := jacobi(g)
	if !sure {
		return solana.IsOnCurve(key[:])
	}
	return symbol == 1
}
