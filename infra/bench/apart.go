package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// place is where a process that measures finds the stack. It goes in as JSON.
type place struct {
	Functions environments
	RPCURL    string
}

// apart is this program in a process that does nothing else: this one holds the IPFS
// node and follows the stack's logs.
func apart(ctx context.Context, aws *ministack.Server, at place, mode string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	in, err := json.Marshal(at)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, mode) // #nosec G204 -- this program
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	cmd.Env = append(os.Environ(), access(aws).list()...)
	return cmd, nil
}

// measured is what the process that measures the routes found.
type measured struct {
	Taken samples
	Grown []grown
}

func measureApart(ctx context.Context, aws *ministack.Server, at place) (m measured, err error) {
	cmd, err := apart(ctx, aws, at, "-samples")
	if err != nil {
		return m, err
	}
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("measure the routes: %w", err)
	}
	return m, json.Unmarshal(out, &m)
}

func routesOnly(ctx context.Context, in io.Reader, out io.Writer) error {
	var at place
	if err := json.NewDecoder(in).Decode(&at); err != nil {
		return fmt.Errorf("read where the stack is: %w", err)
	}
	b, err := newSession(ctx, at)
	if err != nil {
		return err
	}
	var m measured
	if m.Taken, err = b.measureRoutes(ctx, pageSize); err != nil {
		return err
	}
	if err = b.growWindows(ctx); err != nil {
		return err
	}
	if m.Grown, err = b.measureGrowth(ctx); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(m)
}

// environment holds the variables of one function, environments those of all.
type (
	environment  map[string]string
	environments map[string]environment
)

func (e environment) list() []string { return deployed.List(e) }
