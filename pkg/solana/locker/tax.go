package locker

import (
	"math/bits"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Fit gives how much of a taxed token can be locked when so many base units may leave the
// wallet, and how many leave it at most.
//
// The program takes what is to arrive and works out what it must send. Builds of before October
// 2025 round that in a way of their own (token2022.rs, calculate_pre_fee_amount), and may send a
// little more than is needed; what arrives is the same. Fit counts with them, so no build sends
// more than tokens.
func Fit(fee token2022.TransferFee, tokens uint64) (locked, sent uint64) {
	if fee.BasisPoints >= token2022.MaxBasisPoints {
		return 0, 0
	}
	locked = tokens - fee.On(tokens)
	for ; locked > 0; locked-- { // at most twice
		if tax, ok := inverse(fee, locked); ok && tax <= tokens-locked {
			return locked, locked + tax
		}
	}
	return 0, 0
}

// inverse is the tax that an earlier build takes for so much to arrive.
func inverse(fee token2022.TransferFee, arriving uint64) (tax uint64, ok bool) {
	if fee.BasisPoints == 0 {
		return 0, true
	}
	rest := token2022.MaxBasisPoints - uint64(fee.BasisPoints)
	high, low := bits.Mul64(arriving, token2022.MaxBasisPoints)
	low, carry := bits.Add64(low, token2022.MaxBasisPoints-1, 0)
	if high += carry; high >= rest {
		return fee.MaximumFee, fee.MaximumFee <= ^uint64(0)-arriving
	}
	before, _ := bits.Div64(high, low, rest)
	return fee.On(before), true
}
