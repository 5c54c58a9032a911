// Command invoke is `make invoke`. The command starts the built binary of a function with the
// environment of the deployed function in the running local stack, sends an event over Lambda's
// runtime API, and prints the response. The function logs to standard error. The command needs no
// Docker and calls only the local stack.
//
//	invoke FUNCTION EVENT
//
// EVENT is the name of a sample event (package eventtest), the path of a file, or "-" for standard
// input. The exit status is 0 after a response, 4 or 5 after an HTTP response with a 4xx or 5xx
// status, and 1 if the function failed or returned messages to a queue.
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

// The exit statuses, in addition to the statuses for HTTP responses.
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

// command is a call of this program.
type command struct {
	root      project.Folder
	stackFile string
	// build builds the function's binary for this machine and returns its path.
	build    func(ctx context.Context, root project.Folder, function string) (string, error)
	in       io.Reader
	out, log io.Writer
}

var errUsage = errors.New("say which function and which event: make invoke FN=tokens EVENT=tokens-list")

// run returns the exit status.
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

// told removes the already printed text from an error.
func told(err error) error {
	var exit *runtimeapi.ExitError
	if errors.As(err, &exit) {
		seen := *exit
		seen.Said = ""
		return fmt.Errorf("%w; the lines above say why", &seen)
	}
	return err
}

// valid is the validity of the role's session.
const valid = time.Hour

// environment returns the function's environment in the running stack.
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
