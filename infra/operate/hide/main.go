// Command hide takes tokens off the public lists of the API, or puts them back.
//
//	go run -C infra ./operate/hide [--show] MINT…
//
// It reads LAUNCH_TABLE as the functions do, and the AWS credentials of who calls it,
// who may read and write that table. It may be repeated: a token that is hidden stays
// so. Nothing on the chain changes, nor does what its distribution pays.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/caarlos0/env/v11"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/token"
)

type settings struct {
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hide:", err)
		os.Exit(1)
	}
}

// change is what the arguments ask for.
type change struct {
	show  bool
	mints []solana.PublicKey
}

func parse(arguments []string) (change, error) {
	flags := flag.NewFlagSet("hide", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var c change
	flags.BoolVar(&c.show, "show", false, "")
	if err := flags.Parse(arguments); err != nil {
		return change{}, fmt.Errorf("%w (usage: hide [--show] MINT…)", err)
	}
	if flags.NArg() == 0 {
		return change{}, errors.New("name the mints of the tokens (usage: hide [--show] MINT…)")
	}
	for _, text := range flags.Args() {
		mint, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return change{}, fmt.Errorf("%q is not the address of a mint; nothing was changed", text)
		}
		c.mints = append(c.mints, mint)
	}
	return c, nil
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	c, err := parse(arguments)
	if err != nil {
		return err
	}
	s, err := env.ParseAs[settings]()
	if err != nil {
		return err
	}
	config, err := profile.Config(ctx)
	if err != nil {
		return err
	}
	return c.make(ctx, launchtable.Tokens{Client: dynamo.New(config), Table: s.LaunchTable}, out)
}

// make changes one token after the other. One that cannot be changed does not keep
// the others from it.
func (c change) make(ctx context.Context, tokens launchtable.Tokens, out io.Writer) error {
	do, done := tokens.Hide, "hidden"
	if c.show {
		do, done = tokens.Show, "shown"
	}
	var failed []error
	for _, mint := range c.mints {
		err := do(ctx, mint)
		switch {
		case errors.Is(err, token.ErrNotFound):
			err = errors.New("the table has no token with this mint")
		case errors.Is(err, token.ErrNotListed):
			err = errors.New("its launch is not confirmed, so it is on no list")
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", mint, err))
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", mint, done); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}
