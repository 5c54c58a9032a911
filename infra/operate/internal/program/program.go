// Package program has the common main function of the operator's commands.
package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
)

// Main runs a command with the process's arguments until the command ends or is interrupted. After
// an error, Main prints the error and the process ends with 1.
func Main(name string, run func(ctx context.Context, arguments []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Open reads a command's settings from the environment, and the operator's AWS profile.
func Open[S any](ctx context.Context) (settings S, config aws.Config, err error) {
	if settings, err = env.ParseAs[S](); err != nil {
		return settings, config, err
	}
	config, err = profile.Config(ctx)
	return settings, config, err
}
