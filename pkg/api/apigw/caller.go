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

// Keys of the authorizer's context, all strings. Wallet is set when the token is
// valid, and Reason when it is not.
const (
	AuthorizerWallet = "wallet"
	AuthorizerReason = "reason"
)

// Reasons for which a caller has no wallet. The first two are the codes of the
// 401 too; the third says nothing about the token, and is a 503.
const (
	ReasonMissingToken = "missing_token"
	ReasonInvalidToken = "invalid_token"
	ReasonUnavailable  = "unavailable" // the keys to verify it with could not be had
)

// CallerContext is what the gateway and its authorizer say about a request.
// Wallet is the base58 address of the verified caller, Reason why there is none.
type CallerContext struct {
	Wallet    string
	Reason    string
	SourceIP  string
	RequestID string

	// fronted reports whether SourceIP is the word of CloudFront, which sent the origin secret.
	fronted bool
}

type callerKey struct{}

// WithCaller puts a caller into a context. A request that carries one is
// believed, and the gateway not asked: so tests call handlers without a gateway.
func WithCaller(ctx context.Context, caller CallerContext) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerFrom gives the wallet of the verified caller. On routes that need a
// token there always is one.
func CallerFrom(ctx context.Context) (wallet string, ok bool) {
	caller := callerIn(ctx)
	return caller.Wallet, caller.Wallet != "" && caller.Reason == ""
}

// CallerKey is CallerFrom as a key, on routes that need a token.
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

// SourceIP gives the address that the request came from, as the front or the gateway saw it.
func SourceIP(ctx context.Context) string { return callerIn(ctx).SourceIP }

// RequestID gives the id under which the request is logged, and which the caller
// was told.
func RequestID(ctx context.Context) string { return callerIn(ctx).RequestID }

// about says in a context what a request is about, for the lines of the log: its id, and
// the token that its path names.
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

// describe reads what the gateway knows about the request, and fills what it
// does not say. It refuses what went around the front.
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
