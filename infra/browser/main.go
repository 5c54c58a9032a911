// Command browser is `make browser`: it runs the tests of the page in a browser against
// the stack that `make run` serves in another terminal. Its arguments go to Playwright.
// With PICTURE set it also makes the picture of the page that the README shows.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"tokenlaunch.example/service/infra/browser/drive"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	root, err := project.Find()
	if err != nil {
		return err
	}
	stack, err := runner.Attach(root.Path(".local"))
	if err != nil {
		return fmt.Errorf("%w: is make run serving in another terminal?", err)
	}
	if err := drive.Tests(ctx, root, stack, os.Stdout, arguments...); err != nil || os.Getenv("PICTURE") == "" {
		return err
	}
	return shrink(root.Path(".build/browser/page.png"), root.Path("docs/page.png"))
}
