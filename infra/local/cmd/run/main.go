// Command run is `make run`: the whole service on this machine, a launch, a purchase of featured
// placement and a curve, and the first distribution of the token's tax. settings.go lists the
// environment variables.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second Ctrl-C ends immediately
	out := progress.New(os.Stdout)
	err := run(ctx, out)
	if err == nil {
		return
	}
	cancel()
	if errors.Is(err, errInterrupted) {
		os.Exit(130) // as shells report an interrupt
	}
	out.Doing("")
	out.Fail("Failed", err.Error())
	os.Exit(1)
}

var errInterrupted = errors.New("interrupted")

func run(ctx context.Context, out *progress.Printer) error {
	began := time.Now()
	s, err := readSettings(os.Getenv)
	if err != nil {
		return err
	}
	folder, err := project.Find()
	if err != nil {
		return err
	}
	stack, err := runner.Start(ctx, s.options(folder, out))
	if err != nil {
		return orInterrupted(ctx, err)
	}
	defer stack.Stop()
	if s.launch {
		if err := launch(ctx, stack, out, s.distribute); err != nil {
			return orInterrupted(ctx, err)
		}
	}
	if s.once {
		out.Done("Done", fmt.Sprintf("in %.1f s", time.Since(began).Seconds()))
		return nil
	}
	out.Plain(fmt.Sprintf("\nready %s", stack.APIURL))
	out.Plain(fmt.Sprintf("page  %s/\ndocs  %s/docs\nlogs  .local/logs, addresses and names .local/stack.json\nCtrl-C stops everything (ready after %.1f s)",
		stack.APIURL, stack.APIURL, time.Since(began).Seconds()))
	if err := stack.Wait(ctx); err != nil {
		return err
	}
	stack.Stop()
	out.Plain("\nstopped")
	return nil
}

func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// launch launches a token with a new wallet, through the public API. If distribute is set, launch
// distributes the token's first tax.
func launch(ctx context.Context, stack *runner.Stack, out *progress.Printer, distribute bool) error {
	l, err := walkthrough.New(stack.APIURL, stack.Chain, nil)
	if err != nil {
		return err
	}
	l.Report = out.Done
	err = l.Run(ctx)
	if err == nil {
		err = l.Markets(ctx)
	}
	if err == nil && distribute {
		err = settle(ctx, stack, out, l)
	}
	var problem *client.Problem
	if errors.As(err, &problem) {
		if log := stack.LogOf(problem.RequestID); log != "" {
			return fmt.Errorf("%w\n%s", err, log)
		}
	}
	return err
}

// settle distributes the token's first tax, through the deployed schedule.
func settle(ctx context.Context, stack *runner.Stack, out *progress.Printer, l *walkthrough.Launch) error {
	d := walkthrough.Distribution{
		Launch: l, Schedule: stack, RPCURL: stack.Chain.RPCURL, Market: stack.Market, Doing: out.Doing,
		Table: func(name, value string) { out.Plain(fmt.Sprintf("    %-14s%s", name, value)) },
	}
	if err := d.Settle(ctx); err != nil {
		return err
	}
	return stack.Record(d.Mint())
}
