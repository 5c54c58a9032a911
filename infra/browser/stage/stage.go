// Package stage does for the tests in a browser what time, other people and the operator
// do to the deployed stack: it launches tokens of others, lets them be traded, opens the
// slot of a distribution, hides a token, and forgets the limits. The tests ask for it
// over HTTP on loopback.
package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/launch"
)

// Stage is the environment of the tests.
type Stage struct {
	stack        *runner.Stack
	distribution *distribution
}

// New begins to prepare the token that is going to be distributed, which takes a while.
func New(ctx context.Context, stack *runner.Stack) *Stage {
	s := &Stage{stack: stack}
	s.distribution = prepare(ctx, stack, s.newLaunch)
	return s
}

// Listen serves the stage until the context ends, and returns its address.
func (s *Stage) Listen(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the tests in the browser: %w", err)
	}
	server := &http.Server{Handler: s.routes(), ReadHeaderTimeout: time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // it returns the error of a closed server
	return "http://" + listener.Addr().String(), nil
}

func (s *Stage) routes() http.Handler {
	mux := http.NewServeMux()
	for path, do := range map[string]func(*http.Request) (any, error){
		"POST /limits/forget": func(r *http.Request) (any, error) { return nil, s.stack.ForgetLimitsOfAddresses(r.Context()) },
		"POST /lifetime/{lifetime}": func(r *http.Request) (any, error) {
			return nil, s.stack.LaunchOn(r.Context(), launch.Lifetime(r.PathValue("lifetime")))
		},
		"POST /tokens":                 s.launch,
		"POST /tokens/{mint}/hide":     s.of(s.hide),
		"POST /tokens/marketed":        func(r *http.Request) (any, error) { return s.market(r.Context()) },
		"POST /tokens/{mint}/featured": s.of(func(ctx context.Context, mint solana.PublicKey) error { return awaitFeatured(ctx, s.stack, mint) }),
		"POST /tokens/{mint}/curve":    s.of(s.curve),
		"POST /tokens/{mint}/seen":     s.of(func(ctx context.Context, mint solana.PublicKey) error { return awaitCurve(ctx, s.stack, mint) }),
		"POST /exchanges":              func(r *http.Request) (any, error) { return s.exchanges(r.Context()) },
		"POST /distribution/traded":    func(r *http.Request) (any, error) { return s.distribution.traded(r.Context()) },
		"POST /distribution/open":      func(r *http.Request) (any, error) { return nil, s.distribution.open(r.Context()) },
		"POST /distribution/settled": func(r *http.Request) (any, error) {
			return s.distribution.settled(r.Context())
		},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			result, err := do(r)
			if err != nil {
				http.Error(w, err.Error()+"\n"+s.logOf(err), http.StatusInternalServerError)
				return
			}
			if result != nil {
				_ = json.NewEncoder(w).Encode(result) // a client that is gone needs no answer
			}
		})
	}
	return mux
}

// of does something about the token that the path names.
func (*Stage) of(do func(context.Context, solana.PublicKey) error) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		mint, err := mintOf(r)
		if err != nil {
			return nil, err
		}
		return nil, do(r.Context(), mint)
	}
}

// logOf returns the functions' log of a rejected request.
func (s *Stage) logOf(err error) string {
	if problem, ok := errors.AsType[*client.Problem](err); ok {
		return s.stack.LogOf(problem.RequestID)
	}
	return ""
}

// token is the tests' view of a token.
type token struct {
	MintAddress string `json:"mintAddress"`
	Name        string `json:"name"`
	Symbol      string `json:"symbol"`
}

func tokenOf(l *walkthrough.Launch) token {
	t := l.Submitted.Token
	return token{t.MintAddress.String(), t.Name, t.Symbol}
}

func (s *Stage) newLaunch() (*walkthrough.Launch, error) {
	return walkthrough.New(s.stack.APIURL, s.stack.Chain, nil)
}

func (s *Stage) launch(r *http.Request) (any, error) {
	l, err := s.newLaunch()
	if err != nil {
		return nil, err
	}
	if err := l.Run(r.Context()); err != nil {
		return nil, err
	}
	return tokenOf(l), nil
}

func (s *Stage) hide(ctx context.Context, mint solana.PublicKey) error {
	tokens := launchtable.Tokens{Client: dynamodb.NewFromConfig(s.stack.AWS.Config()), Table: s.stack.Outputs["LaunchTableName"]}
	return tokens.Hide(ctx, mint)
}

func mintOf(r *http.Request) (solana.PublicKey, error) {
	mint, err := solana.PublicKeyFromBase58(r.PathValue("mint"))
	if err != nil {
		return mint, fmt.Errorf("read the mint's address: %w", err)
	}
	return mint, nil
}
