// Package e2e_test calls the deployed service as its users do, over HTTP: the
// real stack, run locally by the code that `make run` uses.
package e2e_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

var (
	running  *runner.Stack
	starting sync.Once
	startErr error
	folder   string
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() { // an example cannot skip itself
		_ = flag.Set("test.skip", "^Example")
	}
	code := m.Run()
	if running != nil && (!stopsWhole(running) || !keepsSecrets(filepath.Join(folder, "logs"))) {
		code = 1
	}
	if folder != "" && code == 0 {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// stopsWhole stops the stack and reports whether all of its processes have ended,
// the functions included: each server's group holds what it has started.
func stopsWhole(s *runner.Stack) bool {
	groups := map[string]int{"MiniStack": s.AWS.Process.Pid(), s.Chain.Name: s.Chain.Process.Pid()}
	s.Stop()
	ended := true
	for name, group := range groups {
		for deadline := time.Now().Add(10 * time.Second); !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH); {
			if time.Now().After(deadline) {
				fmt.Fprintf(os.Stderr, "processes of %s outlive the stack\n", name)
				ended = false
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return ended
}

// shown finds what may be in no log: the key in the address of the node, and whole tokens
// of callers.
var shown = regexp.MustCompile(runner.PlantedKey + `|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`)

// keepsSecrets reports whether the logs of all functions, with whatever failed in the tests,
// are free of them.
func keepsSecrets(logs string) bool {
	files, err := filepath.Glob(filepath.Join(logs, "*"))
	kept := err == nil && len(files) > 0
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- in a folder of these tests
		if at := shown.FindIndex(text); err != nil || at != nil {
			fmt.Fprintf(os.Stderr, "a secret is in the log %s at %v (%v)\n", file, at, err)
			kept = false
		}
	}
	return kept
}

// deployed is the running stack, started by the first test that asks for it.
// Its public limits are as if no call had been made yet.
func deployed(t *testing.T) *runner.Stack {
	t.Helper()
	if testing.Short() {
		t.Skip("deploys the whole stack, which short mode leaves out")
	}
	starting.Do(func() { running, startErr = start() })
	if startErr != nil {
		t.Fatalf("start the stack: %v", startErr)
	}
	// All callers here have one address.
	if err := running.ForgetLimits(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the logs are in %s", folder)
		}
	})
	return running
}

func start() (*runner.Stack, error) {
	root, err := project.Find()
	if err != nil {
		return nil, err
	}
	if folder, err = os.MkdirTemp("", "e2e-"); err != nil {
		return nil, fmt.Errorf("make a folder for the stack: %w", err)
	}
	validator, _ := agave.Asked()
	return runner.Start(context.Background(), runner.Options{
		Project: root, Folder: folder, Validator: validator, Offline: true, SlotTime: runner.TestSlotTime, Alarms: true, Guardian: true,
		Progress: progress.New(io.Discard),
	})
}

func newLaunch(t *testing.T, s *runner.Stack) *walkthrough.Launch {
	t.Helper()
	l, err := walkthrough.New(s.APIURL, s.Chain, documented(t))
	if err != nil {
		t.Fatal(err)
	}
	l.Report = func(step, result string) { t.Logf("%-22s%s", step, result) }
	return l
}

// caller is a client, and the token that it signed in with.
type caller struct {
	*client.Client

	Token string
}

// signedIn is a client of a new wallet with a token.
func signedIn(t *testing.T, s *runner.Stack) caller {
	t.Helper()
	c := newLaunch(t, s).Client
	session, err := c.SignIn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return caller{c, session.Token}
}

// answer is the response to one request.
type answer struct {
	status int
	header http.Header
	body   string
}

// call checks the response against the OpenAPI document too.
func call(t *testing.T, method, url, body string, header map[string]string) answer {
	t.Helper()
	return callBy(t, documented(t), method, url, body, header)
}

func callBy(t *testing.T, client *http.Client, method, url, body string, header map[string]string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}
