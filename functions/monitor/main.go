// Monitor measures the backlogs of the service every minute, and stores the record from which the
// public status page is generated. Monitor moves no money.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/monitor"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// lookWithin leaves the rest of the function's 29 seconds for recording the result.
const lookWithin = 20 * time.Second

type settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable string `env:"LEDGER_TABLE,required,notEmpty"`
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	NonceKeyID  string `env:"NONCE_KEY_ID,required,notEmpty"`
	Node        secrets.Node
	NoticeQueue string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	PinQueue    string `env:"PIN_QUEUE_URL,required,notEmpty"`

	// The dead-letter queues, by kind of work.
	DispatchDead string `env:"DISPATCH_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	RunDead      string `env:"RUN_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	PayoutDead   string `env:"PAYOUT_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	NoticeDead   string `env:"NOTICE_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	WebhookDead  string `env:"WEBHOOK_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	PinDead      string `env:"PIN_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	client := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	db := dynamo.New(aws)
	lambda.Start(endpoint.Handler(status.Monitor{
		Nonces: nonce.Pool{
			Store: launchtable.Nonces{Client: db, Table: s.LaunchTable}, Chain: client,
			// The monitor only reads the public key.
			Authority: &kms.Ed25519Signer{Client: awskms.NewFromConfig(aws), KeyID: s.NonceKeyID},
		},
		Launches: launchtable.Launches{Client: db, Table: s.LaunchTable},
		Ledger:   ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now},
		Node:     client,
		Queues: sqsqueue.Depths{
			Client: sqs.NewFromConfig(aws), Notices: s.NoticeQueue, Pins: s.PinQueue,
			GivenUp: []string{s.DispatchDead, s.RunDead, s.PayoutDead, s.NoticeDead, s.PinDead, s.WebhookDead},
		},
		Store:  statusrecord.Store{Client: db, Table: s.WindowTable},
		Within: lookWithin, Now: time.Now, Log: logger, Meter: client.Meter,
	}.Run))
}
