// Payer advances the batches of payments and collections on their lanes.
package main

import (
	"context"
	"log"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/functions/internal/money"
	"tokenlaunch.example/service/pkg/endpoint/payer"
	"tokenlaunch.example/service/pkg/queue"
)

type settings struct {
	money.Settings
}

func main() {
	s, err := env.ParseAs[settings]()
	if err != nil {
		log.Fatal(err)
	}
	parts, err := money.Wire(context.Background(), s.Settings)
	if err != nil {
		log.Fatal(err)
	}
	endpoint := payer.Endpoint{
		Engine: parts.Engine, Queue: parts.Payouts, Runs: parts.RunQueue,
		Read: queue.ReadWork, Now: time.Now, Log: parts.Log,
	}
	lambda.Start(parts.Handler(s.PayoutQueue, endpoint).Handle)
}
