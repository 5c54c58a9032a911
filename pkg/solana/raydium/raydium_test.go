package raydium_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/raydium"
)

func key(b byte) solana.PublicKey { return solana.PublicKeyFromBytes(bytes.Repeat([]byte{b}, 32)) }

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func TestConfigurationsAreTheProgramsOwn(t *testing.T) {
	for name, n := range map[string]raydium.Network{"mainnet": raydium.Mainnet, "devnet": raydium.Devnet} {
		config, _, err := solana.FindProgramAddress([][]byte{[]byte("amm_config"), {0, 0}}, n.Program)
		if err != nil || config != n.Config {
			t.Errorf("%s: %s, %v; want %s", name, n.Config, err, config)
		}
	}
}

// The authorities that Raydium publishes for its two networks; the rest is compared
// with its client in package peertest.
func TestAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		network   raydium.Network
		authority string
	}{
		"mainnet": {raydium.Mainnet, "GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL"},
		"devnet":  {raydium.Devnet, "CXniRufdq5xL8t8jZAPxsPZDpuudwuJSPWnbcD5Y5Nxq"},
	} {
		before, err := c.network.Addresses(key(1))
		if err != nil || before.Authority.String() != c.authority || !before.TokenFirst {
			t.Errorf("Addresses(), %s = %+v, %v; want authority %s and the token first", name, before, err, c.authority)
		}
		after, err := c.network.Addresses(key(7))
		if err != nil || after.TokenFirst || after.Pool == before.Pool || after.SOLVault == before.SOLVault {
			t.Errorf("Addresses() of another mint, %s = %+v, %v; want another pool and the token second", name, after, err)
		}
	}
	if _, err := raydium.Mainnet.Addresses(solana.WrappedSol); !errors.Is(err, raydium.ErrNoPair) {
		t.Errorf("wrapped SOL: %v", err)
	}
}

// poolData is a pool whose fields all differ.
func poolData() []byte {
	data := []byte{0xf7, 0xed, 0xe3, 0xf5, 0xd7, 0xc3, 0xde, 0x46}
	for i := range byte(10) {
		k := key(i + 1)
		data = append(data, k[:]...)
	}
	data = append(data, 253, 4, 9, 6, 5)
	for i := range uint64(7) {
		data = append(data, u64(100+i)...)
	}
	data = append(data, 2, 1, 0, 0, 0, 0, 0, 0)
	return slices.Concat(data, u64(200), u64(201), make([]byte, 28*8))
}

