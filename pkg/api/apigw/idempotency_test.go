package apigw_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// keyed is the tokens function with an idempotency store. Every call of a handler is counted, and
// returns the response that the test defines.
type keyed struct {
	*bench

	store  *idempotencytest.Memory
	now    atomic.Pointer[time.Time]
	done   atomic.Int64
	answer func(w http.ResponseWriter, r *http.Request) error
}

func newKeyed(t *testing.T) *keyed {
	t.Helper()
	k := &keyed{
		bench: &bench{T: t, log: &bytes.Buffer{}},
		store: &idempotencytest.Memory{},
	}
	k.now.Store(new(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	clock := func() time.Time { return *k.now.Load() }
	k.limiter = &ratelimittest.Memory{Now: clock}
	k.answer = func(w http.ResponseWriter, _ *http.Request) error {
		return apigw.WriteJSON(w, http.StatusOK, map[string]int64{"creation": k.done.Load()})
	}
	handle := func(w http.ResponseWriter, r *http.Request) error {
		k.done.Add(1)
		return k.answer(w, r)
	}
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(route.FunctionTokens) {
		handlers[r.Operation] = handle
	}
	api := apigw.API{Limiter: k.limiter, Answers: k.store, Log: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: clock}
	handler, err := api.Handler(route.FunctionTokens, handlers)
	if err != nil {
		t.Fatal(err)
	}
	k.handler = handler
	return k
}

func (k *keyed) advance(d time.Duration) { k.now.Store(new(k.now.Load().Add(d))) }

// post sends one request with these keys.
func (k *keyed) post(path string, caller apigw.CallerContext, body string, keys ...string) *answer {
	k.Helper()
	r := httptest.NewRequestWithContext(apigw.WithCaller(k.Context(), caller), http.MethodPost, path, strings.NewReader(body))
	for _, key := range keys {
		r.Header.Add("Idempotency-Key", key)
	}
	return k.serve(r)
}

// first and again are the same request, done and replayed.
func (k *keyed) same(first, again *answer, replayed bool) {
	k.Helper()
	if got := again.Header().Get("Idempotency-Replayed") == "true"; got != replayed {
		k.Errorf("replayed: %v, want %v: %d %s", got, replayed, again.Code, again.Body)
	}
	if first.Header().Get("Idempotency-Replayed") != "" {
		k.Error("the first response is marked as replayed")
	}
	if replayed && (first.Code != again.Code || first.Body.String() != again.Body.String() || first.Header().Get("Content-Type") != again.Header().Get("Content-Type")) {
		k.Errorf("first %d %s, again %d %s", first.Code, first.Body, again.Code, again.Body)
	}
}

const (
	create, submit, check = "/tokens/create-unsigned", "/tokens/submit", "/tokens/validate"
	generate              = "/tokens/generate-distribution-wallet"
)

func TestSameKeyAndBodyReplay(t *testing.T) {
	k := newKeyed(t)
	first := k.post(create, signedIn(), `{"a":1}`, "key")
	again := k.post(create, signedIn(), `{"a":1}`, "key")
	again.complete(http.StatusOK)
	k.same(first, again, true)
	if first.quota() != "5/4/3600" || again.quota() != "5/3/3600" {
		t.Errorf("quota %s, then %s: a replay counts like any other request", first.quota(), again.quota())
	}
	k.post(create, signedIn(), `{"a":2}`, "key").problem(http.StatusConflict, "idempotency_key_reused")
	k.post(submit, signedIn(), `{"a":1}`, "key").problem(http.StatusConflict, "idempotency_key_reused")
	if done := k.done.Load(); done != 1 {
		t.Errorf("done %d times, want once", done)
	}
	// Without a key, and with another, it is done again.
	k.post(create, signedIn(), `{"a":1}`)
	k.advance(time.Hour)
	k.same(first, k.post(create, signedIn(), `{"a":1}`, "another"), false)
	k.advance(idempotency.Lifetime - time.Hour - time.Millisecond)
	k.same(first, k.post(create, signedIn(), `{"a":1}`, "key"), true)
	k.advance(time.Millisecond)
	k.same(first, k.post(create, signedIn(), `{"a":2}`, "key"), false)
	if done := k.done.Load(); done != 4 {
		t.Errorf("done %d times, want 4", done)
	}
}

func TestKeysAreScopedToCaller(t *testing.T) {
	k := newKeyed(t)
	other := signedIn()
	other.Wallet = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
	roaming := signedIn()
	roaming.SourceIP = "198.51.100.7"
	first := k.post(create, signedIn(), "{}", "key")
	k.same(first, k.post(create, other, "{}", "key"), false)
	k.same(first, k.post(create, roaming, "{}", "key"), true)
}

// Neighbours behind one IPv4 address or in one IPv6 /64 send the same key: each is answered separately.
func TestPublicRoutesReplayNothing(t *testing.T) {
	for _, addresses := range [][2]string{{"203.0.113.9", "203.0.113.9"}, {"2001:db8:1:2::aaaa", "2001:db8:1:2::bbbb"}} {
		k := newKeyed(t)
		one, other := stranger(""), stranger("")
		one.SourceIP, other.SourceIP = addresses[0], addresses[1]
		first := k.post(generate, one, "", "launch-1")
		second := k.post(generate, other, "", "launch-1")
		k.same(first, second, false)
		if first.Code != http.StatusOK || second.Code != http.StatusOK || first.Body.String() == second.Body.String() {
			t.Errorf("%s gets %d %s, its neighbour %d %s", addresses[0], first.Code, first.Body, second.Code, second.Body)
		}
	}
}

func TestInvalidIdempotencyKeys(t *testing.T) {
	k := newKeyed(t)
	for _, keys := range [][]string{{""}, {"a b"}, {strings.Repeat("k", 256)}, {"ä"}, {"a", "a"}} {
		k.advance(time.Hour)
		p := k.post(create, signedIn(), "{}", keys...).problem(http.StatusBadRequest, "validation_failed")
		if len(p.Errors) != 1 || p.Errors[0].Field != "Idempotency-Key" {
			t.Errorf("%q: %+v does not name the header", keys, p)
		}
	}
	if k.done.Load() != 0 {
		t.Error("a request with a bad key was done")
	}
	// The order of checks: 401 and 429 come before.
	k.post(create, stranger("missing_token"), "{}", "").problem(http.StatusUnauthorized, "missing_token")
	k.advance(time.Hour)
	for range 5 {
		k.post(create, signedIn(), "{}", "")
	}
	k.post(create, signedIn(), "{}", "").problem(http.StatusTooManyRequests, "rate_limit_exceeded")
}

func TestReplayKeepsOnlyFinalResponses(t *testing.T) {
	refuse := func(code apperr.Code) func(http.ResponseWriter, *http.Request) error {
		return func(http.ResponseWriter, *http.Request) error { return apperr.New(code, "No.") }
	}
	for name, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request) error
		status int
		kept   bool
	}{
		"created": {func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusCreated)
			return nil
		}, 201, true},
		"bad":               {refuse(apperr.CodeUnknownImage), 400, true},
		"in conflict":       {refuse(apperr.CodeWalletInUse), 409, true},
		"not found":         {refuse(apperr.CodeTokenNotFound), 404, true},
		"on its way":        {func(w http.ResponseWriter, _ *http.Request) error { return apigw.WriteJSON(w, 202, 1) }, 202, false},
		"unauthenticated":   {refuse(apperr.CodeInvalidSignature), 401, false},
		"limited inside":    {refuse(apperr.CodeLaunchLimitExceeded), 429, false},
		"unavailable":       {refuse(apperr.CodeUpstreamUnavailable), 503, false},
		"an internal error": {func(http.ResponseWriter, *http.Request) error { return errors.New("secret") }, 500, false},
		"a panic":           {func(http.ResponseWriter, *http.Request) error { panic("secret") }, 500, false},
		"longer than taken": {func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, 200, strings.Repeat("x", idempotency.MaxBody))
		}, 200, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKeyed(t)
			k.answer = test.answer
			first := k.post(create, signedIn(), "{}", "key")
			first.complete(test.status)
			k.same(first, k.post(create, signedIn(), "{}", "key"), test.kept)
			if done := k.done.Load(); (done == 1) != test.kept {
				t.Errorf("done %d times, kept %v", done, test.kept)
			}
			k.post(create, signedIn(), "{ }", "key").problem(http.StatusConflict, "idempotency_key_reused")
		})
	}
}

