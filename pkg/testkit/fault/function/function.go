// Package function runs the binary of a function as Lambda does, so that tests can kill the real
// process. Package function builds the binary, serves the Lambda runtime API on loopback, sends
// events to the function, and ends the process by SIGKILL.
package function

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Build builds functions/<name> and returns the binary's path. The binary is removed after the
// test.
func Build(t testing.TB, name string) (binary string) {
	t.Helper()
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(t.TempDir(), name)
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "lambda.norpc", "-o", binary, "./functions/"+name) //nolint:gosec // our own folder
	build.Dir = string(folder)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build function %s: %v\n%s", name, err, out)
	}
	return binary
}

// answerWithin is the maximum time of an invocation, the same as the gateway's.
const answerWithin = 29 * time.Second

// api is the path of the runtime API (AWS, "Using the Lambda runtime API").
const api = "/2018-06-01/runtime/"

// ErrEnded is returned if the process ended before its response.
var ErrEnded = errors.New("the function has ended")

// Process is a running function. Process handles one event at a time, as in Lambda.
type Process struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	events chan []byte
	output *output

	mu     sync.Mutex
	number int
	answer chan answer // of the current event
}

type answer struct {
	body   []byte
	failed bool
}

// Start runs a binary with exactly this environment, in addition to Lambda's variables. The process
// is killed when the test ends.
func Start(t testing.TB, binary string, environment map[string]string) *Process {
	t.Helper()
	p := &Process{ended: make(chan struct{}), events: make(chan []byte), output: &output{}}
	server := httptest.NewServer(http.HandlerFunc(p.serve))
	p.cmd = exec.Command(binary) //nolint:noctx // it lives until it is killed
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = []string{"AWS_LAMBDA_RUNTIME_API=" + strings.TrimPrefix(server.URL, "http://")}
	for name, value := range environment {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	if err := p.cmd.Start(); err != nil {
		server.Close()
		t.Fatalf("start function: %v", err)
	}
	go func() {
		_ = p.cmd.Wait() // killed: an error every time
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.Kill()
		server.CloseClientConnections()
		server.Close()
		if t.Failed() {
			t.Logf("the function wrote:\n%s", p.output)
		}
	})
	return p
}

// Kill ends the process immediately (SIGKILL), and returns when the process has ended.
func (p *Process) Kill() {
	if err := p.cmd.Process.Signal(os.Kill); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(fmt.Sprintf("kill process %d: %v", p.cmd.Process.Pid, err))
	}
	<-p.ended
}

// Invoke sends the event to the function and returns the response. It returns ErrEnded if the
// process ends first.
func (p *Process) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	got := make(chan answer, 1)
	p.mu.Lock()
	p.answer = got
	p.mu.Unlock()
	select {
	case p.events <- event:
	case <-p.ended:
		return nil, fmt.Errorf("%w:\n%s", ErrEnded, p.output)
	case <-ctx.Done():
		return nil, fmt.Errorf("the function does not ask for an event: %w", ctx.Err())
	}
	select {
	case a := <-got:
		if a.failed {
			return nil, fmt.Errorf("the function failed: %s", a.body)
		}
		return a.body, nil
	case <-p.ended:
		return nil, fmt.Errorf("%w:\n%s", ErrEnded, p.output)
	case <-ctx.Done():
		return nil, fmt.Errorf("the function does not answer: %w", ctx.Err())
	}
}

// serve serves the runtime API.
func (p *Process) serve(w http.ResponseWriter, r *http.Request) {
	path, _ := strings.CutPrefix(r.URL.Path, api)
	if path == "invocation/next" {
		select {
		case event := <-p.events:
			p.next(w, event)
		case <-r.Context().Done():
		}
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the process has ended
	}
	p.mu.Lock()
	got := p.answer
	p.mu.Unlock()
	got <- answer{body: body, failed: !strings.HasSuffix(path, "/response")}
	w.WriteHeader(http.StatusAccepted)
}

func (p *Process) next(w http.ResponseWriter, event []byte) {
	p.mu.Lock()
	p.number++
	id := strconv.Itoa(p.number)
	p.mu.Unlock()
	h := w.Header()
	h.Set("Lambda-Runtime-Aws-Request-Id", id)
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(answerWithin).UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:test")
	_, _ = w.Write(event)
}

// output collects the output of the process.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write appends a part of the output.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns the output so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
