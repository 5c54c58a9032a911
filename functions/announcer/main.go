// Announcer converts writes to the tables into events, queues the events for Telegram groups and
// webhooks, and counts the payments to holders. It takes tokens that were handed over off the lists of the
// schedules.
package main

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/announcer"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	figurestable "tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/webhooktable"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

type settings struct {
	telemetry.Settings
	LaunchTable  string `env:"LAUNCH_TABLE,required,notEmpty"`
	WebhookTable string `env:"WEBHOOK_TABLE,required,notEmpty"`
	NoticeQueue  string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	WebhookQueue string `env:"WEBHOOK_QUEUE_URL,required,notEmpty"`
	DeadQueue    string `env:"EVENT_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	PublicURL    string `env:"PUBLIC_URL,required,notEmpty"`
	IPFSGateway  string `env:"IPFS_GATEWAY_URL,required,notEmpty"`
}

// read returns the events of a record of either table's stream.
func read(record json.RawMessage) ([]event.Event, error) {
	change, err := dynamo.ReadChange(record)
	if err != nil {
		return nil, err
	}
	runs, err := ledgertable.Happened(change)
	if err != nil {
		return nil, err
	}
	tokens, err := launchtable.Happened(change)
	if err != nil {
		return nil, err
	}
	paid, err := promotions.Happened(change)
	return slices.Concat(runs, tokens, paid), err
}

func main() {
	s, aws := start.Function[settings]()
	db, messages, logger := dynamo.New(aws), sqs.NewFromConfig(aws), s.Logger()
	endpoint := announcer.Endpoint{
		Read:   read,
		Tokens: launchtable.Tokens{Client: db, Table: s.LaunchTable},
		Consumer: event.Consumers{
			launchtable.Unlister{Tokens: launchtable.Tokens{Client: db, Table: s.LaunchTable}},
			notice.Publisher{
				Queue:     sqsqueue.Notices{Client: messages, URL: s.NoticeQueue},
				Links:     consent.Service{Store: consents.Store{Client: db, Table: s.LaunchTable}, Now: time.Now},
				PublicURL: s.PublicURL, GatewayURL: strings.TrimSuffix(s.IPFSGateway, "/"), Now: time.Now,
			},
			webhook.Service{
				Store: webhooktable.Store{Client: db, Table: s.WebhookTable},
				Queue: sqsqueue.Webhooks{Client: messages, URL: s.WebhookQueue},
				Now:   time.Now, NewID: uuid.NewString, Log: logger,
			},
			figures.Counter{Store: figurestable.Store{Client: db, Table: s.LaunchTable, Now: time.Now}},
		},
		SetAside: sqsqueue.DeadLetters{Client: messages, URL: s.DeadQueue}.SetAside, Log: logger,
	}
	lambda.Start(endpoint.Handle)
}
