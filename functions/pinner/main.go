// Pinner pins files whose pinning was postponed.
package main

import (
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/pinner"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
)

type settings struct {
	telemetry.Settings
	DeadQueue string `env:"PIN_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	Pinning   pinning.Settings
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	pins := start.Must(s.Pinning.Pinner(secretsmanager.New(aws, logger)))
	endpoint := pinner.Endpoint{
		Backlog: content.Backlog{
			Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.Pinning.Bucket}, Pinner: pins, CID: ipfs.CID,
		},
		Queue: sqsqueue.PinBacklog{Client: sqs.NewFromConfig(aws), URL: s.Pinning.Queue, DeadURL: s.DeadQueue},
		Read:  sqsqueue.ReadPin, Pause: content.PinPause, Log: logger,
	}
	lambda.Start(endpoint.Handle)
}
