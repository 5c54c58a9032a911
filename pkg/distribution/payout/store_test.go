package payout_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

func TestLedgersKeepContract(t *testing.T) {
	t.Run("in memory", func(t *testing.T) { payouttest.Contract(t, &payouttest.Memory{}) })
	t.Run("in DynamoDB", func(t *testing.T) {
		aws := localnet.AWS(t)
		payouttest.Contract(t, ledgertable.Payments{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger)})
	})
}
