// Command worker does the work of a comparison with a peer in a separate process, so that the
// process's time and memory include only the work: worker launch|million.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"tokenlaunch.example/service/infra/bench/launchtx"
	"tokenlaunch.example/service/infra/bench/million"
)

var parts = map[string]func(ctx context.Context, in io.Reader, out io.Writer) error{
	launchtx.Part: launchtx.Answer, million.Part: million.Answer,
}

func main() {
	if err := parts[os.Args[1]](context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}
