// Command caps shows the amounts that have left the distribution wallets against the signer's caps,
// and lifts a cap for some hours. See docs/operations.md.
//
//	CAPS_TABLE=… go run -C infra ./operate/caps show [SCOPE]
//	CAPS_TABLE=… go run -C infra ./operate/caps lift -why TEXT [-hours N] SCOPE ASSET UNITS
//
// SCOPE is DAY (all wallets, today; the default), RUN#<run id> or WALLET#<address>. ASSET is SOL or
// a mint, UNITS the new limit in base units. The command records the caller's AWS identity with the
// reason; show lists both.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token/terms"
)

type settings struct {
	CapsTable string `env:"CAPS_TABLE,required,notEmpty"`
}

func main() { program.Main("caps", run) }

var errUsage = errors.New("say what to do: show [SCOPE], or lift -why TEXT [-hours N] SCOPE ASSET UNITS")

// order is the parsed command line.
type order struct {
	scope string
	lift  *capstable.Lift
	hours int
}

// maxHours is the maximum time for which a cap is lifted. A longer need is a setting.
const maxHours = 7 * 24

func parse(arguments []string) (o order, err error) {
	if len(arguments) == 0 {
		return o, errUsage
	}
	switch arguments[0] {
	case "show":
		switch scope := arguments[1:]; len(scope) {
		case 0:
			o.scope = "DAY"
		case 1:
			o.scope = scope[0]
		default:
			return o, errUsage
		}
		return o, nil
	case "lift":
		flags := flag.NewFlagSet("lift", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		l := capstable.Lift{}
		flags.StringVar(&l.Why, "why", "", "")
		flags.IntVar(&o.hours, "hours", 24, "")
		if err := flags.Parse(arguments[1:]); err != nil || flags.NArg() != 3 || l.Why == "" {
			return o, errUsage
		}
		if o.hours < 1 || o.hours > maxHours {
			return o, fmt.Errorf("-hours is %d: it must be 1 to %d", o.hours, maxHours)
		}
		o.scope, l.Scope = flags.Arg(0), flags.Arg(0)
		if l.Asset, err = terms.ParseAsset(flags.Arg(1)); err != nil {
			return o, err
		}
		if l.Limit, err = strconv.ParseUint(flags.Arg(2), 10, 64); err != nil {
			return o, fmt.Errorf("%q is no number of base units", flags.Arg(2))
		}
		o.lift = &l
		return o, nil
	}
	return o, errUsage
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
	caps := capstable.Caps{Client: dynamo.New(config), Table: s.CapsTable, Now: time.Now}
	if o.lift == nil {
		return show(ctx, caps, o.scope, out)
	}
	if o.lift.By, err = caller.ARN(ctx, config); err != nil {
		return err
	}
	o.lift.Until = time.Now().Add(time.Duration(o.hours) * time.Hour)
	if err := caps.Lift(ctx, *o.lift); err != nil {
		return err
	}
	return show(ctx, caps, o.scope, out)
}

// show prints the moved amounts of a run, a wallet or all wallets, and the lifted caps.
func show(ctx context.Context, caps capstable.Caps, scope string, out io.Writer) error {
	moved, err := caps.Moved(ctx, scope)
	if err != nil {
		return err
	}
	var lines []string
	for asset, amount := range moved {
		lines = append(lines, fmt.Sprintf("%s has moved %d base units of %s\n", scope, amount, asset))
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		lines = []string{scope + " has moved nothing\n"}
	}
	lifts, err := caps.Lifts(ctx)
	if err != nil {
		return err
	}
	for _, l := range lifts {
		lines = append(lines, fmt.Sprintf("%s: %s of %s may be %d until %s, by %s: %s\n",
			l.At.Format(time.RFC3339), l.Scope, l.Asset, l.Limit, l.Until.Format(time.RFC3339), l.By, l.Why))
	}
	for _, line := range lines {
		if _, err := io.WriteString(out, line); err != nil {
			return err
		}
	}
	return nil
}
