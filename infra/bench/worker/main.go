// Command worker does what is compared with a peer, in a process that holds nothing else,
// so that its time and memory are those of the work: worker launch|million.
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
