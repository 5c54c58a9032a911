package payout

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// blockhashLife is how old a blockhash is, at least, when it can land no more. It
// lives for 150 blocks of 400 ms to 600 ms, and its finality comes later.
const blockhashLife = 2 * time.Minute

// makePieces makes as many of the missing things as the wallet allows, in as few
// transactions as they fit into. They do not depend on each other: those that are
// lost are made by the next call.
func (e Engine) makePieces(ctx context.Context, g Ground, id ID, has own, pieces []piece) (Next, error) {
	recent, err := e.Chains[0].LatestBlockhash(ctx)
	if err != nil {
		return Next{}, err
	}
	spare, err := e.spare(ctx, has)
	if err != nil {
		return Next{}, err
	}
	for made := 0; ; made++ {
		i := Intent{ID: id, Mint: g.Mint, Asset: terms.SOL, Value: recent}
		instructions, amount, count := together(g.Wallet.Address, recent, pieces, spare)
		if count == 0 && made == 0 {
			e.Log.WarnContext(ctx, "the wallet has too little SOL for more lanes or accounts", "mint", g.Mint.String(), "lamports", has.lamports)
			return Next{Done: true}, nil
		}
		if count == 0 {
			return Next{After: e.Pace.Look}, nil
		}
		i.Amount = amount
		fee, err := e.makeOne(ctx, g, i, instructions)
		if err != nil {
			return Next{}, err
		}
		if fee == 0 {
			return Next{After: e.Pace.Look}, nil
		}
		pieces = pieces[count:]
		if spare, _ = less(spare, amount, fee); len(pieces) == 0 {
			return Next{After: e.Pace.Sight}, nil
		}
		id.Batch++
	}
}

// spare is what of its lamports a wallet can give away, but for the fees.
func (e Engine) spare(ctx context.Context, has own) (uint64, error) {
	rent, err := e.Chains[0].MinimumBalance(ctx, 0)
	spare, _ := less(has.lamports, min(rent, has.lamports))
	return spare, err
}

// together gives the instructions, with a budget in front, of the first pieces that
// fit into a transaction, what they take, and how many they are.
func together(wallet solana.PublicKey, recent solana.Hash, pieces []piece, spare uint64) (instructions []solana.Instruction, amount uint64, count int) {
	instructions = []solana.Instruction{computebudget.SetUnitLimit(computebudget.MaxUnitLimit), computebudget.SetUnitPrice(0)}
	for _, p := range pieces {
		if amount+p.lamports+signatureLamports > spare {
			break
		}
		more := append(instructions[:len(instructions):len(instructions)], p.instructions...)
		if _, err := wire.Compile(wallet, recent, more); err != nil {
			break // the next transaction's
		}
		instructions, amount, count = more, amount+p.lamports, count+1
	}
	return instructions, amount, count
}

// makeOne signs and sends one transaction that makes lanes or accounts, and gives its
// fee; zero when it would fail.
func (e Engine) makeOne(ctx context.Context, g Ground, i Intent, instructions []solana.Instruction) (feeLamports uint64, err error) {
	message, err := wire.Compile(g.Wallet.Address, i.Value, instructions)
	if err != nil {
		return 0, fmt.Errorf("compile the transaction: %w", err)
	}
	trial, err := e.Chains[0].Try(ctx, wire.NewTransaction(message).Bytes())
	if err != nil {
		return 0, fmt.Errorf("simulate: %w", err)
	}
	if !trial.OK {
		e.Log.WarnContext(ctx, "the wallet's lanes and accounts cannot be made", "mint", g.Mint.String(), "detail", trial.Detail)
		return 0, nil
	}
	units := unitsFor(trial.Units)
	instructions[0], instructions[1] = computebudget.SetUnitLimit(units), computebudget.SetUnitPrice(e.Fees.Start)
	if message, err = wire.Compile(g.Wallet.Address, i.Value, instructions); err != nil {
		return 0, fmt.Errorf("compile the transaction: %w", err)
	}
	m := movement{wallet: g.Wallet, plan: i}
	if i, err = e.attempt(ctx, m, i, message, Payload{}, Attempt{PriceMicroLamports: e.Fees.Start}); err != nil {
		return 0, err
	}
	e.send(ctx, i)
	return fee(message, units, e.Fees.Start), nil
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
		return e.again(ctx, i), nil
	}
	return Next{After: e.Pace.Sight}, nil
}
