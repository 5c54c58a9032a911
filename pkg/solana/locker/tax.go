package locker

import (
	"math/bits"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Fit returns the amount of a taxed token that can be locked if tokens base units may leave the
// wallet, and the maximum amount that leaves the wallet.
//
// The program accepts the amount that is to arrive, and computes the amount to send. Builds from
// before October 2025 round this computation differently (token2022.rs, calculate_pre_fee_amount),
// and may send a little more than is needed. The amount that arrives is the same. Fit allows for
// these builds, so no build sends more than tokens.
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

// inverse returns the tax of an earlier build for a transfer of which arriving base units arrive.
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
