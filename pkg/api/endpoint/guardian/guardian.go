// Package guardian serves the guardian over HTTP.
//
//	GET  /               → {guardian, delaySeconds}
//	POST /sign           {mint, transaction} → {guardian, kind, signature}
//	GET  /orders/MINT    → the newest order of a hand-over, for everyone
//	POST /orders         {mint, number, newAuthority, effectiveAt, signature} → the order
//	POST /orders/cancel  {mint, number, signature} → the order
//
// Creators sign the texts of package token/handover. Signatures are base58. A refusal has the status 422 with {code, message}; a wrong token has 401, and a node that does not
// respond 503.
package guardian

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/token/handover"
)

// maxBody is the maximum size of a request, in bytes: a version 1 transaction in base64.
const maxBody = 8 << 10

// Endpoint serves the guardian.
type Endpoint struct {
	Core guardian.Core
	// Token is the token that the service sends as "Authorization: Bearer TOKEN".
	Token secret.Source
	Log   *slog.Logger
}

// Problem is why there is no signature.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Codes of problems.
const (
	CodeRefused     = "refused"      // the guardian does not sign the transaction
	CodeBadInput    = "bad_input"    // the request cannot be read
	CodeUnknown     = "unauthorized" // the token is missing or wrong
	CodeUnavailable = "unavailable"  // a node or the key did not respond: try again
)

// ServeHTTP serves a request.
func (e Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	mint, ofOne := strings.CutPrefix(r.URL.Path, "/orders/")
	var body any
	var err error
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/":
		body, err = e.about(r.Context())
	case r.Method == http.MethodGet && ofOne:
		body, err = e.newest(r.Context(), mint)
	case r.Method == http.MethodPost && r.URL.Path == "/orders":
		body, err = e.order(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/orders/cancel":
		body, err = e.cancel(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/sign":
		body, err = e.sign(w, r)
	default:
		answer(w, http.StatusNotFound, Problem{CodeBadInput, "There are GET /, GET /orders/MINT, POST /orders, POST /orders/cancel and POST /sign."})
		return
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, body)
}

// inputError is the error of a request that cannot be read. Its text is for the caller.
type inputError string

func (e inputError) Error() string { return string(e) }

// decode reads a request, and returns its mint.
func decode[T any](w http.ResponseWriter, r *http.Request, mint func(T) string, fields string) (asked T, of solana.PublicKey, err error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(raw, &asked)
	}
	if err != nil {
		return asked, of, inputError("The body must be JSON with " + fields + ".")
	}
	of, err = parseMint(mint(asked))
	return asked, of, err
}

func parseMint(text string) (solana.PublicKey, error) {
	mint, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return mint, inputError("mint must be the address of the token's mint.")
	}
	return mint, nil
}

func (e Endpoint) about(ctx context.Context) (guardian.About, error) {
	key, err := e.Core.Public(ctx)
	return guardian.About{Guardian: key.String(), DelaySeconds: int64(e.Core.Delay / time.Second)}, err
}

func (e Endpoint) sign(w http.ResponseWriter, r *http.Request) (guardian.SignAnswer, error) {
	asked, mint, err := decode(w, r, func(r guardian.SignRequest) string { return r.Mint }, "mint and transaction (base64)")
	if err != nil {
		return guardian.SignAnswer{}, err
	}
	known, err := e.known(r)
	if err != nil {
		return guardian.SignAnswer{}, err
	}
	signed, err := e.Core.CoSign(r.Context(), guardian.Request{Mint: mint, Transaction: asked.Transaction, FromService: known})
	if err != nil {
		return guardian.SignAnswer{}, err
	}
	e.Log.InfoContext(r.Context(), "the guardian signed", "mint", mint.String(), "kind", string(signed.Kind), "signature", signed.Signature.String())
	return guardian.SignAnswer{Guardian: signed.Guardian.String(), Kind: string(signed.Kind), Signature: signed.Signature.String()}, nil
}

