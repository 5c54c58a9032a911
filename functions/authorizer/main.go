// Authorizer identifies the caller of a request for the functions behind the API gateway.
package main

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

type settings struct {
	telemetry.Settings
	KeyIDs      []string `env:"JWT_KEY_IDS,required,notEmpty"`
	Issuer      string   `env:"JWT_ISSUER,required,notEmpty"`
	Audience    string   `env:"JWT_AUDIENCE,required,notEmpty"`
	WindowTable string   `env:"WINDOW_TABLE,required,notEmpty"`
}

// warmUp bounds the fetch of the keys and revocations before the first request. If the fetch fails,
// the first request fetches again.
const warmUp = 3 * time.Second

func main() {
	s, aws := start.Function[settings]()
	client := awskms.NewFromConfig(aws)
	keys := &jwt.CachedKeys{Fetch: kms.P256Keys{Client: client, IDs: s.KeyIDs}.PublicKeys}
	revoked := &jwt.CachedRevocations{Fetch: windowtable.Revocations{Client: dynamo.New(aws), Table: s.WindowTable}.Revocations, Now: time.Now}
	logger := s.Logger()

	starting, cancel := context.WithTimeout(context.Background(), warmUp)
	if _, err := keys.Keys(starting); err != nil {
		logger.Error("no token keys yet", "cause", err.Error())
	}
	if _, err := revoked.Revocations(starting); err != nil {
		logger.Error("no revocations yet", "cause", err.Error())
	}
	cancel()

	lambda.Start(authorizer.Authorizer{
		Verifier: jwt.Verifier{Keys: keys, Revoked: revoked, Issuer: s.Issuer, Audience: s.Audience, Now: time.Now},
		Log:      logger,
	}.Handle)
}
