// Package surfpool runs Surfpool, a Solana chain in one process, on loopback
// ports. It keeps nothing: every start is a new chain.
//
// It profiles transactions, for which it copies the whole chain for each instruction, and
// its SDK cannot turn that off. So a transaction takes 2 ms of processor time on a new
// chain and 10 ms for each instruction after some hundred: tests with many cases start a
// chain for each. A process has one chain after another, for starting the process takes
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

// BlockProduction says when a slot passes.
type BlockProduction string

// ByTransaction makes each transaction a slot, so time stands still between
// them; ByClock lets a slot pass every SlotTime.
const (
	ByTransaction BlockProduction = "transaction"
	ByClock       BlockProduction = "clock"
)

// DefaultSlotTime is the interval of a chain's clock. After 75 ticks without a transaction the
// clock makes an empty block, ByTransaction, too. At Surfpool's own 1 ms an idle chain takes 4 % of
// a processor, and 1.5 % at this interval. A block moves the chain's time by as much.
const DefaultSlotTime = 10 * time.Millisecond

// startTimeout bounds one try of a start, which takes about a second on an idle
// machine, and starts is how many there are. Surfpool chooses free ports and opens them
// later: when another process takes one meanwhile, it panics and hangs.
const (
	startTimeout = 20 * time.Second
	starts       = 4
)

// Options of a start. Everything may be zero.
type Options struct {
	// RemoteRPCURL is a node to fetch unknown accounts from; without one the chain
	// is offline and has the native programs only.
	RemoteRPCURL    string
	BlockProduction BlockProduction // ByTransaction if empty
	SlotTime        time.Duration   // DefaultSlotTime if zero
	// Log is the file for the output of a process that has this chain alone; if it is empty
	// the process may be one that has had others.
	Log string
}

// Chain is a running Surfpool.
type Chain = localchain.Chain

// Start runs a chain and waits until it answers.
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

// At is the chain that a Surfpool runs at these addresses, also in another process.
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
