package signing

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/wallet"
)

// RotationLasts is the time after an operator's order during which the signer signs the rotation of a
// token. Income of the later wallet does not become credit during twice the time; see Core.observe.
const RotationLasts = 12 * time.Hour

// RotationOrder is an operator's order to move a token from one wallet to another; see
// capstable.Caps.Rotate. The zero value is no order.
type RotationOrder struct {
	From, To solana.PublicKey
	At       time.Time
}

// rotates accepts only what follows from an operator's order: the receiver is the address that the
// signer itself derives from a later root for the same wallet ID. So a false ledger moves nothing out
// of the service's wallets, and nothing without an operator.
//
// The balances of the later wallet are no income. The signer forgets the last sighting of the
// wallet, and stores no sighting near the order, so the first sighting afterwards is no credit.
func (l *look) rotates(ctx context.Context) error {
	from, into := l.run.Token.Wallet, *l.run.Release.Into
	if l.Notes == nil || into.ID != from.ID || into.Root <= from.Root || into.Address != l.run.Release.To || l.run.Collector().Guarded() {
		return refuse("run %s moves wallet %s to no wallet of a later root", l.run.ID, from.Address)
	}
	order, err := l.Notes.Rotation(ctx, l.run.Mint)
	switch {
	case err != nil:
		return err
	case order.From != from.Address || order.To != into.Address:
		return refuse("no operator has ordered to move token %s from wallet %s to %s", l.run.Mint, from.Address, into.Address)
	case !l.now().Before(order.At.Add(RotationLasts)):
		return refuse("the order to move token %s is of %s, and an operator has to order it again", l.run.Mint, order.At)
	}
	address, err := l.Wallets.Derivation.Address(ctx, wallet.Path(into.ID, into.Root))
	if err != nil {
		return err
	}
	if address != into.Address {
		return refuse("the wallet of root %d is %s, not %s", into.Root, address, into.Address)
	}
	return l.Caps.Forget(ctx, into.Address)
}

// moving reports whether the wallet is, or may be, the receiver of a rotation.
func (c Core) moving(ctx context.Context, mint solana.PublicKey, root uint8, address solana.PublicKey) (bool, error) {
	if root == 0 || c.Notes == nil {
		return false, nil
	}
	order, err := c.Notes.Rotation(ctx, mint)
	return order.To == address && c.now().Before(order.At.Add(2*RotationLasts)), err
}
