// Command limits shows, raises and lowers the limit of one wallet or address for one of the API's
// rules. See docs/operations.md.
//
//	WINDOW_TABLE=… go run -C infra ./operate/limits show RULE KEY
//	WINDOW_TABLE=… go run -C infra ./operate/limits raise -why TEXT [-days N] RULE KEY LIMIT
//	WINDOW_TABLE=… go run -C infra ./operate/limits lower -why TEXT [-days N] RULE KEY LIMIT
//	WINDOW_TABLE=… go run -C infra ./operate/limits lower RULE KEY
//
// RULE is a name in pkg/api/limits, such as token-create. KEY is a wallet, or the address of a
// network if the rule counts addresses. Lower without a LIMIT restores the limit of the rule. The
// command records the caller's AWS identity with the reason.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

type settings struct {
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
}

func main() { program.Main("limits", run) }

var errUsage = errors.New("say what to do: show RULE KEY, raise -why TEXT [-days N] RULE KEY LIMIT, lower with the same arguments, or lower RULE KEY")

// order is the parsed command line.
type order struct {
	rule ratelimit.Rule
	key  string
	set  *windowtable.Bound
	days int
	end  bool
}

// maxDays is the maximum time for which a limit is set. Afterwards an operator must decide again.
const maxDays = 400

func parse(arguments []string) (o order, err error) {
	if len(arguments) == 0 {
		return o, errUsage
	}
	flags := flag.NewFlagSet(arguments[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var bound windowtable.Bound
	switch arguments[0] {
	case "show":
	case "lower", "raise":
		flags.StringVar(&bound.Why, "why", "", "")
		flags.IntVar(&o.days, "days", 90, "")
	default:
		return o, errUsage
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		return o, errUsage
	}
	if o.rule, err = ruleOf(flags.Arg(0)); err != nil {
		return o, err
	}
	o.key = flags.Arg(1)
	if _, err := netip.ParseAddr(o.key); err == nil {
		o.key = ratelimit.AddressKey(o.key)
	}
	switch {
	case flags.NArg() == 2 && arguments[0] != "raise" && bound.Why == "":
		o.end = arguments[0] == "lower"
		return o, nil
	case flags.NArg() != 3, arguments[0] == "show", bound.Why == "":
		return o, errUsage
	case o.days < 1 || o.days > maxDays:
		return o, fmt.Errorf("-days is %d: it must be 1 to %d", o.days, maxDays)
	}
	if bound.Limit, err = strconv.Atoi(flags.Arg(2)); err != nil {
		return o, fmt.Errorf("LIMIT is %q: it must be a number of requests", flags.Arg(2))
	}
	if bound.Limit == o.rule.Limit || (bound.Limit > o.rule.Limit) != (arguments[0] == "raise") {
		return o, fmt.Errorf("LIMIT is %d, which does not %s the limit of %s, %d", bound.Limit, arguments[0], o.rule.Name, o.rule.Limit)
	}
	o.set = &bound
	return o, nil
}

// ruleOf returns the counting rule with the given name.
func ruleOf(name string) (ratelimit.Rule, error) {
	var names []string
	for _, r := range limits.Rules() {
		if r.Name == name && r.Counted() {
			return r, nil
		}
		if r.Counted() {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return ratelimit.Rule{}, fmt.Errorf("RULE is %q: it must be one of %s", name, strings.Join(names, ", "))
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
	if o.set != nil {
		if o.set.By, err = caller.ARN(ctx, config); err != nil {
			return err
		}
	}
	return obey(ctx, windowtable.Limiter{Client: dynamo.New(config), Table: s.WindowTable, Now: time.Now}, o, out)
}

// obey carries out the order, and prints the resulting limit.
func obey(ctx context.Context, limiter windowtable.Limiter, o order, out io.Writer) error {
	switch {
	case o.end:
		if err := limiter.End(ctx, o.rule, o.key); err != nil {
			return err
		}
	case o.set != nil:
		o.set.Until = limiter.Now().Add(time.Duration(o.days) * 24 * time.Hour)
		if err := limiter.Set(ctx, o.rule, o.key, *o.set); err != nil {
			return err
		}
	}
	bound, err := limiter.Bound(ctx, o.rule, o.key)
	if err != nil {
		return err
	}
	line := fmt.Sprintf("%s of %s: %d per %s", o.rule.Name, o.key, cmp.Or(bound.Limit, o.rule.Limit), o.rule.Period())
	if bound.Limit > 0 {
		line += fmt.Sprintf(" until %s, by %s: %s", bound.Until.UTC().Format(time.RFC3339), bound.By, bound.Why)
	}
	_, err = fmt.Fprintln(out, line)
	return err
}
