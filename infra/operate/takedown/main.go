// Command takedown hides, removes and blocks content that must not be shown, and reverts such acts.
//
//	go run -C infra ./operate/takedown --why REASON token MINT...
//	go run -C infra ./operate/takedown --why REASON listing MINT...
//	go run -C infra ./operate/takedown --why REASON picture CID...
//	go run -C infra ./operate/takedown --why REASON name TEXT...
//	go run -C infra ./operate/takedown --undo --why REASON KIND SUBJECT...
//	go run -C infra ./operate/takedown log
//
// A token is hidden, and its files are removed. A listing is only hidden. A picture is removed and
// blocked. A name is blocked for new tokens. Each act is recorded, with the reason and the caller's
// AWS identity. The command is idempotent.
//
// The command reads LAUNCH_TABLE like the functions, and the AWS credentials of a caller who may
// read and write that table. The chain, the payments of distributions and their proofs do not
// change. See docs/operations.md, "Take down".
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch/takedown"
	"tokenlaunch.example/service/pkg/token"
)

type settings struct {
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
}

func main() { program.Main("takedown", run) }

const usage = "usage: takedown [--undo] --why REASON token|listing|picture|name SUBJECT..., or takedown log"

// order is the parsed command line.
type order struct {
	log      bool
	act      takedown.Act // of each subject
	subjects []string
}

func parse(arguments []string) (order, error) {
	flags := flag.NewFlagSet("takedown", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var o order
	flags.BoolVar(&o.act.Undo, "undo", false, "")
	flags.StringVar(&o.act.Why, "why", "", "")
	if err := flags.Parse(arguments); err != nil {
		return order{}, fmt.Errorf("%w (%s)", err, usage)
	}
	rest := flags.Args()
	if len(rest) == 1 && rest[0] == "log" && flags.NFlag() == 0 {
		return order{log: true}, nil
	}
	if len(rest) < 2 || !slices.Contains([]string{takedown.Token, takedown.Listing, takedown.Picture, takedown.Name}, rest[0]) {
		return order{}, errors.New(usage)
	}
	if strings.TrimSpace(o.act.Why) == "" {
		return order{}, errors.New("say why: it is written down (" + usage + ")")
	}
	o.act.Kind, o.subjects = rest[0], rest[1:]
	return o, nil
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	o, err := parse(arguments)
	if err != nil {
		return err
	}
	s, config, err := program.Open[settings](ctx)
	if err != nil {
		return err
	}
	return o.run(ctx, config, s.LaunchTable, out)
}

func (o order) run(ctx context.Context, config aws.Config, table string, out io.Writer) error {
	db := dynamo.New(config)
	blocks := launchtable.Blocks{Client: db, Table: table}
	if o.log {
		return list(ctx, blocks, out)
	}
	var err error
	if o.act.By, err = caller.ARN(ctx, config); err != nil {
		return err
	}
	return o.do(ctx, takedown.Service{Store: blocks, Tokens: launchtable.Tokens{Client: db, Table: table}, Now: time.Now}, out)
}

// do carries out the act for each subject in turn. A failed subject does not stop the others.
func (o order) do(ctx context.Context, service takedown.Service, out io.Writer) error {
	var failed []error
	for _, subject := range o.subjects {
		act := o.act
		act.Subject = subject
		done, err := service.Do(ctx, act)
		switch {
		case errors.Is(err, token.ErrNotFound):
			err = errors.New("the table has no token with this mint")
		case errors.Is(err, token.ErrNotListed):
			err = errors.New("its launch is not confirmed, so it is on no list; its files are done, repeat it later")
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", subject, err))
			continue
		}
		if err := o.tell(subject, done, out); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

func (o order) tell(subject string, done takedown.Done, out io.Writer) error {
	what := "taken down"
	if o.act.Undo {
		what = "no longer taken down"
	}
	line := fmt.Sprintf("%s %s: %s\n", o.act.Kind, subject, what)
	if len(done.CIDs) > 0 && !o.act.Undo {
		line += fmt.Sprintf("  removed and unpinned within two minutes: %s\n", strings.Join(done.CIDs, ", "))
		line += fmt.Sprintf("  edges and browsers may keep copies: invalidate /ipfs/%s and /images/%s.jpg\n", done.CIDs[0], done.CIDs[0])
		if done.Uses > 1 {
			line += fmt.Sprintf("  %d launches use this picture\n", done.Uses)
		}
	}
	_, err := io.WriteString(out, line)
	return err //nolint:wrapcheck // of the terminal
}

// list prints all acts.
func list(ctx context.Context, blocks launchtable.Blocks, out io.Writer) error {
	acts, err := blocks.Acts(ctx)
	if err != nil {
		return err
	}
	for _, a := range acts {
		what := "took down"
		if a.Undo {
			what = "took back"
		}
		if _, err := fmt.Fprintf(out, "%s  %s %s %s %q: %q\n", a.At.Format(time.RFC3339), a.By, what, a.Kind, a.Subject, a.Why); err != nil {
			return err //nolint:wrapcheck // of the terminal
		}
	}
	return nil
}
