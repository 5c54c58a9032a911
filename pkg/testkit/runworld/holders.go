package runworld

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Member is an owner in a crowd.
type Member struct {
	Owner solana.PublicKey
	// Balance is the owner's balance of the token, and Withheld the additional withheld amount in
	// the owner's account, in base units.
	Balance, Withheld uint64
	// Lamports is the balance of the owner's wallet; zero for a wallet that does not exist.
	Lamports uint64
}

// The offsets of the owner and the amount in an associated account of both token programs, and of
// the withheld amount in an account of a taxed mint: behind the ImmutableOwner extension and the
// type and length of the tax extension.
const (
	ownerAt    = 32
	amountAt   = 64
	withheldAt = 174
)

// crowding is the number of accounts that are written concurrently: fewer than the number of unread
// events that the local chain accepts.
const crowding = 8

// SeedHolders writes the owners' accounts directly onto the chain, which is much faster than
// transfers. The amounts are taken from the creator's account, so the sum still equals the supply.
func (w *Fixture) SeedHolders(t testing.TB, members []Member) {
	t.Helper()
	creators := w.Account(t, w.Creator.PublicKey())
	sample := w.sample(t, creators)
	left := binary.LittleEndian.Uint64(sample.Data[amountAt:])
	accounts := make(map[solana.PublicKey]surfpool.Account, 2*len(members)+1)
	for _, m := range members {
		one := like(sample, m.Owner, m.Balance)
		binary.LittleEndian.PutUint64(one.Data[withheldAt:], m.Withheld)
		state, err := token2022.DecodeAccount(solana.Token2022ProgramID, one.Data)
		must.Do(t, err)
		if state.Owner != m.Owner || state.Amount != m.Balance || state.Withheld != m.Withheld || m.Balance+m.Withheld > left {
			t.Fatalf("%+v cannot be made out of %d as %+v", m, left, state)
		}
		left -= m.Balance + m.Withheld
		accounts[w.Account(t, m.Owner)] = one
		if m.Lamports > 0 {
			accounts[m.Owner] = surfpool.Account{Lamports: m.Lamports}
		}
	}
	accounts[creators] = like(sample, w.Creator.PublicKey(), left)
	w.seeded = true
	w.write(t, accounts)
}

// OpenAll writes empty accounts of a coin for owners.
func (g *Env) OpenAll(t testing.TB, c Currency, owners []solana.PublicKey) {
	t.Helper()
	sample := g.sample(t, c.Account(t, g.Maker.Address))
	accounts := make(map[solana.PublicKey]surfpool.Account, len(owners))
	for _, owner := range owners {
		accounts[c.Account(t, owner)] = like(sample, owner, 0)
	}
	g.write(t, accounts)
}

// sample reads an account as a template for other accounts.
func (g *Env) sample(t testing.TB, address solana.PublicKey) surfpool.Account {
	t.Helper()
	a := g.At(t, []solana.PublicKey{address})[0]
	if a == nil {
		t.Fatalf("there is nothing at %s", address)
	}
	return surfpool.Account{Lamports: a.Lamports, Owner: a.Owner.String(), Data: a.Data}
}

// like returns a copy of an account with another owner and amount.
func like(sample surfpool.Account, owner solana.PublicKey, amount uint64) surfpool.Account {
	sample.Data = append([]byte(nil), sample.Data...)
	copy(sample.Data[ownerAt:], owner[:])
	binary.LittleEndian.PutUint64(sample.Data[amountAt:], amount)
	return sample
}

func (g *Env) write(t testing.TB, accounts map[solana.PublicKey]surfpool.Account) {
	t.Helper()
	addresses := make(chan solana.PublicKey, len(accounts))
	for address := range accounts {
		addresses <- address
	}
	close(addresses)
	var writers sync.WaitGroup
	for range crowding {
		writers.Go(func() {
			for address := range addresses {
				g.Ledger.SetAccount(t, address.String(), accounts[address])
			}
		})
	}
	writers.Wait()
	if t.Failed() { // a writer can only end its own goroutine
		t.FailNow()
	}
	if t.Skipped() {
		t.SkipNow()
	}
}

// At reads the accounts at addresses, in order; nil for a missing account.
func (g *Env) At(t testing.TB, addresses []solana.PublicKey) []*onchain.Account {
	t.Helper()
	found, err := g.Node.Holders(t.Context(), addresses...)
	must.Do(t, err)
	return found
}

// LamportsOf returns the balances of addresses.
func (g *Env) LamportsOf(t testing.TB, addresses []solana.PublicKey) []uint64 {
	t.Helper()
	list := make([]uint64, len(addresses))
	for i, a := range g.At(t, addresses) {
		if a != nil {
			list[i] = a.Lamports
		}
	}
	return list
}

// CoinsOf returns owners' balances of a coin; zero for owners without an account.
func (g *Env) CurrenciesOf(t testing.TB, c Currency, owners []solana.PublicKey) []uint64 {
	t.Helper()
	addresses := make([]solana.PublicKey, len(owners))
	for i, owner := range owners {
		addresses[i] = c.Account(t, owner)
	}
	list := make([]uint64, len(owners))
	for i, a := range g.At(t, addresses) {
		if a == nil {
			continue
		}
		state, err := token2022.DecodeAccount(a.Owner, a.Data)
		must.Do(t, err)
		list[i] = state.Amount
	}
	return list
}
