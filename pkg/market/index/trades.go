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
	// Trader is the wallet that signed the trade, or the account of a router; zero if an unknown
	// instruction made the trade.
	Trader solana.PublicKey
	meteora.Swap
}

// Read returns the trades of a transaction in a pool, in the order of execution, and reports
// whether the transaction created the pool. The amounts are from the program's events, which only
// the program can write. A swap without a known event is left out; see unread.
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

// unread returns the number of a transaction's swaps, in any pool, without a known event. Such
// swaps come from a new version of the program.
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

// account returns an account of an instruction, or the zero key if the instruction has fewer
// accounts.
func account(in Instruction, i int) solana.PublicKey {
	if i < 0 || i >= len(in.Accounts) {
		return solana.PublicKey{}
	}
	return in.Accounts[i]
}

// page accumulates transactions.
type page struct {
	Page
	curve  Curve
	buyers map[solana.PublicKey]bool
	// The current slot: the time, the lowest price after a trade of the slot (nil without a trade),
	// and whether a part of the slot is outside the page.
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

// errNoBeginning is returned if a node's history of a pool begins after the pool's creation, or
// ends before the creation.
var errNoBeginning = fmt.Errorf("the history lacks what made the pool: %w", onchain.ErrBehind)

// errFull is returned for a transaction that must begin the next page.
var errFull = errors.New("the page has no room")

// add adds a listed transaction, completely or not at all. It returns errFull if the page has no
// room for the transaction, and onchain.ErrBehind if the history lacks the pool's creation.
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

// room returns an error unless the page has room for a transaction's trades and buyers, because one
// transaction of the store writes the whole page.
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
	case rows > MaxRows || len(added) > MaxTrades:
		return fmt.Errorf("it has %d trades of %d buyers, more than a page takes", len(added), len(buyers))
	case rows+more > MaxRows || len(added)+len(p.Added) > MaxTrades:
		return errFull
	}
	return nil
}

// inSlot adds the trades of a transaction to the current slot.
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

// endSlot completes the curve if the slot ended at the target. Every trade of the slot must have
// left the price there, because nodes list the transactions of a slot in any order. So tokens that
// are bought and sold again in a transaction or in a slot complete no curve.
func (p *page) endSlot() {
	if p.CompletedAt.IsZero() && p.lowest != nil && !p.partly && p.lowest.Cmp(p.curve.TargetSqrtPrice) >= 0 {
		p.CompletedAt = p.slotAt
	}
}

// newBuyers returns the buyers among trades that are not among the page's buyers, without
// duplicates.
func (p *page) newBuyers(trades []Trade) []solana.PublicKey {
	var found []solana.PublicKey
	for _, t := range trades {
		if t.Direction == meteora.Buy && !t.Trader.IsZero() && !p.buyers[t.Trader] && !slices.Contains(found, t.Trader) {
			found = append(found, t.Trader)
		}
	}
	return found
}

// lastSecond is the end of the year 9999. Later years have more than four digits.
const lastSecond = 253_402_300_799

// tradedAt returns the time of a trade: the time of the block or, if the node has no plausible time
// of the block, the program's clock.
func tradedAt(block time.Time, clock int64, otherwise time.Time) time.Time {
	for _, at := range []time.Time{block, time.Unix(clock, 0).UTC()} {
		if at.Unix() > 0 && at.Unix() <= lastSecond {
			return at
		}
	}
	return otherwise
}

// count adds a trade of a listed transaction.
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

// tally adds an amount to a sum. If the sum overflows, tally subtracts the common part from both
// sums, because only the difference matters. It returns false if the sum still overflows.
func tally(sum, opposite *uint64, amount uint64) bool {
	if *sum+amount < amount {
		both := min(*sum, *opposite)
		*sum, *opposite = *sum-both, *opposite-both
	}
	*sum += amount
	return *sum >= amount
}
