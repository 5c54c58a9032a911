// Images serves the upload of a token's image.
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

// uploadsPerLease is the number of pictures that an IP address may upload within an hour for each
// allowed concurrent launch: 100 an hour by default.
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
		// A large picture needs over half of the memory. So the memory of the previous picture must
		// be collected before the function's limit is reached. The default would collect at twice
		// the live memory.
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
