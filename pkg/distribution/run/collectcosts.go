package run

import (
	"iter"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// Collectable are the facts that decide the number of accounts from which a run collects withheld
// tax. Amounts of the token are in base units, other amounts in lamports.
type Collectable struct {
	// Price is the price of the token; the zero Price if unknown.
	Price snapshot.Price
	// Known is the amount to distribute without a collection from accounts: in the wallet, and
	// withheld on the mint.
	Known uint64
	// PerTransaction is the number of accounts in a transaction, and Transaction the cost of a
	// transaction. Others is the number of the run's other transactions.
	PerTransaction uint32
	Transaction    uint64
	Others         uint64
	// Spare is the wallet's own balance. Keep is the part for the rest of the run and the beginning
	// of the next run.
	Spare, Keep uint64
}

// unpricedPart is the divisor of the spare lamports that a collection may cost if the worth of the
// tax is unknown. So a worthless token does not empty its wallet.
const unpricedPart = 50

// Choose goes through the accounts, largest first, and returns the number of accounts to collect
// from, with the sum of withheld tax. The accounts fill whole transactions. Every transaction
//   - leaves Keep in the wallet, and
//   - brings at least fifty times its cost (snapshot.Price.Covers).
//
// Choose returns zero if all transactions of the run together would cost more than a fiftieth of
// the amount to distribute. The tax then waits in the accounts.
func (c Collectable) Choose(accounts iter.Seq2[snapshot.Tax, error]) (n uint32, withheld uint64, err error) {
	most, made := c.most(), uint64(0)
	var batch uint32
	var brings uint64
	for tax, err := range accounts {
		if err != nil {
			return 0, 0, err
		}
		if made == most {
			break
		}
		batch, brings = batch+1, brings+tax.Withheld // at most the supply
		if batch < max(c.PerTransaction, 1) {
			continue
		}
		if !c.Price.Covers(brings, c.Transaction) {
			batch = 0
			break
		}
		n, withheld, made = n+batch, withheld+brings, made+1
		batch, brings = 0, 0
	}
	if batch > 0 && made < most && c.Price.Covers(brings, c.Transaction) {
		n, withheld, made = n+batch, withheld+brings, made+1
	}
	if !c.Price.Covers(c.Known+withheld, (c.Others+made)*c.Transaction) {
		return 0, 0, nil
	}
	return n, withheld, nil
}

// most returns the number of transactions that the wallet can pay for.
func (c Collectable) most() uint64 {
	spare := c.Spare - min(c.Keep, c.Spare)
	if c.Price.BaseUnits == 0 {
		spare /= unpricedPart
	}
	return spare / max(c.Transaction, 1)
}
