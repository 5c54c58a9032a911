package awsconfig

import (
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdkhttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go/logging"
)

// Bounds on one attempt of a call, well above what AWS needs (milliseconds) and
// low enough that two attempts fit into a request.
const (
	dialTimeout   = 2 * time.Second
	headerTimeout = 8 * time.Second
)

// Config is the AWS configuration of a function: what Lambda puts into its environment,
// and AWS_ENDPOINT_URL, where a local stack is. Clients made from it send through Client,
// with our bounds on one attempt. It connects to nothing.
//
// The SDK's own package config would give the same, and bring the clients of four more
// services into every function, for ways to sign on that a function does not have:
// package profile uses it, for commands that people run.
func Config() (aws.Config, error) {
	given := aws.Credentials{
		AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: os.Getenv("AWS_SESSION_TOKEN"), Source: "environment",
	}
	region := os.Getenv("AWS_REGION")
	switch {
	case region == "":
		return aws.Config{}, errors.New("AWS_REGION is not set: Lambda sets it")
	case !given.HasKeys():
		return aws.Config{}, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: Lambda sets them")
	}
	config := aws.Config{
		Region:      region,
		Credentials: credentials.StaticCredentialsProvider{Value: given},
		HTTPClient:  Client{Next: Bounded()},
		Logger:      logging.NewStandardLogger(os.Stderr),
		// The SDK's defaults, which its zero values are not.
		DefaultsMode:                aws.DefaultsModeLegacy,
		RequestMinCompressSizeBytes: 10 << 10,
		AccountIDEndpointMode:       aws.AccountIDEndpointModePreferred,
		RequestChecksumCalculation:  aws.RequestChecksumCalculationWhenSupported,
		ResponseChecksumValidation:  aws.ResponseChecksumValidationWhenSupported,
	}
	if endpoint := os.Getenv("AWS_ENDPOINT_URL"); endpoint != "" {
		config.BaseEndpoint = &endpoint
	}
	return config, nil
}

// Bounded is the SDK's HTTP client with our bounds on one attempt.
func Bounded() *sdkhttp.BuildableClient {
	return sdkhttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
		WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = headerTimeout })
}
