package index_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
)

// How long the crowd's node and store take to answer: a provider's usual times, from the
// same continent.
const (
	listTakes     = 60 * time.Millisecond
	readTakes     = 40 * time.Millisecond
	accountsTake  = 80 * time.Millisecond
	writeTakes    = 15 * time.Millisecond
	followedTakes = 300 * time.Millisecond
	batchTakes    = 15 * time.Millisecond
)

// crowd is a chain with many curves, its node, and the store of what was counted. Its time
// is that of the bubble that it lives in.
type crowd struct {
	mu     sync.Mutex
	begun  time.Time
	curves []*crowded // number 0 is spammed
	// late is the longest that a trade of another curve waited, slowest that of number 0.
	late, slowest time.Duration
	reads, writes int
	counted       uint64
	restless      map[int]int // writes by curve
}

// crowded is a curve whose trades come every so often.
type crowded struct {
	index.Curve
	dueAt        time.Time
	first, every time.Duration // after begun; every 0: never
}

const fromNumber = 8 // where a key has the number of its curve

func crowdKey(kind byte, curve int) (key solana.PublicKey) {
	key[0] = kind
	binary.BigEndian.PutUint64(key[fromNumber:], uint64(curve))
	return key
}

func curveOf(key []byte) int { return int(binary.BigEndian.Uint64(key[fromNumber:])) }

// signed is transaction n of a curve; transaction 0 makes its pool.
func signed(curve, n int) (s solana.Signature) {
	s[0] = 1
	binary.BigEndian.PutUint64(s[fromNumber:], uint64(curve))
	binary.BigEndian.PutUint64(s[2*fromNumber:], uint64(n))
	return s
}

func numberOf(s solana.Signature) int { return int(binary.BigEndian.Uint64(s[2*fromNumber:])) }

func newCrowd(curves, traded int, spam time.Duration) *crowd {
	random := rand.New(rand.NewPCG(19, 1))
	c := &crowd{begun: time.Now(), restless: map[int]int{}}
	for i := range curves {
		one := &crowded{Curve: newCurve(1 << 62), dueAt: c.begun.Add(time.Duration(random.Int64N(int64(24 * time.Hour))))}
		one.Address, one.Mint, one.CreatedAt, one.BegunAt = crowdKey('p', i), crowdKey('m', i), c.begun, c.begun
		one.Index = market.Index{Last: signed(i, 0), ChainSlot: 1}
		switch {
		case i == 0:
			one.every = spam
		case i < traded:
			one.first, one.every = time.Duration(random.Int64N(int64(time.Minute))), 30*time.Second+time.Duration(random.Int64N(int64(time.Minute)))
		}
		c.curves = append(c.curves, one)
	}
	return c
}

// at is when transaction n of a curve landed.
func (c *crowd) at(curve, n int) time.Time {
	one := c.curves[curve]
	if n == 0 {
		return c.begun.Add(-time.Hour)
	}
	return c.begun.Add(one.first + time.Duration(n-1)*one.every)
}

// newest is the number of the last transaction of a curve by now.
func (c *crowd) newest(curve int) int {
	one := c.curves[curve]
	if passed := time.Since(c.begun); one.every > 0 && passed >= one.first {
		return int((passed-one.first)/one.every) + 1
	}
	return 0
}

// slot is that of a transaction: 400 ms long.
func (c *crowd) slot(curve, n int) uint64 {
	if n == 0 {
		return 1
	}
	return 10 + uint64(c.at(curve, n).Sub(c.begun)/(400*time.Millisecond))
}

func price(n int) uint64 { return uint64(n) + 1 }

func (c *crowd) ask(d time.Duration) {
	time.Sleep(d)
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
}

func (c *crowd) Signatures(_ context.Context, address solana.PublicKey, before solana.Signature, limit int) ([]index.Listed, error) {
	c.ask(listTakes)
	curve := curveOf(address[:])
	n := c.newest(curve)
	if !before.IsZero() {
		n = numberOf(before) - 1
	}
	var list []index.Listed
	for ; n >= 0 && len(list) < limit; n-- {
		list = append(list, index.Listed{Signature: signed(curve, n), Slot: c.slot(curve, n), At: c.at(curve, n)})
	}
	return list, nil
}

