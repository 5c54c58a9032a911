// Courier delivers signed messages to the webhooks of creators. No other function connects to
// addresses that creators chose. Courier may read and write only webhooks.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/courier"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	awskms "tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/webhooktable"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/receiver"
)

type settings struct {
	telemetry.Settings
	WebhookTable string `env:"WEBHOOK_TABLE,required,notEmpty"`
	Queue        string `env:"WEBHOOK_QUEUE_URL,required,notEmpty"`
	DeadQueue    string `env:"WEBHOOK_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	KeyID        string `env:"WEBHOOK_KEY_ID,required,notEmpty"`
	// Loopback allows receivers on the machine itself. Only the local stack sets Loopback.
	Loopback bool `env:"WEBHOOK_LOOPBACK"`
}

func main() {
	s, aws := start.Function[settings]()
	messages, logger, meter := sqs.NewFromConfig(aws), s.Logger(), &metric.Meter{}
	endpoint := courier.Endpoint{
		Courier: webhook.Courier{
			Store:   webhooktable.Store{Client: dynamo.New(aws), Table: s.WebhookTable},
			Secrets: webhook.Keys{MAC: awskms.HMAC{Client: kms.NewFromConfig(aws), KeyID: s.KeyID}},
			Sender:  receiver.Client{HTTP: httpclient.NewForUntrustedHosts(httpclient.UntrustedHosts{Loopback: s.Loopback})},
			Queue:   sqsqueue.Webhooks{Client: messages, URL: s.Queue},
			Now:     time.Now, NewID: uuid.NewString, Log: logger, Meter: meter,
		},
		SetAside: sqsqueue.DeadLetters{Client: messages, URL: s.DeadQueue}.SetAside, Log: logger, Meter: meter,
	}
	lambda.Start(endpoint.Handle)
}
