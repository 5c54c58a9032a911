// Canary calls the service like any caller, through the public address, and verifies a proof. The
// function may only write its log and read the address of the Solana node.
package main

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/client/canary"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// within leaves the rest of the function's two minutes for recording the result.
const within = 100 * time.Second

type settings struct {
	telemetry.Settings
	Node      secrets.Node
	PublicURL string `env:"PUBLIC_URL,required,notEmpty"`
	// Mint is the token whose proof is verified; empty means no token.
	Mint string `env:"CANARY_MINT"`
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	check := canary.Check{API: s.PublicURL, Node: node, Within: within, Log: logger}
	if s.Mint != "" {
		check.Mint = start.Must(solana.PublicKeyFromBase58(s.Mint))
	}
	lambda.Start(func(ctx context.Context, _ events.EventBridgeEvent) error {
		defer node.Meter.Flush(ctx, logger)
		// The failure is in the measurements. If the call failed, Lambda would retry, and the alarm
		// would fire twice.
		_ = check.Run(ctx)
		return nil
	})
}
