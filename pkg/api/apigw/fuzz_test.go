package apigw_test

import (
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// FuzzEventBodies sends arbitrary bodies and headers: a body arrives unchanged, as text or base64,
// or is rejected because it is too long.
func FuzzEventBodies(f *testing.F) {
	f.Add([]byte(`{"a":1}`), false, "content-type", "application/json")
	f.Add([]byte("\x00\xff"), true, "x-forwarded-for", "198.51.100.7")
	f.Add([]byte{}, true, "", "\n")
	f.Add([]byte("x"), false, "transfer-encoding", "chunked")
	f.Fuzz(func(t *testing.T, body []byte, encoded bool, name, value string) {
		var got []byte
		var tooLong bool
		handlers := map[string]apigw.HandlerFunc{}
		for _, r := range route.OfFunction(route.FunctionTokens) {
			handlers[r.Operation] = func(w http.ResponseWriter, r *http.Request) (err error) {
				if got, err = io.ReadAll(r.Body); err != nil {
					_, tooLong = errors.AsType[*http.MaxBytesError](err)
					return err
				}
				return apigw.WriteJSON(w, http.StatusOK, true)
			}
		}
		handler, err := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}.Handler(route.FunctionTokens, handlers)
		if err != nil {
			t.Fatal(err)
		}
		answer := send(t, handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) {
			e.RawPath, e.RequestContext.HTTP.Method, e.Body, e.IsBase64Encoded = "/tokens/submit", http.MethodPost, string(body), encoded
			if encoded {
				e.Body = base64.StdEncoding.EncodeToString(body)
			}
			e.Headers[name] = value
		}))
		switch {
		case answer.Headers["X-Ratelimit-Limit"] == "":
			t.Errorf("response %+v", answer)
		case tooLong:
		case answer.StatusCode != http.StatusOK || string(got) != string(body):
			t.Errorf("%d, %q arrives as %q", answer.StatusCode, body, got)
		}
	})
}

// FuzzOriginSecret parses arbitrary text: the text is a secret, or the error shows no part of the
// text.
func FuzzOriginSecret(f *testing.F) {
	f.Add(`{"current":"a","next":"b","previous":"c"}`)
	f.Add(`{"current":""}`)
	f.Add("{")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := apigw.ParseOriginSecret(text)
		if (err == nil) != (s.Current != "") {
			t.Errorf("ParseOriginSecret(%q) = %+v, %v; want an error exactly if Current is empty", text, s, err)
		}
	})
}
