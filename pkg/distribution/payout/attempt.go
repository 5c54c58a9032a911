package payout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// has reports whether the payment has an attempt.
func (p Payment) has(a Attempt) bool {
	return slices.ContainsFunc(p.Attempts, func(b Attempt) bool { return a.Signature == b.Signature })
}

// launch signs the prepared transaction of a bound payment, records the attempt, and then sends
// the attempt.
func (e Engine) launch(ctx context.Context, m movement, p Payment, prep prepared) (Payment, Next, error) {
	attempted, err := e.attempt(ctx, m, p, prep.message, prep.payload.CoSign, Attempt{
		PriceMicroLamports: prep.price, LastValid: prep.recent.LastValid, RentLamports: prep.rent,
	})
	var refusal *Refusal
	if errors.As(err, &refusal) { // returned by a co-signer or the guardian
		return e.refuse(ctx, m, p, err)
	}
	if err != nil {
		return p, Next{}, err
	}
	e.send(ctx, attempted)
	return attempted, prep.recent.first, nil
}

// attempt signs a message for a payment, and writes the attempt to the journal and the ledger.
func (e Engine) attempt(ctx context.Context, m movement, p Payment, message wire.Message, coSign CoSign, a Attempt) (Payment, error) {
	if message.FeePayer() != m.wallet.Address {
		return p, fmt.Errorf("the transaction's payer is %s, not the wallet %s", message.FeePayer(), m.wallet.Address)
	}
	tx := wire.NewTransaction(message)
	if coSign != nil {
		signatures, err := coSign(ctx, message.Bytes())
		if err != nil {
			return p, fmt.Errorf("ask for signatures: %w", err)
		}
		for signer, signature := range signatures {
			if err := tx.SetSignature(signer, signature); err != nil {
				return p, fmt.Errorf("take the signature of %s: %w", signer, err)
			}
		}
	}
	if err := e.guarded(ctx, m, p, tx); err != nil {
		return p, err
	}
	signature, err := e.Wallet.Sign(ctx, Order{Wallet: m.wallet, Mint: p.Mint, Payment: p.ID, Message: message.Bytes()})
	if err != nil {
		return p, fmt.Errorf("sign: %w", err)
	}
	if err := tx.SetSignature(m.wallet.Address, signature); err != nil {
		return p, fmt.Errorf("sign: %w", err)
	}
	if missing := tx.Missing(); len(missing) > 0 {
		return p, &Refusal{Reason: ReasonSimulation, Detail: fmt.Sprintf("The signature of %s is missing.", missing[0])}
	}
	a.Signature, a.Bytes, a.SignedAt = signature, tx.Bytes(), e.Now().UTC()
	p.Attempts = append(p.Attempts[:len(p.Attempts):len(p.Attempts)], a)
	if err := e.Journal.Attempt(ctx, p); err != nil {
		return p, fmt.Errorf("write the journal: %w", err)
	}
	if err := e.Store.Record(ctx, p); err != nil {
		return p, err
	}
	p.Version++
	return p, nil
}

// send sends the newest attempt to the network. A failure is only logged, because later steps send
// the attempt again.
func (e Engine) send(ctx context.Context, p Payment) {
	if err := e.Chains[0].Send(ctx, p.Attempts[len(p.Attempts)-1].Bytes); err != nil {
		e.Log.WarnContext(ctx, "transaction was not taken", "payment", p.ID.String(), "cause", err.Error())
	}
}

// renew signs the newest attempt again on a new blockhash, with twice the price. The other
// instructions stay the same, so the receipt lets at most one of the attempts land.
func (e Engine) renew(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	last := p.Attempts[len(p.Attempts)-1]
	recent, err := m.recent(ctx)
	if err != nil {
		return p, Next{}, err
	}
	price := min(max(2*last.PriceMicroLamports, recent.price, 1), max(e.Fees.Cap, last.PriceMicroLamports))
	if p.ID.Kind == Refund { // the amount is the balance without the fee of the first attempt
		price = last.PriceMicroLamports
	}
	message, err := withBlockhash(last.Bytes, recent.Hash, price)
	if err != nil {
		return p, Next{}, err
	}
	return e.sendAttempt(ctx, m, p, message, recent, Attempt{
		PriceMicroLamports: price, RentLamports: last.RentLamports, Void: last.Void,
	})
}

// avoid signs a void attempt, which only creates the receipt. After a void attempt has landed, no
// other attempt can land.
func (e Engine) avoid(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	recent, err := m.recent(ctx)
	if err != nil {
		return p, Next{}, err
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, 0)
	if err != nil {
		return p, Next{}, err
	}
	message, err := Legacy.compose(m.wallet.Address, p.Receipt, rent, recent.Hash, asked{units: voidUnits, data: accountsMargin, price: e.Fees.Cap}, Payload{})
	if err != nil {
		return p, Next{}, fmt.Errorf("compile the void attempt: %w", err)
	}
	return e.sendAttempt(ctx, m, p, message, recent, Attempt{PriceMicroLamports: e.Fees.Cap, RentLamports: rent, Void: true})
}

func (e Engine) sendAttempt(ctx context.Context, m movement, p Payment, message wire.Message, recent chainState, a Attempt) (Payment, Next, error) {
	a.LastValid = recent.LastValid
	p, err := e.attempt(ctx, m, p, message, nil, a)
	if err != nil {
		return p, Next{}, err
	}
	e.send(ctx, p)
	return p, recent.first, nil
}

// signatures returns the signatures of a payment's attempts.
func (p Payment) signatures() []solana.Signature {
	list := make([]solana.Signature, len(p.Attempts))
	for n, a := range p.Attempts {
		list[n] = a.Signature
	}
	return list
}
