package verify

import (
	"errors"
	"fmt"
	"maps"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
)

// judgeUnnamed judges a transaction that the wallet signed and the proof does not name, if the
// books state an unexplained amount. The transaction must fit one of the purposes. A payment must
// go to owners for whom the rows reserve at least the paid amount. If the books have an outgoing
// adjustment, only the service's word explains the transaction, and the transaction may pay anyone.
func (j *judge) judgeUnnamed(t chain.Transaction) (err error) {
	scratch := *j
	scratch.lines, scratch.made = lines{}, maps.Clone(j.made)
	pays := t.Payer() == j.custody.wallet
	for _, purpose := range []format.Purpose{format.Setup, format.Collect, format.Burn, format.Exchange, format.Void, format.Return, format.Anchoring} {
		if scratch.judgePurpose(purpose, t, pays) == nil {
			j.unlisted = scratch.unlisted
			return nil
		}
	}
	if j.adjusted {
		c := j.custody
		c.payees, c.inSOL = func(solana.PublicKey) bool { return true }, true
		_, err = c.effects(format.Pay, t)
	} else if scratch.paid, err = j.undecided(t); err == nil {
		err = scratch.judgePurpose(format.Pay, t, pays)
	}
	if err != nil {
		return fmt.Errorf("the proof does not name it, and it is nothing that can be undecided: %w", err)
	}
	return nil
}

// undecided returns the payments of a transaction to owners with reserved amounts, and subtracts
// the payments from the reserved amounts.
func (j *judge) undecided(t chain.Transaction) (map[solana.Signature][]payment, error) {
	var list []payment
	var received uint64
	for to, reserved := range j.reserved {
		gain := t.Change(to).Gain()
		if gain == 0 {
			continue
		}
		if gain > reserved {
			return nil, fmt.Errorf("%s received %d of %s, and %d are reserved", to.Owner, gain, to.Asset, reserved)
		}
		j.reserved[to] -= gain
		received += gain
		list = append(list, payment{to: to, paid: gain, received: gain})
	}
	if len(list) == 0 {
		return nil, errors.New("it pays none for whom something is reserved")
	}
	if asset := list[0].to.Asset; !asset.IsSOL() {
		list[0].paid += j.change(t, asset).Loss() - min(received, j.change(t, asset).Loss()) // the tax
	}
	return map[solana.Signature][]payment{t.Signature: list}, nil
}
