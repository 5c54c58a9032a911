// Package program is how every operator's command begins and ends.
package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Main runs a command with the arguments of the process until it ends or is interrupted.
// When it fails, the process ends with 1 and says why.
func Main(name string, run func(ctx context.Context, arguments []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
