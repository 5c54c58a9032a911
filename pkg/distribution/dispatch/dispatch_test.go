package dispatch_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/terms"
)

// fixture holds the lists of due tokens and both queues. Time goes by with every
// page that is read.
type fixture struct {
	now     time.Time
	perPage time.Duration
	size    int // of a page
	due     map[int][]solana.PublicKey
	overdue []dispatch.Run
	claims  []solana.PublicKey
	looks   []solana.PublicKey
	shards  []dispatch.Shard
	runs    []dispatch.Delayed
	fail    map[string]error
}

func (w *fixture) Page(_ context.Context, _ dispatch.Slot, shard int, after string) ([]solana.PublicKey, string, error) {
	w.now = w.now.Add(w.perPage)
	all := w.due[shard]
	from, _ := strconv.Atoi(after)
	to := min(from+w.size, len(all))
	if to == len(all) {
		return all[from:to], "", w.fail["page"]
	}
	return all[from:to], strconv.Itoa(to), w.fail["page"]
}

func (w *fixture) Overdue(_ context.Context, now time.Time, limit int) ([]dispatch.Run, error) {
	if !now.Equal(w.now) {
		return nil, fmt.Errorf("overdue at %s, and it is %s", now, w.now)
	}
	return w.overdue[:min(limit, len(w.overdue))], w.fail["overdue"]
}

func (w *fixture) ClaimsDue(_ context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	if !now.Equal(w.now) {
		return nil, fmt.Errorf("claims due at %s, and it is %s", now, w.now)
	}
	return w.claims[:min(limit, len(w.claims))], w.fail["claims"]
}

func (w *fixture) LooksDue(_ context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	if !now.Equal(w.now) {
		return nil, fmt.Errorf("looks due at %s, and it is %s", now, w.now)
	}
	return w.looks[:min(limit, len(w.looks))], w.fail["looks"]
}

func (w *fixture) SendShards(_ context.Context, shards []dispatch.Shard) error {
	w.shards = append(w.shards, shards...)
	return w.fail["shards"]
}

func (w *fixture) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	w.runs = append(w.runs, runs...)
	return w.fail["runs"]
}

func (w *fixture) dispatcher() dispatch.Dispatcher {
	return dispatch.Dispatcher{
		Due: w, Ledger: w, Shards: w, Runs: w, MaxOverdue: 100, Spread: dispatch.MaxSpread,
		Now: func() time.Time { return w.now },
	}
}

func mint(n int) (key solana.PublicKey) {
	binary.BigEndian.PutUint64(key[:], uint64(n))
	return key
}

func newFixture(tokens int) *fixture {
	w := &fixture{now: noon, size: 100, due: map[int][]solana.PublicKey{}, fail: map[string]error{}}
	for n := range tokens {
		shard := dispatch.ShardOf(mint(n))
		w.due[shard] = append(w.due[shard], mint(n))
	}
	return w
}

var hourly = dispatch.Slot{Interval: terms.EveryHour, At: noon}

// Every token of a slot is queued once, for that slot and after its own delay, by the call that
// opens the slot where lists are short and by messages where lists are long, have many pages or
// cannot be read.
func TestSlotQueuesEveryToken(t *testing.T) {
	for _, c := range []struct {
		name                    string
		tokens, size, handedOut int
		fail                    string
		perPage                 time.Duration
	}{
		{name: "no token", size: 100},
		{name: "short lists", tokens: 500, size: 100},
		{name: "long lists", tokens: 5000, size: 1000, handedOut: dispatch.Shards},
		{name: "lists of many pages", tokens: 500, size: 10, handedOut: dispatch.Shards},
		{name: "lists that cannot be read", tokens: 500, size: 100, fail: "page", handedOut: dispatch.Shards},
		{name: "runs that cannot be queued", tokens: 500, size: 100, fail: "runs", handedOut: dispatch.Shards},
		{name: "no time for all", tokens: 500, size: 100, perPage: 10 * time.Second, handedOut: dispatch.Shards - 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newFixture(c.tokens)
			w.size, w.perPage = c.size, c.perPage
			if c.fail != "" {
				w.fail[c.fail] = errors.New("away")
			}
			d := w.dispatcher()
			queued, err := d.OpenSlot(deadline{t.Context(), noon.Add(30 * time.Second)}, hourly)
			if err != nil || queued.Done != (c.handedOut == 0) || len(w.shards) != c.handedOut {
				t.Fatalf("%+v and %d messages, %v; want %d messages", queued, len(w.shards), err, c.handedOut)
			}
			clear(w.fail)
			if c.fail == "runs" {
				w.runs = nil // what was queued before the failure may come twice
			}
			for len(w.shards) > 0 {
				shard := w.shards[0]
				w.shards = w.shards[1:]
				if queued, err := d.QueueShard(t.Context(), shard); err != nil || !queued.Done {
					t.Fatalf("%+v, %v", queued, err)
				}
			}
			seen := map[solana.PublicKey]bool{}
			for _, r := range w.runs {
				seen[r.Mint] = true
				if !r.Slot.Equal(noon) || r.Delay != dispatch.Delay(terms.EveryHour, r.Mint, dispatch.MaxSpread) {
					t.Errorf("%+v", r)
				}
			}
			if len(seen) != c.tokens || len(w.runs) != c.tokens {
				t.Errorf("%d tokens and %d runs, want %d", len(seen), len(w.runs), c.tokens)
			}
		})
	}
}

