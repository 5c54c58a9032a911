package coldstart

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
)

// TestMain is also the function that TestStartOnce starts.
func TestMain(m *testing.M) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		lambda.Start(func(_ context.Context, event json.RawMessage) (string, error) {
			switch string(event) {
			case `"exit"`:
				os.Exit(3)
			case `"fail"`:
				return "", errors.New("no")
			}
			return "saw " + string(event) + os.Getenv("SETTING"), nil
		})
	}
	os.Exit(m.Run())
}

func TestStartOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"SETTING= and a setting"}
	w := &wire{}
	got, err := startOnce(t.Context(), program{binary: self, env: env}, w, []byte(`{"a":1}`))
	if err != nil || string(got.answer) != `"saw {\"a\":1} and a setting"` {
		t.Fatalf("%s, %v", got.answer, err)
	}
	if got.ready <= 0 || got.answered <= got.ready || got.waited != 0 || got.cpu < 0 {
		t.Errorf("%+v", got)
	}
	for event, says := range map[string]string{`"exit"`: "exit status 3", `"fail"`: "errorString: no"} {
		if _, err := startOnce(t.Context(), program{binary: self, env: env}, w, []byte(event)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", event, err)
		}
	}
}

func TestTheWireCountsWaitingOnce(t *testing.T) {
	both := make(chan struct{}, 2)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		both <- struct{}{}
		<-release
	}))
	defer server.Close()
	w := &wire{}
	defer w.close()
	address, err := w.to(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	done := make(chan error)
	for range 2 {
		go func() {
			r, err := http.Get(address)
			if err == nil {
				err = r.Body.Close()
			}
			done <- err
		}()
	}
	<-both
	<-both
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	server.CloseClientConnections()
	if waited := w.taken(); waited <= 0 || waited > time.Since(began) {
		t.Errorf("waited %s of %s", waited, time.Since(began))
	}
	if again := w.taken(); again != 0 {
		t.Errorf("what was taken is counted again: %s", again)
	}
}

func TestSameAnswer(t *testing.T) {
	ours := []byte(`{"statusCode":200,"headers":{"A":"1","B":"2"},"body":"{\"x\":1}"}`)
	for theirs, same := range map[string]bool{
		`{"statusCode":200,"headers":{"B":"3","A":"4"},"body":"{\"x\":5}"}`:         true,
		`{"statusCode":500,"headers":{"B":"3","A":"4"},"body":"{\"x\":5}"}`:         false,
		`{"statusCode":200,"headers":{"B":"3"},"body":"{\"x\":5}"}`:                 false,
		`{"statusCode":200,"headers":{"B":"3","A":"4"},"body":"{\"x\":5,\"y\":1}"}`: false,
		`no answer`: false,
	} {
		if err := sameAnswer(ours, []byte(theirs)); (err == nil) != same {
			t.Errorf("%s: %v", theirs, err)
		}
	}
}
