package run_test

import (
	"context"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// launchedHistory is history with the settings of the launch in every record, as the launch table has
// them.
type launchedHistory struct {
	history

	launched terms.Version
}

func (h launchedHistory) TokenAt(ctx context.Context, mint solana.PublicKey, slot time.Time) (token.Record, error) {
	record, err := h.history.TokenAt(ctx, mint, slot)
	record.Launched = h.launched
	record.LaunchTerms = terms.OrderHash(mint, terms.LaunchVersion, h.launched.Settings)
	return record, err
}

// slow returns a token with a delay of a day, of which the creator gets 10 percent, and a function that
// changes the settings as the service does.
func slow(t *testing.T) (w *runworld.Fixture, change func(func(*terms.Settings)) terms.Version) {
	t.Helper()
	w = runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.ChangeDelay, w.Token.Settings.DeveloperFeeBps, w.Token.Settings.SellBps = terms.Delay24Hours, 1_000, 5_000
	versions := terms.Versions{{Settings: w.Token.Settings, Number: terms.LaunchVersion}}
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Tokens = launchedHistory{history{w, &versions}, terms.Version{Settings: w.Token.Settings, Number: terms.LaunchVersion}}
	}
	return w, func(merge func(*terms.Settings)) terms.Version {
		s, opened := versions.Newest().Settings, w.Head(t).LastSlot
		merge(&s)
		next := versions.Next(s, w.Clock.Now(), opened)
		versions = versions.Change(next, opened)
		return next
	}
}

// part checks the creator's share of a run, in percent of the proceeds, and the version that divided
// the tax.
func part(t *testing.T, r run.Run, percent uint64, version int64) {
	t.Helper()
	p := r.Payment
	if p.CreatorShare+p.HoldersShare == 0 || p.CreatorShare != (p.CreatorShare+p.HoldersShare)*percent/100 || r.SettingsVersion != version {
		t.Errorf("the creator has %d, and holders have %d, by version %d; want %d percent by version %d",
			p.CreatorShare, p.HoldersShare, r.SettingsVersion, percent, version)
	}
}

// TestPauseAndTakeAllPaysHolders is the attack of a creator who pauses, lets tax pile up, and resumes with
// all of the tax as the creator's share. Each change waits for a day, and the tax of the pause is divided
// by the settings before, all of it. Only later tax is the creator's. Settle verifies each proof.
func TestPauseAndTakeAllPaysHolders(t *testing.T) {
	t.Parallel()
	w, change := slow(t)
	h := holder(t, w, 1_000*tokens).PublicKey()
	part(t, w.Settle(t), 10, 1)

	paused := change(func(s *terms.Settings) { s.Enabled = false })
	w.Give(t, h, 1_000*tokens)
	part(t, w.Settle(t), 10, 1) // the pause waits
	w.Clock.Pass(paused.From.Sub(w.Clock.Now()))
	w.Give(t, h, 5_000*tokens)
	w.Skip(t, run.CodePaused)

	all := change(func(s *terms.Settings) { s.DeveloperFeeBps, s.SellBps = terms.FullBps, terms.FullBps })
	w.Clock.Pass(all.From.Sub(w.Clock.Now()))
	w.Skip(t, run.CodePaused)
	if resumed := change(func(s *terms.Settings) { s.Enabled = true }); resumed.From.After(w.Clock.Now().Add(time.Second)) {
		t.Errorf("resuming waits until %s", resumed.From)
	}
	r := w.Settle(t)
	part(t, r, 10, 1)
	if r.Next == nil || r.Next.Number != 4 || r.Split.Slice != r.Split.Spendable || r.Split.Spendable < 250*tokens {
		t.Errorf("the run takes up %+v, before %+v", r.Split, r.Next)
	}
	w.Give(t, h, 1_000*tokens)
	part(t, w.Settle(t), 100, 4)
}

// TestLaunchIsFollowedByLowerSettings: the first run divides the tax since the launch by the settings of
// the launch, although later settings are in force.
func TestLaunchIsFollowedByLowerSettings(t *testing.T) {
	t.Parallel()
	w, change := slow(t)
	h := holder(t, w, 1_000*tokens).PublicKey()
	lower := change(func(s *terms.Settings) { s.DeveloperFeeBps = 9_000 })
	w.Clock.Pass(lower.From.Sub(w.Clock.Now()))
	part(t, w.Settle(t), 10, 1)
	w.Give(t, h, 1_000*tokens)
	part(t, w.Settle(t), 90, 2)
}

// TestEarlierRewardThatEndedIsSOL: holders get the tax withheld before a change in SOL, if the reward of the
// settings before the change cannot be paid any more. Then the change holds.
func TestEarlierRewardThatEndedIsSOL(t *testing.T) {
	t.Parallel()
	w, change := slow(t)
	coin := w.Currency(t, 0)
	launched := change(func(s *terms.Settings) { s.RewardToken = coin.Mint.String() })
	h := holder(t, w, much).PublicKey()
	w.Open(t, coin, h)
	w.Clock.Pass(launched.From.Sub(w.Clock.Now()))
	part(t, w.Settle(t), 10, 1) // the tax since the launch
	w.Give(t, h, much)
	r := w.Settle(t)
	part(t, r, 10, 2)
	paid(t, w, r, coin.Asset(), h)

	lower := change(func(s *terms.Settings) { s.DeveloperFeeBps = 9_000 })
	w.Give(t, h, much)
	w.Clock.Pass(lower.From.Sub(w.Clock.Now()))
	w.Unpayable(t, coin)
	r = w.Settle(t)
	part(t, r, 10, 2)
	paid(t, w, r, terms.SOL, h)
	if r.Next == nil || r.Next.Number != 3 || r.Split.Slice != r.Split.Spendable {
		t.Errorf("the run takes up %+v, before %+v", r.Split, r.Next)
	}
	w.Give(t, h, much)
	w.Skip(t, run.CodeReward) // by the version in force, whose reward is the creator's to change
	sol := change(func(s *terms.Settings) { s.RewardToken = terms.RewardSOL })
	w.Clock.Pass(sol.From.Sub(w.Clock.Now()))
	part(t, w.Settle(t), 90, 3)
	w.Give(t, h, much)
	part(t, w.Settle(t), 90, 4)
}
