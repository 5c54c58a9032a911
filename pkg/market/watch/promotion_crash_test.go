package watch_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/testkit/fault"
)

// payCase is a running promotion of a token, and a second one that was paid short
// and then twice, all on the chain and only the first is checked.
type payCase struct {
	*payFixture
	token         payToken
	first, second payOffer
}

func (g *payEnv) newCase(t *testing.T) payCase {
	t.Helper()
	s := payCase{payFixture: g.fixture(t)}
	s.token = s.payFixture.token(t)
	s.first = s.offer(t, s.token, 1)
	s.pay(t, s.first)
	s.clock.Pass(time.Second)
	s.second = s.offer(t, s.token, 2)
	short := s.transfer(s.second)
	short.Lamports--
	s.execute(t, s.token.creator, short)
	s.pay(t, s.second)
	s.execute(t, s.token.creator, s.transfer(s.second))
	return s
}

// begin starts the first promotion, once everything is finalized.
func (s payCase) begin(t *testing.T) {
	t.Helper()
	watcher := s.watcher(t, nil)
	watcher.Max = 1
	s.clock.Pass(time.Minute)
	_, err := watcher.Run(t.Context())
	payMust(t, err)
}

// run lets a watcher in a process work until it dies or is done.
func (s payCase) run(t *testing.T, p *fault.Process) {
	t.Helper()
	watcher := s.watcher(t, p)
	p.Run(func() { _, _ = watcher.Run(context.Background()) })
}

// end checks the end state: each promotion has begun once, and each
// payment that does not count was logged, twice at most where a watcher died.
func (s payCase) end(t *testing.T, limit int) {
	t.Helper()
	one, err := s.store.Promotion(t.Context(), s.first.id())
	payMust(t, err)
	two, err := s.store.Promotion(t.Context(), s.second.id())
	payMust(t, err)
	if !one.Paid() || !two.Paid() || one.PaidBy == two.PaidBy || !one.EndsAt.Equal(one.StartsAt.Add(day)) ||
		!two.StartsAt.Equal(one.EndsAt) || !two.EndsAt.Equal(one.EndsAt.Add(2*day)) {
		t.Errorf("paid by %s from %s to %s, and by %s from %s to %s", one.PaidBy, one.StartsAt, one.EndsAt, two.PaidBy, two.StartsAt, two.EndsAt)
	}
	if until := s.until(t, s.token); !until.Equal(two.EndsAt) {
		t.Errorf("featured until %s, want %s", until, two.EndsAt)
	}
	listed := s.shown(t)
	if len(listed) != 1 || listed[0].PromotionID != s.first.id() || !listed[0].StartsAt.Equal(one.StartsAt) || !listed[0].EndsAt.Equal(two.EndsAt) {
		t.Errorf("%d are featured", len(listed))
	}
	logged := map[string]int{}
	for _, r := range s.log.refusals(t, s.second.id()) {
		logged[r.Reason]++
		if r.Signature == two.PaidBy.String() {
			t.Errorf("the payment itself is logged as %s", r.Reason)
		}
	}
	for _, want := range []featured.Match{featured.WrongAmount, featured.Overpaid} {
		if n := logged[string(want)]; n < 1 || n > limit {
			t.Errorf("%s is logged %d times, want 1 to %d", want, n, limit)
		}
		delete(logged, string(want))
	}
	if len(logged) > 0 {
		t.Errorf("%v is logged too", logged)
	}
}

// TestWatcherSurvivesCrashAtEveryCall lets a watcher die, or its calls fail, before and after each
// call took effect: the next watcher reaches the same end.
func TestWatcherSurvivesCrashAtEveryCall(t *testing.T) {
	g := newPayEnv(t)
	whole := g.newCase(t)
	g.finalize(t)
	whole.begin(t)
	whole.clock.Pass(time.Minute)
	p := fault.NewProcess()
	whole.run(t, p)
	whole.end(t, 1)
	calls := p.Calls()
	if len(calls) < 10 {
		t.Fatalf("only %v", calls)
	}

	type hit struct {
		name string
		on   func(p *fault.Process, at fault.Match)
	}
	hits := []hit{
		{"crash before", (*fault.Process).KillBefore},
		{"crash after", (*fault.Process).KillAfter},
		{"down", func(p *fault.Process, at fault.Match) { p.On(at, fault.Down) }},
		{"reply lost", func(p *fault.Process, at fault.Match) { p.On(at, fault.ReplyLost) }},
	}
	var cases []payCase
	for range len(calls) * len(hits) {
		cases = append(cases, g.newCase(t))
	}
	g.finalize(t)
	for i, call := range calls {
		for j, h := range hits {
			t.Run(fmt.Sprintf("%s/%s", call, h.name), func(t *testing.T) {
				s := cases[i*len(hits)+j]
				s.begin(t)
				s.clock.Pass(time.Minute)
				p := fault.NewProcess()
				h.on(p, fault.Exactly(call))
				s.run(t, p)
				for range 2 {
					s.look(t)
				}
				s.end(t, 2)
			})
		}
	}
	t.Logf("%d cases", len(cases))
}

