package venue_test

import (
	"bytes"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// narrow makes a pool of Meteora's into one whose liquidity ends just below its price, at a
// ten-thousandth of what the token is worth.
func narrow(data []byte) {
	price := new(big.Int).Lsh(big.NewInt(1), 64)
	price.Quo(price, big.NewInt(100_000))
	put(data[dammSqrt:], price)
	put(data[dammMin:], new(big.Int).Quo(new(big.Int).Mul(price, big.NewInt(99)), big.NewInt(100)))
}

// A third party creates a pool for one of our tokens at the derived address, and another pool for
// the reward. Nothing is sold there, even if no price is known yet and no other pool exists, or if
// the token's record names the pool as the creator's and the chain does not.
func TestThirdPartyPoolSellsNothing(t *testing.T) {
	c, reward := taxed("token", 500, true), taxed("reward", 100, true)
	const amount = 10_000 * tokens
	sale := func(pools exchange.Venue, output terms.Asset) error {
		_, err := exchange.LargestThatFits(t.Context(), pools, c.order(amount, output), exchange.DefaultLimits(), nil, 6, func() time.Time { return noon })
		return err
	}
	stranger := key("stranger")
	meteoraOf := func(mint solana.PublicKey) solana.PublicKey {
		address, err := meteora.PoolAddress(mint, solana.WrappedSol)
		must.Do(t, err)
		return address
	}
	raydiumOf := func(mint solana.PublicKey) solana.PublicKey {
		at, err := raydium.Mainnet.Addresses(mint)
		must.Do(t, err)
		return at.Pool
	}
	creator := func(data []byte, is solana.PublicKey) { copy(data[cpmmCreator:], is[:]) }
	for _, test := range []struct {
		name   string
		output terms.Asset
		plant  func(on *chain)
	}{
		{"a narrow pool, not recorded", terms.SOL, func(on *chain) {
			narrow(c.damm(t, on, 800_000*tokens, 100*sol))
			on.records[c.mint] = token.Record{Mint: c.mint, Creator: key("creator")}
		}},
		{"a narrow pool, recorded as the third party's", terms.SOL, func(on *chain) {
			narrow(c.damm(t, on, 800_000*tokens, 100*sol))
			delete(on.records, c.mint)
			on.record(c.mint, token.MeteoraDAMMv2, meteoraOf(c.mint), stranger)
		}},
		{"a pool of Raydium's, recorded as the third party's", terms.SOL, func(on *chain) {
			creator(c.cpmm(t, on, 800_000*tokens, 1_000_000), stranger)
			delete(on.records, c.mint)
			on.record(c.mint, token.RaydiumCPMM, raydiumOf(c.mint), stranger)
		}},
		{"a pool of Raydium's that a rewritten record calls the creator's", terms.SOL, func(on *chain) {
			creator(c.cpmm(t, on, 800_000*tokens, 1_000_000), stranger)
		}},
		{"a pool of a token that was not launched here", terms.SOL, func(on *chain) {
			c.cpmm(t, on, 800_000*tokens, 100*sol)
			delete(on.records, c.mint)
		}},
		{"the reward's pool is a third party's", reward.asset(), func(on *chain) {
			c.cpmm(t, on, 800_000*tokens, 100*sol)
			creator(reward.cpmm(t, on, 1_000, 100*sol), stranger)
			delete(on.records, reward.mint)
		}},
		{"and narrow", reward.asset(), func(on *chain) {
			c.cpmm(t, on, 800_000*tokens, 100*sol)
			narrow(reward.damm(t, on, 800_000*tokens, 100*sol))
			on.records[reward.mint] = token.Record{Mint: reward.mint, Creator: key("another")}
			on.record(reward.mint, token.MeteoraDAMMv2, meteoraOf(reward.mint), stranger)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			on, pools := planted(t)
			c.plant(on)
			reward.plant(on)
			test.plant(on)
			if reason := reasonOf(t, sale(pools, test.output)); reason != exchange.NoVenue {
				t.Errorf("deferred because of %q", reason)
			}
		})
	}
}

// A third party's pool that pays more than the creator's pool is not used.
func TestCreatorPoolPrecedesThirdPartyPool(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	c.damm(t, on, 80_000*tokens, 100*sol)
	delete(on.records, c.mint)
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	q, err := pools.Quote(t.Context(), c.order(1_000*tokens, terms.SOL))
	must.Do(t, err)
	s, err := pools.Swap(t.Context(), q)
	must.Do(t, err)
	if len(s.Programs) != 1 || s.Programs[0] != raydium.Mainnet.Program {
		t.Errorf("sold by %v", s.Programs)
	}
}

// A pool whose address is not derived is found by its address in the record.
func TestPoolWithRandomAddress(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	o := c.order(1_000*tokens, terms.SOL)
	want, err := pools.Quote(t.Context(), o)
	must.Do(t, err)

	derived, err := raydium.Mainnet.Addresses(c.mint)
	must.Do(t, err)
	own, err := raydium.Mainnet.AddressesAt(c.mint, key("own account"))
	must.Do(t, err)
	data := bytes.Clone(on.accounts[derived.Pool].Data)
	for from, to := range map[solana.PublicKey]solana.PublicKey{
		derived.TokenVault: own.TokenVault, derived.SOLVault: own.SOLVault, derived.LPMint: own.LPMint, derived.Observation: own.Observation,
	} {
		data = bytes.ReplaceAll(data, from[:], to[:])
		on.accounts[to] = on.accounts[from]
		delete(on.accounts, from)
	}
	on.accounts[own.Pool] = &onchain.Account{Owner: raydium.Mainnet.Program, Data: data}
	delete(on.accounts, derived.Pool)
	delete(on.records, c.mint)
	on.record(c.mint, token.RaydiumCPMM, own.Pool, key("creator"))
	got, err := pools.Quote(t.Context(), o)
	must.Do(t, err)
	s, err := pools.Swap(t.Context(), got)
	must.Do(t, err)
	if got.Out != want.Out || s.Instructions[1].Accounts()[3].PublicKey != own.Pool {
		t.Errorf("%d by %s, want %d by %s", got.Out, s.Instructions[1].Accounts()[3].PublicKey, want.Out, own.Pool)
	}
}

// A pool whose program was upgraded so that it cannot be read is a decided "not now" that raises an
// alarm; a pool that grew is read; and another pool of the creator's is used instead.
func TestUnreadablePoolDefersAndAlarms(t *testing.T) {
	c := taxed("token", 500, true)
	grow := func(a *onchain.Account) { a.Data = append(a.Data, make([]byte, 64)...) }
	retag := func(a *onchain.Account) { a.Data[0]++ }
	raydiumPool, err := raydium.Mainnet.Addresses(c.mint)
	must.Do(t, err)
	meteoraPool, err := meteora.PoolAddress(c.mint, solana.WrappedSol)
	must.Do(t, err)
	for _, test := range []struct {
		name       string
		cpmm, damm bool
		change     map[solana.PublicKey]func(*onchain.Account)
		want       exchange.Reason
		alarms     bool
	}{
		{"Raydium's grew", true, false, map[solana.PublicKey]func(*onchain.Account){raydiumPool.Pool: grow, raydium.Mainnet.Config: grow}, "", false},
		{"Meteora's grew", false, true, map[solana.PublicKey]func(*onchain.Account){meteoraPool: grow}, "", false},
		{"Raydium's is of a new kind", true, false, map[solana.PublicKey]func(*onchain.Account){raydiumPool.Pool: retag}, exchange.Unreadable, true},
		{"Raydium's configuration is", true, false, map[solana.PublicKey]func(*onchain.Account){raydium.Mainnet.Config: retag}, exchange.Unreadable, true},
		{"Meteora's is", false, true, map[solana.PublicKey]func(*onchain.Account){meteoraPool: retag}, exchange.Unreadable, true},
		{"one of both is", true, true, map[solana.PublicKey]func(*onchain.Account){raydiumPool.Pool: retag}, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			on, pools := planted(t)
			var log bytes.Buffer
			pools.Log = telemetry.New(&log, slog.LevelError, "test")
			c.plant(on)
			if test.cpmm {
				c.cpmm(t, on, 800_000*tokens, 100*sol)
			}
			if test.damm {
				c.damm(t, on, 800_000*tokens, 100*sol)
			}
			for address, change := range test.change {
				change(on.accounts[address])
			}
			_, err := pools.Quote(t.Context(), c.order(1_000*tokens, terms.SOL))
			if reason := reasonOf(t, err); reason != test.want {
				t.Errorf("%q, want %q", reason, test.want)
			}
			if alarms := strings.Contains(log.String(), `"ExchangeUnreadable":1`); alarms != test.alarms {
				t.Errorf("alarm %v, want %v: %s", alarms, test.alarms, log.String())
			}
		})
	}
}

// cpmmCreator is where Raydium's pool has its creator.
const cpmmCreator = 40
