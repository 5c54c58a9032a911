// Command distribute is `make distribute`: it opens the newest slot of a token of the running local
// stack, waits for the run, prints the result and verifies the proof. MINT is the token's mint; by
// default the token that make run launched. KEY is the key file of the token's creator, who sends tokens to
// holders first: a token that was never transferred has no tax to distribute.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := progress.New(os.Stdout)
	if err := run(ctx, out, os.Getenv("MINT"), os.Getenv("KEY")); err != nil {
		out.Doing("")
		out.Fail("Failed", err.Error())
		stop()
		os.Exit(1)
	}
}

var errNoToken = errors.New("MINT is empty, and make run launched no token: give the mint of a token, as make distribute MINT=…")

func run(ctx context.Context, out *progress.Printer, given, key string) error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	stack, err := deployed.ReadStack(folder.Path(".local/stack.json"))
	if err != nil {
		return err
	}
	if err := stack.CheckRunning(ctx); err != nil {
		return err
	}
	if given == "" {
		given = stack.Token
	}
	if given == "" {
		return errNoToken
	}
	mint, err := solana.PublicKeyFromBase58(given)
	if err != nil {
		return fmt.Errorf("MINT is %q: it must be the address of a mint", given)
	}
	market, err := solana.PublicKeyFromBase58(stack.Market)
	if err != nil {
		return fmt.Errorf("read the market of stack.json: %w", err)
	}
	var options []client.Option
	if key != "" {
		if !filepath.IsAbs(key) {
			key = folder.Path(key) // make runs this command in infra
		}
		creator, _, err := client.LoadKey(key)
		if err != nil {
			return err
		}
		options = append(options, client.WithSigner(creator))
	}
	api, err := client.New(stack.APIURL, options...)
	if err != nil {
		return err
	}
	d := walkthrough.Distribution{
		Launch:   &walkthrough.Launch{Client: api, Report: out.Done},
		Schedule: deployed.Schedule{AWS: stack.Config(), Dispatcher: stack.Names["dispatcher"], LaunchTable: stack.Tables["launch"]},
		RPCURL:   stack.RPCURL, Market: market, Doing: out.Doing,
		Table: func(name, value string) { out.Plain(fmt.Sprintf("    %-14s%s", name, value)) },
	}
	err = d.Next(ctx, mint)
	if key == "" && d.Run.Status == client.RunSkipped {
		return fmt.Errorf("%w With KEY=…, the key file of the token's creator, tokens are transferred first, and each transfer is taxed", err)
	}
	return err
}
