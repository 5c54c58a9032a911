// Payer advances the batches of payments and collections, chunk by chunk.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"tokenlaunch.example/service/functions/internal/money"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/payer"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
)

type settings struct {
	money.Settings
}

func main() {
	s := start.Settings[settings]()
	parts := start.Must(money.Wire(s.Settings))
	endpoint := payer.Endpoint{
		Engine: parts.Engine, Queue: parts.Payouts, Runs: parts.RunQueue,
		Read: sqsqueue.ReadWork, Now: time.Now, Log: parts.Log,
		Waiting: parts.Waiting(),
	}
	lambda.Start(parts.Handler(s.PayoutQueue, endpoint).Handle)
}
