// Package profile reads the AWS configuration of a command that a person runs: variables, profiles
// and every sign-in method that the SDK supports.
package profile

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
)

// Config reads the configuration. Clients send through awsconfig.Client, within the bounds of a
// function's clients. Config makes no connection.
func Config(ctx context.Context) (aws.Config, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(awsconfig.Bounded()))
	if err != nil {
		return aws.Config{}, fmt.Errorf("read the AWS configuration: %w", err)
	}
	// Set last, because the SDK adds a bundle of certificates only to an HTTP client of the SDK.
	cfg.HTTPClient = awsconfig.Client{Next: cfg.HTTPClient}
	return cfg, nil
}
