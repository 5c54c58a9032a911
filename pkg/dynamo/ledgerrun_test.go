package dynamo_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/dynamo/schema"
	"tokenlaunch.example/service/pkg/localnet"
	"tokenlaunch.example/service/pkg/run/runtest"
)

func TestRuns(t *testing.T) {
	runtest.Contract(t, func(t *testing.T, now func() time.Time) runtest.Ledger {
		aws := localnet.AWS(t)
		return dynamo.Runs{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger), Now: now}
	})
}
