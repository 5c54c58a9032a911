package venue_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// key returns an address for a name.
func key(name string) solana.PublicKey { return sha256.Sum256([]byte(name)) }

var (
	wallet = key("wallet")
	noon   = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
)

const (
	sol    = solana.LAMPORTS_PER_SOL
	tokens = 1_000_000 // base units of a whole one
	epoch  = 800
	slot   = 345_600_000
)

// chain has what tests plant.
type chain struct {
	accounts map[solana.PublicKey]*onchain.Account
	calls    int
	err      error
	records  map[solana.PublicKey]token.Record
}

// Token returns what is recorded.
func (c *chain) Token(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	if r, ok := c.records[mint]; ok {
		return r, nil
	}
	return token.Record{}, token.ErrNotFound
}

// record notes a pool of a coin that a wallet made. The coin's creator is key("creator").
func (c *chain) record(mint solana.PublicKey, kind token.PoolKind, address, creator solana.PublicKey) {
	r := c.records[mint]
	r.Mint, r.Creator = mint, key("creator")
	r.Pools = append(slices.DeleteFunc(slices.Clone(r.Pools), func(p token.Pool) bool { return p.Address == address }),
		token.Pool{Kind: kind, Address: address, Mint: mint, Creator: creator})
	c.records[mint] = r
}

// Accounts returns them.
func (c *chain) Accounts(_ context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	c.calls++
	list := make([]*onchain.Account, len(addresses))
	for i, a := range addresses {
		list[i] = c.accounts[a]
	}
	return list, c.err
}

// planted is a chain with the clock and Raydium's configuration, and the venue on it.
func planted(t testing.TB) (*chain, venue.Pools) {
	t.Helper()
	clock := make([]byte, 40)
	binary.LittleEndian.PutUint64(clock, slot)
	binary.LittleEndian.PutUint64(clock[16:], epoch)
	binary.LittleEndian.PutUint64(clock[32:], uint64(noon.Unix()))
	c := &chain{records: map[solana.PublicKey]token.Record{}, accounts: map[solana.PublicKey]*onchain.Account{
		solana.SysVarClockPubkey: {Owner: solana.MustPublicKeyFromBase58("Sysvar1111111111111111111111111111111111111"), Data: clock},
		raydium.Mainnet.Config:   {Owner: raydium.Mainnet.Program, Data: config(2_500, 120_000, 40_000)},
	}}
	return c, venue.Pools{
		Chain: c, Tokens: c, Raydium: raydium.Mainnet, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
	}
}

// tag is how an account of a kind begins (Anchor).
func tag(name string) []byte {
	sum := sha256.Sum256([]byte("account:" + name))
	return sum[:8]
}

// config is Raydium's with three rates.
func config(rates ...uint64) []byte {
	b := make([]byte, raydium.ConfigSize)
	copy(b, tag("AmmConfig"))
	for i, rate := range rates {
		binary.LittleEndian.PutUint64(b[12+8*i:], rate)
	}
	return b
}

// coin is a planted token.
type coin struct {
	mint    solana.PublicKey
	program solana.PublicKey
	taxBps  uint16
}

// taxed is a coin of Token-2022 whose address is before that of wrapped SOL, or
// behind it.
func taxed(name string, bps uint16, first bool) coin {
	c := coin{mint: key(name), program: solana.Token2022ProgramID, taxBps: bps}
	c.mint[0] = 0xf0
	if first {
		c.mint[0] = 0x01
	}
	return c
}

// tax returns the amount withheld of a transfer.
func (c coin) tax(amount uint64) uint64 {
	return (amount*uint64(c.taxBps) + 9_999) / 10_000
}

