package launch_test

import (
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// TestLaunchStaysWithinUnits compares the DynamoDB units of creating and submitting, without the
// caller's own limiter, with their maximum. The token has a description and links, as most tokens
// do.
func TestLaunchStaysWithinUnits(t *testing.T) {
	w := launchtest.NewEnv(t).Fixture(t, "")
	var metered meter.Meter
	config := w.Config(nil)
	config.APIOptions = append(config.APIOptions, metered.Middleware)
	db := dynamo.New(config)
	s := w.Service(t, nil)
	s.Store = launchtable.Launches{Client: db, Table: w.Table}
	s.Wallets = launchtable.Wallets{Client: db, Table: w.Table, Now: w.Clock.Now}
	s.Images = launchtable.Images{Client: db, Table: w.Table}
	s.Names = launchtable.Blocks{Client: db, Table: w.Table}
	s.Limiter = windowtable.Limiter{Client: db, Table: w.Window, Now: w.Clock.Now, Rand: func(int64) int64 { return 0 }}
	pool := s.Nonces.(nonce.Pool)
	pool.Store = launchtable.Nonces{Client: db, Table: w.Table}
	s.Nonces = pool
	creator := w.Creator(t)
	create := func() (launch.Created, meter.Units) {
		d := w.Draft(t, creator)
		d.Description = strings.Repeat("d", 200)
		d.Twitter, d.Telegram, d.Website = "https://x.com/tidaltoken", "https://t.me/tidaltoken", "https://tidal.example"
		metered.Take()
		created, err := s.Create(t.Context(), creator.PublicKey(), launchtest.Address(), d)
		must.Do(t, err)
		return created, metered.Take()
	}
	within := func(what string, took meter.Units, read, write float64) {
		t.Helper()
		t.Logf("%s takes %+v", what, took)
		if took.Read > read || took.Write > write {
			t.Errorf("%s uses %+v, and may use %.1f and %.0f", what, took, read, write)
		}
	}
	create()
	second, superseding := create()
	within("creating one that supersedes another", superseding, 5, 11)
	w.Clock.Pass(time.Minute)
	metered.Take()
	_, err := s.Submit(t.Context(), creator.PublicKey(), second.ID, launchtest.Sign(t, second, creator))
	must.Do(t, err)
	within("submitting it", metered.Take(), 5, 49)
	_, after := create()
	within("creating another", after, 3, 5)
}
