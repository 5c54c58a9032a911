// Package dynamo is what the packages of the tables share: the client, keys and
// attributes, reads, conditional writes, and what a failed call means. Package schema
// describes the tables; launchtable, ledgertable and windowtable keep the stores, each
// in one table. One transaction spans several: a change of settings, which the opening of
// a run, in the ledger, and the lists of the launch table exclude.
//
// Every change of state that matters is one conditional write or one transaction: the
// condition is the rule, and holds under any concurrency.
package dynamo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// attempts is how often a call is tried, firstPause the longest wait before the
// second try; it doubles from try to try. The SDK's own pauses begin at a second,
// which a caller who waits for an answer would notice.
const (
	attempts   = 3
	firstPause = 50 * time.Millisecond
)

// New makes a client from a configuration, with our pauses between tries.
func New(cfg aws.Config) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.Retryer = retry.NewStandard(func(s *retry.StandardOptions) {
			s.MaxAttempts = attempts
			s.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
				return rand.N(firstPause << min(attempt, attempts)), nil //nolint:gosec // G404: a pause, not a secret
			})
		})
	})
}

// ConditionFailed says whether a write was refused by its own condition.
func ConditionFailed(err error) bool {
	_, failed := errors.AsType[*types.ConditionalCheckFailedException](err)
	return failed
}

// CanceledAt tells which writes of a transaction were refused; ok is false when
// err is no refusal. A conflict with another transaction names no write.
func CanceledAt(err error) (failed []int, ok bool) {
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return nil, false
	}
	for i, reason := range canceled.CancellationReasons {
		if reason.Code != nil && *reason.Code == "ConditionalCheckFailed" {
			failed = append(failed, i)
		}
	}
	return failed, true
}

// Unavailable wraps the failure of a call: the store did not answer, or not now.
// A call that the store refuses because of how it was made is our own mistake,
// and stays a plain error.
func Unavailable(err error) error {
	if err == nil {
		return nil
	}
	if refused(err) && !passing(err) {
		return fmt.Errorf("the store refuses the call: %w", err)
	}
	return apperr.Upstream("The store", err)
}

// refused says whether the store blames the call: by its error or, where the SDK
// does not know the error, by the HTTP status 400.
func refused(err error) bool {
	if known, ok := errors.AsType[smithy.APIError](err); ok && known.ErrorFault() == smithy.FaultClient {
		return true
	}
	response, ok := errors.AsType[*smithyhttp.ResponseError](err)
	return ok && response.HTTPStatusCode() == http.StatusBadRequest
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
