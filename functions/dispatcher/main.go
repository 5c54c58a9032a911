// Dispatcher opens the slots of the schedules and queues the runs of due tokens.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/dispatcher"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// maxOverdue is the maximum number of runs that a sweep queues. The next sweep starts a minute
// later.
const maxOverdue = 1000

type settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable string `env:"LEDGER_TABLE,required,notEmpty"`
	Queue       string `env:"DISPATCH_QUEUE_URL,required,notEmpty"`
	RunQueue    string `env:"RUN_QUEUE_URL,required,notEmpty"`
	// SpreadSeconds is the time over which the runs of a slot are spread.
	SpreadSeconds int `env:"SPREAD_SECONDS" envDefault:"900"`
}

func main() {
	s, aws := start.Function[settings]()
	db, messages := dynamo.New(aws), sqs.NewFromConfig(aws)
	endpoint := dispatcher.Endpoint{
		Dispatcher: dispatch.Dispatcher{
			Due:        launchtable.Due{Client: db, Table: s.LaunchTable},
			Ledger:     ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now},
			Shards:     sqsqueue.Shards{Client: messages, URL: s.Queue},
			Runs:       sqsqueue.Runs{Client: messages, URL: s.RunQueue},
			MaxOverdue: maxOverdue, Now: time.Now, Spread: time.Duration(s.SpreadSeconds) * time.Second,
		},
		Now: time.Now, Log: s.Logger(),
	}
	lambda.Start(endpoint.Handle)
}
