package signing_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/terms"
)

// single is a ledger with one active run.
type single struct{ active run.Run }

func (s single) Head(context.Context, solana.PublicKey) (run.Head, error) {
	return run.Head{Mint: s.active.Mint, Active: s.active.Slot}, nil
}

func (s single) Run(context.Context, solana.PublicKey, time.Time) (run.Run, error) {
	return s.active, nil
}

// TestSignerRefusesLessThanMinimum: a distributor that was taken over opens a run whose settings leave
// holders less than the minimum of the same settings.
func TestSignerRefusesLessThanMinimum(t *testing.T) {
	t.Parallel()
	r := run.Run{ID: "run", Mint: solana.PublicKey{1}, Slot: time.Unix(3_600, 0), Settings: terms.Default(solana.PublicKey{2})}
	r.Settings.DeveloperFeeBps, r.Settings.MinimumHoldersBps = 5_001, 5_000
	core := signing.Core{Runs: single{r}}
	a, err := core.Do(t.Context(), signing.Request{Rooms: []signing.RoomOrder{{Mint: r.Mint, Run: r.ID}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Rooms[0]; got.Code != signing.Refused || !strings.Contains(got.Cause, "leaves holders 4999 basis points, and promises 5000") {
		t.Errorf("Do() = %+v; want %s", got, signing.Refused)
	}
}
