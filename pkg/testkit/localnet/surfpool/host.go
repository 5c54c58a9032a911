package surfpool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/child"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// chainsOfHost is the number of chains of a process. Each ended chain leaves some 5 MB, and a
	// thread that wakes at each tick of the chain's clock.
	chainsOfHost = 10
	stopTimeout  = 5 * time.Second
)

// host is a process that runs chains, one after another.
type host struct {
	process *child.Process
	scratch string
	chains  int
	alone   bool // has only one chain, and a log that the caller knows
}

// idle are the hosts without a chain. The hosts end with this process.
var idle struct {
	sync.Mutex
	hosts []*host
}

// takeHost returns a process without a chain. If log is set, the process is new.
func takeHost(ctx context.Context, folder project.Folder, log string) (*host, error) {
	if log != "" {
		return startHost(ctx, folder, log)
	}
	idle.Lock()
	n := len(idle.hosts)
	if n == 0 {
		idle.Unlock()
		return startHost(ctx, folder, log)
	}
	defer idle.Unlock()
	h := idle.hosts[n-1]
	idle.hosts = idle.hosts[:n-1]
	return h, nil
}

func startHost(ctx context.Context, folder project.Folder, log string) (*host, error) {
	if _, err := folder.Surfpool(); err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("find Node, which runs Surfpool: %w", err)
	}
	scratch, err := os.MkdirTemp("", "surfpool-")
	if err != nil {
		return nil, fmt.Errorf("make Surfpool's scratch folder: %w", err)
	}
	h := &host{scratch: scratch, alone: log != ""}
	if !h.alone {
		log = filepath.Join(scratch, "surfpool.log")
	}
	h.process, err = child.Start(ctx, child.Command{
		Name: "Surfpool",
		Path: node,
		Args: []string{folder.Path("infra/local/surfpool_host.mjs")},
		Env:  append(os.Environ(), "HOME="+scratch, "TMPDIR="+scratch, "SCRATCH_FOLDER="+scratch),
		Dir:  scratch,
		Log:  log,
	})
	if err != nil {
		_ = os.RemoveAll(scratch)
		return nil, err
	}
	return h, nil
}

// release ends the host's chain, and ends the host unless the host can have another chain.
func (h *host) release() {
	if h.chains++; h.alone || h.chains == chainsOfHost {
		h.end()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if _, err := h.process.Ask(ctx, []byte("null")); err != nil {
		h.end()
		return
	}
	idle.Lock()
	defer idle.Unlock()
	idle.hosts = append(idle.hosts, h)
}

// end ends the process and removes the written files.
func (h *host) end() {
	h.process.Stop()
	_ = os.RemoveAll(h.scratch)
}
