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
	"tokenlaunch.example/service/pkg/localnet/ministack"
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

func measureApart(ctx context.Context, aws *ministack.Server, at place) (taken samples, err error) {
	cmd, err := apart(ctx, aws, at, "-samples")
	if err != nil {
		return nil, err
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("measure the routes: %w", err)
	}
	return taken, json.Unmarshal(out, &taken)
}

func routesOnly(ctx context.Context, in io.Reader, out io.Writer) error {
	var at place
	if err := json.NewDecoder(in).Decode(&at); err != nil {
		return fmt.Errorf("read where the stack is: %w", err)
	}
	taken, err := measureRoutes(ctx, at, pageSize)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(taken)
}

// environment holds the variables of one function, environments those of all.
type (
	environment  map[string]string
	environments map[string]environment
)

func (e environment) list() []string { return deployed.List(e) }
