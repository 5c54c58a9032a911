package signing

import (
	"context"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// ordered accepts only what follows from the operator's release of the token to the creator, or from
// the operator's order to move the token to another wallet of the service. The creator is the wallet that paid for the token's launch, by the chain.
func (l *look) ordered(ctx context.Context) error {
	if l.run.Release != nil && l.run.Release.Into != nil {
		return l.rotates(ctx)
	}
	if l.Notes == nil || l.run.Release == nil {
		return refuse("token %s is not wound down", l.run.Mint)
	}
	creator, err := l.creator(ctx, l.run.Release.Launch)
	if err != nil {
		return err
	}
	if creator != l.run.Release.To {
		return refuse("what is left of token %s goes to %s, and not to the creator %s", l.run.Mint, l.run.Release.To, creator)
	}
	released, err := l.Notes.Released(ctx, l.run.Mint)
	if err != nil {
		return err
	}
	if !released {
		return refuse("no operator has released token %s", l.run.Mint)
	}
	return nil
}

// release accepts only the planned closing of the wallet's accounts.
func (l *look) release(ctx context.Context, does []wire.Instruction) error {
	if err := l.ordered(ctx); err != nil {
		return err
	}
	want, _, _, err := l.run.Fixed(l.payment.ID)
	if err != nil {
		return refuse("%v", err)
	}
	if err := exactly(does, want.Instructions); err != nil {
		return err
	}
	if l.run.Release.Into != nil { // stays with the service
		return nil
	}
	made := 0
	for _, a := range l.run.Release.Tries[l.payment.ID.Leg].Accounts {
		if a.Currency.Asset != terms.Asset(l.run.Mint) && a.Amount > 0 { // the token itself is burned
			l.moves[a.Currency.Asset] = Add(l.moves[a.Currency.Asset], a.Amount)
			made++
		}
	}
	return l.accounts(ctx, made)
}

// refund accepts only a transfer of SOL to the creator.
func (l *look) refund(ctx context.Context, does []wire.Instruction) error {
	if err := l.ordered(ctx); err != nil {
		return err
	}
	if len(does) != 1 {
		return refuse("it does more than return the float")
	}
	lamports, err := systemprogram.DecodeTransfer(does[0].Keys(), does[0].Data)
	if err != nil || !does[0].Same(l.run.Refund(lamports.Lamports)) {
		return refuse("it does more than return the float")
	}
	if l.run.Release.Into == nil {
		l.moves[terms.SOL] = Add(l.moves[terms.SOL], lamports.Lamports)
	}
	return nil
}
