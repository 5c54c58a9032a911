package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/agent"
	"tokenlaunch.example/service/pkg/client/internal/build"
)

type mcpCommand struct {
	AllowSign bool     `help:"Let the agent launch tokens with your key, each after a second call that names what it does."`
	Most      string   `help:"The most SOL that its launches may cost in all." default:"0.1" placeholder:"SOL"`
	Pictures  string   `help:"Folder whose pictures it may upload." type:"existingdir" placeholder:"FOLDER"`
	RPC       string   `help:"Solana node that verify_proof also asks what landed." name:"rpc" placeholder:"URL"`
	Markets   []string `help:"Key that verify_proof takes for a market." name:"market" placeholder:"KEY"`
}

// Run serves an agent over standard input and output.
func (m mcpCommand) Run(p *program) error {
	maximum, err := client.ParseDecimal(m.Most, solDecimals)
	if err != nil {
		return usage("--most: %v", err)
	}
	o := agent.Options{
		Connect:     func(more ...client.Option) (*client.Client, error) { return p.connect(more...) },
		MaxLamports: client.LamportsOf(maximum), Version: build.Read().Version, Now: time.Now,
		Verify: func(ctx context.Context, mint, run string) (any, error) { return m.verify(ctx, p, mint, run) },
	}
	if m.AllowSign {
		wallet, err := p.wallet()
		if err != nil {
			return err
		}
		o.Signer = wallet
	}
	if m.Pictures != "" {
		if o.Pictures, err = os.OpenRoot(m.Pictures); err != nil {
			return usage("--pictures: %v", err)
		}
	}
	return agent.Serve(p.ctx, o, p.in, p.out.to)
}

// verify returns the report of verify --json.
func (m mcpCommand) verify(ctx context.Context, p *program, mint, run string) (any, error) {
	if _, err := address("mint", mint); err != nil {
		return nil, err
	}
	asks := *p
	asks.ctx, asks.errs = ctx, screen{io.Discard}
	v := verifyCommand{What: mint, RunID: run, RPC: m.RPC, Markets: m.Markets}
	with, err := v.options()
	if err != nil {
		return nil, err
	}
	b, err := v.open(&asks)
	if err != nil {
		return nil, err
	}
	report, err := verified(&asks, b, with)
	if err != nil {
		return nil, fmt.Errorf("verify the proof: %w", err)
	}
	result := reportOf(report)
	result.isOf(b, report)
	return result, nil
}
