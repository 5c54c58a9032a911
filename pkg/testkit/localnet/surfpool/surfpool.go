// Package surfpool runs Surfpool, a Solana chain in one process, on loopback ports. Surfpool stores
// nothing permanently: every start is a new chain.
//
// Surfpool profiles transactions, and copies the whole chain for each instruction. The SDK cannot
// disable profiling. So a transaction takes 2 ms of processor time on a new chain, and 10 ms for
// each instruction after some hundred transactions. For this reason tests with many cases start a
// chain for each case. A process runs one chain after another, because starting the process takes
// four times as long as starting a chain.
package surfpool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// BlockProduction is the rule for new slots.
type BlockProduction string

// ByTransaction makes each transaction a slot, so time stops between transactions. ByClock
// produces a slot every SlotTime.
const (
	ByTransaction BlockProduction = "transaction"
	ByClock       BlockProduction = "clock"
)

// DefaultSlotTime is the interval of a chain's clock. After 75 ticks without a transaction the
// clock produces an empty block, even ByTransaction. At Surfpool's own 1 ms an idle chain uses 4 %
// of a processor, and 1.5 % at this interval. A block advances the chain's time by the interval.
const DefaultSlotTime = 10 * time.Millisecond

// startTimeout bounds an attempt to start, which takes about a second on an idle machine. starts is
// the maximum number of attempts. Surfpool chooses free ports and opens the ports later. If another
// process takes a port in between, Surfpool panics and hangs.
const (
	startTimeout = 20 * time.Second
	starts       = 4
)

// Options are the options of a start. Every field may be zero.
type Options struct {
	// RemoteRPCURL is a node from which unknown accounts are fetched. If RemoteRPCURL is empty, the
	// chain is offline and has only the native programs.
	RemoteRPCURL    string
	BlockProduction BlockProduction // ByTransaction if empty
	SlotTime        time.Duration   // DefaultSlotTime if zero
	// Log is the file for the output of a process that runs only this chain. If Log is empty, the
	// process may have run other chains.
	Log string
}

// Chain is a running Surfpool.
type Chain = localchain.Chain

// Start runs a chain and waits until the chain responds.
func Start(ctx context.Context, folder project.Folder, o Options) (chain *Chain, err error) {
	for range starts {
		if chain, err = start(ctx, folder, o); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	return chain, err
}

func start(ctx context.Context, folder project.Folder, o Options) (*Chain, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	settings, err := o.encode()
	if err != nil {
		return nil, err
	}
	h, err := takeHost(ctx, folder, o.Log)
	if err != nil {
		return nil, err
	}
	c, err := h.begin(ctx, settings)
	if err != nil {
		h.end()
		return nil, err
	}
	c.Process, c.End = h.process, h.release
	return c, nil
}

func (h *host) begin(ctx context.Context, settings []byte) (*Chain, error) {
	answer, err := h.process.Ask(ctx, settings)
	if err != nil {
		return nil, err
	}
	var ready struct{ RPCURL, WSURL string }
	if err := json.Unmarshal(answer, &ready); err != nil {
		return nil, fmt.Errorf("read Surfpool's addresses: %w", err)
	}
	c := At(ready.RPCURL, ready.WSURL)
	return c, h.process.AwaitHealthy(ctx, c.Healthy)
}

// At returns the chain of a Surfpool at these addresses, possibly of another process.
func At(rpcURL, wsURL string) *Chain {
	c := &Chain{RPCURL: rpcURL, WSURL: wsURL, Name: "Surfpool"}
	c.Powers = powers{c}
	return c
}

func (o Options) encode() ([]byte, error) {
	settings := map[string]any{
		"offline":             o.RemoteRPCURL == "",
		"blockProductionMode": ByTransaction,
		"slotTimeMs":          cmp.Or(o.SlotTime, DefaultSlotTime).Milliseconds(),
	}
	if o.RemoteRPCURL != "" {
		settings["remoteRpcUrl"] = o.RemoteRPCURL
	}
	if o.BlockProduction != "" {
		settings["blockProductionMode"] = o.BlockProduction
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("encode Surfpool's options: %w", err)
	}
	return text, nil
}
