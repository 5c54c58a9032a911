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

// Bounds on one attempt of a call. AWS needs milliseconds, and two attempts fit into a request.
const (
	dialTimeout   = 2 * time.Second
	headerTimeout = 8 * time.Second
)

// Config returns the AWS configuration of a function, from the environment that Lambda sets and
// from AWS_ENDPOINT_URL, which names a local stack. Clients send through Client, within the bounds
// on one attempt. Config makes no connection.
//
// The SDK's package config would return the same, but links the clients of four more services into
// every function, for sign-in methods that a function does not have. Package profile uses the SDK's
// package, for commands that people run.
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
		// The SDK's defaults, which differ from the zero values.
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

// Bounded returns the SDK's HTTP client with the bounds on one attempt.
func Bounded() *sdkhttp.BuildableClient {
	return sdkhttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
		WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = headerTimeout })
}
