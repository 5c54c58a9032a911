package allocation

import (
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Row is what a leg came to for one owner. Amounts are in base units of the asset,
// Balance in those of the token.
type Row struct {
	Asset   terms.Asset
	Owner   solana.PublicKey
	Balance uint64 // at the snapshot, when it counts; otherwise zero
	// Held and Before are as in Claim.
	Held   bool
	Before uint64
	Share  uint64 // of this run
	Owed   uint64 // from before
	Paid   uint64 // what was sent
	// Received is what arrived: less than Paid where the asset itself is taxed.
	Received uint64
	Charged  uint64 // for the rent of an account that was made for the owner
	Carried  uint64 // owed to the next run
	// Reserved is the part of Carried that was sent, perhaps, and is not sent again.
	Reserved uint64
	// Total is what arrived of the asset with this run and with those before in which the
	// owner had a row, without a gap.
	Total uint64
	// Reason says why something is carried; empty when nothing is.
	Reason Reason
	Hold   Hold
	// Signature is the transaction that paid; zero when nothing was.
	Signature solana.Signature
}

// Check says in what a row contradicts itself.
func (r Row) Check() error {
	have, err := add(r.Owed, r.Share)
	if err != nil {
		return err
	}
	gone, err := add(r.Paid, r.Charged)
	if err != nil {
		return err
	}
	after, err := add(gone, r.Carried)
	if err != nil {
		return err
	}
	switch {
	case have != after:
		return fmt.Errorf("owed %d and share %d are not paid %d, charged %d and carried %d", r.Owed, r.Share, r.Paid, r.Charged, r.Carried)
	case r.Received > r.Total:
		return fmt.Errorf("%d arrived, and %d in all", r.Received, r.Total)
	case r.Received > r.Paid:
		return fmt.Errorf("%d arrived of %d that were sent", r.Received, r.Paid)
	case r.Reserved > r.Carried:
		return fmt.Errorf("%d are reserved of %d that are carried", r.Reserved, r.Carried)
	case r.Balance == 0 && r.Share > 0:
		return errors.New("there is a share without a balance")
	case r.Before > 0 && (r.Balance == 0 || !r.Held):
		return fmt.Errorf("%d were held before, and what is held now does not count", r.Before)
	case r.Balance == 0 && r.Owed == 0 && r.Total == 0:
		return errors.New("there is neither a balance nor anything owed or received")
	case r.Owner.IsZero():
		return errors.New("there is no owner")
	case (r.Carried > 0) != r.Reason.Valid() || r.Carried == 0 && r.Reason != "":
		return fmt.Errorf("%d are carried because of %q", r.Carried, r.Reason)
	case r.Carried == 0 && r.Hold != Hold{}:
		return errors.New("nothing is carried, and an account is held")
	case (r.Paid > 0) == r.Signature.IsZero():
		return errors.New("a payment needs its signature, and a signature its payment")
	case r.Charged > 0 && r.Paid == 0:
		return errors.New("something is charged without a payment")
	}
	return nil
}

// Owing is what the row leaves to the next run; the zero Amount when nothing is owed.
func (r Row) Owing() Owing {
	return Owing{Owner: r.Owner, Amount: r.Carried, Reserved: r.Reserved, Hold: r.Hold, Total: r.Total, Reason: r.Reason}
}
