package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/origin"
	"tokenlaunch.example/service/pkg/token/terms"
)

// service stands in for the tables, the queue and the distributor, which moves a token one step on for
// each message. A call whose turn has come does not return, as if the command was killed.
type service struct {
	mu      sync.Mutex
	records map[solana.PublicKey]token.Record
	heads   map[solana.PublicKey]run.Head
	orders  map[solana.PublicKey]handover.State
	// released are the tokens that the signer may hand over.
	released map[solana.PublicKey]bool
	forged   solana.PublicKey
	holds    map[solana.PublicKey]bool
	now      time.Time
	calls    int
	killAt   int // the number of the call; zero never kills
	kill     context.CancelFunc
}

var errKilled = errors.New("killed")

// called counts a call. after reports that the call still has its effect.
func (s *service) called() (after bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.killAt > 0 && s.calls >= s.killAt {
		s.kill()
		return s.calls == s.killAt && s.killAt%2 == 0, errKilled
	}
	return true, nil
}

func (s *service) Token(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record, ok := s.records[mint]
	if !ok {
		return record, token.ErrNotFound
	}
	return record, nil
}

func (s *service) WindDown(_ context.Context, mint solana.PublicKey, order token.WindDown) error {
	acts, err := s.called()
	if acts {
		s.mu.Lock()
		defer s.mu.Unlock()
		record := s.records[mint]
		if record.WindDown.At.IsZero() {
			record.WindDown.At = order.At
		}
		record.WindDown.Final = record.WindDown.Final || order.Final
		s.records[mint] = record
	}
	return err
}

func (s *service) CancelWindDown(_ context.Context, mint solana.PublicKey, now time.Time) error {
	acts, err := s.called()
	if acts {
		s.mu.Lock()
		defer s.mu.Unlock()
		record := s.records[mint]
		if record.WindDown.Begun(now) {
			return token.ErrWindDownBegun
		}
		record.WindDown = token.WindDown{}
		s.records[mint] = record
	}
	return err
}

func (s *service) Release(_ context.Context, mint solana.PublicKey, _, _ string) error {
	acts, err := s.called()
	if acts {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.released[mint] = true
	}
	return err
}

