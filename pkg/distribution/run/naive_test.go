package run_test

import (
	"bytes"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// amounts has the balance or debt of each owner.
type amounts map[solana.PublicKey]uint64

func (a amounts) sum() (total uint64) {
	for _, amount := range a {
		total += amount
	}
	return total
}

// naive is a distribution on paper, one holder after another and in big integers: who has what,
// who is owed what, and what one run changes. It shares no arithmetic with the service.
type naive struct {
	token                  terms.Asset
	wallet, pool, maker    solana.PublicKey
	tokens, withheld, sols amounts
	// coins are the accounts of each coin; an owner without an entry has no account.
	coins map[terms.Asset]amounts
	kinds map[terms.Asset]runworld.Currency
	rates map[terms.Asset]marketmaker.Price
	names map[terms.Asset]string
	// rents are of an account of each asset, in lamports.
	rents                 map[terms.Asset]uint64
	owed, creatorOwed     map[terms.Asset]amounts
	remainder             map[terms.Asset]uint64
	onMint, unsold, burnt uint64
	// before is the snapshot of the last distribution; nil before the first.
	before amounts
	prices map[terms.Asset][]*big.Rat
	// seen counts what the run was: a model that sees nothing tests nothing.
	seen map[string]int
}

// legRows are the rows of each asset, by owner.
type legRows map[terms.Asset]map[solana.PublicKey]allocation.Row

// outcome is the result of a run.
type outcome struct {
	collected, spendable, burned, sold, proceeds uint64
	rows                                         legRows
	// notHeld have enough now, and had too little in the snapshot before.
	sharing, notHeld uint32
}

// times is a × b / c, rounded down.
func times(a, b, c uint64) uint64 {
	n := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	return n(0).Div(n(0).Mul(n(a), n(b)), n(c)).Uint64()
}

func bps(amount uint64, n int) uint64 { return times(amount, uint64(n), terms.FullBps) }

// net returns the amount of an asset that arrives: a tax is rounded up.
func (n *naive) net(asset terms.Asset, amount uint64) uint64 {
	return bps(amount, terms.FullBps-int(n.kinds[asset].FeeBps))
}

// move transfers tokens.
func (n *naive) move(from, to solana.PublicKey, amount uint64) {
	arrives := n.net(n.token, amount)
	n.tokens[from] -= amount
	n.tokens[to] += arrives
	n.withheld[to] += amount - arrives
}

// pay sends from the distribution wallet; what arrives is returned.
func (n *naive) pay(asset terms.Asset, to solana.PublicKey, amount uint64) uint64 {
	arrives := n.net(asset, amount)
	switch {
	case asset.IsSOL():
		n.sols[to] += amount
	case asset == n.token:
		n.move(n.wallet, to, amount)
	default:
		n.coins[asset][n.wallet] -= amount
		n.coins[asset][to] += arrives
	}
	return arrives
}

// debts returns the amount of an asset that the wallet holds for others.
func (n *naive) debts(asset terms.Asset) uint64 {
	return n.owed[asset].sum() + n.creatorOwed[asset].sum() + n.remainder[asset]
}

// distribute is one run. refused: the maker signs no trade.
func (n *naive) distribute(s terms.Settings, reward terms.Asset, refused bool) outcome {
	o := outcome{collected: n.withheld.sum() + n.onMint, rows: legRows{}}
	n.withheld, n.onMint = amounts{}, 0
	n.tokens[n.wallet] += o.collected
	o.spendable = n.tokens[n.wallet] - n.debts(n.token)

	held := s.RewardBasis == terms.BasisHeld
	now, weights := amounts{}, amounts{}
	for owner, balance := range n.tokens {
		if owner == n.wallet || owner == n.pool || balance == 0 {
			continue
		}
		now[owner] = balance
		weight := balance
		if held {
			weight = min(balance, n.before[owner])
		}
		switch {
		case weight > 0 && weight >= s.MinimumHolding:
			weights[owner] = weight
			o.sharing++
		case balance >= s.MinimumHolding:
			o.notHeld++
			n.seen["a buyer is left out"]++
		default:
			n.seen["below the minimum"]++
		}
	}
	n.before = now

	slice := bps(o.spendable-n.unsold, s.SellBps)
	burn, sell := bps(slice, s.BurnBps), n.unsold
	if s.BurnBps == terms.FullBps {
		burn, sell = slice+n.unsold, 0
	} else {
		sell += slice - burn
	}
	switch {
	case len(weights) == 0 && sell > 0:
		n.seen["waits for a snapshot before"]++
	case sell > 0 && reward != n.token && n.fallen(reward, sell):
		n.seen["deferred because the price fell"]++
	default:
		o.burned = burn
		n.tokens[n.wallet] -= burn
		n.burnt += burn
		o.sold, o.proceeds, n.unsold = n.sell(reward, sell, refused)
	}

	creator := uint64(0)
	if s.BurnBps < terms.FullBps {
		creator = times(o.proceeds, uint64(s.DeveloperFeeBps), uint64(terms.FullBps-s.BurnBps))
	}
	n.leg(s, reward, true, creator, o.proceeds-creator, weights, o.rows)
	for _, asset := range n.arrears(reward) {
		n.seen["arrears in another asset"]++
		n.leg(s, asset, false, 0, 0, nil, o.rows)
	}
	return o
}

// fallen notes the price, and reports whether that is more than 30 percent below the median.
func (n *naive) fallen(reward terms.Asset, sell uint64) bool {
	rate := n.rates[reward]
	out := n.net(reward, times(n.net(n.token, sell), rate.Out, rate.In))
	known := slices.SortedFunc(slices.Values(n.prices[reward]), (*big.Rat).Cmp)
	if len(known) < 3 {
		return false
	}
	price := big.NewRat(int64(out), int64(sell))
	floor := new(big.Rat).Mul(known[(len(known)-1)/2], big.NewRat(7, 10))
	if price.Cmp(floor) >= 0 {
		return false
	}
	n.note(reward, price)
	return true
}

func (n *naive) note(reward terms.Asset, price *big.Rat) {
	list := append(n.prices[reward], price)
	n.prices[reward] = list[max(0, len(list)-9):]
}

// sell trades with the maker, unless the reward is the token itself.
func (n *naive) sell(reward terms.Asset, sell uint64, refused bool) (sold, proceeds, unsold uint64) {
	rate := n.rates[reward]
	switch {
	case reward == n.token:
		return 0, sell, 0
	case sell > 0 && refused:
		n.seen["burned, and not sold"]++
		return 0, 0, sell
	case sell == 0:
		return 0, 0, 0
	}
	out := times(n.net(n.token, sell), rate.Out, rate.In)
	proceeds = n.net(reward, out)
	n.move(n.wallet, n.maker, sell)
	if !reward.IsSOL() {
		n.coins[reward][n.wallet] += proceeds
	}
	n.note(reward, big.NewRat(int64(proceeds), int64(sell)))
	return sell, proceeds, 0
}

// arrears are the other assets of which something is owed.
func (n *naive) arrears(reward terms.Asset) (list []terms.Asset) {
	for asset := range n.kinds {
		if asset != reward && n.debts(asset) > 0 {
			list = append(list, asset)
		}
	}
	slices.SortFunc(list, func(a, b terms.Asset) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// paymentCost is the cost of a transaction in the fixture, in lamports.
const paymentCost = 5_500

// scale turns lamports into units of an asset, by what selling everything that is due brings;
// nil when that brings nothing.
func (n *naive) scale(asset terms.Asset, due uint64) func(lamports uint64) uint64 {
	if asset.IsSOL() {
		return func(lamports uint64) uint64 { return lamports }
	}
	sol := n.rates[terms.SOL]
	brings := times(n.net(asset, due), sol.Out, sol.In)
	if brings == 0 {
		return nil
	}
	return func(lamports uint64) uint64 { return max(1, times(lamports, due, brings)) }
}

// leg shares out and pays one asset.
func (n *naive) leg(s terms.Settings, asset terms.Asset, first bool, creator, holders uint64, weights amounts, rows legRows) {
	share, rest := uint64(0), n.remainder[asset]
	if first {
		share = holders + rest
		rest = share
	}
	batch := uint64(payout.TokenBatch)
	if asset.IsSOL() {
		batch = payout.SOLBatch
	}
	worth, open, charge := uint64(1), uint64(0), uint64(0)
	if units := n.scale(asset, share+n.owed[asset].sum()); units != nil {
		worth, open, charge = units(20*paymentCost/batch), units(10*n.rents[asset]), units(n.rents[asset])
	}
	n.payCreators(s, asset, creator, worth*batch, open)

	total, list := weights.sum(), map[solana.PublicKey]allocation.Row{}
	for owner := range union(weights, n.owed[asset]) {
		row := allocation.Row{Owed: n.owed[asset][owner]}
		if weights[owner] > 0 {
			row.Share = times(share, weights[owner], total)
			rest -= row.Share
		}
		list[owner] = n.settle(asset, owner, row, worth, open, charge, 0)
	}
	if rest > 0 {
		n.seen["a remainder is carried"]++
	}
	n.remainder[asset], rows[asset] = rest, list
}

// payCreators pays the creator's wallets. The first has what rounding leaves, and what wallets
// are owed that are the creator's no more.
func (n *naive) payCreators(s terms.Settings, asset terms.Asset, share, least, open uint64) {
	creators, owed := s.Creators(), n.creatorOwed[asset]
	if asset.IsSOL() {
		least = 20 * paymentCost
	} else if len(creators) > 1 {
		least = max(least, open)
	}
	parts := make([]uint64, len(creators))
	left := share
	for i, c := range creators[1:] {
		parts[i+1] = bps(share, c.Bps)
		left -= parts[i+1]
	}
	parts[0] = left
	for i, c := range creators {
		parts[i] += owed[c.Wallet]
		delete(owed, c.Wallet)
	}
	if owed.sum() > 0 && len(creators) > 1 {
		n.seen["the first creator inherits"]++
	}
	parts[0] += owed.sum()
	n.creatorOwed[asset] = amounts{}
	for i, c := range creators {
		switch {
		case parts[i] == 0:
		case parts[i] < least:
			n.seen["a creator waits"]++
			n.creatorOwed[asset][c.Wallet] = parts[i]
		default:
			n.pay(asset, c.Wallet, parts[i])
		}
	}
}

// settle pays a row, or carries it. fee is the fee of a claim.
func (n *naive) settle(asset terms.Asset, owner solana.PublicKey, row allocation.Row, worth, open, charge, fee uint64) allocation.Row {
	due := row.Owed + row.Share
	delete(n.owed[asset], owner)
	if due == 0 {
		return row
	}
	_, exists := n.coins[asset][owner]
	opens := !asset.IsSOL() && asset != n.token && !exists
	switch {
	case due < worth || due <= fee:
		row.Reason = allocation.BelowCost
	case asset.IsSOL() && n.sols[owner]+due-fee < rentExempt:
		row.Reason = allocation.BelowRentFloor
	case opens && (open == 0 || due-fee < open):
		row.Reason = allocation.AccountMissingTooSmall
	default:
		row.Charged = fee
		if opens {
			row.Charged += charge
			n.seen["an account is made"]++
		}
		row.Paid = due - row.Charged
		row.Received = n.pay(asset, owner, row.Paid)
		n.seen["paid in "+n.names[asset]]++
		return row
	}
	n.seen["carried: "+string(row.Reason)]++
	row.Carried, n.owed[asset][owner] = due, due
	return row
}

// claim pays what owners are owed, less what a claim keeps. It returns the number of owners paid.
func (n *naive) claim(reward terms.Asset, owners []solana.PublicKey) (paid int, rows legRows) {
	rows = legRows{}
	for _, asset := range append([]terms.Asset{reward}, n.arrears(reward)...) {
		due := n.owed[asset].sum()
		if asset == reward {
			due += n.remainder[asset]
		}
		fee, worth, open, charge := uint64(0), uint64(math.MaxUint64), uint64(0), uint64(0)
		if units := n.scale(asset, due); units != nil {
			fee = units(claimFee)
			worth, open, charge = max(units(2*claimFee), 2*fee), units(10*n.rents[asset]), units(n.rents[asset])
		}
		rows[asset] = map[solana.PublicKey]allocation.Row{}
		for _, owner := range owners {
			if n.owed[asset][owner] == 0 {
				continue
			}
			row := n.settle(asset, owner, allocation.Row{Owed: n.owed[asset][owner]}, worth, open, charge, fee)
			if row.Paid > 0 {
				paid++
				n.seen["claimed in "+n.names[asset]]++
			}
			rows[asset][owner] = row
		}
	}
	return paid, rows
}

// union has the owners of both.
func union(a, b amounts) amounts {
	both := amounts{}
	maps.Copy(both, a)
	maps.Copy(both, b)
	return both
}
