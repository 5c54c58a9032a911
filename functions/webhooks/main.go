// Webhooks stores the webhooks of creators. The function never calls a webhook.
package main

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/webhooks"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	awskms "tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/webhooktable"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

type environment struct {
	gateway.Settings
	LaunchTable  string `env:"LAUNCH_TABLE,required,notEmpty"`
	WebhookTable string `env:"WEBHOOK_TABLE,required,notEmpty"`
	Queue        string `env:"WEBHOOK_QUEUE_URL,required,notEmpty"`
	KeyID        string `env:"WEBHOOK_KEY_ID,required,notEmpty"`
	// Loopback allows receivers on the machine itself. Only the local stack sets Loopback.
	Loopback bool `env:"WEBHOOK_LOOPBACK"`
}

func main() {
	s, aws := start.Function[environment]()
	db, logger := dynamo.New(aws), s.Logger()
	service := webhook.Service{
		Store:   webhooktable.Store{Client: db, Table: s.WebhookTable},
		Tokens:  launchtable.Tokens{Client: db, Table: s.LaunchTable},
		Secrets: webhook.Keys{MAC: awskms.HMAC{Client: kms.NewFromConfig(aws), KeyID: s.KeyID}},
		Queue:   sqsqueue.Webhooks{Client: sqs.NewFromConfig(aws), URL: s.Queue},
		Now:     time.Now, NewID: uuid.NewString, Loopback: s.Loopback, Log: logger,
	}
	gateway.Serve(s.API(db, logger, nil), route.FunctionWebhooks, webhooks.Endpoint{Webhooks: service}.Handlers())
}
