package main

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
	"github.com/gagliardetto/solana-go"
)

// together is how many points are brought to their affine form by one inversion.
const together = 1024

// wallets gives addresses that are on the curve, without end: the base point, twice the
// base point, and so on.
func wallets(yield func(solana.PublicKey) bool) {
	base := edwards25519.NewGeneratorPoint()
	at := edwards25519.NewIdentityPoint()
	var ys, zs, products [together]field.Element
	for {
		product := new(field.Element).One()
		for i := range together {
			at.Add(at, base)
			_, y, z, _ := at.ExtendedCoordinates()
			ys[i].Set(y)
			zs[i].Set(z)
			products[i].Set(product)
			product.Multiply(product, z)
		}
		inverse := new(field.Element).Invert(product)
		var keys [together]solana.PublicKey
		for i := together - 1; i >= 0; i-- {
			var own field.Element
			own.Multiply(inverse, &products[i])
			inverse.Multiply(inverse, &zs[i])
			copy(keys[i][:], own.Multiply(&own, &ys[i]).Bytes()) // Either sign of x is a point.
		}
		for _, key := range keys {
			if !yield(key) {
				return
			}
		}
	}
}
