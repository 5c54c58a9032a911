package main

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// sending has the flags of commands that send a transaction to a node.
type sending struct {
	Mint string `arg:"" help:"Mint of the token."`
	RPC  string `help:"The Solana node that it is sent to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	Yes  bool   `help:"Do not ask before signing." short:"y"`
}

// sender is the environment of such a command.
type sender struct {
	*program

	mint solana.PublicKey
	api  *client.Client // with the wallet
	node *solanarpc.Client
	yes  bool
}

func (s sending) open(p *program) (sender, error) {
	mint, err := address("mint", s.Mint)
	if err != nil {
		return sender{}, err
	}
	node, err := solanarpc.New(s.RPC)
	if err != nil {
		return sender{}, usage("--rpc: %v", err)
	}
	api, err := p.client(true)
	if err == nil {
		err = p.answerable(s.Yes)
	}
	return sender{p, mint, api, node, s.Yes}, err
}

// tax returns the current tax of a transfer of the token. It reads the chain, because the tax
// decides the amount that leaves the wallet, and the service must not decide the amount.
func (s sender) tax() (client.Percent, error) {
	stored, found, err := s.node.Account(s.ctx, s.mint)
	if err != nil {
		return client.Percent{}, fmt.Errorf("read the token's tax: %w", err)
	}
	if !found {
		return client.Percent{}, fmt.Errorf("read the token's tax: there is no mint %s", s.mint)
	}
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		return client.Percent{}, fmt.Errorf("read the token's tax: %w", err)
	}
	if mint.TransferFee == nil {
		return client.Percent{}, nil
	}
	epoch, err := s.node.Epoch(s.ctx)
	if err != nil {
		return client.Percent{}, fmt.Errorf("read the token's tax: %w", err)
	}
	return client.BasisPoints(uint64(mint.TransferFee.At(epoch).BasisPoints)), nil
}

// offered is a transaction for the caller's signature, with words that describe the transaction and
// the outcome.
type offered struct {
	client.Unsigned

	what, comesTo, refused string
	// sign checks the transaction against the request and signs.
	sign func() (string, error)
	// given is the service's response, for programs. rows describe the result, for people.
	given any
	rows  [][2]string
}

// send shows a transaction that would succeed, asks the user, signs, sends, and reports the
// landing.
func (s sender) send(o offered) error {
	if !o.Simulation.OK {
		return fmt.Errorf("the %s would fail: %s %s", o.what, o.Simulation.Reason, o.Simulation.Detail)
	}
	for _, line := range o.Explanation {
		s.errs.printf("  %s\n", line)
	}
	s.errs.printf("%s\n", o.comesTo)
	if !s.yes {
		if err := s.ask("Sign it?", o.refused); err != nil {
			return err
		}
	}
	signed, err := o.sign()
	if err != nil {
		return err
	}
	signature, err := client.Send(s.ctx, s.node, signed, o.LastValidBlockHeight)
	if err != nil {
		return err
	}
	if s.json {
		return s.write(map[string]any{"signature": signature, o.what: o.given})
	}
	s.table(append(o.rows, [2]string{"signature", signature.String()}))
	return nil
}
