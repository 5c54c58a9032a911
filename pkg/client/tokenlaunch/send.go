package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// sending is of commands whose transaction the caller sends to a node.
type sending struct {
	RPC string `help:"The Solana node that it is sent to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	Yes bool   `help:"Do not ask before signing." short:"y"`
}

func (s sending) node() (*solanarpc.Client, error) {
	node, err := solanarpc.New(s.RPC)
	if err != nil {
		return nil, usage("--rpc: %v", err)
	}
	return node, nil
}

// offered is a transaction for the caller to sign: what it is and what becomes of it, in words.
type offered struct {
	client.Unsigned

	what, comesTo, refused string
	// sign signs it, if it is what was asked for.
	sign func() (string, error)
}

// send shows a transaction that would succeed, asks, signs it, sends it, and gives its signature
// once it landed.
func (s sending) send(p *program, node *solanarpc.Client, o offered) (string, error) {
	if !o.Simulation.OK {
		return "", fmt.Errorf("the %s would fail: %s %s", o.what, o.Simulation.Reason, o.Simulation.Detail)
	}
	for _, line := range o.Explanation {
		_, _ = fmt.Fprintln(p.errs, "  "+line)
	}
	_, _ = fmt.Fprintln(p.errs, o.comesTo)
	if !s.Yes {
		if err := p.ask("Sign it?", o.refused); err != nil {
			return "", err
		}
	}
	signed, err := o.sign()
	if err != nil {
		return "", err
	}
	tx, err := wire.ParseBase64(signed)
	if err != nil {
		return "", fmt.Errorf("read what was signed: %w", err)
	}
	if err := node.Execute(p.ctx, tx.Bytes()); err != nil {
		return "", err
	}
	id, _ := tx.ID() // it is signed
	return id.String(), nil
}
