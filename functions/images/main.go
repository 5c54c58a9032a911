// Images answers the upload of a token's image.
package main

import (
	"runtime/debug"
	"time"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/images"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
)

// uploadsPerLease is how many pictures an address may upload within an hour for each launch
// that it may have under way: 100 an hour where nothing else is said.
const uploadsPerLease = 5

type settings struct {
	gateway.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	LeasesPerIP int    `env:"LEASES_PER_IP" envDefault:"20"`
	Pinning     pinning.Settings
	MemoryMB    int64 `env:"AWS_LAMBDA_FUNCTION_MEMORY_SIZE"`
}

func main() {
	s, aws := start.Function[settings]()
	if s.MemoryMB > 0 {
		// A large picture takes over half of the memory: what the one before it took
		// has to be collected before the function's limit, not at twice that.
		debug.SetMemoryLimit(s.MemoryMB << 20 / 10 * 8)
	}
	logger := s.Logger()
	db := dynamo.New(aws)
	api := s.API(db, logger, nil)
	api.Answers = s.Answers(db)
	endpoint := images.Endpoint{
		Assets:  start.Must(s.Pinning.Files(aws, logger)),
		Records: launchtable.Images{Client: db, Table: s.LaunchTable},
		Limiter: api.Limiter, PerAddress: uploadsPerLease * s.LeasesPerIP,
		Now: time.Now,
	}
	gateway.Serve(api, route.FunctionImages, endpoint.Handlers())
}
