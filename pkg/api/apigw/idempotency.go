package apigw

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// once calls the handler for the first request with an Idempotency-Key. For a later request with
// the same key, once returns the first response or rejects the request. A route without an access
// token ignores the key: callers are identified only by the address, which several callers may
// share, and a caller must not receive another caller's response.
func (e endpoint) once(r *http.Request, caller CallerContext) (*reply, error) {
	given := r.Header.Values(idempotency.Header)
	if e.api.Answers == nil || e.route.Method == http.MethodGet || !e.route.NeedsToken() || len(given) == 0 {
		return e.run(r)
	}
	key, err := idempotency.CheckKey(given)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, e.route.MaxBody+1))
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
	if int64(len(body)) > e.route.MaxBody {
		return e.run(r) // run rejects the body
	}
	claim := idempotency.Claim{
		Caller: caller.Wallet, Key: key, Holder: uuid.NewString(),
		Fingerprint: idempotency.Fingerprint(e.route.Method, r.URL.Path, r.Header.Get("Content-Type"), body),
	}
	ctx, cancel := context.WithTimeout(r.Context(), takeTimeout)
	defer cancel()
	earlier, err := e.api.Answers.Begin(ctx, claim, e.api.Now())
	if err != nil {
		return nil, err
	}
	if earlier != nil {
		return replay(*earlier), nil
	}
	answer, err := e.run(r)
	e.keep(r.Context(), claim, answer, err, caller.RequestID)
	return answer, err
}

// keep ends a claim, even if the request's time is up, and stores the response if the response is
// final. If keep fails, the claim ends with the lease, and a later request may do the work again.
func (e endpoint) keep(ctx context.Context, claim idempotency.Claim, answer *reply, failure error, requestID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundTimeout)
	defer cancel()
	passing := false
	if failure != nil {
		told := explain(ctx, failure)
		answer, passing = problem(told, requestID, ""), told.Transient
	}
	final := idempotency.Final(answer.status) && !passing
	if final && answer.body.Len() > idempotency.MaxBody {
		e.api.Log.WarnContext(ctx, "an answer is too long to be kept under its idempotency key", "bytes", answer.body.Len())
		final = false
	}
	var err error
	if final {
		err = e.api.Answers.Keep(ctx, claim, kept(answer))
	} else {
		err = e.api.Answers.Release(ctx, claim)
	}
	if err != nil {
		e.api.Log.ErrorContext(ctx, "an idempotency key stays in progress", "cause", err.Error())
	}
}

func kept(answer *reply) idempotency.Answer {
	out := idempotency.Answer{Status: answer.status, Header: map[string]string{}, Body: answer.body.Bytes()}
	for name := range answer.header {
		out.Header[name] = answer.header.Get(name)
	}
	return out
}

func replay(earlier idempotency.Answer) *reply {
	out := newReply()
	for name, value := range earlier.Header {
		out.header.Set(name, value)
	}
	out.header.Set(idempotency.ReplayedHeader, "true")
	out.WriteHeader(earlier.Status)
	out.body.Write(earlier.Body)
	return out
}
