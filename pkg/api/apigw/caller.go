package apigw

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/logctx"
)

// Keys of the authorizer's context, all strings. The wallet is set if the access token is valid.
// Otherwise the reason is set.
const (
	AuthorizerWallet = "wallet"
	AuthorizerReason = "reason"
)

// Reasons for a missing wallet. The first two are also the codes of the 401. The third does not
// depend on the access token, and becomes a 503.
const (
	ReasonMissingToken = "missing_token"
	ReasonInvalidToken = "invalid_token"
	ReasonUnavailable  = "unavailable" // the authorizer could not load the verification keys
)

// CallerContext is the gateway's and the authorizer's data about a request. Wallet is the base58
// address of the verified caller, and Reason the reason for a missing wallet.
type CallerContext struct {
	Wallet    string
	Reason    string
	SourceIP  string
	RequestID string

	// fronted reports whether SourceIP comes from CloudFront, with a valid origin secret.
	fronted bool
}

type callerKey struct{}

// WithCaller adds a caller to a context. The layer trusts this caller and ignores the gateway's
// data, so that tests can call handlers without a gateway.
func WithCaller(ctx context.Context, caller CallerContext) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerFrom returns the wallet of the verified caller. On routes that need an access token, ok is
// always true.
func CallerFrom(ctx context.Context) (wallet string, ok bool) {
	caller := callerIn(ctx)
	return caller.Wallet, caller.Wallet != "" && caller.Reason == ""
}

// CallerKey returns CallerFrom as a public key, on routes that need an access token.
func CallerKey(ctx context.Context) (solana.PublicKey, error) {
	address, ok := CallerFrom(ctx)
	if !ok {
		return solana.PublicKey{}, errors.New("no caller behind the guard")
	}
	key, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("address of the caller: %w", err)
	}
	return key, nil
}

// SourceIP returns the address of the caller, as CloudFront or the gateway reported.
func SourceIP(ctx context.Context) string { return callerIn(ctx).SourceIP }

// RequestID returns the ID of the request in the log and in the response.
func RequestID(ctx context.Context) string { return callerIn(ctx).RequestID }

// about adds the attributes of a request to a context, for the log: the request ID, and the token
// in the path.
func about(r *http.Request, requestID string) context.Context {
	attrs := []slog.Attr{slog.String(logctx.Request, requestID)}
	if mint := r.PathValue("mintAddress"); mint != "" {
		if _, ok := auth.ParseWallet(mint); ok {
			attrs = append(attrs, slog.String("mint", mint))
		}
	}
	return logctx.With(r.Context(), attrs...)
}

func callerIn(ctx context.Context) CallerContext {
	caller, _ := ctx.Value(callerKey{}).(CallerContext)
	return caller
}

// describe returns the gateway's data about the request, with defaults for missing data. It returns
// a rejection if the request bypassed the front.
func (a API) describe(r *http.Request) (caller CallerContext, refusal error) {
	caller, given := r.Context().Value(callerKey{}).(CallerContext)
	if gateway, through := core.GetAPIGatewayV2ContextFromContext(r.Context()); !given && through {
		caller = CallerContext{SourceIP: gateway.HTTP.SourceIP, RequestID: gateway.RequestID}
		if gateway.Authorizer != nil {
			caller.Wallet, _ = gateway.Authorizer.Lambda[AuthorizerWallet].(string)
			caller.Reason, _ = gateway.Authorizer.Lambda[AuthorizerReason].(string)
		}
	}
	if !given {
		caller, refusal = a.enter(r, caller)
	}
	if caller.SourceIP == "" {
		caller.SourceIP = r.RemoteAddr
		if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
			caller.SourceIP = host
		}
	}
	if caller.RequestID == "" {
		caller.RequestID = uuid.NewString()
	}
	return caller, refusal
}
