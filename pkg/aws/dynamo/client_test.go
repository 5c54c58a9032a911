package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// TestFailuresOfCalls tests that a transient failure is 503, and our own mistake 500.
func TestFailuresOfCalls(t *testing.T) {
	canceled := func(code string) error {
		return &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: &code}}}
	}
	tests := []struct {
		name string
		err  error
		want apperr.Kind
	}{
		{"no connection", &net.OpError{Op: "dial", Err: errors.New("refused")}, apperr.Unavailable},
		{"server error", &types.InternalServerError{}, apperr.Unavailable},
		{"throttled", &types.ThrottlingException{}, apperr.Unavailable},
		{"over capacity", &types.ProvisionedThroughputExceededException{}, apperr.Unavailable},
		{"over the account's rate", &types.RequestLimitExceeded{}, apperr.Unavailable},
		{"in conflict with a transaction", &types.TransactionConflictException{}, apperr.Unavailable},
		{"a transaction in conflict", canceled("TransactionConflict"), apperr.Unavailable},
		{"a transaction throttled", canceled("ThrottlingError"), apperr.Unavailable},
		{"a transaction whose condition fails", canceled("ConditionalCheckFailed"), apperr.Internal},
		{"a transaction that is not valid", canceled("ValidationError"), apperr.Internal},
		{"no such table", &types.ResourceNotFoundException{}, apperr.Internal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := dynamo.Unavailable(fmt.Errorf("read: %w", test.err))
			if apperr.KindOf(err) != test.want || !errors.Is(err, test.err) {
				t.Errorf("%v is %d, want %d", err, apperr.KindOf(err), test.want)
			}
		})
	}
	if err := dynamo.Unavailable(nil); err != nil {
		t.Errorf("no failure: %v", err)
	}
}

// TestFailuresOnTheWire tests the same for errors without a type in the SDK.
func TestFailuresOnTheWire(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		want   apperr.Kind
	}{
		"ValidationException":                    {400, apperr.Internal},
		"AccessDeniedException":                  {400, apperr.Internal},
		"ResourceNotFoundException":              {400, apperr.Internal},
		"ThrottlingException":                    {400, apperr.Unavailable},
		"ProvisionedThroughputExceededException": {400, apperr.Unavailable},
		"InternalServerError":                    {500, apperr.Unavailable},
		"ServiceUnavailable":                     {503, apperr.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			client := dynamo.New(aws.Config{
				Region: "us-east-1", HTTPClient: failing{test.status, name},
				Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
					return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
				}),
			})
			var item struct{}
			_, err := dynamo.Get(t.Context(), client, "window", dynamo.Key("P", "S"), &item)
			if apperr.KindOf(err) != test.want || err == nil {
				t.Errorf("%v is %d, want %d", err, apperr.KindOf(err), test.want)
			}
		})
	}
}

// failing is a store that answers every call with one error.
type failing struct {
	status int
	code   string
}

func (f failing) Do(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: f.status,
		Header:     http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:       io.NopCloser(strings.NewReader(fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb#%s","message":"no"}`, f.code))),
	}, nil
}
