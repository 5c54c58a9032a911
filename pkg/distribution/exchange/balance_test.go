package exchange_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

var (
	reward  = key("reward")
	rewards = associated(wallet, reward, solana.TokenProgramID)
)

const rent = 2_000_000

func purse(lamports uint64) exchange.Balance {
	return exchange.Balance{Address: wallet, Lamports: lamports, Program: solana.SystemProgramID}
}

func holding(address, mint solana.PublicKey, amount uint64) exchange.Balance {
	return exchange.Balance{
		Address: address, Lamports: rent, Program: solana.TokenProgramID, Bytes: 165, Mint: mint, Owner: wallet, Amount: amount,
	}
}

func TestBalances(t *testing.T) {
	const fee, maxCost = 5_000, rent + 10_000
	before := []exchange.Balance{purse(50_000_000), holding(mine, mint, 5_000), {Address: rewards}, {Address: wrapped}}
	tests := []struct {
		name   string
		output terms.Asset
		after  []exchange.Balance
		good   bool
		sold   uint64
		got    uint64
	}{
		{"SOL", terms.SOL, []exchange.Balance{purse(50_000_000 + 490 - fee), holding(mine, mint, 4_000), {Address: rewards}, {Address: wrapped}}, true, 1_000, 490},
		{"SOL, too little", terms.SOL, []exchange.Balance{purse(50_000_000 + 489 - maxCost), holding(mine, mint, 4_000), {}, {}}, false, 1_000, 0},
		{"too much of the input", terms.SOL, []exchange.Balance{purse(50_000_000 + 490 - fee), holding(mine, mint, 3_999), {}, {}}, false, 1_001, 490},
		{
			"a token, and its account's rent", terms.Asset(reward),
			[]exchange.Balance{purse(50_000_000 - rent - fee), holding(mine, mint, 4_000), holding(rewards, reward, 495), {}},
			true, 1_000, 495,
		},
		{
			"a token, too little", terms.Asset(reward),
			[]exchange.Balance{purse(50_000_000), holding(mine, mint, 4_000), holding(rewards, reward, 489), {}},
			false, 1_000, 489,
		},
		{
			"a token, and lamports as well", terms.Asset(reward),
			[]exchange.Balance{purse(50_000_000 - maxCost - 1), holding(mine, mint, 4_000), holding(rewards, reward, 490), {}},
			false, 1_000, 490,
		},
		{
			"the account is a stranger's", terms.SOL,
			[]exchange.Balance{purse(60_000_000), {Address: mine, Lamports: rent, Mint: mint, Owner: stranger, Amount: 4_000}, {}, {}},
			false, 5_000, 10_000_000 + fee - rent,
		},
		{
			"a delegate", terms.SOL,
			[]exchange.Balance{purse(60_000_000), {Address: mine, Lamports: rent, Mint: mint, Owner: wallet, Amount: 4_000, Shared: true}, {}, {}},
			false, 1_000, 10_000_000 + fee,
		},
		{
			"frozen", terms.SOL,
			[]exchange.Balance{purse(60_000_000), {Address: mine, Lamports: rent, Mint: mint, Owner: wallet, Amount: 4_000, Frozen: true}, {}, {}},
			false, 1_000, 10_000_000 + fee,
		},
		{
			"the wallet is a program's", terms.SOL,
			[]exchange.Balance{{Address: wallet, Lamports: 60_000_000, Program: stranger}, holding(mine, mint, 4_000), {}, {}},
			false, 1_000, 10_000_000 + fee,
		},
		{
			"the wallet has data", terms.SOL,
			[]exchange.Balance{{Address: wallet, Lamports: 60_000_000, Program: solana.SystemProgramID, Bytes: 1}, holding(mine, mint, 4_000), {}, {}},
			false, 1_000, 10_000_000 + fee,
		},
		{
			// A stranger had given wrapped SOL to the wallet, and it was unwrapped too.
			"an account of wrapped SOL was there before", terms.SOL,
			[]exchange.Balance{purse(50_000_000 + 490 - fee), holding(mine, mint, 4_000), {Address: rewards}, holding(wrapped, solana.WrappedSol, 7)},
			true, 1_000, 490 + rent,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := exchange.Order{Wallet: wallet, Input: mint, Amount: 1_000, Output: test.output}
			q := exchange.Quote{Order: o, In: 1_000, Out: 500, MinimumOut: 490}
			err := exchange.CheckBalances(q, before, test.after, maxCost)
			if reason := reasonOf(t, err); (reason == "") != test.good || reason != "" && reason != exchange.Unsafe {
				t.Errorf("%q: %v", reason, err)
			}
			sold, got, err := exchange.Proceeds(o, before, test.after, fee)
			if test.name == "SOL, too little" {
				if err == nil {
					t.Error("a loss is given as proceeds")
				}
				return
			}
			if err != nil || sold != test.sold || got != test.got {
				t.Errorf("sold %d for %d, want %d for %d: %v", sold, got, test.sold, test.got, err)
			}
		})
	}
}

