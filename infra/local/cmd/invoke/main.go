// Command invoke is `make invoke`: it starts the built binary of one function with
// what the deployed function of the running local stack has, sends it one event over
// Lambda's runtime API, and prints the answer. What the function logs goes to standard
// error. It needs no Docker and calls nothing but the local stack.
//
//	invoke FUNCTION EVENT
//
// EVENT is the name of a sample event (package eventtest), the path of a file, or "-" for
// standard input. The status is 0 after an answer, 4 or 5 after one of HTTP with such a status, and 1 when
// the function failed or gave messages of a queue back.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// The statuses that this program ends with, besides those of HTTP.
const (
	statusFailed = 1
	statusUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	folder, err := project.Find()
	status := statusUsage
	if err == nil {
		c := command{
			root: folder, stackFile: folder.Path(".local/stack.json"), build: build,
			in: os.Stdin, out: os.Stdout, log: os.Stderr,
		}
		status, err = c.run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "invoke:", err)
	}
	stop()
	os.Exit(status)
}

// command is one call of this program.
type command struct {
	root      project.Folder
	stackFile string
	// build makes the function's binary for this machine and says where it is.
	build    func(ctx context.Context, root project.Folder, function string) (string, error)
	in       io.Reader
	out, log io.Writer
}

var errUsage = errors.New("say which function and which event: make invoke FN=tokens EVENT=tokens-list")

// run gives the status to end with.
func (c command) run(ctx context.Context, arguments []string) (int, error) {
	if len(arguments) != 2 {
		return statusUsage, errUsage
	}
	name := arguments[0]
	if err := c.checkFunction(name); err != nil {
		return statusUsage, err
	}
	event, err := c.readEvent(name, arguments[1])
	if err != nil {
		return statusUsage, err
	}
	env, f, err := c.environment(ctx, name)
	if err != nil {
		return statusFailed, err
	}
	binary, err := c.build(ctx, c.root, name)
	if err != nil {
		return statusFailed, err
	}
	process, err := runtimeapi.Start(ctx, runtimeapi.Options{
		Binary: binary, Env: env, ARN: f.ARN, Timeout: f.Timeout, Log: c.log,
	})
	if err != nil {
		return statusFailed, err
	}
	defer process.Stop()
	answer, err := process.Invoke(ctx, runtimeapi.Event{Payload: event})
	if err != nil {
		return statusFailed, told(err)
	}
	return show(c.out, answer)
}

// told shortens an error by what the reader has seen already.
func told(err error) error {
	var exit *runtimeapi.ExitError
	if errors.As(err, &exit) {
		seen := *exit
		seen.Said = ""
		return fmt.Errorf("%w; the lines above say why", &seen)
	}
	return err
}

// valid is how long the role is taken for.
const valid = time.Hour

// environment is what the function has in the running stack.
func (c command) environment(ctx context.Context, name string) ([]string, deployed.Function, error) {
	stack, err := deployed.ReadStack(c.stackFile)
	if err != nil {
		return nil, deployed.Function{}, err
	}
	if err := stack.CheckRunning(ctx); err != nil {
		return nil, deployed.Function{}, err
	}
	f, err := stack.Function(ctx, name)
	if err != nil {
		return nil, deployed.Function{}, err
	}
	credentials, err := f.Credentials(ctx, stack.Config(), valid)
	if err != nil {
		return nil, deployed.Function{}, err
	}
	return f.Environment(stack.AWSEndpoint, stack.Region, credentials), f, nil
}