// payMeanwhile is a store in which something happens after a placement was read.
type payMeanwhile struct {
	watch.PromotionStore
	then func()
}

func (s *payMeanwhile) Placement(ctx context.Context, mint solana.PublicKey) (*featured.Placement, error) {
	placement, err := s.PromotionStore.Placement(ctx, mint)
	if s.then != nil {
		then := s.then
		s.then = nil
		then()
	}
	return placement, err
}

// TestPromotionThatStartsDuringLook tests that a promotion that starts during the check is
// extended, and not replaced.
func TestPromotionThatStartsDuringLook(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	first := w.offer(t, token, 1)
	w.clock.Pass(time.Second)
	second := w.offer(t, token, 2)
	w.pay(t, first)
	w.pay(t, second)
	w.finalize(t)
	w.clock.Pass(time.Minute)
	watcher := w.watcher(t, nil)
	watcher.Max = 1
	watcher.Store = &payMeanwhile{watcher.Store, func() {
		_, err := w.watcher(t, nil).Run(t.Context()) // finds the second one
		payMust(t, err)
	}}
	_, err := watcher.Run(t.Context())
	payMust(t, err)
	one, two := w.check(t, first, paySeen), w.check(t, second, paySeen)
	if !one.StartsAt.Equal(two.EndsAt) || !w.until(t, token).Equal(two.StartsAt.Add(3*day)) {
		t.Errorf("from %s to %s and from %s to %s, until %s", one.StartsAt, one.EndsAt, two.StartsAt, two.EndsAt, w.until(t, token))
	}
}

// TestWatchersRace lets several watchers each find the payments of several promotions of a token:
// all paid days are granted, each once.
func TestWatchersRace(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	const promotions = 6
	var offers []payOffer
	for range promotions {
		o := w.offer(t, token, 1)
		w.pay(t, o)
		offers = append(offers, o)
	}
	w.finalize(t)
	w.clock.Pass(time.Minute)
	begun := w.clock.Now()
	for range 3 { // one that loses too often leaves it to a later look
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = w.watcher(t, nil).Run(t.Context()) })
		}
		all.Wait()
		w.clock.Pass(time.Minute)
	}
	starts := map[time.Time]bool{}
	for _, o := range offers {
		p := w.check(t, o, paySeen)
		starts[p.StartsAt] = true
	}
	listed := w.shown(t)
	if len(starts) != promotions || len(listed) != 1 || !listed[0].StartsAt.Equal(begun) || !listed[0].EndsAt.Equal(begun.Add(promotions*day)) ||
		!w.until(t, token).Equal(begun.Add(promotions*day)) {
		t.Errorf("%d different starts, %d featured, until %s; begun at %s", len(starts), len(listed), w.until(t, token), begun)
	}
}

// TestConcurrentWatchersCountTransferOnce tests a transfer that names the references of two
// promotions.
func TestConcurrentWatchersCountTransferOnce(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token, twin := w.token(t), w.token(t)
	twin.creator = token.creator
	w.give(t, twin)
	const rounds = 5
	var pairs [rounds][2]payOffer
	for i := range pairs {
		pairs[i] = [2]payOffer{w.offer(t, token, 1), w.offer(t, twin, 1)}
		both := w.transfer(pairs[i][0])
		both.References = append(both.References, pairs[i][1].Promotion.Reference)
		w.execute(t, token.creator, both)
	}
	w.finalize(t)
	w.clock.Pass(time.Minute)
	for range 3 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = w.watcher(t, nil).Run(t.Context()) })
		}
		all.Wait()
		w.clock.Pass(time.Minute)
	}
	for _, pair := range pairs {
		paid := 0
		for _, o := range pair {
			p, err := w.store.Promotion(t.Context(), o.id())
			payMust(t, err)
			if p.Paid() {
				paid++
			}
		}
		if paid != 1 {
			t.Errorf("one transfer paid for %d promotions", paid)
		}
	}
}
