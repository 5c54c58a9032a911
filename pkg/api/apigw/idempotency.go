package apigw

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// once lets a request with an Idempotency-Key through to its handler, unless one
// before it with the same key was let through: then it gives that one's answer,
// or refuses. A route without a token ignores the key: its callers are known by
// their address only, which neighbours share, and a neighbour's answer is not theirs.
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
		return e.run(r) // which refuses it
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

// keep ends a claim: with the answer when that is final, also when the request's
// own time is up. A claim that cannot be ended ends with its lease, and the
// request may then be done again.
func (e endpoint) keep(ctx context.Context, claim idempotency.Claim, answer *reply, failure error, requestID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackTimeout)
	defer cancel()
	passing := false
	if failure != nil {
		told := explain(ctx, failure)
		answer, passing = problem(told, requestID), told.Passing
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
