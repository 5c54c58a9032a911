// Pinner pins files whose pinning was put off.
package main

import (
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/endpoint/pinner"
	"tokenlaunch.example/service/pkg/ipfs"
	"tokenlaunch.example/service/pkg/objectstore"
	"tokenlaunch.example/service/pkg/queue"
	"tokenlaunch.example/service/pkg/secretsmanager"
	"tokenlaunch.example/service/pkg/telemetry"
)

type settings struct {
	telemetry.Settings
	Bucket    string `env:"ASSET_BUCKET,required,notEmpty"`
	Queue     string `env:"PIN_QUEUE_URL,required,notEmpty"`
	DeadQueue string `env:"PIN_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	Pinning   pinning.Settings
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	pins := start.Must(s.Pinning.Pinner(secretsmanager.New(aws, logger)))
	endpoint := pinner.Endpoint{
		Backlog: asset.Backlog{
			Objects: objectstore.Bucket{Client: s3.NewFromConfig(aws), Name: s.Bucket}, Pinner: pins, CID: ipfs.CID,
		},
		Queue: queue.PinBacklog{Client: sqs.NewFromConfig(aws), URL: s.Queue, DeadURL: s.DeadQueue},
		Read:  queue.ReadPin, Pause: asset.PinPause, Log: logger,
	}
	lambda.Start(endpoint.Handle)
}
