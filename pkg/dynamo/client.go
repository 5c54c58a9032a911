// Package dynamo keeps records and rate windows in DynamoDB. Every change of
// state that matters is one conditional write or one transaction: the condition
// is the rule, and holds under any concurrency.
package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"tokenlaunch.example/service/pkg/apperr"
)

// Bounds on one attempt of a call, well above what DynamoDB needs (milliseconds)
// and low enough that two attempts fit into a request.
const (
	dialTimeout   = 2 * time.Second
	headerTimeout = 8 * time.Second
)

// Open makes a client from the function's environment. It connects to nothing
// yet, so that it costs a cold start no round trip.
func Open(ctx context.Context) (*dynamodb.Client, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(
		awshttp.NewBuildableClient().
			WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
			WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = headerTimeout }),
	))
	if err != nil {
		return nil, fmt.Errorf("read the AWS configuration: %w", err)
	}
	return dynamodb.NewFromConfig(cfg), nil
}

// conditionFailed says whether a write was refused by its own condition.
func conditionFailed(err error) bool {
	_, failed := errors.AsType[*types.ConditionalCheckFailedException](err)
	return failed
}

// unavailable wraps the failure of a call: the store did not answer, or not now.
// A call that the store refuses because of how it was made is our own mistake,
// and stays a plain error.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[smithy.APIError](err); ok && refused.ErrorFault() == smithy.FaultClient && !passing(err) {
		return fmt.Errorf("the store refuses the call: %w", err)
	}
	return apperr.Upstream("The store", err)
}

// passing says whether the same call may succeed a moment later.
func passing(err error) bool {
	if _, conflict := errors.AsType[*types.TransactionConflictException](err); conflict {
		return true
	}
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range canceled.CancellationReasons {
			switch aws.ToString(reason.Code) {
			case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
				return true
			}
		}
	}
	return retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err) == aws.TrueTernary
}
