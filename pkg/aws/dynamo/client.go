// Package dynamo is shared by the packages of the tables: the client, keys and attributes, reads,
// conditional writes, and the classification of failed calls. Package schema describes the tables.
// The packages of the tables implement the stores. Only two transactions span several tables. A
// change of settings checks the ledger for opened runs and updates the lists of the launch table.
// The opening of a run checks the version of the settings.
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

// attempts is the maximum number of tries of a call. firstPause is the maximum pause before the
// second try, and doubles with every try. The SDK's own pauses begin at a second, which a waiting
// caller would notice.
const (
	attempts   = 3
	firstPause = 50 * time.Millisecond
)

// New returns a client for a configuration, with short pauses between tries.
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

// ConditionFailed reports whether a write failed because of the write's condition.
func ConditionFailed(err error) bool {
	_, failed := errors.AsType[*types.ConditionalCheckFailedException](err)
	return failed
}

// CanceledAt returns the indexes of a transaction's writes whose conditions failed. ok is false if
// err is not a cancelled transaction. A conflict with another transaction names no write.
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

// Unavailable wraps the error of a call that failed because the store did not respond, or is busy.
// If the store rejects the call itself, the error is a bug of this service and stays a plain error.
func Unavailable(err error) error {
	if err == nil {
		return nil
	}
	if refused(err) && !passing(err) {
		return fmt.Errorf("the store refuses the call: %w", err)
	}
	return apperr.Upstream("The store", err)
}

// refused reports whether the store rejects the call: by the error's fault, or by HTTP status 400
// if the SDK does not know the error.
func refused(err error) bool {
	if known, ok := errors.AsType[smithy.APIError](err); ok && known.ErrorFault() == smithy.FaultClient {
		return true
	}
	response, ok := errors.AsType[*smithyhttp.ResponseError](err)
	return ok && response.HTTPStatusCode() == http.StatusBadRequest
}

// passing reports whether the same call may succeed a moment later.
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
