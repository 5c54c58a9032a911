package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
)

// atOnce is the number of tokens that are resolved concurrently. Each token has at most one request
// to the node at a time.
const atOnce = 8

// errOpen is returned if some tokens have open problems.
var errOpen = errors.New("tokens are open, see above; money why MINT says more")

// resolveAll resolves every launched token. A failed token does not stop the others.
func resolveAll(ctx context.Context, tokens launchtable.Tokens, desk unstick.Desk, out io.Writer) error {
	var open atomic.Int64
	var printing sync.Mutex
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	count := 0
	var unlisted error
	for record, err := range tokens.All(ctx) {
		if apperr.KindOf(err) == apperr.Unavailable {
			unlisted = err // and the list ends with this error
			break
		}
		count++
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			said, done := "", false
			if err != nil {
				said = err.Error()
			} else {
				said, done = resolveOne(ctx, desk, record)
			}
			if !done {
				open.Add(1)
			}
			if said != "" {
				printing.Lock()
				defer printing.Unlock()
				_, _ = fmt.Fprintln(out, said) // a failed print is not an error: a repetition prints again
			}
		})
	}
	all.Wait()
	if unlisted != nil {
		return unlisted
	}
	if _, err := fmt.Fprintf(out, "%d of %d tokens are resolved\n", count-int(open.Load()), count); err != nil {
		return err
	}
	if open.Load() > 0 {
		return errOpen
	}
	return nil
}

// resolveOne returns the open problems of a token and the entered adjustments. done reports that
// all remaining work continues automatically.
func resolveOne(ctx context.Context, desk unstick.Desk, record token.Record) (said string, done bool) {
	if record.Status != token.Confirmed {
		return "", true // nothing is distributed
	}
	c, err := desk.Resolve(ctx, record.Mint, record.Wallet, unstick.Order{})
	if err != nil {
		return fmt.Sprintf("token %s: %v", record.Mint, err), false
	}
	done = c.Frozen == "" && !c.Behind && !c.Uncompared && len(c.Discrepancies) == 0 && len(c.Unknown) == 0
	if done && c.Entered == 0 {
		return "", true
	}
	return strings.TrimSuffix(c.String(), "\n"), done
}
