// Images answers the upload of a token's image.
package main

import (
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/images"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
)

type settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	Bucket      string `env:"ASSET_BUCKET,required,notEmpty"`
	PinQueue    string `env:"PIN_QUEUE_URL,required,notEmpty"`
	Pinning     pinning.Settings
	MemoryMB    int64 `env:"AWS_LAMBDA_FUNCTION_MEMORY_SIZE"`
}

func main() {
	s := start.Settings[settings]()
	if s.MemoryMB > 0 {
		// A large picture takes over half of the memory: what the one before it took
		// has to be collected before the function's limit, not at twice that.
		debug.SetMemoryLimit(s.MemoryMB << 20 / 10 * 8)
	}
	aws := start.Must(awsconfig.Config())
	logger := s.Logger()
	pinner := start.Must(s.Pinning.Pinner(secretsmanager.New(aws, logger)))
	db := dynamo.New(aws)
	endpoint := images.Endpoint{
		Assets: content.Store{
			Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.Bucket},
			Pinner:  pinner,
			Queue:   sqsqueue.Pins{Client: sqs.NewFromConfig(aws), URL: s.PinQueue},
			CID:     ipfs.CID,
			Log:     logger,
		},
		Records: launchtable.Images{Client: db, Table: s.LaunchTable},
		Now:     time.Now,
	}
	api := apigw.API{
		Limiter: windowtable.Limiter{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Answers: windowtable.Answers{Client: db, Table: s.WindowTable},
		Log:     logger,
		Now:     time.Now,
	}
	handler := start.Must(api.Handler(route.FunctionImages, endpoint.Handlers()))
	apigw.Start(handler)
}
