package allocation

import (
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Row is the result of a leg for one owner. Amounts are in base units of the asset. Balance is in base
// units of the token.
type Row struct {
	Asset   terms.Asset
	Owner   solana.PublicKey
	Balance uint64 // at the snapshot, if the balance counts; otherwise zero
	// Held and Before have the meaning of Claim's fields.
	Held   bool
	Before uint64
	Share  uint64 // of this run
	Owed   uint64 // from earlier runs
	Paid   uint64 // sent in this run
	// Received is the amount that arrived: less than Paid if the asset itself is taxed.
	Received uint64
	Charged  uint64 // rent of the owner's new account
	Carried  uint64 // outstanding after this run
	// Reserved is the part of Carried that an undecided payment may have paid. Reserved is not
	// sent again.
	Reserved uint64
	// Total is the amount of the asset that the owner received in this run and in the previous
	// runs. The sum starts again after a run without a row of the owner.
	Total uint64
	// Reason is the reason for a nonzero Carried; empty if Carried is zero.
	Reason Reason
	Hold   Hold
	// Signature is the transaction of the payment; zero if nothing was paid.
	Signature solana.Signature
}

// Check returns an error if a row contradicts itself.
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

// Owing returns the outstanding amount for the next run. Amount is zero if nothing is outstanding.
func (r Row) AmountsOwed() AmountsOwed {
	return AmountsOwed{Owner: r.Owner, Amount: r.Carried, Reserved: r.Reserved, Hold: r.Hold, Total: r.Total, Reason: r.Reason}
}