// plant plants the mint.
func (c coin) plant(on *chain) {
	b := make([]byte, 82)
	binary.LittleEndian.PutUint64(b[36:], 1_000_000*tokens)
	b[44], b[45] = 6, 1
	if c.program == solana.Token2022ProgramID {
		b = append(append(b, make([]byte, 83)...), 1)    // padded; a mint
		b = binary.LittleEndian.AppendUint16(b, 1)       // TransferFeeConfig
		b = binary.LittleEndian.AppendUint16(b, 108)     // its length
		b = append(b, make([]byte, 72)...)               // no authorities, nothing withheld
		for _, bps := range []uint16{c.taxBps, 10_000} { // the newer one is of the next epoch
			from := uint64(0)
			if bps == 10_000 {
				from = epoch + 1
			}
			b = binary.LittleEndian.AppendUint64(b, from)
			b = binary.LittleEndian.AppendUint64(b, math.MaxUint64)
			b = binary.LittleEndian.AppendUint16(b, bps)
		}
	}
	on.accounts[c.mint] = &onchain.Account{Owner: c.program, Data: b}
}

// vault is a token account with an amount.
func vault(mint solana.PublicKey, amount uint64) []byte {
	b := make([]byte, 165)
	copy(b, mint[:])
	copy(b[32:], mint[:])
	binary.LittleEndian.PutUint64(b[64:], amount)
	b[108] = 1
	return b
}

// Offsets in Raydium's pool of what tests change.
const (
	cpmmConfig, cpmmVault0, cpmmMint0, cpmmObservation = 8, 72, 168, 296
	cpmmStatus, cpmmProtocolFee0, cpmmOpenTime         = 329, 341, 373
	cpmmHasCreatorFee                                  = 390

	configCreatorFee = 108 // in the configuration
)

// cpmm plants Raydium's pool of the coin with so much in its vaults, of which a
// little is owed as fees, and returns its bytes and its assets.
func (c coin) cpmm(t testing.TB, on *chain, has, lamports uint64) (data []byte) {
	t.Helper()
	a, err := raydium.Mainnet.Addresses(c.mint)
	must.Do(t, err)
	data = make([]byte, raydium.PoolSize)
	copy(data, tag("PoolState"))
	keys := []solana.PublicKey{
		raydium.Mainnet.Config, key("creator"), a.SOLVault, a.TokenVault, a.LPMint,
		solana.WrappedSol, c.mint, solana.TokenProgramID, c.program, a.Observation,
	}
	owed := []uint64{2_000, 1_000}
	if a.TokenFirst {
		for _, i := range []int{2, 5, 7} {
			keys[i], keys[i+1] = keys[i+1], keys[i]
		}
		slices.Reverse(owed)
	}
	for i, k := range keys {
		copy(data[8+32*i:], k[:])
	}
	binary.LittleEndian.PutUint64(data[cpmmProtocolFee0:], owed[0])
	binary.LittleEndian.PutUint64(data[cpmmProtocolFee0+8:], owed[1])
	on.accounts[a.Pool] = &onchain.Account{Owner: raydium.Mainnet.Program, Data: data}
	on.record(c.mint, token.RaydiumCPMM, a.Pool, key("creator"))
	on.accounts[a.TokenVault] = &onchain.Account{Owner: c.program, Data: vault(c.mint, has+1_000)}
	on.accounts[a.SOLVault] = &onchain.Account{Owner: solana.TokenProgramID, Data: vault(solana.WrappedSol, lamports+2_000)}
	return data
}

// Offsets in Meteora's pool of what tests change, after what Anchor puts before.
const (
	dammMode, dammDynamic, dammMintA, dammVaultA        = 8 + 8, 8 + 48, 8 + 160, 8 + 224
	dammLiquidity, dammMin, dammMax, dammSqrt           = 8 + 352, 8 + 416, 8 + 432, 8 + 448
	dammActivation, dammByTime, dammStatus, dammCollect = 8 + 464, 8 + 472, 8 + 473, 8 + 476
)

