package transaction

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Compile returns the message of a draft with a sentence for each instruction. value is a
// blockhash, or the present value of the draft's nonce. The first instruction advances the nonce,
// or names the last signer. The compute budget follows: units is the compute unit limit, price the
// price of a unit in micro-lamports. It returns wire.ErrTooLarge if the message does not fit into a
// packet.
func (d Draft) Compile(value solana.Hash, units uint32, price uint64) (wire.Message, []string, error) {
	steps := make([]Step, 0, len(d.Steps)+3)
	switch {
	case d.Nonce != nil:
		steps = append(steps, Step{
			systemprogram.AdvanceNonceAccount{Nonce: d.Nonce.Account, Authority: d.Nonce.Authority}.Instruction(),
			"Uses up a one-time number of the service, so this transaction can land once.",
		})
	case !d.LastSigner.IsZero():
		steps = append(steps, Step{
			memo.Signed(d.LastSigner),
			fmt.Sprintf("Needs the signature of the service's key %s, which is added when you submit.", d.LastSigner),
		})
	}
	steps = append(steps,
		Step{
			computebudget.SetUnitLimit(units),
			fmt.Sprintf("Limits the compute units to %d.", units),
		},
		Step{
			computebudget.SetUnitPrice(price),
			fmt.Sprintf("Adds a priority fee of %s SOL.", decimal.SOL(computebudget.PriorityFee(units, price))),
		})
	steps = append(steps, d.Steps...)
	list, explanation := make([]solana.Instruction, len(steps)), make([]string, len(steps))
	for i, s := range steps {
		list[i], explanation[i] = s.Instruction, s.Explanation
	}
	message, err := wire.Compile(d.Caller, value, list)
	if err != nil {
		return wire.Message{}, nil, fmt.Errorf("compile a %s transaction of %s: %w", d.Kind, d.Mint, err)
	}
	return message, explanation, nil
}

func (d Draft) maxUnits() uint32 {
	if d.MaxUnits == 0 {
		return computebudget.MaxUnitLimit
	}
	return d.MaxUnits
}

// limit returns the compute unit limit of the transaction: 120 % of the simulated units, because
// the chain's state changes until the transaction lands.
func (d Draft) limit(s Simulation) uint32 {
	switch maximum := d.maxUnits(); {
	case s.OK:
		took := min(s.ComputeUnits, uint64(maximum))
		return uint32(min(took+took/5, uint64(maximum))) //nolint:gosec // bounded by most
	case d.DefaultUnits > 0:
		return d.DefaultUnits
	default:
		return maximum
	}
}