// A slot that no token is due in queues nothing.
func TestEmptySlotTakesOneCall(t *testing.T) {
	w := newFixture(0)
	w.fail["runs"], w.fail["shards"] = errors.New("asked"), errors.New("asked")
	if queued, err := w.dispatcher().OpenSlot(t.Context(), hourly); err != nil || queued != (dispatch.Queued{Pages: dispatch.Shards, Done: true}) {
		t.Errorf("%+v, %v", queued, err)
	}
}

// When the time is over the rest is left to another message, and a message never
// ends without a page.
func TestShardContinuesInAnotherMessage(t *testing.T) {
	for perPage, messages := range map[time.Duration]int{
		0: 1, time.Second: 1, 6 * time.Second: 3, time.Minute: 10,
	} {
		w := newFixture(0)
		for n := range 1000 {
			w.due[3] = append(w.due[3], mint(n))
		}
		w.perPage = perPage
		w.shards = []dispatch.Shard{{Slot: hourly, Number: 3}}
		handled := 0
		for ; len(w.shards) > 0; handled++ {
			shard := w.shards[0]
			w.shards = w.shards[1:]
			ctx := deadline{t.Context(), w.now.Add(29 * time.Second)}
			queued, err := w.dispatcher().QueueShard(ctx, shard)
			if err != nil || queued.Pages == 0 || queued.Done != (len(w.shards) == 0) {
				t.Fatalf("%s a page: %+v, %v", perPage, queued, err)
			}
			if late := w.now.Sub(ctx.at); perPage < 20*time.Second && late > 0 {
				t.Errorf("%s a page: %s too late", perPage, late)
			}
		}
		if handled != messages || len(w.runs) != 1000 {
			t.Errorf("%s a page: %d messages for %d runs, want %d for 1000", perPage, handled, len(w.runs), messages)
		}
	}
}

// deadline is a context whose deadline is of the fixture's time.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

func TestFailureIsReported(t *testing.T) {
	away := errors.New("away")
	for _, part := range []string{"page", "runs", "shards", "overdue"} {
		w := newFixture(2000)
		w.overdue = []dispatch.Run{{Mint: mint(1), Slot: noon}}
		w.perPage = time.Minute
		w.fail[part] = away
		d := w.dispatcher()
		ctx := deadline{t.Context(), noon}
		_, queueErr := d.QueueShard(ctx, dispatch.Shard{Slot: hourly})
		_, sweepErr := d.Sweep(t.Context())
		_, openErr := d.OpenSlot(deadline{t.Context(), noon}, hourly)
		for name, c := range map[string]struct {
			err  error
			want bool
		}{
			"open":  {openErr, part == "shards"},
			"queue": {queueErr, part == "page" || part == "runs" || part == "shards"},
			"sweep": {sweepErr, part == "overdue" || part == "runs"},
		} {
			if errors.Is(c.err, away) != c.want {
				t.Errorf("%s without %s: %v", name, part, c.err)
			}
		}
	}
}

func TestSweepQueuesOverdueRunsAtOnce(t *testing.T) {
	w := newFixture(0)
	for n := range 150 {
		w.overdue = append(w.overdue, dispatch.Run{Mint: mint(n), Slot: noon})
	}
	n, err := w.dispatcher().Sweep(t.Context())
	if err != nil || n != 100 || len(w.runs) != 100 || slices.ContainsFunc(w.runs, func(r dispatch.Delayed) bool { return r.Delay != 0 || !r.Swept }) {
		t.Errorf("%d of %d queued, %v", n, len(w.runs), err)
	}
}

