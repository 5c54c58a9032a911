package index

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Trade is a swap in a curve's pool.
type Trade struct {
	// Trader is the wallet that signed for it, or the account of a router; zero where
	// an instruction that is not known made it.
	Trader solana.PublicKey
	meteora.Swap
}

// Read gives the trades of a transaction in a pool, in the order of their execution,
// and says whether it made the pool. Amounts are those of the program's events, which
// only the program can write. A swap that wrote none that is known is left out; see unread.
func Read(pool solana.PublicKey, l Landed) (trades []Trade, made bool) {
	var trader solana.PublicKey
	for _, in := range l.Instructions {
		if in.Program != meteora.Program {
			continue
		}
		kind := meteora.InstructionKind(in.Data)
		switch {
		case kind == meteora.KindCreatePool:
			made = made || account(in, kind.PoolIndex()) == pool
		case kind.IsSwap() && account(in, kind.PoolIndex()) == pool:
			trader = account(in, kind.SignerIndex())
		case kind == meteora.KindEvent && account(in, 0) == meteora.EventAuthority:
			if swap, ok := meteora.DecodeSwap(in.Data); ok && swap.Pool == pool {
				trades = append(trades, Trade{Trader: trader, Swap: swap})
				trader = solana.PublicKey{}
			}
		}
	}
	return trades, made
}

// unread counts the swaps of a transaction, in any pool, that did not write an event that
// is known: those of a new version of the program.
func unread(l Landed) (n int) {
	for _, in := range l.Instructions {
		if in.Program != meteora.Program {
			continue
		}
		switch kind := meteora.InstructionKind(in.Data); {
		case kind.IsSwap():
			n++
		case kind == meteora.KindEvent && account(in, 0) == meteora.EventAuthority:
			if _, ok := meteora.DecodeSwap(in.Data); ok {
				n--
			}
		}
	}
	return max(n, 0)
}

// account gives an account of an instruction, or the zero key where it has not so
// many.
func account(in Instruction, i int) solana.PublicKey {
	if i < 0 || i >= len(in.Accounts) {
		return solana.PublicKey{}
	}
	return in.Accounts[i]
}

// page adds transactions up.
type page struct {
	Page
	curve  Curve
	buyers map[solana.PublicKey]bool
	// The slot that is added up: its time, the lowest price after a trade in it, nil while
	// it has none, and whether a part of it is not in the page.
	slot   uint64
	slotAt time.Time
	lowest *big.Int
	partly bool
}

func newPage(c Curve) *page {
	return &page{
		Page:  Page{Index: c.Index, BegunAt: c.BegunAt, Walk: c.Walk, SqrtPrice: c.SqrtPrice, Candles: market.Candles{}},
		curve: c, buyers: map[solana.PublicKey]bool{},
	}
}

// errNoBeginning: the node's history of a pool begins after the pool was made, or ends
// before.
var errNoBeginning = fmt.Errorf("the history lacks what made the pool: %w", onchain.ErrBehind)

// errFull: the transaction is to begin the next page.
var errFull = errors.New("the page has no room")

// add adds a transaction as it was listed, whole or not at all. It fails with errFull when the
// page has no room for what it did, and with onchain.ErrBehind when the history lacks its
// beginning.
func (p *page) add(l Landed, listed Listed) error {
	if l.Failed {
		return nil
	}
	at := listed.At
	trades, made := Read(p.curve.Address, l)
	begun := p.BegunAt
	if made && begun.IsZero() {
		begun = at
		if begun.IsZero() {
			begun = p.curve.CreatedAt
		}
	}
	if len(trades) > 0 && begun.IsZero() {
		return errNoBeginning
	}
	sums, buyers := p.Page, p.newBuyers(trades)
	for _, t := range trades {
		if err := sums.count(t, p.curve, listed); err != nil {
			return err
		}
	}
	added := sums.Added[len(p.Added):]
	if err := p.room(buyers, added); err != nil {
		return err
	}
	for _, t := range added {
		p.Candles.Add(t)
	}
	p.inSlot(l.Slot, at, trades)
	sums.CompletedAt = p.CompletedAt
	sums.BegunAt, sums.NewBuyers = begun, append(p.NewBuyers, buyers...)
	for _, b := range buyers {
		p.buyers[b] = true
	}
	p.Page = sums
	return nil
}

