package runtimeapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"tokenlaunch.example/service/infra/runtimeapi"
)

// asFunction makes this test binary the function under test, with Lambda's own
// library in it.
const asFunction = "RUNTIMEAPI_TEST_FUNCTION"

func TestMain(m *testing.M) {
	switch os.Getenv(asFunction) {
	case "":
		os.Exit(m.Run())
	case "dies":
		fmt.Fprintln(os.Stderr, "no table to work on")
		os.Exit(3)
	default:
		lambda.Start(handle)
	}
}

// request is the work for the function, answer what it knows of the event.
type request struct {
	Fail, Panic, Exit, Wait bool
	Fill                    int
}

type answer struct {
	PID                   int
	RequestID, ARN, Trace string
	Left                  time.Duration
	Fill                  string
}

func handle(ctx context.Context, r request) (answer, error) {
	fmt.Println("working")
	switch {
	case r.Fail:
		return answer{}, errors.New("no money")
	case r.Panic:
		panic("lost")
	case r.Exit:
		os.Exit(4)
	case r.Wait:
		<-ctx.Done()
		select {} // it does not give in
	}
	lc, _ := lambdacontext.FromContext(ctx)
	deadline, _ := ctx.Deadline()
	trace, _ := ctx.Value("x-amzn-trace-id").(string)
	return answer{
		PID: os.Getpid(), RequestID: lc.AwsRequestID, ARN: lc.InvokedFunctionArn, Trace: trace,
		Left: time.Until(deadline), Fill: strings.Repeat("x", r.Fill),
	}, nil
}

const arn = "arn:aws:lambda:us-east-1:000000000000:function:test"

func start(t *testing.T, kind string, o runtimeapi.Options) *runtimeapi.Process {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Binary, o.ARN, o.Env = binary, arn, []string{asFunction + "=" + kind}
	p, err := runtimeapi.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func TestOneProcessAnswersManyEvents(t *testing.T) {
	var log safeBuffer
	p := start(t, "runs", runtimeapi.Options{Timeout: 7 * time.Second, Log: &log})
	if took, err := p.Ready(t.Context()); err != nil || took <= 0 {
		t.Fatalf("ready after %v: %v", took, err)
	}
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			id := fmt.Sprintf("request-%d", i)
			text, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}"), RequestID: id, TraceID: "Root=1-" + id})
			if err != nil {
				t.Error(err)
				return
			}
			var got answer
			if err := json.Unmarshal(text, &got); err != nil {
				t.Error(err)
			}
			if got.PID != p.PID() || got.RequestID != id || got.ARN != arn || got.Trace != "Root=1-"+id {
				t.Errorf("%+v, want process %d and request %s", got, p.PID(), id)
			}
			if got.Left > 7*time.Second || got.Left < 2*time.Second {
				t.Errorf("%v are left of 7 s", got.Left)
			}
		})
	}
	all.Wait()
	p.Stop()
	if n := strings.Count(log.String(), "working\n"); n != 5 {
		t.Errorf("5 events print %d lines:\n%s", n, log.String())
	}
}

func TestFunctionReportsError(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{})
	for range 2 { // the process lives on
		_, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte(`{"Fail":true}`)})
		var reported *runtimeapi.FunctionError
		if !errors.As(err, &reported) || reported.Message != "no money" || reported.Type != "errorString" {
			t.Errorf("%v, want the function's error", err)
		}
	}
	if _, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")}); err != nil {
		t.Error(err)
	}
}

func TestPanicEndsProcess(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{})
	_, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte(`{"Panic":true}`)})
	var reported *runtimeapi.FunctionError
	if !errors.As(err, &reported) || reported.Message != "lost" {
		t.Errorf("%v, want the panic", err)
	}
	_, err = p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")})
	wantExit(t, err, false, "exit status 1", "")
}

func TestProcessEndIsReported(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{})
	_, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte(`{"Exit":true}`)})
	wantExit(t, err, false, "exit status 4", "working")

	p = start(t, "dies", runtimeapi.Options{})
	_, err = p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")})
	wantExit(t, err, true, "exit status 3", "no table to work on")
}

func wantExit(t *testing.T, err error, init bool, status, said string) {
	t.Helper()
	var exit *runtimeapi.ExitError
	if !errors.As(err, &exit) || exit.Init != init || exit.Status != status || !strings.Contains(exit.Said, said) {
		t.Errorf("%v, want the end of the process: %s, %q", err, status, said)
	}
}

func TestLateFunctionIsEnded(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{Timeout: 300 * time.Millisecond})
	if _, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte(`{"Wait":true}`)}); !errors.Is(err, runtimeapi.ErrTimeout) {
		t.Errorf("%v, want a timeout", err)
	}
	select {
	case <-p.Exited():
	default:
		t.Error("the process continues")
	}
	_, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")})
	wantExit(t, err, false, "signal: killed", "")
}

// The startup time no longer applies to a process that has started.
func TestProcessMayGrowOld(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{InitTimeout: 3 * time.Second})
	if _, err := p.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Until(p.Began().Add(3 * time.Second)))
	for range 20 {
		if _, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	p = start(t, "runs", runtimeapi.Options{InitTimeout: time.Nanosecond})
	if _, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte("{}")}); !errors.Is(err, runtimeapi.ErrTimeout) {
		t.Errorf("%v, want that it begins too late", err)
	}
}

func TestResponseHasLimit(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{})
	_, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: []byte(`{"Fill":6500000}`)})
	var reported *runtimeapi.FunctionError
	if !errors.As(err, &reported) || reported.Type != "Function.ResponseSizeTooLarge" {
		t.Errorf("%.200v, want that the answer is too long", err)
	}
}

func TestCallerMayCancel(t *testing.T) {
	p := start(t, "runs", runtimeapi.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := p.Invoke(ctx, runtimeapi.Event{Payload: []byte(`{"Wait":true}`)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the caller's end", err)
	}
}

func TestMissingBinaryIsError(t *testing.T) {
	if _, err := runtimeapi.Start(t.Context(), runtimeapi.Options{Binary: t.TempDir() + "/bootstrap"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want that there is no file", err)
	}
}

// safeBuffer may be written to and read at once.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