// Delays fill the first half of the interval and at most 15 minutes, evenly, and
// so do the shards.
func TestTokensAreSpreadEvenly(t *testing.T) {
	const tokens = 20_000
	for interval, within := range map[terms.Interval]time.Duration{
		terms.Every5Minutes: 150 * time.Second, terms.Every15Minutes: 450 * time.Second,
		terms.Every30Minutes: 15 * time.Minute, terms.Every24Hours: 15 * time.Minute,
	} {
		var tenths [10]int
		for n := range tokens {
			delay := dispatch.Delay(interval, mint(n), time.Hour)
			if delay < 0 || delay >= within || delay%time.Second != 0 {
				t.Fatalf("%s: a delay of %s", interval, delay)
			}
			tenths[delay*10/within]++
		}
		for i, n := range tenths {
			if n < tokens/10*8/10 || n > tokens/10*12/10 {
				t.Errorf("%s: %d of %d tokens in tenth %d", interval, n, tokens, i)
			}
		}
	}
	for n := range 100 {
		if delay := dispatch.Delay(terms.EveryHour, mint(n), 0); delay != 0 {
			t.Errorf("a delay of %s", delay)
		}
		if delay := dispatch.Delay(terms.EveryHour, mint(n), 10*time.Second); delay >= 10*time.Second {
			t.Errorf("a delay of %s", delay)
		}
	}
	var shards [dispatch.Shards]int
	for n := range tokens {
		shards[dispatch.ShardOf(mint(n))]++
	}
	for i, n := range shards {
		if n < tokens/dispatch.Shards*8/10 || n > tokens/dispatch.Shards*12/10 {
			t.Errorf("%d of %d tokens in shard %d", n, tokens, i)
		}
	}
}

// Tokens are stored under their shard, so it never changes.
func TestShardsStayWhatTheyAre(t *testing.T) {
	if got := fmt.Sprint(dispatch.ShardOf(mint(1)), dispatch.ShardOf(mint(2)), dispatch.ShardOf(solana.WrappedSol)); got != "14 13 6" {
		t.Errorf("shards %s", got)
	}
}

func TestPausesGrow(t *testing.T) {
	var all time.Duration
	for n := 1; n < dispatch.Receives; n++ {
		if dispatch.Pause(n) > dispatch.Pause(n+1) || dispatch.Pause(n) <= 0 {
			t.Errorf("a pause of %s and then of %s", dispatch.Pause(n), dispatch.Pause(n+1))
		}
		all += dispatch.Pause(n)
	}
	if all < 15*time.Minute || all > time.Hour {
		t.Errorf("a message is tried for %s", all)
	}
}

func TestSweepQueuesWaitingClaims(t *testing.T) {
	w := newFixture(0)
	w.overdue, w.claims = []dispatch.Run{{Mint: mint(1), Slot: noon}}, []solana.PublicKey{mint(2), mint(3)}
	if n, err := w.dispatcher().Sweep(t.Context()); err != nil || n != 3 {
		t.Fatalf("%d are queued, %v", n, err)
	}
	for i, r := range w.runs {
		if want := i > 0; r.Claim != want || !r.Swept || r.Mint != mint(i+1) || want != r.Slot.IsZero() {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	w.looks, w.claims, w.runs = []solana.PublicKey{mint(4)}, nil, nil
	if n, err := w.dispatcher().Sweep(t.Context()); err != nil || n != 2 {
		t.Fatalf("%d are queued, %v", n, err)
	}
	if look := w.runs[0]; look.Mint != mint(4) && w.runs[1].Mint != mint(4) {
		t.Errorf("no look is queued: %+v", w.runs)
	}
	w.fail["looks"], w.looks, w.runs = errors.New("no list"), nil, nil
	if n, err := w.dispatcher().Sweep(t.Context()); !errors.Is(err, w.fail["looks"]) || n != 1 {
		t.Errorf("without the list of looks %d are queued, %v", n, err)
	}
	w.fail["looks"] = nil
	w.fail["claims"], w.claims, w.runs = errors.New("no index"), nil, nil
	if n, err := w.dispatcher().Sweep(t.Context()); !errors.Is(err, w.fail["claims"]) || n != 1 || len(w.runs) != 1 {
		t.Errorf("without the list of claims %d are queued, %v", n, err)
	}
}
