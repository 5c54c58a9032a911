package main

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// sending is of commands whose transaction the caller sends to a node.
type sending struct {
	Mint string `arg:"" help:"Mint of the token."`
	RPC  string `help:"The Solana node that it is sent to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	Yes  bool   `help:"Do not ask before signing." short:"y"`
}

// sender is what such a command works with.
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

// tax is what the chain takes of a transfer of the token now. It decides how much leaves the
// wallet, so it is not the service's word.
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

// offered is a transaction for the caller to sign: what it is and what becomes of it, in words.
type offered struct {
	client.Unsigned

	what, comesTo, refused string
	// sign signs it, if it is what was asked for.
	sign func() (string, error)
	// given is the service's answer, for programs, and rows say what was done, for people.
	given any
	rows  [][2]string
}

// send shows a transaction that would succeed, asks, signs it, sends it, and reports once it
// landed.
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
	signature, err := land(s.ctx, s.node, signed, o.LastValidBlockHeight)
	if err != nil {
		return err
	}
	if s.json {
		return s.write(map[string]any{"signature": signature, o.what: o.given})
	}
	s.table(append(o.rows, [2]string{"signature", signature.String()}))
	return nil
}

// unknownError is a transaction that was sent, and whose end is not known.
type unknownError struct {
	id     solana.Signature
	height uint64 // of the last block that takes it
	err    error
}

func (e unknownError) Error() string {
	text := fmt.Sprintf("it is not known whether the transaction %s landed: look for it before you do this again; above block height %d it cannot land any more", e.id, e.height)
	if e.err != nil {
		text += fmt.Sprintf(" (%v)", e.err)
	}
	return text
}

// land sends a signed transaction and waits until it is confirmed.
func land(ctx context.Context, node *solanarpc.Client, signed string, height uint64) (id solana.Signature, err error) {
	tx, err := wire.ParseBase64(signed)
	if err != nil {
		return id, fmt.Errorf("read what was signed: %w", err)
	}
	id, _ = tx.ID()              // it is signed
	const lifetime = time.Minute // of a blockhash, about
	ctx, cancel := context.WithTimeout(ctx, lifetime)
	defer cancel()
	outcome := transaction.Outcome{State: transaction.Unknown}
	if err = node.Send(ctx, tx.Bytes()); err == nil {
		outcome, err = node.Await(ctx, id)
	}
	switch outcome.State {
	case transaction.Succeeded:
		return id, nil
	case transaction.Refused:
		return id, fmt.Errorf("transaction %s failed: %s", id, outcome.Detail)
	case transaction.Unknown:
	}
	return id, unknownError{id, height, err}
}
