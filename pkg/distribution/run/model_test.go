package run_test

import (
	"flag"
	"math/big"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// rounds is the number of distributions of a history.
const rounds = 8

// TestRunsMatchModel plays random histories of a token on the local chain and on paper, and compares
// both after each run. By day the histories are always the same ones, which show all of shown
// together; by night there are forty others. A failure names the seed, and
// -rapid.seed plays that history again.
func TestRunsMatchModel(t *testing.T) {
	if testing.Short() {
		t.Skip("plays on the local chain, which short mode leaves out")
	}
	t.Parallel()
	seeds, checks, seen := []string{"701", "736", "745"}, "1", map[string]int{}
	if asked := flag.Lookup("rapid.seed").Value.String(); asked != "0" {
		seeds = []string{asked}
	} else if nightly.Whole(t) {
		seeds, checks = []string{"0"}, "40"
	}
	for _, seed := range seeds {
		for name, value := range map[string]string{"seed": seed, "checks": checks, "nofailfile": "true"} {
			must.Do(t, flag.Set("rapid."+name, value))
		}
		rapid.Check(t, func(r *rapid.T) {
			p := newPlay(checked{t, r}, r)
			for range rounds {
				p.round()
			}
			for what, n := range p.n.seen {
				seen[what] += n
			}
		})
	}
	t.Log(seen)
	for _, what := range shown {
		if len(seeds) > 1 && seen[what] == 0 {
			t.Errorf("these histories do not show: %s", what)
		}
	}
}

var shown = []string{
	"a buyer is left out", "a creator waits", "a remainder is carried", "an account is made", "arrears in another asset", "below the minimum",
	"burned, and not sold", "carried: account_missing_too_small", "carried: below_cost", "carried: below_rent_floor",
	"claimed in SOL", "claimed in a coin", "claimed in a taxed coin", "paid in SOL", "paid in a coin", "paid in a taxed coin",
	"paid in the token", "deferred because the price fell", "the first creator inherits", "waits for a snapshot before",
}

// checked is the test as the world knows it: what fails in the world fails the history.
type checked struct {
	testing.TB
	r *rapid.T
}

func (c checked) Errorf(format string, args ...any) { c.r.Errorf(format, args...) }
func (c checked) Error(args ...any)                 { c.r.Error(args...) }
func (c checked) Fatalf(format string, args ...any) { c.r.Fatalf(format, args...) }
func (c checked) Fatal(args ...any)                 { c.r.Fatal(args...) }
func (c checked) Cleanup(f func())                  { c.r.Cleanup(f) }
func (c checked) FailNow()                          { c.r.FailNow() }
func (c checked) Logf(format string, args ...any)   { c.r.Logf(format, args...) }

// play is a history: the world and the paper.
type play struct {
	t testing.TB
	r *rapid.T
	w *runworld.Fixture
	n *naive
	// owners come and go; steady holds throughout. creators are wallets of the creator.
	owners   []solana.PrivateKey
	steady   solana.PublicKey
	creators []solana.PublicKey
	assets   []terms.Asset
	reward   terms.Asset
	proofs   uint64
}

func newPlay(t testing.TB, r *rapid.T) *play {
	g := runworld.NewEnv(t)
	coins := []runworld.Currency{g.Legacy(t, false), g.Currency(t, 1_000)}
	w := g.Fixture(t)
	w.Token.Pools = []token.Pool{{Kind: token.RaydiumCPMM, Authority: w.Creator.PublicKey()}}
	w.Limits.RunSupplyBps, w.Limits.WalletDaySupplyBps = terms.FullBps, terms.FullBps
	own := terms.Asset(w.Token.Mint)
	p := &play{t: t, r: r, w: w, reward: terms.SOL, n: &naive{
		token: own, wallet: w.Token.Wallet.Address, pool: w.Creator.PublicKey(), maker: g.Maker.Address,
		tokens: amounts{w.Creator.PublicKey(): runworld.Supply}, withheld: amounts{}, sols: amounts{g.Maker.Address: solana.LAMPORTS_PER_SOL},
		coins: map[terms.Asset]amounts{}, kinds: map[terms.Asset]runworld.Currency{terms.SOL: {}, own: {FeeBps: runworld.FeeBps}},
		rates: map[terms.Asset]marketmaker.Price{}, rents: map[terms.Asset]uint64{}, prices: map[terms.Asset][]*big.Rat{}, names: map[terms.Asset]string{},
		owed: map[terms.Asset]amounts{}, creatorOwed: map[terms.Asset]amounts{}, remainder: map[terms.Asset]uint64{}, seen: map[string]int{},
	}}
	for _, c := range coins {
		p.n.kinds[c.Asset()], p.n.coins[c.Asset()] = c, amounts{g.Maker.Address: 0}
	}
	p.assets = []terms.Asset{terms.SOL, coins[0].Asset(), coins[1].Asset(), own}
	for i, asset := range p.assets {
		p.n.names[asset] = []string{"SOL", "a coin", "a taxed coin", "the token"}[i]
		p.n.owed[asset], p.n.creatorOwed[asset] = amounts{}, amounts{}
		size := uint64(token2022.AssociatedAccountSize)
		if p.n.kinds[asset].Program == solana.TokenProgramID {
			size = 165
		}
		rent, err := g.Node.MinimumBalance(t.Context(), size)
		must.Do(t, err)
		p.n.rents[asset] = rent
		p.price(asset, 1_000)
	}
	for i := range 7 {
		key := solana.NewWallet().PrivateKey
		p.owners = append(p.owners, key)
		if i < 3 {
			p.wallet(key.PublicKey())
		}
	}
	p.steady = p.owners[0].PublicKey()
	for range 3 {
		p.creators = append(p.creators, solana.NewWallet().PublicKey())
		p.wallet(p.creators[len(p.creators)-1])
	}
	w.Token.Settings.DeveloperWallet = p.creators[0]
	w.Pay(t, p.n.wallet, solana.LAMPORTS_PER_SOL) // a gift and no reward, so that the wallet never lacks fees
	p.give(p.steady, 50_000*tokens)
	return p
}

// even draws numbers up to 63, each as often as another: rapid's own prefer small ones.
var even = rapid.Custom(func(r *rapid.T) (n int) {
	for range 6 {
		if n *= 2; rapid.Bool().Draw(r, "bit") {
			n++
		}
	}
	return n
})

func (p *play) pick(what string, most int) int { return even.Draw(p.r, what) % most }

func (p *play) one(what string, list ...int) int { return list[p.pick(what, len(list))] }

// wallet makes a wallet of an owner exist.
func (p *play) wallet(owner solana.PublicKey) {
	p.w.Pay(p.t, owner, rentExempt)
	p.n.sols[owner] += rentExempt
}

func (p *play) give(to solana.PublicKey, amount uint64) {
	p.w.Give(p.t, to, amount)
	p.n.move(p.n.pool, to, amount)
}

// price sets what the maker pays, in thousandths of the first price.
func (p *play) price(asset terms.Asset, thousandths uint64) {
	rate := marketmaker.Price{In: 1_000_000, Out: 1_000 * thousandths}
	if !asset.IsSOL() {
		rate = marketmaker.Price{In: 3_000, Out: thousandths}
	}
	p.n.rates[asset] = rate
	p.w.Maker.SetPrice(asset, rate)
}

// open makes an owner's account of a coin.
func (p *play) open(asset terms.Asset, owner solana.PublicKey) {
	p.w.Open(p.t, p.n.kinds[asset], owner)
	p.n.coins[asset][owner] += 0
}

// round plays until the next claim or distribution is over.
func (p *play) round() {
	for range 2 + p.pick("actions", 5) {
		p.act()
	}
	if p.pick("settings", 4) > 0 {
		p.settings()
	}
	p.distribute()
	if p.pick("claim", 3) > 0 {
		p.claim()
	}
}

// act plays an act between runs.
func (p *play) act() {
	key := p.owners[p.pick("owner", len(p.owners))]
	owner := key.PublicKey()
	switch action := p.pick("action", 8); action {
	case 0, 6, 7:
		amount := p.one("tokens", 50, 5_000, 40_000)
		if owner == p.owners[5].PublicKey() || owner == p.owners[6].PublicKey() {
			amount = 100 // a share worth a claim, and less than a wallet must have
		}
		p.give(owner, tokens*uint64(amount))
	case 1:
		if amount := p.n.tokens[owner] / uint64(1+p.pick("part", 2)); amount > 0 && owner != p.steady {
			p.w.Execute(p.t, []solana.PrivateKey{p.w.Bank, key}, token2022.TransferChecked{
				Source: p.w.Account(p.t, owner), Mint: p.w.Token.Mint, Destination: p.w.Account(p.t, p.n.pool), Owner: owner,
				Amount: amount, Decimals: runworld.Decimals,
			}.Instruction())
			p.n.move(owner, p.n.pool, amount)
		}
	case 2:
		p.price(p.assets[p.one("asset", 0, 0, 1, 2)], uint64(p.one("price", 1_000, 1_500, 600, 400)))
	case 3:
		p.open(p.assets[1+p.pick("coin", 2)], owner)
	case 4: // strangers send what is no tax
		p.give(p.n.wallet, 100*tokens)
		p.w.Pay(p.t, p.n.wallet, 5_000_000)
	case 5:
		if _, has := p.n.tokens[owner]; has {
			p.w.Execute(p.t, nil, token2022.HarvestWithheldToMint{Mint: p.w.Token.Mint, Sources: []solana.PublicKey{p.w.Account(p.t, owner)}}.Instruction())
			p.n.onMint += p.n.withheld[owner]
			delete(p.n.withheld, owner)
		}
	}
}

// settings changes all settings that decide who gets what.
func (p *play) settings() {
	s := &p.w.Token.Settings
	s.BurnBps, s.SellBps = p.one("burn", 0, 0, 0, 1_000, 1_000, 3_333, 3_333, terms.FullBps), p.one("sell", 2_500, 7_777, terms.FullBps, terms.FullBps)
	s.DeveloperFeeBps, s.MinimumHolding = 0, uint64(p.one("minimum", 1, 1, 2_000*tokens))
	if s.BurnBps < terms.FullBps {
		s.DeveloperFeeBps = p.one("fee", 0, 1, 900, 5_000)
	}
	s.RewardBasis = []terms.Basis{terms.BasisSnapshot, terms.BasisHeld}[p.pick("basis", 2)]
	p.reward = p.assets[p.one("reward", 0, 0, 1, 2, 3)]
	s.RewardToken = p.reward.String()
	if p.reward.IsSOL() && p.pick("wrapped", 2) == 0 {
		s.RewardToken = solana.WrappedSol.String()
	}
	first := p.pick("creator", len(p.creators))
	part := p.one("split", 0, 1, 1, 3_333)
	for i, wallet := range p.creators {
		if p.n.creatorOwed[p.reward][wallet] > 0 { // which is the creator's no more, and two others are
			first, part = (i+1)%len(p.creators), 3_333
			break
		}
	}
	s.DeveloperWallet, s.CreatorSplits = p.creators[first], ""
	if part > 0 {
		s.CreatorSplits = terms.NewSplits([]terms.Split{
			{Wallet: p.creators[first], Bps: terms.FullBps - part}, {Wallet: p.creators[(first+1)%len(p.creators)], Bps: part},
		})
	}
}

func (p *play) distribute() {
	p.give(p.steady, p.n.tokens[p.n.pool]/40) // so that there always is enough for a run
	p.w.Maker.Refuse = p.pick("refuse", 5) == 4
	if len(p.n.prices[p.reward]) >= 3 && p.pick("crash", 3) == 0 {
		p.price(p.reward, 400)
	}
	r := p.w.Settle(p.t)
	want := p.n.distribute(p.w.Token.Settings, p.reward, p.w.Maker.Refuse)
	p.same("collected", r.Collecting.Collected, want.collected)
	p.same("spendable", r.Split.Spendable, want.spendable)
	p.same("burned", r.Burn.Amount, want.burned)
	p.same("sold", r.Exchange.Sold+r.Fuel.Sold, want.sold)
	p.same("proceeds", r.Exchange.Proceeds, want.proceeds)
	p.same("owners who share", uint64(r.Snapshot.Eligible), uint64(want.sharing))
	p.same("owners who held too little before", uint64(r.Snapshot.NotHeld), uint64(want.notHeld))
	p.compare(r, want.rows, false)
}

// claim lets some owners ask.
func (p *play) claim() {
	var asked []solana.PublicKey
	for _, key := range p.owners {
		owner := key.PublicKey()
		owed := slices.ContainsFunc(p.assets, func(asset terms.Asset) bool { return p.n.owed[asset][owner] > 0 })
		if p.pick("asks", 4) > 0 != owed {
			continue
		}
		asked = append(asked, owner)
		if owed && p.pick("ready", 3) > 0 { // whatever they waited for
			p.wallet(owner)
			p.open(p.assets[1], owner)
			p.open(p.assets[2], owner)
		}
	}
	p.w.Clock.Pass(run.ClaimPause)
	before := p.w.Head(p.t).LastSlot
	p.w.Claim(p.t, asked...)
	p.w.Drive(p.t, nil)
	paid, rows := p.n.claim(p.reward, asked)
	slot := p.w.Head(p.t).LastSlot
	if slot.Equal(before) {
		if len(asked) > 0 {
			p.t.Fatalf("no claim was opened")
		}
		return
	}
	r := p.w.Look(p.t, slot)
	if want := map[bool]run.Status{true: run.Settled, false: run.Skipped}[paid > 0]; r.Status() != want || r.Kind() != run.HolderClaim {
		p.t.Fatalf("a claim by which %d are paid is %s: %+v", paid, r.Status(), r.End)
	}
	p.compare(r, rows, true)
}

// compare holds what the chain, the head and the proof say against the paper.
func (p *play) compare(r run.Run, rows legRows, asked bool) {
	p.same("supply", p.w.Supply(p.t), runworld.Supply-p.n.burnt)
	var owners, addresses []solana.PublicKey
	for owner := range union(p.n.tokens, p.n.sols) {
		owners = append(owners, owner)
		addresses = append(addresses, owner, p.w.Account(p.t, owner))
		for _, asset := range p.assets[1:3] {
			addresses = append(addresses, p.n.kinds[asset].Account(p.t, owner))
		}
	}
	found := p.w.At(p.t, addresses)
	for i, owner := range owners {
		var lamports uint64
		if found[4*i] != nil {
			lamports = found[4*i].Lamports
		}
		var has [3]token2022.Account
		for j, a := range found[4*i+1 : 4*i+4] {
			if a != nil {
				var err error
				has[j], err = token2022.DecodeAccount(a.Owner, a.Data)
				must.Do(p.t, err)
			}
		}
		p.same("tokens of "+owner.String(), has[0].Amount, p.n.tokens[owner])
		p.same("withheld from "+owner.String(), has[0].Withheld, p.n.withheld[owner])
		if owner == p.n.maker || owner == p.n.pool { // who pay for what is not told here
			continue
		}
		if owner != p.n.wallet {
			p.same("lamports of "+owner.String(), lamports, p.n.sols[owner])
		}
		for j, asset := range p.assets[1:3] {
			p.same("coins of "+owner.String(), has[1+j].Amount, p.n.coins[asset][owner])
		}
	}
	head := p.w.Head(p.t)
	p.same("unsold", head.Unsold, p.n.unsold)
	for _, asset := range p.assets {
		p.same("owed", head.Owed[asset], p.n.owed[asset].sum())
		p.same("remainder", head.Remainder[asset], p.n.remainder[asset])
		p.same("owed to the creator", head.CreatorOwed[asset], p.n.creatorOwed[asset].sum())
		for _, wallet := range p.creators {
			p.same("owed to a wallet of the creator", head.CreatorOwedTo[asset][wallet], p.n.creatorOwed[asset][wallet])
		}
	}
	p.same("proofs", head.Last.Number, p.proofs+map[run.Status]uint64{run.Settled: 1}[r.Status()])
	if r.Status() != run.Settled {
		return
	}
	m := p.w.Manifest(p.t, r)
	p.proofs++
	for asset, list := range rows {
		for row, err := range m.RowsOf(p.t.Context(), p.w.Source(), asset) {
			must.Do(p.t, err)
			want, known := list[row.Owner]
			if !known && asked {
				continue
			}
			delete(list, row.Owner)
			got := allocation.Row{Share: row.Share, Owed: row.Owed, Paid: row.Paid, Received: row.Received, Charged: row.Charged, Carried: row.Carried, Reason: row.Reason}
			if got != want {
				p.t.Errorf("the row of %s in %s is %+v, not %+v", row.Owner, asset, got, want)
			}
		}
		if len(list) > 0 {
			p.t.Errorf("rows are missing in %s: %+v", asset, list)
		}
	}
}

func (p *play) same(what string, got, want uint64) {
	if got != want {
		p.t.Errorf("%s: %d, not %d", what, got, want)
	}
}
