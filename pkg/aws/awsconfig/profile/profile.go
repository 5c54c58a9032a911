// Package profile is the AWS configuration of a command that a person runs: variables,
// profiles and every way to sign on that the SDK knows.
package profile

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
)

// Config reads the configuration. Clients made from it send through awshttp.Client, with
// the bounds of a function's. It connects to nothing.
func Config(ctx context.Context) (aws.Config, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(awsconfig.Bounded()))
	if err != nil {
		return aws.Config{}, fmt.Errorf("read the AWS configuration: %w", err)
	}
	// Only now: the SDK adds a bundle of certificates to its own client alone.
	cfg.HTTPClient = awsconfig.Client{Next: cfg.HTTPClient}
	return cfg, nil
}
