package awsconfig_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	smithy "github.com/aws/smithy-go/transport/http"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
)

// late is a transport that asks for the rest of the body after the SDK has closed
// it, as net/http does when it is late, and reports how that went.
type late struct{ rest error }

func (l *late) Do(r *http.Request) (*http.Response, error) {
	_ = r.Body.Close()
	_, l.rest = io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestTransportEndsBodyForLateWriter(t *testing.T) {
	request := func() *http.Request {
		stack, ok := smithy.NewStackRequest().(*smithy.Request)
		if !ok {
			t.Fatal("the SDK makes other requests now")
		}
		withBody, err := stack.SetStream(strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		return withBody.Build(context.Background())
	}
	transport := &late{}
	response, err := awsconfig.Client{Next: transport}.Do(request())
	if err != nil || transport.rest != nil {
		t.Errorf("%v; the rest of the body: %v", err, transport.rest)
	}
	_ = response.Body.Close()
	// Without the client the SDK's body fails: when it no longer does, the client
	// has nothing left to do.
	if response, err = transport.Do(request()); err != nil || transport.rest == nil {
		t.Errorf("%v; the SDK's body ends well on its own", err)
	}
	_ = response.Body.Close()
}

func TestBodyArrives(t *testing.T) {
	got := ""
	client := awsconfig.Client{Next: roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		got = string(body)
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, err
	})}
	for _, want := range []string{"body", ""} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://host", strings.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		before := r.Body
		response, err := client.Do(r)
		if err != nil || got != want || r.Body != before {
			t.Errorf("got %q, %v, want %q and the request unchanged", got, err, want)
		}
		_ = response.Body.Close()
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) Do(r *http.Request) (*http.Response, error) { return f(r) }