func (e Endpoint) newest(ctx context.Context, text string) (guardian.OrderAnswer, error) {
	mint, err := parseMint(text)
	if err != nil {
		return guardian.OrderAnswer{}, err
	}
	noted, err := e.Core.Newest(ctx, mint)
	return show(mint, noted), err
}

func (e Endpoint) order(w http.ResponseWriter, r *http.Request) (guardian.OrderAnswer, error) {
	asked, mint, err := decode(w, r, func(o guardian.OrderRequest) string { return o.Mint }, "mint, number, newAuthority, effectiveAt (RFC 3339) and signature (base58)")
	if err != nil {
		return guardian.OrderAnswer{}, err
	}
	if asked.Number <= 0 || asked.EffectiveAt.Nanosecond() != 0 {
		return guardian.OrderAnswer{}, inputError("number must be at least 1, and effectiveAt must be in whole seconds.")
	}
	noted, err := e.Core.Order(r.Context(), mint, handover.Order{
		Number: asked.Number, To: asked.NewAuthority, EffectiveAt: asked.EffectiveAt.UTC(), Signature: asked.Signature,
	})
	if err != nil {
		return guardian.OrderAnswer{}, err
	}
	e.Log.InfoContext(r.Context(), "a hand-over is ordered", "mint", mint.String(), "number", noted.Number, "to", noted.To.String(), "from", noted.EffectiveAt)
	return show(mint, noted), nil
}

func (e Endpoint) cancel(w http.ResponseWriter, r *http.Request) (guardian.OrderAnswer, error) {
	asked, mint, err := decode(w, r, func(o guardian.OrderRequest) string { return o.Mint }, "mint, number and signature (base58)")
	if err != nil {
		return guardian.OrderAnswer{}, err
	}
	noted, err := e.Core.Cancel(r.Context(), mint, asked.Number, asked.Signature)
	if err != nil {
		return guardian.OrderAnswer{}, err
	}
	e.Log.InfoContext(r.Context(), "a hand-over is cancelled", "mint", mint.String(), "number", noted.Number)
	return show(mint, noted), nil
}

func show(mint solana.PublicKey, n guardian.Noted) guardian.OrderAnswer {
	shown := guardian.OrderAnswer{
		OrderRequest: guardian.OrderRequest{Mint: mint.String(), Number: n.Number, NewAuthority: n.To, EffectiveAt: n.EffectiveAt, Signature: n.Signature},
		SeenAt:       n.At, CancelledAt: n.CancelledAt, SignedAt: n.SignedAt,
	}
	if !n.Signature.IsZero() {
		shown.Text, shown.ExpiresAt = n.Text(mint), n.ExpiresAt()
	}
	return shown
}

// known reports whether the request has the service's token. The comparison takes the same time for
// every token.
func (e Endpoint) known(r *http.Request) (bool, error) {
	sent, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return false, nil
	}
	want, err := e.Token(r.Context())
	if err != nil {
		return false, apperr.Upstream("The guardian's token", err)
	}
	a, b := sha256.Sum256([]byte(sent)), sha256.Sum256([]byte(want))
	return want != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1, nil
}

func (e Endpoint) fail(w http.ResponseWriter, r *http.Request, err error) {
	input, unreadable := errors.AsType[inputError](err)
	switch {
	case unreadable:
		answer(w, http.StatusBadRequest, Problem{CodeBadInput, string(input)})
	case errors.Is(err, guardian.ErrRefused):
		e.Log.WarnContext(r.Context(), "the guardian refused a transaction", "cause", err.Error())
		answer(w, http.StatusUnprocessableEntity, Problem{CodeRefused, err.Error()})
	case errors.Is(err, guardian.ErrUnknownCaller):
		answer(w, http.StatusUnauthorized, Problem{CodeUnknown, err.Error()})
	default:
		e.Log.ErrorContext(r.Context(), "the guardian could not sign", "cause", err.Error())
		answer(w, http.StatusServiceUnavailable, Problem{CodeUnavailable, "A node or the key of the guardian did not respond: try again."})
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller is gone
}
