// Command operate carries out the tasks of docs/operations.md that change many resources together.
// Every task may be repeated.
//
//	go run ./operate status STACK                  shows what is deployed, in alarm, waiting, frozen or stopped
//	go run ./operate rollback STACK RELEASE        deploys a kept release again, in place of a newer one
//	go run ./operate authority STACK               prints the address of the nonce authority
//	go run ./operate pause STACK                   stops the schedules and the readers of queues
//	go run ./operate resume STACK                  starts the schedules and the readers again
//	go run ./operate stop STACK FUNCTION...         blocks calls of functions, such as tokens or payer
//	go run ./operate release STACK FUNCTION...      allows calls again, with the concurrency of the stack's template
//	go run ./operate revoke STACK WALLET...         signs wallets out: invalidates all their access tokens
//	go run ./operate owed STACK                     lists what tokens owe and what wallets hold; ends with 1 while anything is owed
//	go run ./operate wind-down -why REASON STACK MINT...|all  hands tokens over to their creators; -check lists what needs the key
//	go run ./operate rotate -root NUMBER -why REASON STACK MINT...|all  moves tokens to the wallets of another root; -check lists what is not moved
//	go run ./operate rotate-origin STACK            does the next step towards another origin secret
//	go run ./operate free-names NAME...             removes names from CloudFront, so that another stack can have them
//	go run ./operate table TABLE launch|settings|ledger  sets the settings that a table lost in a restore
//	go run ./operate check TABLE launch|settings|ledger  shows what table would set
//
// The command uses the caller's AWS credentials and Region; owed, wind-down and rotate query the node in RPC_URL.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

func main() { program.Main("operate", execute) }

var errUsage = errors.New(
	"say what to do: status STACK, rollback STACK RELEASE, authority STACK, pause STACK, resume STACK, stop STACK FUNCTION..., " +
		"release STACK FUNCTION..., revoke STACK WALLET..., owed STACK, wind-down [OPTION...] STACK MINT...|all, rotate [OPTION...] STACK MINT...|all, rotate-origin STACK, free-names NAME..., table TABLE launch|settings|ledger, or check TABLE launch|settings|ledger")

func execute(ctx context.Context, arguments []string, out io.Writer) error {
	do, err := parse(arguments)
	if err != nil {
		return err
	}
	config, err := profile.Config(ctx)
	if err != nil {
		return err
	}
	return do(ctx, config, out)
}

type action func(ctx context.Context, config aws.Config, out io.Writer) error

func parse(arguments []string) (action, error) {
	switch {
	case len(arguments) == 2 && arguments[0] == "status":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newOverview(config, out).show(ctx, arguments[1])
		}, nil
	case len(arguments) == 3 && arguments[0] == "rollback":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newRollback(config, out).to(ctx, arguments[1], arguments[2])
		}, nil
	case len(arguments) == 2 && arguments[0] == "authority":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return printAuthority(ctx, config, out, arguments[1])
		}, nil
	case len(arguments) == 2 && (arguments[0] == "pause" || arguments[0] == "resume"):
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newSwitch(config, out).turn(ctx, arguments[1], arguments[0] == "resume")
		}, nil
	case len(arguments) > 0 && arguments[0] == "wind-down":
		order, err := parseWindDown(arguments[1:])
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return windDownTokens(ctx, config, order, out)
		}, nil
	case len(arguments) > 0 && arguments[0] == "rotate":
		order, err := parseRotate(arguments[1:])
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return rotateTokens(ctx, config, order, out)
		}, nil
	case len(arguments) == 2 && arguments[0] == "rotate-origin":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newRotation(config, out).step(ctx, arguments[1])
		}, nil
	case len(arguments) > 1 && arguments[0] == "free-names":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newNaming(config, out).free(ctx, arguments[1:])
		}, nil
	case len(arguments) > 2 && arguments[0] == "stop":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newGate(config, out).stop(ctx, arguments[1], arguments[2:])
		}, nil
	case len(arguments) > 2 && arguments[0] == "release":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newGate(config, out).release(ctx, arguments[1], arguments[2:])
		}, nil
	case len(arguments) > 2 && arguments[0] == "revoke":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newRevoking(config, out).revoke(ctx, arguments[1], arguments[2:])
		}, nil
	case len(arguments) == 2 && arguments[0] == "owed":
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return listOwed(ctx, config, arguments[1], out)
		}, nil
	case len(arguments) == 3 && (arguments[0] == "table" || arguments[0] == "check"):
		table, err := tableOf(arguments[2])
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, config aws.Config, out io.Writer) error {
			return newRestored(config, out).ready(ctx, arguments[1], table, arguments[0] == "table")
		}, nil
	}
	return nil, errUsage
}

// tableOf returns the schema of a recoverable table.
func tableOf(name string) (schema.Table, error) {
	tables := schema.Tables()
	i := slices.IndexFunc(tables, func(t schema.Table) bool { return t.Name == name && t.Recoverable })
	if i < 0 {
		return schema.Table{}, fmt.Errorf("%q is no kind of table that is restored: it must be launch, settings or ledger", name)
	}
	return tables[i], nil
}
