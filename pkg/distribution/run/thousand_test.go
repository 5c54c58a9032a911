package run_test

import (
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// How many holders a full transaction pays, by version.
var (
	solAtOnce    = map[payout.Version]int{payout.Legacy: payout.SOLBatch, payout.V1: payout.SOLBatchV1}
	tokensAtOnce = map[payout.Version]int{payout.Legacy: payout.TokenBatch, payout.V1: payout.TokenBatchV1}
)

// many is the number of holders paid by legacy transactions by day; by night, and with
// CROWD of `make bench`, they are a thousand.
const many = 300

// A thousand holders, by day fewer, are paid in SOL: the chain's amounts equal the proof's.
func TestThousandHoldersInSOL(t *testing.T) {
	for _, version := range []payout.Version{payout.Legacy, payout.V1} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) { hundredsInSOL(t, version) })
	}
}

func hundredsInSOL(t *testing.T, version payout.Version) {
	t.Helper()
	w, solAtOnce := runworld.NewEnv(t).Fixture(t), solAtOnce[version]
	w.Payouts = version
	const poor, unmade = 6, 7 // too little for a wallet that does not exist; enough for one
	members := seedHolders(sizeOf(t, version), func(i int) bool { return i >= poor && i%10 != unmade })
	w.SeedHolders(t, members)
	owners := ownersOf(members)
	before := w.LamportsOf(t, owners)
	trip := travel(t, w)
	after := w.LamportsOf(t, owners)

	asset := terms.SOL
	rows, without := trip.rows(t, asset), 0
	for i, m := range members {
		row := rows[m.Owner]
		same(t, "a holder's share", row.Share, share(trip.run, m))
		same(t, "arrived", after[i]-before[i], row.Received)
		if m.Lamports == 0 && row.Share < rentExempt {
			without++
			same(t, "carried below the rent", row.Carried, row.Share)
			if row.Reason != allocation.BelowRentFloor {
				t.Errorf("%d is carried for %q", row.Carried, row.Reason)
			}
			continue
		}
		same(t, "paid", row.Received, row.Share)
	}
	if without == 0 && len(members) >= 1_000 { // among fewer, each gets more
		t.Error("no wallet was too poor")
	}
	paid := trip.paid(t)
	recipients := 0
	for _, p := range paid {
		recipients += p.transfers
		if p.signatures != 1 || p.transfers > solAtOnce {
			t.Errorf("%+v", p)
		}
	}
	same(t, "recipients", uint64(recipients), uint64(len(rows)-without))
	least := (len(rows) + solAtOnce - 1) / solAtOnce
	same(t, "transactions", uint64(len(paid)), uint64(least))
	full := fullOf(paid, solAtOnce)
	if full < (len(rows)-without)/solAtOnce-1 {
		t.Errorf("%d of %d transactions pay %d", full, len(paid), solAtOnce)
	}
	most := map[payout.Version]int{payout.Legacy: 302, payout.V1: 90}[version]
	if each := baseFee / solAtOnce; each > most || len(paid)*baseFee > most*recipients {
		t.Errorf("%d lamports for a payout, and %d for %d", each, len(paid)*baseFee, recipients)
	}
	trip.show(t, "SOL, "+named(version), full, solAtOnce, recipients, paid)
}

// Many holders are paid in a token, some of whom have no account of it.
func TestHundredsOfHoldersInAToken(t *testing.T) {
	for _, version := range []payout.Version{payout.Legacy, payout.V1} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) { hundredsInAToken(t, version) })
	}
}

func hundredsInAToken(t *testing.T, version payout.Version) {
	t.Helper()
	g, tokensAtOnce := runworld.NewEnv(t), tokensAtOnce[version]
	coin := g.Legacy(t, false)
	g.Maker.SetPrice(coin.Asset(), marketmaker.Price{In: 1, Out: 1}) // a unit of either is worth a lamport
	w := g.Fixture(t)
	w.Payouts = version
	w.Token.Settings.RewardToken = coin.Mint.String()
	n := sizeOf(t, version)
	members := seedHolders(n, func(int) bool { return true })
	w.SeedHolders(t, members)
	w.Pay(t, w.Token.Wallet.Address, solana.LAMPORTS_PER_SOL) // for accounts that it makes
	owners := ownersOf(members)
	const small = 6
	large := tokensAtOnce - 1 // with the creator, a whole batch has no account
	g.OpenAll(t, coin, owners[small:n-large])
	trip := travel(t, w)
	after := w.CurrenciesOf(t, coin, owners)

	rows, without := trip.rows(t, coin.Asset()), 0
	leg := trip.run.Payment.Legs[0]
	for i, m := range members {
		row := rows[m.Owner]
		same(t, "a holder's share", row.Share, share(trip.run, m))
		same(t, "arrived", after[i], row.Received)
		switch {
		case i < small && row.Share < leg.RentFloor:
			without++
			same(t, "carried without an account", row.Carried, row.Share)
		case i < small || i >= n-large:
			same(t, "paid into a new account", row.Received, row.Share-leg.AccountCharge)
		default:
			same(t, "paid", row.Received, row.Share)
		}
	}
	paid := trip.paid(t)
	recipients := 0
	for _, p := range paid {
		recipients += p.transfers
		if p.signatures != 1 || p.transfers > tokensAtOnce {
			t.Errorf("%+v", p)
		}
	}
	same(t, "recipients", uint64(recipients), uint64(len(rows)-without))
	full := fullOf(paid, tokensAtOnce)
	// The first batch makes accounts, and the last ones have those who carry.
	if full < len(rows)/tokensAtOnce-2 {
		t.Errorf("%d of %d transactions pay %d", full, len(paid), tokensAtOnce)
	}
	trip.show(t, "a token, "+named(version), full, tokensAtOnce, recipients, paid)
}

// sizeOf is the number of holders: of version 1 a few full transactions, unless it is
// night or CROWD sets the number.
func sizeOf(t *testing.T, version payout.Version) int {
	t.Helper()
	if text := os.Getenv("CROWD"); text != "" {
		n, err := strconv.Atoi(text)
		must.Do(t, err)
		return n
	}
	if nightly.Whole(t) {
		return 1_000
	}
	if version == payout.V1 {
		return 4*solAtOnce[payout.V1] - 1 // and the creator
	}
	return many
}

// seedHolders makes n owners who hold once, twice, three times as much, and so on, three
// quarters of the supply, and withhold the tax of that. Some of their wallets do
// not exist.
func seedHolders(n int, exists func(i int) bool) []runworld.Member {
	each := uint64(runworld.Supply) * 3 / 4 / uint64(n*(n+1)/2)
	members := make([]runworld.Member, n)
	for i := range members {
		balance := each * uint64(i+1)
		members[i] = runworld.Member{
			Owner: solana.NewWallet().PublicKey(), Balance: balance,
			Withheld: balance * runworld.FeeBps / (terms.FullBps - runworld.FeeBps),
		}
		if exists(i) {
			members[i].Lamports = rentExempt
		}
	}
	return members
}

func ownersOf(members []runworld.Member) []solana.PublicKey {
	owners := make([]solana.PublicKey, len(members))
	for i, m := range members {
		owners[i] = m.Owner
	}
	return owners
}

// share returns an owner's part of a run's proceeds by the rule.
func share(r run.Run, m runworld.Member) uint64 {
	high, low := bits.Mul64(r.Payment.HoldersShare, m.Balance)
	quotient, _ := bits.Div64(high, low, r.Snapshot.EligibleBalance)
	return quotient
}

func named(version payout.Version) string {
	if version == payout.V1 {
		return "version 1"
	}
	return "legacy"
}