// room says whether the page has room for what a transaction did: all of the page is written
// at once.
func (p *page) room(buyers []solana.PublicKey, added []market.Trade) error {
	own := market.Candles{}
	for _, t := range added {
		own.Add(t)
	}
	rows, more := len(buyers)+len(own), len(p.NewBuyers)+len(p.Candles)
	for key := range own {
		if _, there := p.Candles[key]; there {
			more--
		}
	}
	switch {
	case rows > MostRows || len(added) > MostTrades:
		return fmt.Errorf("it has %d trades of %d buyers, more than a page takes", len(added), len(buyers))
	case rows+more > MostRows || len(added)+len(p.Added) > MostTrades:
		return errFull
	}
	return nil
}

// inSlot adds the trades of a transaction to those of its slot.
func (p *page) inSlot(slot uint64, at time.Time, trades []Trade) {
	if slot != p.slot {
		p.endSlot()
		p.slot, p.lowest = slot, nil
		p.partly = p.curve.Within && slot == p.curve.Index.ChainSlot
	}
	p.slotAt = at
	for _, t := range trades {
		if p.slotAt.IsZero() {
			p.slotAt = time.Unix(t.Timestamp, 0).UTC()
		}
		if p.lowest == nil || t.NextSqrtPrice.Cmp(p.lowest) < 0 {
			p.lowest = t.NextSqrtPrice
		}
	}
}

// endSlot completes the curve when the slot ended at the target: when each of its trades
// left the price there, for nodes list the transactions of a slot in any order. So what is
// bought and sold again in one transaction, or in one slot, completes nothing.
func (p *page) endSlot() {
	if p.CompletedAt.IsZero() && p.lowest != nil && !p.partly && p.lowest.Cmp(p.curve.TargetSqrtPrice) >= 0 {
		p.CompletedAt = p.slotAt
	}
}

// newBuyers gives who buys and is not among the page's buyers, each once.
func (p *page) newBuyers(trades []Trade) []solana.PublicKey {
	var found []solana.PublicKey
	for _, t := range trades {
		if t.Direction == meteora.Buy && !t.Trader.IsZero() && !p.buyers[t.Trader] && !slices.Contains(found, t.Trader) {
			found = append(found, t.Trader)
		}
	}
	return found
}

// lastSecond is the end of the year 9999: later times have no form of four digits.
const lastSecond = 253_402_300_799

// tradedAt is when a trade was made: by its block, or by the program's clock where the node has
// no time of the block that can be.
func tradedAt(block time.Time, clock int64, otherwise time.Time) time.Time {
	for _, at := range []time.Time{block, time.Unix(clock, 0).UTC()} {
		if at.Unix() > 0 && at.Unix() <= lastSecond {
			return at
		}
	}
	return otherwise
}

// count adds a trade of a transaction that was listed.
func (p *Page) count(t Trade, c Curve, listed Listed) error {
	out, back, in, off := &p.Bought, &p.Sold, &p.Paid, &p.Received
	if t.Direction == meteora.Sell {
		out, back, in, off = back, out, off, in
	}
	if !tally(out, back, t.Tokens) || !tally(in, off, t.Lamports) {
		return errors.New("more came out of the pool than there can be")
	}
	before := p.SqrtPrice
	if before == nil {
		before = c.StartSqrtPrice
	}
	p.Trades++
	p.SqrtPrice = t.NextSqrtPrice
	told := market.Trade{
		Number: p.Trades, Signature: listed.Signature, Slot: listed.Slot, At: tradedAt(listed.At, t.Timestamp, c.CreatedAt),
		Trader: t.Trader, Bought: t.Direction == meteora.Buy, Lamports: t.AmountOut, Tokens: t.AmountIn, Fee: t.Fee,
		SqrtBefore: before, SqrtAfter: t.NextSqrtPrice,
	}
	if told.Bought {
		told.Lamports, told.Tokens = told.Tokens, told.Lamports
	}
	p.Added = append(p.Added, told)
	return nil
}

// tally adds an amount to a sum. When the sum becomes too long, what went one way
// and came back is taken off both sums: their difference is what counts. It is false
// when that does not help.
func tally(sum, opposite *uint64, amount uint64) bool {
	if *sum+amount < amount {
		both := min(*sum, *opposite)
		*sum, *opposite = *sum-both, *opposite-both
	}
	*sum += amount
	return *sum >= amount
}