func (c *crowd) Transaction(_ context.Context, signature solana.Signature) (index.Landed, error) {
	c.ask(readTakes)
	curve, n := curveOf(signature[:]), numberOf(signature)
	bought := swap{pool: crowdKey('p', curve), trader: solana.PublicKey{9}, buy: true, tokens: 1, lamports: 1, price: price(n)}
	return index.Landed{Slot: c.slot(curve, n), Instructions: bought.executed()}, nil
}

func (c *crowd) AccountsAt(_ context.Context, _ uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	c.ask(accountsTake)
	list := make([]*onchain.Account, len(addresses))
	for i, a := range addresses {
		n := c.newest(curveOf(a[:]))
		list[i] = poolAccount(1000, price(n), uint64(n))
	}
	return list, 1, nil
}

func (c *crowd) Followed(context.Context) (list []index.Entry, err error) {
	time.Sleep(followedTakes)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.curves {
		list = append(list, index.Entry{Mint: one.Mint, DueAt: one.dueAt})
	}
	return list, nil
}

func (c *crowd) Curves(_ context.Context, mints ...solana.PublicKey) (list []index.Curve, err error) {
	time.Sleep(time.Duration(len(mints)/100) * batchTakes)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, mint := range mints {
		list = append(list, c.curves[curveOf(mint[:])].Curve)
	}
	return list, nil
}

func (c *crowd) write(mint solana.PublicKey) (curve int) {
	time.Sleep(writeTakes)
	c.mu.Lock()
	c.writes++
	curve = curveOf(mint[:])
	c.restless[curve]++
	return curve
}

func (c *crowd) Apply(_ context.Context, was index.Curve, p index.Page) (index.Curve, error) {
	curve := c.write(was.Mint)
	defer c.mu.Unlock()
	one := c.curves[curve]
	if one.Index.Last != was.Index.Last {
		return index.Curve{}, index.ErrTaken
	}
	oldest := time.Since(c.at(curve, numberOf(was.Index.Last)+1))
	if curve == 0 {
		c.slowest = max(c.slowest, oldest)
	} else {
		c.late = max(c.late, oldest)
	}
	c.counted += p.Trades - one.Index.Trades
	one.Index, one.Within, one.Walk, one.SqrtPrice = p.Index, p.Within, p.Walk, p.SqrtPrice
	return one.Curve, nil
}

func (c *crowd) Rest(_ context.Context, was index.Curve, walk solana.Signature, next time.Time) error {
	curve := c.write(was.Mint)
	defer c.mu.Unlock()
	c.curves[curve].Walk, c.curves[curve].dueAt = walk, next
	return nil
}

func (c *crowd) Cancel(context.Context, index.Curve) error { return fmt.Errorf("a curve is cancelled") }

// 1,000 of 10,000 curves trade, about once a minute, and one of these is spammed with a hundred
// trades a second. Each trade of the other 999 is counted within a minute, even after a restart of
// the process and with a late schedule. The other 9,000 cost a write a day.
func TestBusyCurveDelaysNoOther(t *testing.T) {
	const minutes, curves, traded = 10, 10_000, 1_000
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(curves, traded, 10*time.Millisecond)
		x := index.New(c, c, slog.New(slog.DiscardHandler))
		random := rand.New(rand.NewPCG(19, 2))
		for minute := range minutes {
			time.Sleep(time.Until(c.begun.Add(time.Duration(minute)*time.Minute + time.Duration(random.Int64N(int64(5*time.Second))))))
			if minute == minutes/2 {
				x.Memory = &index.Memory{}
			}
			step := x.Step()
			ctx, cancel := context.WithTimeout(t.Context(), step.Within)
			if _, err := step.Run(ctx); err != nil {
				t.Fatal(err)
			}
			cancel()
		}
		for i := 1; i < traded; i++ { // what is not counted yet
			if n := numberOf(c.curves[i].Index.Last); n < c.newest(i) {
				c.late = max(c.late, time.Since(c.at(i, n+1)))
			}
		}
		idle := 0
		for i := traded; i < curves; i++ {
			idle += c.restless[i]
		}
		behind := time.Since(c.at(0, numberOf(c.curves[0].Index.Last)+1))
		t.Logf("%d curves, %d traded, one of them 100 times a second, for %d minutes: the others' trades wait %.1f s at most; "+
			"%d trades counted a minute, %.0f calls of the node a second; the spammed curve is %s late; %d writes for %d idle curves",
			curves, traded, minutes, c.late.Seconds(), c.counted/minutes, float64(c.reads)/time.Since(c.begun).Seconds(),
			behind.Round(time.Second), idle, curves-traded)
		if c.late > time.Minute {
			t.Errorf("a trade of another curve waited %s", c.late)
		}
		if maximum := (curves - traded) * minutes / (24 * 60) * 2; idle > maximum {
			t.Errorf("%d writes for curves without trades, want at most %d", idle, maximum)
		}
		if c.curves[0].Index.Trades == 0 {
			t.Error("the spammed curve is not followed at all")
		}
	})
}

