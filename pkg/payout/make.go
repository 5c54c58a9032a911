package payout

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// blockhashLife is how old a blockhash is, at least, when it can land no more. It
// lives for 150 blocks of 400 ms to 600 ms, and its finality comes later.
const blockhashLife = 2 * time.Minute

// makePieces makes as many of the missing things as one transaction and the wallet
// allow.
func (e Engine) makePieces(ctx context.Context, g Ground, id ID, pieces []piece) (Next, error) {
	recent, err := e.Chains[0].LatestBlockhash(ctx)
	if err != nil {
		return Next{}, err
	}
	i := Intent{ID: id, Mint: g.Mint, Asset: distribution.SOL, Value: recent}
	rent, err := e.Chains[0].MinimumBalance(ctx, 0)
	if err != nil {
		return Next{}, err
	}
	lamports, _, err := e.has(ctx, g.Wallet.Address, distribution.SOL)
	if err != nil {
		return Next{}, err
	}
	spare, _ := less(lamports, rent, signatureLamports)
	instructions := []solana.Instruction{computebudget.SetUnitLimit(computebudget.MaxUnitLimit), computebudget.SetUnitPrice(0)}
	budget := len(instructions)
	var message wire.Message
	for _, p := range pieces {
		if i.Amount+p.lamports > spare {
			break
		}
		more := append(instructions[:len(instructions):len(instructions)], p.instructions...)
		larger, err := wire.Compile(g.Wallet.Address, recent, more)
		if err != nil {
			break // the next transaction's
		}
		message, instructions, i.Amount = larger, more, i.Amount+p.lamports
	}
	if len(instructions) == budget {
		e.Log.WarnContext(ctx, "the wallet has too little SOL for more lanes or accounts", "mint", g.Mint.String(), "lamports", lamports)
		return Next{Done: true}, nil
	}
	trial, err := e.Chains[0].Try(ctx, wire.NewTransaction(message).Bytes())
	if err != nil {
		return Next{}, fmt.Errorf("simulate: %w", err)
	}
	if !trial.OK {
		e.Log.WarnContext(ctx, "the wallet's lanes and accounts cannot be made", "mint", g.Mint.String(), "detail", trial.Detail)
		return Next{After: e.Pace.Look}, nil
	}
	units := unitsFor(trial.Units)
	instructions[0], instructions[1] = computebudget.SetUnitLimit(units), computebudget.SetUnitPrice(e.Fees.Start)
	if message, err = wire.Compile(g.Wallet.Address, recent, instructions); err != nil {
		return Next{}, fmt.Errorf("compile the transaction: %w", err)
	}
	m := movement{wallet: g.Wallet, plan: i}
	if i, err = e.attempt(ctx, m, i, message, Payload{}, Attempt{PriceMicroLamports: e.Fees.Start}); err != nil {
		return Next{}, err
	}
	e.send(ctx, i)
	return Next{After: e.Pace.Look}, nil
}

// lookSetup asks what became of a transaction that makes lanes or accounts. It
// stands on a blockhash: once that is old, and the transaction is not there, it
// never will be, and what is missing is looked for again.
func (e Engine) lookSetup(ctx context.Context, i Intent) (Next, error) {
	last := i.Attempts[len(i.Attempts)-1]
	lives := e.Now().Sub(last.SignedAt) < blockhashLife
	for _, chain := range e.Chains {
		if !lives {
			var err error
			if lives, err = chain.BlockhashLives(ctx, i.Value); err != nil {
				return Next{}, err
			}
		}
	}
	var outcomes []Outcome
	landings := 0
	for _, chain := range e.Chains {
		list, err := chain.Landings(ctx, last.Signature)
		if err != nil {
			return Next{}, err
		}
		if len(list) == 0 {
			continue
		}
		landings++
		effect, found, err := chain.Effect(ctx, last.Signature)
		if err != nil {
			return Next{}, err
		}
		if found {
			outcomes = append(outcomes, Outcome{
				Signature: last.Signature, Slot: list[0].Slot, Failed: list[0].Failed, FeeLamports: effect.FeeLamports,
				Lamports: effect.Lamports, Tokens: effect.Tokens, At: e.Now().UTC(),
			})
		}
	}
	switch {
	case len(outcomes) == len(e.Chains):
		i.Outcome = &outcomes[0]
		_, _, err := e.end(ctx, i, nil)
		return Next{}, err
	case landings == 0 && !lives:
		e.Log.WarnContext(ctx, "a transaction that makes lanes or accounts never landed", "intent", i.ID.String())
		i.Outcome = &Outcome{Failed: "It expired.", At: e.Now().UTC()}
		_, _, err := e.end(ctx, i, nil)
		return Next{}, err
	case landings == 0:
		e.send(ctx, i)
	}
	return Next{After: e.Pace.Look}, nil
}