// damm plants Meteora's pool of the coin, without end in either direction, that
// holds about so much, with a fee of 1 percent in SOL, and returns its bytes.
func (c coin) damm(t testing.TB, on *chain, has, lamports uint64) (data []byte) {
	t.Helper()
	pool, err := meteora.PoolAddress(c.mint, solana.WrappedSol)
	must.Do(t, err)
	a, err := meteora.VaultAddress(c.mint, pool)
	must.Do(t, err)
	b, err := meteora.VaultAddress(solana.WrappedSol, pool)
	must.Do(t, err)
	data = make([]byte, meteora.PoolSize)
	copy(data, tag("Pool"))
	binary.LittleEndian.PutUint64(data[8:], 10_000_000) // 1 percent
	for i, k := range []solana.PublicKey{c.mint, solana.WrappedSol, a, b} {
		copy(data[dammMintA+32*i:], k[:])
	}
	// √(lamports/has)·2^64 and √(lamports·has)·2^64.
	root := new(big.Int).Lsh(new(big.Int).SetUint64(lamports), 128)
	put(data[dammSqrt:], root.Sqrt(root.Quo(root, new(big.Int).SetUint64(has))))
	liquidity := new(big.Int).Mul(new(big.Int).SetUint64(lamports), new(big.Int).SetUint64(has))
	put(data[dammLiquidity:], liquidity.Sqrt(liquidity.Lsh(liquidity, 128)))
	put(data[dammMin:], meteora.MinSqrtPrice())
	put(data[dammMax:], meteora.MaxSqrtPrice())
	binary.LittleEndian.PutUint64(data[dammActivation:], uint64(noon.Unix()))
	data[dammByTime], data[dammCollect] = 1, 1
	on.accounts[pool] = &onchain.Account{Owner: meteora.Program, Data: data}
	on.record(c.mint, token.MeteoraDAMMv2, pool, key("creator"))
	return data
}

// put writes a number of 128 bits, little-endian.
func put(into []byte, n *big.Int) {
	b := n.FillBytes(make([]byte, 16))
	slices.Reverse(b)
	copy(into, b)
}

// order sells a coin.
func (c coin) order(amount uint64, output terms.Asset) exchange.Order {
	return exchange.Order{Wallet: wallet, Input: c.mint, Amount: amount, Output: output, SlippageBps: 300}
}

func (c coin) asset() terms.Asset { return terms.Asset(c.mint) }

// mul returns a·b/c, rounded down, or up.
func mul(a, b, c uint64, up bool) uint64 {
	n := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	if up {
		n.Add(n, new(big.Int).SetUint64(c-1))
	}
	return n.Quo(n, new(big.Int).SetUint64(c)).Uint64()
}

// product returns the output of a pool of x and y for an amount, less a fee of 0.25 percent.
func product(amount, x, y uint64) uint64 {
	amount -= mul(amount, 2_500, 1_000_000, true)
	return mul(amount, y, x+amount, false)
}

func TestPlantedAccountsAreLaidOutAsThePrograms(t *testing.T) {
	on, _ := planted(t)
	for _, first := range []bool{true, false} {
		c := taxed("layout", 500, first)
		data := c.cpmm(t, on, 5, 7)
		p, err := raydium.Mainnet.DecodePool(raydium.Mainnet.Program, data)
		must.Do(t, err)
		token := slices.Index(p.Mints[:], c.mint)
		if (token == 0) != first || p.Mints[1-token] != solana.WrappedSol || p.Programs[token] != c.program || p.ProtocolFees[token] != 1_000 {
			t.Errorf("pool = %+v, want the token on side A: %t", p, first)
		}
		if p.Mints[0] == p.Mints[1] || bytes.Compare(p.Mints[0][:], p.Mints[1][:]) > 0 {
			t.Errorf("the mints %v are out of order", p.Mints)
		}
	}
	c := taxed("layout", 500, true)
	p, err := meteora.DecodePool(meteora.Program, c.damm(t, on, 4_000_000, 1_000_000))
	must.Do(t, err)
	half := new(big.Int).Lsh(big.NewInt(1), 63)
	if p.MintA != c.mint || p.SqrtPrice.Cmp(half) != 0 || p.Liquidity.Cmp(half.Lsh(big.NewInt(2_000_000), 64)) != 0 ||
		p.ActivationPoint != uint64(noon.Unix()) || p.CollectFeeMode != meteora.CollectOnlyB || p.ActivationType != meteora.ActivationByTime {
		t.Errorf("pool = %+v, want the planted price, liquidity and activation", p)
	}
}
