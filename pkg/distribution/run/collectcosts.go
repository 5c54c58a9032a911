package run

import (
	"iter"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// Collectable is what decides how many of the accounts with withheld tax a run collects
// from. Amounts of the token are in base units, the others in lamports.
type Collectable struct {
	// Price is what the token is worth; the zero Price when that is unknown.
	Price snapshot.Price
	// Known is what the run has to distribute without collecting from accounts: in the
	// wallet, and withheld on the mint.
	Known uint64
	// PerTransaction is how many accounts one transaction collects from, and Transaction
	// what it costs. Others is how many transactions the run makes besides.
	PerTransaction uint32
	Transaction    uint64
	Others         uint64
	// Spare is what the wallet has of its own, and Keep what of it the rest of the run and
	// the beginning of the next one need.
	Spare, Keep uint64
}

// unpricedPart is the part of the spare lamports that collecting takes at most when it is
// unknown what it brings: so a token that is worth nothing does not empty its wallet.
const unpricedPart = 50

// Choose goes through the accounts, the largest first, and says from how many of them the
// run collects, and what they hold. They are whole transactions, each of which
//   - the wallet can pay for and still has Keep, and
//   - brings at least fifty times its cost (snapshot.Price.Covers).
//
// It is none when all transactions of the run together would cost more than a fiftieth of
// what there is then to distribute: then the tax waits in the accounts.
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
		batch, brings = batch+1, brings+tax.Withheld // no more than the supply
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

// most is how many transactions the wallet can pay for.
func (c Collectable) most() uint64 {
	spare := c.Spare - min(c.Keep, c.Spare)
	if c.Price.BaseUnits == 0 {
		spare /= unpricedPart
	}
	return spare / max(c.Transaction, 1)
}