func TestDecodePool(t *testing.T) {
	got, err := raydium.Mainnet.DecodePool(raydium.Mainnet.Program, poolData())
	want := raydium.Pool{
		Config: key(1), Creator: key(2), Vaults: [2]solana.PublicKey{key(3), key(4)}, LPMint: key(5),
		Mints: [2]solana.PublicKey{key(6), key(7)}, Programs: [2]solana.PublicKey{key(8), key(9)}, Observation: key(10),
		Status: 4, Decimals: [2]uint8{6, 5}, LPSupply: 100,
		ProtocolFees: [2]uint64{101, 102}, FundFees: [2]uint64{103, 104}, OpenTime: 105,
		CreatorFeeOn: raydium.CreatorFeeOnToken1, HasCreatorFee: true, CreatorFees: [2]uint64{200, 201},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if owed, ok := got.Owed(1); !ok || owed != 102+104+201 {
		t.Errorf("owed %d, %v", owed, ok)
	}
	got.FundFees[1] = math.MaxUint64
	if _, ok := got.Owed(1); ok {
		t.Error("fees of more than 2^64-1")
	}
}

func TestPoolTrades(t *testing.T) {
	for name, c := range map[string]struct {
		pool raydium.Pool
		want bool
	}{
		"open":           {raydium.Pool{OpenTime: 10}, true},
		"not yet":        {raydium.Pool{OpenTime: 11}, false},
		"swaps stopped":  {raydium.Pool{Status: 4}, false},
		"others stopped": {raydium.Pool{Status: 3}, true},
	} {
		if got := c.pool.Swaps(10); got != c.want {
			t.Errorf("Swaps(10), %s = %t, want %t", name, got, c.want)
		}
	}
}

// mainnetConfig is the configuration of index 0, as it was on mainnet, up to its
// padding.
const mainnetConfig = "daf42168cbcb2b6fff000000c409000000000000c0d4010000000000409c00000000000080d1f00800000000" +
	"05db153a0ff487f69cde89001fec4c4695b6d4215ea244b87bd4eb7287f857a8d7064a38f6d17b113e5f66dcfb63b8737ffce2644abf0a00b98b34356d638583"

func configData(t *testing.T) []byte {
	t.Helper()
	data, err := hex.DecodeString(mainnetConfig)
	if err != nil {
		t.Fatal(err)
	}
	return append(data, make([]byte, raydium.ConfigSize-len(data))...)
}

func TestDecodeConfig(t *testing.T) {
	data := configData(t)
	got, err := raydium.Mainnet.DecodeConfig(raydium.Mainnet.Program, data)
	if err != nil || got != raydium.DefaultConfig {
		t.Errorf("DecodeConfig() = %+v, %v; want the default configuration", got, err)
	}
	data[9], data[10] = 1, 3
	binary.LittleEndian.PutUint64(data[108:], 997_499)
	got, err = raydium.Mainnet.DecodeConfig(raydium.Mainnet.Program, data)
	if err != nil || !got.Closed || got.Index != 3 || got.CreatorFeeRate != 997_499 {
		t.Errorf("DecodeConfig() = %+v, %v; want closed, index 3 and a creator's fee of 997499", got, err)
	}
}

func TestStrangersAccountsAreRefused(t *testing.T) {
	put := func(data []byte, at int, n uint64) []byte {
		data = slices.Clone(data)
		binary.LittleEndian.PutUint64(data[at:], n)
		return data
	}
	set := func(data []byte, at int, b byte) []byte {
		data = slices.Clone(data)
		data[at] = b
		return data
	}
	program := raydium.Mainnet.Program
	for name, c := range map[string]struct {
		owner solana.PublicKey
		data  []byte
		says  string
	}{
		"another owner":    {raydium.Devnet.Program, configData(t), "owner"},
		"cut off":          {program, configData(t)[:raydium.ConfigSize-1], "235 bytes"},
		"another kind":     {program, set(configData(t), 0, 1), "another kind"},
		"no truth":         {program, set(configData(t), 9, 2), "truth"},
		"all is fee":       {program, put(configData(t), 12, 1_000_000), "whole amount"},
		"with the creator": {program, put(configData(t), 108, 997_500), "whole amount"},
		"wraps around":     {program, put(configData(t), 108, math.MaxUint64), "whole amount"},
		"shared out twice": {program, put(configData(t), 20, 960_001), "shares out"},
		"nothing":          {program, nil, "0 bytes"},
	} {
		if _, err := raydium.Mainnet.DecodeConfig(c.owner, c.data); !errors.Is(err, raydium.ErrNotConfig) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("configuration, %s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		owner solana.PublicKey
		data  []byte
		says  string
	}{
		"another owner":      {raydium.Devnet.Program, poolData(), "owner"},
		"cut off":            {program, poolData()[:raydium.PoolSize-1], "636 bytes"},
		"another kind":       {program, append(configData(t), make([]byte, raydium.PoolSize-raydium.ConfigSize)...), "another kind"},
		"an unknown fee":     {program, set(poolData(), 389, 3), "creator's fee"},
		"an unclear fee":     {program, set(poolData(), 390, 2), "creator's fee"},
		"nothing":            {program, nil, "0 bytes"},
		"the tag and no end": {program, poolData()[:8], "8 bytes"},
	} {
		if _, err := raydium.Mainnet.DecodePool(c.owner, c.data); !errors.Is(err, raydium.ErrNotPool) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("pool, %s: %v", name, err)
		}
	}
}

// FuzzDecodePool tests that the fields of an accepted pool are the numbers in the bytes, and that
// nothing panics.
func FuzzDecodePool(f *testing.F) {
	f.Add(poolData())
	f.Add(poolData()[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		pool, err := raydium.Mainnet.DecodePool(raydium.Mainnet.Program, data)
		if err != nil {
			if !errors.Is(err, raydium.ErrNotPool) {
				t.Errorf("%v is not ErrNotPool", err)
			}
			return
		}
		if [32]byte(data[72:104]) != pool.Vaults[0] || pool.LPSupply != binary.LittleEndian.Uint64(data[333:]) ||
			pool.CreatorFees[1] != binary.LittleEndian.Uint64(data[405:]) || pool.CreatorFeeOn > raydium.CreatorFeeOnToken1 {
			t.Errorf("%+v out of %x", pool, data)
		}
	})
}

// FuzzDecodeConfig does the same as FuzzDecodePool, and tests that the rates leave a part of an
// amount.
func FuzzDecodeConfig(f *testing.F) {
	data, _ := hex.DecodeString(mainnetConfig)
	f.Add(append(data, make([]byte, raydium.ConfigSize-len(data))...))
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := raydium.Mainnet.DecodeConfig(raydium.Mainnet.Program, data)
		if err != nil {
			if !errors.Is(err, raydium.ErrNotConfig) {
				t.Errorf("%v is not ErrNotConfig", err)
			}
			return
		}
		if c.PoolFee != binary.LittleEndian.Uint64(data[36:]) ||
			c.TradeFeeRate+c.CreatorFeeRate >= raydium.RateDenominator || c.ProtocolFeeRate+c.FundFeeRate > raydium.RateDenominator {
			t.Errorf("%+v out of %x", c, data)
		}
	})
}
