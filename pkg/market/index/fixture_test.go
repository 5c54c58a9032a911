package index_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

var (
	pool     = solana.PublicKey{1, 1}
	mint     = solana.PublicKey{1, 2}
	position = solana.PublicKey{1, 3}
	genesis  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// discriminator is Anchor's, of an instruction or an event.
func discriminator(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:8]
}

// swap is a trade as the program writes it down.
type swap struct {
	pool     solana.PublicKey
	trader   solana.PublicKey
	buy      bool
	tokens   uint64 // out of the vault, or into it after tax
	lamports uint64 // that moved the price
	fee      uint64
	price    uint64 // the square root, afterwards
}

// event is the data of the event (event.rs, EvtSwap2).
func (s swap) event() []byte {
	data := append([]byte{0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d}, discriminator("event:EvtSwap2")...)
	data = append(data, s.pool[:]...)
	u64 := func(numbers ...uint64) {
		for _, n := range numbers {
			data = binary.LittleEndian.AppendUint64(data, n)
		}
	}
	direction := byte(0)
	if s.buy {
		direction = 1
	}
	data = append(data, direction, 1, 0)
	u64(7, 7)
	data = append(data, 0)
	if s.buy {
		u64(s.lamports+s.fee, s.lamports, 0, s.tokens)
	} else {
		u64(s.tokens, s.tokens, 0, s.lamports-s.fee)
	}
	u64(s.price, 0)     // u128
	u64(s.fee, 0, 0, 0) // fees
	in, out := s.seen()
	if s.buy {
		u64(in, s.tokens, out) // taxed amounts
	} else {
		u64(in, out, out)
	}
	u64(5, 11, 1234) // time, reserves
	return data
}

// seen returns the amounts that leave the trader and arrive, with the tax of one token.
func (s swap) seen() (in, out uint64) {
	if s.buy {
		return s.lamports + s.fee, s.tokens - 1
	}
	return s.tokens + 1, s.lamports - s.fee
}

// executed is the swap's instruction and its event.
func (s swap) executed() []index.Instruction {
	accounts := make([]solana.PublicKey, 14)
	accounts[1], accounts[8] = s.pool, s.trader
	name := "global:swap2"
	if s.price%2 == 0 {
		name = "global:swap"
	}
	return []index.Instruction{
		{Program: meteora.Program, Accounts: accounts, Data: append(discriminator(name), make([]byte, 17)...)},
		{Program: solana.Token2022ProgramID, Accounts: accounts[:3], Data: []byte{12}},
		{Program: meteora.Program, Accounts: []solana.PublicKey{meteora.EventAuthority}, Data: s.event()},
	}
}

// creation is the instruction that creates the pool.
func creation() index.Instruction {
	accounts := make([]solana.PublicKey, 20)
	accounts[5] = pool
	return index.Instruction{Program: meteora.Program, Accounts: accounts, Data: discriminator("global:initialize_customizable_pool")}
}

// block is a transaction of the fixture's and what the test knows of it.
type block struct {
	index.Listed
	made  bool
	swaps []swap // of any pool
}

func (b block) landed() index.Landed {
	l := index.Landed{Slot: b.Slot, Failed: b.Failed}
	if b.Failed {
		return l
	}
	l.Instructions = []index.Instruction{{Program: solana.ComputeBudget, Data: []byte{2}}}
	if b.made {
		l.Instructions = append(l.Instructions, creation())
	}
	for _, s := range b.swaps {
		l.Instructions = append(l.Instructions, s.executed()...)
	}
	return l
}

// fixture is a chain on which one pool trades, and the node that shows it.
type fixture struct {
	history []block // the oldest first
	// maximum is the maximum number of signatures in a response of the node.
	maximum int
	// before is called before each call, and may make it fail.
	before func(call string) error
	// known is where the node's history ends, and forgotten where it begins, for the
	// next call only; known 0: it knows all.
	known, forgotten int
	accounts         map[solana.PublicKey]*onchain.Account
}

var errCrash = errors.New("the process died")

func (w *fixture) view(call string) ([]block, error) {
	if w.before != nil {
		if err := w.before(call); err != nil {
			return nil, err
		}
	}
	end := len(w.history)
	if w.known > 0 {
		end = w.whole(min(w.known, end))
	}
	view := w.history[w.whole(min(w.forgotten, end)):end]
	w.known, w.forgotten = 0, 0
	return view, nil
}

// whole returns the place before n where a slot begins: nodes have a slot or have it not.
func (w *fixture) whole(n int) int {
	for 0 < n && n < len(w.history) && w.history[n].Slot == w.history[n-1].Slot {
		n--
	}
	return n
}

func (w *fixture) Signatures(_ context.Context, address solana.PublicKey, before solana.Signature, limit int) ([]index.Listed, error) {
	view, err := w.view("Signatures")
	if err != nil {
		return nil, err
	}
	if address != pool {
		return nil, fmt.Errorf("requested %s", address)
	}
	end := len(view)
	if !before.IsZero() {
		if end = slices.IndexFunc(view, func(b block) bool { return b.Signature == before }); end < 0 {
			return nil, nil // as nodes do that do not know it
		}
	}
	var list []index.Listed
	for i := end - 1; i >= 0 && len(list) < min(limit, w.maximum); i-- {
		list = append(list, view[i].Listed)
	}
	return list, nil
}

func (w *fixture) Transaction(_ context.Context, signature solana.Signature) (index.Landed, error) {
	view, err := w.view("Transaction")
	if err != nil {
		return index.Landed{}, err
	}
	for _, b := range view {
		if b.Signature == signature {
			if b.Failed {
				return index.Landed{}, errors.New("a failed transaction is read")
			}
			return b.landed(), nil
		}
	}
	return index.Landed{}, onchain.ErrBehind
}

