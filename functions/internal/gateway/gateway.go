// Package gateway wires the common parts of the functions behind the API gateway.
package gateway

import (
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// Settings are the common settings of these functions.
type Settings struct {
	telemetry.Settings
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	// OriginSecret is the name of the secret of the CloudFront distribution before the gateway;
	// empty means no CloudFront.
	OriginSecret string `env:"ORIGIN_SECRET"`
}

// API counts requests in the window table, and stores no responses. The meter is nil if a function
// measures nothing else.
func (s Settings) API(db *dynamodb.Client, log *slog.Logger, meter *metric.Meter) apigw.API {
	api := apigw.API{
		Limiter: windowtable.Limiter{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Log:     log, Now: time.Now, Meter: meter,
	}
	if s.OriginSecret != "" {
		api.Front = secretsmanager.New(start.Must(awsconfig.Config()), log).JSON(s.OriginSecret, func(value string) error {
			_, err := apigw.ParseOriginSecret(value)
			return err
		})
	}
	return api
}

// Answers returns the store for the responses to writes with an Idempotency-Key.
func (s Settings) Answers(db *dynamodb.Client) windowtable.Answers {
	return windowtable.Answers{Client: db, Table: s.WindowTable}
}

// Serve serves the routes of a function until the process ends.
func Serve(api apigw.API, function string, handlers map[string]apigw.HandlerFunc) {
	apigw.Start(start.Must(api.Handler(function, handlers)))
}