// TestConcurrentRequestsWithOneKey tests that a caller whose request is already running gets
// Retry-After, and the response on the retry.
func TestConcurrentRequestsWithOneKey(t *testing.T) {
	k := newKeyed(t)
	release := make(chan struct{})
	k.answer = func(w http.ResponseWriter, _ *http.Request) error {
		<-release
		return apigw.WriteJSON(w, http.StatusOK, map[string]int64{"creation": k.done.Load()})
	}
	const racers = 50
	answers := make([]*answer, racers)
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() { answers[i] = k.post(check, signedIn(), "", "key") })
	}
	k.until(func() bool { return k.limiter.Counted(limits.TokenValidate, wallet) >= racers })
	close(release)
	all.Wait()
	final := ""
	for _, a := range answers {
		switch a.Code {
		case http.StatusOK:
			if final != "" && final != a.Body.String() {
				t.Errorf("responses %s and %s", final, a.Body)
			}
			final = a.Body.String()
		default:
			a.complete(http.StatusConflict)
			if a.Header().Get("Retry-After") != "1" || !strings.Contains(a.Body.String(), `"code":"idempotency_in_progress"`) {
				t.Errorf("%v %s, want a Retry-After of a second", a.Header(), a.Body)
			}
		}
	}
	again := k.post(check, signedIn(), "", "key")
	if done := k.done.Load(); done != 1 || final == "" || again.Body.String() != final {
		t.Errorf("done %d times; response %s, later %s", done, final, again.Body)
	}
}

