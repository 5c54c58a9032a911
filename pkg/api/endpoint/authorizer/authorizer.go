// Package authorizer tells the routes who is calling. It never refuses: the
// gateway would answer a refusal with a 403 of its own, without our headers. It
// describes the caller, and the route's guard in package apigw refuses.
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

// timeout bounds the fetch of the keys. It ends before the function is stopped,
// after 5 seconds, upon which the gateway would answer a 500 of its own.
const timeout = 3 * time.Second

// Verifier gives the wallet of a token: jwt.ErrInvalid when the token is to
// blame, another error when nothing can be said about it.
type Verifier interface {
	Verify(ctx context.Context, token string) (wallet string, err error)
}

// Authorizer answers the gateway.
type Authorizer struct {
	Verifier Verifier
	Log      *slog.Logger
}

// Handle describes the caller of one request: as a wallet, or by the reason why
// there is none. It gives no error.
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

// header finds a header whatever the case of its name; the gateway sends lower
// case.
func header(headers map[string]string, name string) string {
	for have, value := range headers {
		if strings.EqualFold(have, name) {
			return value
		}
	}
	return ""
}
