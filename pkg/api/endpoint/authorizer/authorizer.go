// Package authorizer identifies the caller for the routes. A rejection by the authorizer would be a
// 403 of the gateway, without the service's headers. The authorizer therefore only describes the
// caller, and the route's guard in package apigw rejects the request.
package authorizer

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// timeout is the maximum duration of fetching the keys, and shorter than the function's timeout of
// 5 seconds, after which the gateway would respond with a 500 of its own.
const timeout = 3 * time.Second

// Verifier returns the wallet of an access token. It returns jwt.ErrInvalid if the access token is
// invalid, and another error if the access token could not be checked.
type Verifier interface {
	Verify(ctx context.Context, token string) (wallet string, err error)
}

// Authorizer handles the gateway's authorization requests.
type Authorizer struct {
	Verifier Verifier
	Log      *slog.Logger
}

// Handle describes the caller of one request by the wallet, or by the reason for a missing wallet.
// The error is always nil.
func (a Authorizer) Handle(ctx context.Context, request events.APIGatewayV2CustomAuthorizerV2Request) (events.APIGatewayV2CustomAuthorizerSimpleResponse, error) {
	token, ok := auth.TokenFromHeader(header(request.Headers, "Authorization"))
	if !ok {
		return because(apigw.ReasonMissingToken), nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	log := a.Log.With("requestId", request.RequestContext.RequestID)
	wallet, err := a.Verifier.Verify(ctx, token)
	switch {
	case errors.Is(err, jwt.ErrInvalid):
		log.InfoContext(ctx, "token refused", "cause", err.Error())
		return because(apigw.ReasonInvalidToken), nil
	case err != nil:
		log.ErrorContext(ctx, "token not verified", "cause", err.Error())
		return because(apigw.ReasonUnavailable), nil
	}
	return describe(apigw.AuthorizerWallet, wallet), nil
}

func because(reason string) events.APIGatewayV2CustomAuthorizerSimpleResponse {
	return describe(apigw.AuthorizerReason, reason)
}

func describe(key, value string) events.APIGatewayV2CustomAuthorizerSimpleResponse {
	return events.APIGatewayV2CustomAuthorizerSimpleResponse{IsAuthorized: true, Context: map[string]any{key: value}}
}

// header returns a header, ignoring the case of the name. The gateway sends lower case.
func header(headers map[string]string, name string) string {
	for have, value := range headers {
		if strings.EqualFold(have, name) {
			return value
		}
	}
	return ""
}
