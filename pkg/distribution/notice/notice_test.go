package notice_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/notice"
)

// group is a Telegram that answers as it is told, and counts what it shows.
type group struct {
	answers []error
	shown   int
	sent    []string
	links   error
}

func (g *group) Chat(context.Context, solana.PublicKey, string) (int64, error) { return -42, g.links }

func (g *group) Send(_ context.Context, chat int64, text string) error {
	if chat != -42 {
		return errors.New("another group")
	}
	g.sent = append(g.sent, text)
	var err error
	if len(g.answers) > 0 {
		err, g.answers = g.answers[0], g.answers[1:]
	}
	if err == nil || errors.Is(err, errLost) {
		g.shown++
	}
	return err
}

// memory is a store in memory that can fail by the name of its method.
type memory struct {
	holder, finished string
	at               time.Time
	fails            map[string]bool
}

var (
	errLost  = errors.New("the connection broke")
	errStore = errors.New("the store is away")
)

func (m *memory) Claim(_ context.Context, _, attempt string, now time.Time) (notice.ClaimState, error) {
	switch {
	case m.fails["claim"]:
		return "", errStore
	case m.finished != "":
		return notice.Finished, nil
	case m.holder == "" || m.holder == attempt:
		m.holder, m.at = attempt, now
		return notice.Claimed, nil
	case now.Sub(m.at) >= notice.Lease:
		return notice.Abandoned, nil
	}
	return notice.Busy, nil
}

func (m *memory) Finish(ctx context.Context, _, attempt string) error {
	if m.fails["finish"] || m.holder != attempt {
		return errStore
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.finished = attempt
	return nil
}

func (m *memory) Release(ctx context.Context, _, attempt string) error {
	if m.fails["release"] || m.holder != attempt {
		return errStore
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.holder = ""
	return nil
}

func TestDeliver(t *testing.T) {
	slow := &notice.Later{After: 7 * time.Second, Cause: errors.New("too many requests")}
	tests := []struct {
		name    string
		answers []error
		fails   string
		holder  string
		age     time.Duration
		sent    int           // messages that Telegram got after three deliveries
		shown   int           // that the group sees
		later   []bool        // which of three deliveries are to be repeated
		after   time.Duration // of the first
	}{
		{name: "once for three deliveries", sent: 1, shown: 1, later: []bool{false, false, false}},
		{name: "slowed down", answers: []error{slow}, sent: 2, shown: 1, later: []bool{true, false, false}, after: 7 * time.Second},
		{name: "slowed down twice", answers: []error{slow, slow}, sent: 3, shown: 1, later: []bool{true, true, false}, after: 7 * time.Second},
		{name: "thrown out", answers: []error{notice.ErrPermanent}, sent: 1, later: []bool{false, false, false}},
		{name: "unknown", answers: []error{errLost}, sent: 1, shown: 1, later: []bool{false, false, false}},
		{name: "no claim", fails: "claim", later: []bool{true, true, true}},
		{name: "sent, and not written down", fails: "finish", sent: 1, shown: 1, later: []bool{false, true, true}},
		{name: "not sent, and not given back", answers: []error{slow}, fails: "release", sent: 1, later: []bool{true, true, true}, after: 7 * time.Second},
		{name: "another attempt sends it", holder: "another", later: []bool{true, true, true}},
		{name: "old news", age: notice.MaxAge + 1, later: []bool{false, false, false}},
		{name: "just in time", age: notice.MaxAge, sent: 1, shown: 1, later: []bool{false, false, false}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := &group{answers: test.answers}
			now, attempts := noon, 0
			store := &memory{fails: map[string]bool{test.fails: true}, holder: test.holder, at: noon}
			n := notice.Notifier{
				Store: store, Links: g, Sender: g, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
				NewID: func() string { attempts++; return strconv.Itoa(attempts) },
			}
			event := notice.Notice{ID: "run_settled/1", Group: "-1", At: noon.Add(-test.age), Text: "hello"}
			for i, want := range test.later {
				err := n.Deliver(t.Context(), event)
				later, ok := errors.AsType[*notice.Later](err)
				if ok != want || err != nil && !ok {
					t.Fatalf("delivery %d: %v", i+1, err)
				}
				if i == 0 && ok && later.After != test.after {
					t.Errorf("again after %v, want %v", later.After, test.after)
				}
			}
			if len(g.sent) != test.sent || g.shown != test.shown {
				t.Errorf("sent %d times and shown %d times, want %d and %d", len(g.sent), g.shown, test.sent, test.shown)
			}
			// Whatever was left open ends when its sender must be dead.
			now = noon.Add(notice.Lease)
			delete(store.fails, "claim")
			if err := n.Deliver(t.Context(), event); err != nil {
				t.Errorf("a notice never leaves the queue: %v", err)
			}
			if g.shown > 1 {
				t.Errorf("shown %d times", g.shown)
			}
		})
	}
}

// What became of a message is written down although the time is over.
func TestEndIsRecorded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	store := &memory{}
	n := notice.Notifier{
		Store: store, Links: &group{}, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon }, NewID: func() string { return "1" },
		Sender: senderFunc(func() error { cancel(); return nil }),
	}
	if err := n.Deliver(ctx, notice.Notice{ID: "1", At: noon}); err != nil || store.finished != "1" {
		t.Errorf("finished %q, %v", store.finished, err)
	}
}

type senderFunc func() error

func (f senderFunc) Send(context.Context, int64, string) error { return f() }

// TestUnlinkedGroupIsNotTold: a group that withdrew its consent after a notice was queued is not
// told. If it is not known whether the group agrees, the notice waits.
func TestUnlinkedGroupIsNotTold(t *testing.T) {
	g, store := &group{links: notice.ErrNotLinked}, &memory{}
	n := notice.Notifier{
		Store: store, Links: g, Sender: g, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon }, NewID: func() string { return "1" },
	}
	if err := n.Deliver(t.Context(), notice.Notice{ID: "1", At: noon}); err != nil || len(g.sent) != 0 {
		t.Errorf("Deliver() = %v and sent %q; want nothing sent", err, g.sent)
	}
	g.links = errStore
	if _, later := errors.AsType[*notice.Later](n.Deliver(t.Context(), notice.Notice{ID: "1", At: noon})); !later || len(g.sent) != 0 {
		t.Errorf("sent %q without knowing whether the group agrees; want later", g.sent)
	}
}

func TestPause(t *testing.T) {
	for n, want := range map[int]time.Duration{
		0: 30 * time.Second, 1: 30 * time.Second, 2: time.Minute, 5: 8 * time.Minute, 6: 15 * time.Minute, 1 << 30: 15 * time.Minute,
	} {
		if got := notice.Pause(n); got != want {
			t.Errorf("after attempt %d: %v, want %v", n, got, want)
		}
	}
}
