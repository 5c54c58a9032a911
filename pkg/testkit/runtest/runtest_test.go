package runtest_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/runtest"
)

func TestStore(t *testing.T) {
	runtest.Contract(t, func(_ *testing.T, now func() time.Time) runtest.Ledger { return runtest.NewStore(now) })
}