// until waits for a condition that other goroutines bring about.
func (k *keyed) until(met func() bool) {
	k.Helper()
	for deadline := time.Now().Add(10 * time.Second); !met(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			k.Fatal("waited for 10 s")
		}
	}
}

func TestKeyIsFreeAfterCrashedLease(t *testing.T) {
	k := newKeyed(t)
	crashed := k.post(create, signedIn(), "{}", "key") // and its answer is forgotten:
	claim := idempotency.Claim{Caller: wallet, Key: "crash", Holder: "crashed", Fingerprint: idempotency.Fingerprint(http.MethodPost, create, "", []byte("{}"))}
	if _, err := k.store.Begin(t.Context(), claim, *k.now.Load()); err != nil {
		t.Fatal(err)
	}
	k.post(create, signedIn(), "{}", "crash").problemWithRetry("idempotency_in_progress", 1)
	k.advance(idempotency.Lease)
	k.same(crashed, k.post(create, signedIn(), "{}", "crash"), false)
	if done := k.done.Load(); done != 2 {
		t.Errorf("done %d times, want 2", done)
	}
}

// problemWithRetry checks a conflict that passes with time.
func (a *answer) problemWithRetry(code string, seconds int) {
	a.Helper()
	a.complete(http.StatusConflict)
	if !strings.Contains(a.Body.String(), fmt.Sprintf(`"code":%q`, code)) || a.Header().Get("Retry-After") != strconv.Itoa(seconds) {
		a.Errorf("%v %s, want %s after %d s", a.Header(), a.Body, code, seconds)
	}
}

func TestIdempotencyStoreDown(t *testing.T) {
	k := newKeyed(t)
	k.store.Err = apperr.Upstream("The store", errors.New("down"))
	k.post(create, signedIn(), "{}", "key").problem(http.StatusServiceUnavailable, "upstream_unavailable")
	if k.done.Load() != 0 {
		t.Error("done although it cannot be remembered")
	}
	k.post(create, signedIn(), "{}").complete(http.StatusOK)
	// Functions without an idempotency store ignore the header.
	b := newBench(t, route.FunctionTokens, nil)
	for range 2 {
		r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), signedIn()), http.MethodPost, create, nil)
		r.Header["Idempotency-Key"] = []string{"", "no key"}
		a := b.serve(r)
		a.complete(http.StatusOK)
		if a.Header().Get("Idempotency-Replayed") != "" {
			t.Error("replayed from nowhere")
		}
	}
}

func TestLostCompletionKeepsResponse(t *testing.T) {
	k := newKeyed(t)
	k.answer = func(w http.ResponseWriter, _ *http.Request) error {
		k.store.Err = context.DeadlineExceeded // from here on
		return apigw.WriteJSON(w, http.StatusOK, "made")
	}
	k.post(create, signedIn(), "{}", "key").complete(http.StatusOK)
}

func TestBodyReachesHandlerWhole(t *testing.T) {
	k := newKeyed(t)
	k.answer = func(w http.ResponseWriter, r *http.Request) error {
		got, err := io.ReadAll(r.Body)
		if err != nil {
			return fmt.Errorf("read the body: %w", err)
		}
		return apigw.WriteJSON(w, http.StatusOK, len(got))
	}
	long := strings.Repeat("x", 64<<10)
	if a := k.post(create, signedIn(), long, "key"); a.Body.String() != "65536" {
		t.Errorf("at the limit: %s", a.Body)
	}
	k.post(create, signedIn(), long+"x", "key").problem(http.StatusRequestEntityTooLarge, "body_too_large")
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), signedIn()), http.MethodPost, create, io.MultiReader(strings.NewReader(long+"x")))
	r.Header.Set("Idempotency-Key", "key")
	k.serve(r).problem(http.StatusRequestEntityTooLarge, "body_too_large")
}