func (w *fixture) AccountsAt(_ context.Context, _ uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	if w.before != nil {
		if err := w.before("AccountsAt"); err != nil {
			return nil, 0, err
		}
	}
	list := make([]*onchain.Account, len(addresses))
	for i, a := range addresses {
		if list[i] = w.accounts[a]; w.accounts == nil && a == pool {
			list[i] = w.pool()
		}
	}
	return list, 1, nil
}

// pool is the pool's account after the history; nil before it is made. Its price is that
// after the last trade, and each trade changes the fees that it has seen.
func (w *fixture) pool() *onchain.Account {
	made, price, fees := false, uint64(1), uint64(0)
	for _, b := range w.history {
		if b.Failed {
			continue
		}
		made = made || b.made
		for _, s := range b.swaps {
			if s.pool == pool {
				price, fees = s.price, fees+1
			}
		}
	}
	if !made {
		return nil
	}
	return poolAccount(1000, price, fees)
}

// poolAccount is a pool's account (state/pool.rs).
func poolAccount(liquidity, price, fees uint64) *onchain.Account {
	const liquidityAt, feesAt, priceAt = 360, 408, 456
	data := make([]byte, meteora.PoolSize)
	copy(data, discriminator("account:Pool"))
	binary.LittleEndian.PutUint64(data[liquidityAt:], liquidity)
	binary.LittleEndian.PutUint64(data[feesAt:], fees)
	binary.LittleEndian.PutUint64(data[priceAt:], price)
	return &onchain.Account{Owner: meteora.Program, Data: data}
}

// truth returns the expected count up to and including a transaction; of all transactions if it is
// zero and the history is complete.
type truth struct {
	index     market.Index
	buyers    map[solana.PublicKey]bool
	completed time.Time // when a slot ended of which each trade left the price at the target
	held      bool      // whether a slot ended with the price at the target
	price     uint64    // after the last trade
	lowest    uint64    // of the slot
	begun     time.Time
	told      []market.Trade
}

func (w *fixture) truth(last solana.Signature, target uint64) truth {
	t := truth{buyers: map[solana.PublicKey]bool{}}
	if last.IsZero() {
		return t
	}
	for i, b := range w.history {
		if b.made {
			t.begun = b.At
		}
		for _, s := range b.swaps {
			if b.Failed || s.pool != pool {
				continue
			}
			t.index.Trades++
			if s.buy {
				t.index.Bought, t.index.Paid = t.index.Bought+s.tokens, t.index.Paid+s.lamports
				t.buyers[s.trader] = true
			} else {
				t.index.Sold, t.index.Received = t.index.Sold+s.tokens, t.index.Received+s.lamports
			}
			if t.lowest == 0 || s.price < t.lowest {
				t.lowest = s.price
			}
			in, out := s.seen()
			told := market.Trade{
				Number: t.index.Trades, Signature: b.Signature, Slot: b.Slot, At: b.At, Trader: s.trader, Bought: s.buy,
				Lamports: out, Tokens: in, Fee: s.fee, SqrtBefore: new(big.Int).SetUint64(max(t.price, 1)), SqrtAfter: new(big.Int).SetUint64(s.price),
			}
			if s.buy {
				told.Lamports, told.Tokens = in, out
			}
			t.told, t.price = append(t.told, told), s.price
		}
		if i+1 == len(w.history) || w.history[i+1].Slot != b.Slot { // the slot ends
			if t.completed.IsZero() && t.lowest >= target {
				t.completed = b.At
			}
			t.held, t.lowest = t.held || t.price >= target, 0
		}
		if b.Signature == last {
			t.index.Last, t.index.ChainSlot, t.index.Buyers = last, b.Slot, uint64(len(t.buyers))
			return t
		}
	}
	return truth{}
}

// candles are those of trades, made again: each price of an interval is read.
func candles(trades []market.Trade) market.Candles {
	all := market.Candles{}
	for _, interval := range market.Intervals() {
		by := map[int64][]market.Trade{}
		for _, t := range trades {
			length := int64(interval.Length() / time.Second)
			start := t.At.Unix() - t.At.Unix()%length
			by[start] = append(by[start], t)
		}
		for start, some := range by {
			prices := []*big.Int{some[0].SqrtBefore}
			c := market.Candle{Interval: interval, Start: time.Unix(start, 0).UTC(), Lamports: new(big.Int), Tokens: new(big.Int), Trades: uint64(len(some))}
			for _, t := range some {
				prices = append(prices, t.SqrtAfter)
				c.Lamports.Add(c.Lamports, new(big.Int).SetUint64(t.Lamports))
				c.Tokens.Add(c.Tokens, new(big.Int).SetUint64(t.Tokens))
			}
			c.Open, c.Close = prices[0], prices[len(prices)-1]
			c.High, c.Low = slices.MaxFunc(prices, (*big.Int).Cmp), slices.MinFunc(prices, (*big.Int).Cmp)
			all[c.Key()] = c
		}
	}
	return all
}

// same compares the printed forms.
func same(a, b any) bool { return fmt.Sprintf("%v", a) == fmt.Sprintf("%v", b) }

// newCurve is a curve that was just deployed.
func newCurve(target uint64) index.Curve {
	return index.Curve{
		Curve: market.Curve{
			Pool:           token.Pool{Kind: token.MeteoraDAMMv2, Address: pool, Mint: mint, CreatedAt: genesis.Add(time.Minute)},
			Position:       position,
			StartSqrtPrice: big.NewInt(1), TargetSqrtPrice: new(big.Int).SetUint64(target), Liquidity: big.NewInt(1000),
			State: token.CurveActive,
		},
	}
}
