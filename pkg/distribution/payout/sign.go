package payout

import (
	"context"
	"errors"
	"fmt"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// launch signs what was prepared for a bound intent, writes that down, and only
// then sends it.
func (e Engine) launch(ctx context.Context, m movement, p prepared) (Intent, Next, error) {
	i, err := e.attempt(ctx, m, p.intent, p.message, p.payload, Attempt{PriceMicroLamports: p.price})
	var refusal *Refusal
	if errors.As(err, &refusal) { // by whoever signs beside the wallet
		lane, laneErr := e.Store.Lane(ctx, i.Mint, i.Lane)
		if laneErr != nil {
			return i, Next{}, laneErr
		}
		lane.Intent = ID{}
		return e.refuse(ctx, m, i, &lane, err)
	}
	if err != nil {
		return i, Next{}, err
	}
	e.send(ctx, i)
	return i, Next{After: e.Pace.Sight}, nil
}

// attempt signs a message for an intent, and keeps the attempt in the journal and
// the ledger.
func (e Engine) attempt(ctx context.Context, m movement, i Intent, message wire.Message, payload Payload, a Attempt) (Intent, error) {
	if message.FeePayer() != m.wallet.Address {
		return i, fmt.Errorf("the transaction's payer is %s, not the wallet %s", message.FeePayer(), m.wallet.Address)
	}
	tx := wire.NewTransaction(message)
	if payload.CoSign != nil {
		signatures, err := payload.CoSign(ctx, message.Bytes())
		if err != nil {
			return i, fmt.Errorf("ask for signatures: %w", err)
		}
		for signer, signature := range signatures {
			if err := tx.SetSignature(signer, signature); err != nil {
				return i, fmt.Errorf("take the signature of %s: %w", signer, err)
			}
		}
	}
	signature, err := e.Wallet.Sign(ctx, m.wallet, message.Bytes())
	if err != nil {
		return i, fmt.Errorf("sign: %w", err)
	}
	if err := tx.SetSignature(m.wallet.Address, signature); err != nil {
		return i, fmt.Errorf("sign: %w", err)
	}
	if missing := tx.Missing(); len(missing) > 0 {
		return i, &Refusal{Reason: ReasonSimulation, Detail: fmt.Sprintf("The signature of %s is missing.", missing[0])}
	}
	a.Signature, a.Bytes, a.SignedAt = signature, tx.Bytes(), e.Now().UTC()
	i.Attempts = append(i.Attempts[:len(i.Attempts):len(i.Attempts)], a)
	if err := e.Journal.Write(ctx, i); err != nil {
		return i, fmt.Errorf("write the journal: %w", err)
	}
	if err := e.Store.Record(ctx, i); err != nil {
		return i, err
	}
	i.Version++
	return i, nil
}

// send hands the newest attempt to the network. Whether that succeeds is no
// matter: it is sent again.
func (e Engine) send(ctx context.Context, i Intent) {
	if err := e.Chains[0].Send(ctx, i.Attempts[len(i.Attempts)-1].Bytes); err != nil {
		e.Log.WarnContext(ctx, "transaction was not taken", "intent", i.ID.String(), "cause", err.Error())
	}
}
