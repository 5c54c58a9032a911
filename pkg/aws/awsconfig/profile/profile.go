// Package profile is the AWS configuration of a command that a person runs: variables,
// profiles and every way to sign on that the SDK knows.
package profile

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sts"

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

// Caller asks AWS whose credentials a configuration has: the ARN of the identity, for what a
// command writes down.
func Caller(ctx context.Context, cfg aws.Config) (string, error) {
	who, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", fmt.Errorf("ask AWS who calls: %w", err)
	}
	return aws.ToString(who.Arn), nil
}