func (s *service) Handover(_ context.Context, mint solana.PublicKey) (handover.State, error) {
	if _, err := s.called(); err != nil {
		return handover.State{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders[mint], nil
}

func (s *service) SaveHandover(_ context.Context, mint solana.PublicKey, state handover.State, _ time.Time) error {
	acts, err := s.called()
	if acts {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.orders[mint].Version != state.Version {
			return handover.ErrConflict
		}
		state.Version++
		s.orders[mint] = state
	}
	return err
}

func (s *service) Head(_ context.Context, mint solana.PublicKey) (run.Head, error) {
	if _, err := s.called(); err != nil {
		return run.Head{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heads[mint], nil
}

func (s *service) Run(context.Context, solana.PublicKey, time.Time) (run.Run, error) {
	return run.Run{}, run.ErrNotFound
}

func (s *service) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	acts, err := s.called()
	if !acts {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range runs {
		head := s.heads[r.Mint]
		record := s.records[r.Mint]
		switch {
		case !record.WindDown.Begun(s.now) || !s.released[r.Mint] || s.orders[r.Mint].To != record.Creator:
			continue
		case r.Claim:
			head.HandedOver = &run.HandedOver{To: record.Creator, At: s.now}
		case head.HandedOver != nil && (!head.Unclaimed() || record.WindDown.Final):
			head.WindDown.Released, s.holds[r.Mint] = s.now, false
		}
		s.heads[r.Mint] = head
	}
	return err
}

func (s *service) Check(_ context.Context, r token.Record) error {
	if _, err := s.called(); err != nil {
		return err
	}
	if r.Mint == s.forged {
		return origin.ErrForged
	}
	return nil
}

// execute runs the command until it ends, or until it is killed at a call.
func (s *service) execute(t *testing.T, killAt int, arguments ...string) (string, error) {
	t.Helper()
	o, err := parseWindDown(append(arguments, "stack", "all"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.calls, s.killAt, s.kill = 0, killAt, cancel
	var out bytes.Buffer
	locked := &lockedWriter{out: &out}
	w := windDown{
		tokens: s, ledger: s, releases: s, handovers: s, queue: s, origins: s, by: "an operator", out: locked,
		now: func() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now },
		all: func(context.Context) (list []token.Record, err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, r := range s.records {
				list = append(list, r)
			}
			return list, nil
		},
		hangs: func(_ context.Context, r token.Record, _ run.Head) ([]string, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.holds[r.Mint] {
				return []string{"the authority over the tax is the wallet's"}, nil
			}
			return nil, nil
		},
		pause: func(ctx context.Context, d time.Duration) error {
			s.mu.Lock()
			s.now = s.now.Add(d)
			s.mu.Unlock()
			return ctx.Err()
		},
	}
	err = w.do(ctx, o)
	return out.String(), err
}

type lockedWriter struct {
	mu  sync.Mutex
	out *bytes.Buffer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

// TestWindDownGoesOnAfterKills kills the command for twenty tokens at each of its calls, before the call
// has its effect or after, and repeats it. One token's forged record stops no other token.
func TestWindDownGoesOnAfterKills(t *testing.T) {
	fresh := func() *service {
		s := &service{
			records: map[solana.PublicKey]token.Record{}, heads: map[solana.PublicKey]run.Head{}, orders: map[solana.PublicKey]handover.State{},
			released: map[solana.PublicKey]bool{},
			holds:    map[solana.PublicKey]bool{}, now: time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC),
		}
		for n := range byte(20) {
			mint := solana.PublicKey{1, n}
			s.records[mint] = token.Record{Mint: mint, Creator: solana.PublicKey{2, n}, Status: token.Confirmed}
			s.holds[mint] = true
		}
		return s
	}
	recorded := fresh()
	text, err := recorded.execute(t, 0, "-why", "the service ends")
	if err != nil || !strings.Contains(text, "20 of 20 tokens are wound down") {
		t.Fatalf("%v:\n%s", err, text)
	}
	whole := recorded.calls
	for killAt := 1; killAt <= whole; killAt++ {
		s := fresh()
		if _, err := s.execute(t, killAt, "-why", "the service ends"); err == nil {
			t.Fatalf("a kill at call %d is not told", killAt)
		}
		if text, err := s.execute(t, 0, "-why", "the service ends"); err != nil {
			t.Fatalf("after a kill at call %d: %v\n%s", killAt, err, text)
		}
		if text, err := s.execute(t, 0, "-check"); err != nil {
			t.Fatalf("after a kill at call %d: %v\n%s", killAt, err, text)
		}
		for mint, r := range s.records {
			if o := s.orders[mint]; o.To != r.Creator || o.Number != 1 || r.WindDown.At.IsZero() {
				t.Fatalf("after a kill at call %d: the signer's order is %+v, and the token's %+v", killAt, o, r.WindDown)
			}
		}
	}

	s := fresh()
	s.forged = solana.PublicKey{1, 7}
	poor := solana.PublicKey{1, 8}
	s.heads[poor] = run.Head{Mint: poor, Debts: run.Debts{Owed: map[terms.Asset]uint64{terms.SOL: 5}}}
	text, err = s.execute(t, 0, "-why", "the service ends", "-wait", "10m")
	if !errors.Is(err, origin.ErrForged) || !errors.Is(err, errNotWoundDown) || !strings.Contains(text, "18 of 19 tokens are wound down") ||
		!strings.Contains(text, poor.String()+": handed over; its wallet keeps") {
		t.Errorf("%v:\n%s", err, text)
	}
	if text, err = s.execute(t, 0, "-check"); !errors.Is(err, errOwed) || !strings.Contains(text, "2 of 20 tokens need") {
		t.Errorf("%v:\n%s", err, text)
	}
	s.forged = solana.PublicKey{}
	if text, err = s.execute(t, 0, "-final", "-why", "the service ends"); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
	if text, err = s.execute(t, 0, "-check"); err != nil || !strings.Contains(text, "0 of 20 tokens need") {
		t.Errorf("%v:\n%s", err, text)
	}
	// An order for a time to come only announces.
	s = fresh()
	text, err = s.execute(t, 0, "-at", "2026-06-29T12:00:00Z", "-why", "the service ends")
	if err != nil || strings.Count(text, "winds down at 2026-06-29T12:00:00Z") != 20 || len(s.released)+len(s.orders) > 0 {
		t.Errorf("%v:\n%s", err, text)
	}
	// Such an order can be cancelled, until it begins, and given again with another time.
	begun := solana.PublicKey{1, 3}
	s.records[begun] = token.Record{Mint: begun, Creator: solana.PublicKey{2, 3}, Status: token.Confirmed, WindDown: token.WindDown{At: s.now}}
	text, err = s.execute(t, 0, "-cancel")
	if !errors.Is(err, token.ErrWindDownBegun) || !strings.Contains(err.Error(), begun.String()) || !strings.Contains(text, "19 of 20 tokens") {
		t.Errorf("%v:\n%s", err, text)
	}
	text, err = s.execute(t, 0, "-at", "2026-07-29T12:00:00Z", "-why", "the service ends later", "-wait", "1s")
	if strings.Count(text, "winds down at 2026-07-29T12:00:00Z") != 19 {
		t.Errorf("%v:\n%s", err, text)
	}
}

func TestWindDownArguments(t *testing.T) {
	mint := solana.NewWallet().PublicKey()
	o, err := parseWindDown([]string{"-at", "2026-06-29T12:00:00Z", "-final", "-why", "x", "stack", mint.String()})
	if err != nil || o.stack != "stack" || len(o.mints) != 1 || o.mints[0] != mint || !o.final || o.at.IsZero() {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range [][]string{
		nil,
		{"stack"},
		{"stack", "all"},
		{"-why", " ", "stack", "all"},
		{"-why", "x", "stack", "mint"},
		{"-why", "x", "stack", "all", mint.String()},
		{"-check", "-final", "stack", "all"},
		{"-cancel", "-why", "x", "stack", "all"},
		{"-at", "tomorrow", "-why", "x", "stack", "all"},
	} {
		if o, err := parseWindDown(bad); err == nil {
			t.Errorf("%q: %+v", bad, o)
		}
	}
}