func TestBalancesDoNotOverflow(t *testing.T) {
	o := exchange.Order{Wallet: wallet, Input: mint, Amount: 1, Output: terms.Asset(reward)}
	q := exchange.Quote{Order: o, In: math.MaxUint64, Out: math.MaxUint64, MinimumOut: math.MaxUint64}
	before := []exchange.Balance{purse(0), holding(mine, mint, math.MaxUint64), holding(rewards, reward, 0)}
	after := []exchange.Balance{purse(math.MaxUint64), holding(mine, mint, 0), holding(rewards, reward, math.MaxUint64)}
	if err := exchange.CheckBalances(q, before, after, math.MaxUint64); err != nil {
		t.Error(err)
	}
	if err := exchange.CheckBalances(q, after, before, math.MaxUint64-1); err == nil {
		t.Error("the loss of everything passes")
	}
}

func TestReadBalance(t *testing.T) {
	data := make([]byte, 165)
	copy(data, mint[:])
	copy(data[32:], wallet[:])
	binary.LittleEndian.PutUint64(data[64:], 77)
	data[108] = 1
	with := func(offset int, value byte) []byte {
		changed := slices.Clone(data)
		changed[offset] = value
		return changed
	}
	tests := []struct {
		name           string
		program        solana.PublicKey
		data           []byte
		shared, frozen bool
		amount         uint64
	}{
		{"own", solana.TokenProgramID, data, false, false, 77},
		{"delegate", solana.TokenProgramID, with(72, 1), true, false, 77},
		{"close authority", solana.Token2022ProgramID, with(129, 1), true, false, 77},
		{"frozen", solana.TokenProgramID, with(108, 2), false, true, 77},
		{"not a token account", solana.SystemProgramID, data, false, false, 0},
	}
	for _, test := range tests {
		b := exchange.ReadBalance(mine, test.program, 9, test.data)
		if b.Shared != test.shared || b.Frozen != test.frozen || b.Amount != test.amount || b.Lamports != 9 || b.Bytes != 165 || b.Address != mine {
			t.Errorf("%s: %+v", test.name, b)
		}
		if test.amount != 0 && (b.Owner != wallet || b.Mint != mint) {
			t.Errorf("%s: %+v", test.name, b)
		}
	}
}

func TestWatched(t *testing.T) {
	for _, output := range []terms.Asset{terms.SOL, terms.Asset(reward)} {
		list, err := exchange.Watched(exchange.Order{Wallet: wallet, Input: mint, Output: output})
		if err != nil || list[0] != wallet || !slices.Contains(list, mine) || !slices.Contains(list, wrapped) ||
			slices.Contains(list, rewards) == output.IsSOL() {
			t.Errorf("%v, %v", list, err)
		}
	}
}