// A minute has two passes while a curve trades, and one otherwise: if the chain lacks the program,
// or after all curves are complete.
func TestPassesPerMinute(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*bench)
		waits  int
	}{
		"a curve trades":       {func(*bench) {}, 1},
		"the pool is missing":  {func(b *bench) { b.accounts = map[solana.PublicKey]*onchain.Account{} }, 0},
		"the curve is gone":    {func(b *bench) { b.ended = true }, 0},
		"it is complete":       {func(b *bench) { b.curve.State, b.dueAt = token.CurveCompleted, genesis.Add(time.Hour) }, 0},
		"the process is ended": {func(b *bench) { b.Wait = nil }, 0},
	} {
		b := newBench(at(1), at(2, buying(1)))
		waits := 0
		wait := func(context.Context, time.Duration) error { waits++; return nil }
		b.Wait = wait
		if c.change(b); b.Wait == nil {
			b.Wait = func(context.Context, time.Duration) error { return context.Canceled }
		}
		if _, err := b.Step().Run(t.Context()); err != nil || waits != c.waits {
			t.Errorf("%s: waited %d times, %v", name, waits, err)
		}
	}
}

// A purchase that is reversed in the same transaction or slot completes no curve. A target reached
// at the end of a slot completes the curve, even if the tokens are sold before the next pass, and
// so does a pool at the target whose trades are not counted yet.
func TestRoundTripCompletesNothing(t *testing.T) {
	up, down := buying(1), buying(1)
	up.price, down.price, down.buy = target, 7, false
	late := at(3, down)
	late.Slot, late.Signature = 2, solana.Signature{3, 1}
	held := poolAccount(1000, target, 5)
	for name, c := range map[string]struct {
		history []block
		pool    *onchain.Account
		want    token.CurveState
	}{
		"in one transaction":     {[]block{at(1), at(2, up, down), at(3)}, nil, token.CurveActive},
		"in one slot":            {[]block{at(1), at(2, up), late}, nil, token.CurveActive},
		"in two slots":           {[]block{at(1), at(2, up), at(3, down)}, nil, token.CurveCompleted},
		"held":                   {[]block{at(1), at(2, down, up)}, nil, token.CurveCompleted},
		"the trades are to come": {[]block{at(1)}, held, token.CurveCompleted},
	} {
		b := newBench(c.history...)
		if c.pool != nil {
			b.accounts = map[solana.PublicKey]*onchain.Account{pool: c.pool}
		}
		if report := b.run(t); b.curve.State != c.want || (report.Completed == 1) != (c.want == token.CurveCompleted) {
			t.Errorf("%s: curve %s, report %+v; want state %s", name, b.curve.State, report, c.want)
		}
	}
	b := newBench(at(1), at(2, up), at(3, down))
	b.run(t)
	if want := genesis.Add(2 * time.Second); !b.curve.CompletedAt.Equal(want) || b.curve.StartSqrtPrice.Cmp(big.NewInt(1)) != 0 {
		t.Errorf("complete at %s, want the slot's time, %s", b.curve.CompletedAt, want)
	}
}
