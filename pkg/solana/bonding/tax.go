package bonding

import (
	"fmt"
	"math/big"
	"math/bits"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Gross returns the amount to send so that net arrives under a tax. Gross is the inverse of
// TransferFee.On as the program computes the inverse (utils/token.rs,
// calculate_transfer_fee_included_amount, and spl-token-2022, TransferFee::calculate_inverse_fee).
// A tax of the whole amount takes its MaximumFee. It returns ErrOverflow if the amount is not a
// u64, or if the tax on the amount differs; the program fails in the same cases.
func Gross(tax token2022.TransferFee, net uint64) (uint64, error) {
	if net == 0 || tax.BasisPoints == 0 {
		return net, nil
	}
	fee := tax.MaximumFee
	if tax.BasisPoints < token2022.MaxBasisPoints {
		gross := new(big.Int).Mul(new(big.Int).SetUint64(net), big.NewInt(token2022.MaxBasisPoints))
		gross = quotient(gross, big.NewInt(int64(token2022.MaxBasisPoints-tax.BasisPoints)), up)
		if withheld := new(big.Int).Sub(gross, new(big.Int).SetUint64(net)); withheld.IsUint64() {
			fee = min(fee, withheld.Uint64())
		}
	}
	sent, carry := bits.Add64(net, fee, 0)
	if carry != 0 || tax.On(sent) != fee {
		return 0, fmt.Errorf("%w: sending so that %d base units arrive", ErrOverflow, net)
	}
	return sent, nil
}
