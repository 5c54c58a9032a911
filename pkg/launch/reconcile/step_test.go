package reconcile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// idle is a service in which nothing is due.
type idle struct{ reconcile.Launches }

func (idle) Due(context.Context, time.Time, int) ([]reconcile.Due, error) { return nil, nil }

func (idle) Confirmed(context.Context, time.Time, int) ([]launch.Launch, error) { return nil, nil }

func (idle) Abandoned(context.Context, time.Time, int) ([]string, error) { return nil, nil }
func (idle) Advance(context.Context, transaction.Nonce) error            { return nil }
func (idle) Fill(context.Context, string, int, int) (filled nonce.Filled, _ error) {
	return filled, nil
}

// Steps run concurrently, each within its time. A step that fails, panics or hangs takes nothing
// from the others, and the log line has the result of each.
func TestStepsRunConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("the node is away")
		var log bytes.Buffer
		began := time.Now()
		r := reconcile.Reconciler{
			Launches: idle{}, Nonces: idle{}, Within: time.Minute,
			Now: time.Now, NewID: func() string { return "" }, Log: slog.New(slog.NewJSONHandler(&log, nil)),
			Steps: []sweep.Step{
				{Name: "fails", Within: time.Second, Run: func(context.Context) (sweep.Counts, error) {
					return sweep.Counts{{Name: "done", N: 3}}, away
				}},
				{Name: "panics", Within: time.Second, Run: func(context.Context) (sweep.Counts, error) { panic("no such account") }},
				{Name: "hangs", Within: 20 * time.Second, Run: func(ctx context.Context) (sweep.Counts, error) {
					<-ctx.Done()
					return sweep.Counts{{Name: "left", N: 1}}, ctx.Err()
				}},
				{Name: "works", Within: 20 * time.Second, Run: func(ctx context.Context) (sweep.Counts, error) {
					time.Sleep(19 * time.Second) // a bubble's time
					return sweep.Counts{{Name: "seen", N: 5}, {Name: "open", N: 6}}, ctx.Err()
				}},
			},
		}
		_, err := r.Run(t.Context())
		if !errors.Is(err, away) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v; want both failures", err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("the run took %s, want the time of the slowest step", took)
		}
		var line struct {
			Msg    string
			Fails  struct{ Done int }
			Panics struct{ Failed bool }
			Hangs  struct {
				Left   int
				Failed bool
			}
			Works struct {
				Seen, Open int
				Failed     bool
			}
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Msg != "reconciled" || line.Fails.Done != 3 || !line.Panics.Failed || line.Hangs.Left != 1 || !line.Hangs.Failed ||
			line.Works.Seen != 5 || line.Works.Open != 6 || line.Works.Failed {
			t.Errorf("the log has %s", log.String())
		}
	})
}
