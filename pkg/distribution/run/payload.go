package run

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Fixed returns the content of a payment that follows from the run's facts, with the asset and the
// amount that leave the wallet. The machine signs and the signer expects the result of this
// function.
func (r Run) Fixed(id payout.ID) (p payout.Payload, asset terms.Asset, amount uint64, err error) {
	wallet, kind, leg := r.Token.Wallet.Address, id.Kind, id.Leg
	switch {
	case id.Part != "" || id.Batch != 0 && kind != payout.Creator: // not a batch
	case kind == payout.Collect && leg == sweepLeg:
		account, err := token2022.AssociatedAddress(wallet, r.Mint, solana.Token2022ProgramID)
		if err != nil {
			return p, asset, 0, fmt.Errorf("find the wallet's account: %w", err)
		}
		p.Instructions = []solana.Instruction{token2022.WithdrawWithheldFromMint{
			Mint: r.Mint, Destination: account, Authority: r.Collector().Authority, Signers: r.Collector().Signers(wallet),
		}.Instruction()}
		return p, asset, 0, nil
	case kind == payout.Burn && leg == 0 && r.Split != nil:
		account, err := token2022.AssociatedAddress(wallet, r.Mint, solana.Token2022ProgramID)
		if err != nil {
			return p, asset, 0, fmt.Errorf("find the wallet's account: %w", err)
		}
		p.Instructions = []solana.Instruction{token2022.BurnChecked{
			Account: account, Mint: r.Mint, Owner: wallet, Amount: r.Split.Burn, Decimals: r.Token.Decimals,
		}.Instruction()}
		return p, r.own().Asset, r.Split.Burn, nil
	case kind == payout.Creator && r.Payment != nil && leg >= 0 && leg < len(r.Payment.Legs):
		l, creators := r.Payment.Legs[leg], r.Settings.Creators()
		parts := r.CreatorParts(leg)
		if id.Batch < 0 || id.Batch >= len(parts) || len(parts) != len(creators) || parts[id.Batch].Wallet != creators[id.Batch].Wallet {
			return p, asset, 0, fmt.Errorf("the creator has no wallet %d of %d in leg %d of run %s", id.Batch, len(creators), leg, r.ID)
		}
		part := parts[id.Batch]
		p, err = transfer(payout.Note(r.ID), wallet, part.Wallet, l.Currency, part.Amount())
		return p, l.Currency.Asset, part.Amount(), err
	case kind == payout.Handover && r.handsOver() && r.Payment != nil && leg >= 0 && leg < maxTries:
		order := r.Claim.Handover.Order
		p.Instructions = []solana.Instruction{
			solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{}, []byte(order.Memo())),
			token2022.SetAuthority{
				Account: r.Mint, Current: wallet, Type: token2022.AuthorityWithdrawWithheld, New: order.To,
			}.Instruction(),
		}
		return p, asset, 0, nil
	case kind == payout.Anchor && r.Closing != nil && leg >= 0 && leg < maxTries:
		p.Named, err = r.anchored()
		p.Instructions = []solana.Instruction{solana.NewInstruction(
			format.MemoProgram, solana.AccountMetaSlice{solana.Meta(wallet).SIGNER()}, []byte(r.Closing.Memo))}
		return p, asset, 0, err
	case kind == payout.Release && r.Release != nil && leg >= 0 && leg < len(r.Release.Tries):
		p.Instructions, err = r.release(r.Release.Tries[leg])
		return p, asset, 0, err
	case kind == payout.Refund && r.Release != nil && r.Release.Done && leg >= 0 && leg < maxTries:
		p.Rest = r.refund
		return p, terms.SOL, 0, nil
	}
	return p, asset, 0, fmt.Errorf("run %s has no payment %s yet", r.ID, id)
}

// fixed returns Fixed as a Build.
func (r Run) fixed(id payout.ID) Build {
	return func(context.Context) (payout.Payload, error) {
		p, _, _, err := r.Fixed(id)
		return p, err
	}
}

// ForSale returns the maximum number of tokens that an exchange of the run may sell, and the asset
// of the proceeds.
func (r Run) ForSale(kind payout.Kind) (amount uint64, into terms.Asset, ok bool) {
	switch {
	case r.Split == nil:
		return 0, into, false
	case kind == payout.Fuel:
		return r.Split.FuelSell, terms.SOL, r.Split.FuelSell > 0
	case kind == payout.Exchange && r.Fuel != nil && r.Fuel.Sold <= r.Split.Sell && !r.rewardIsToken():
		return r.Split.Sell - r.Fuel.Sold, r.Reward.Asset, r.Split.Sell > r.Fuel.Sold
	}
	return 0, into, false
}

// transfer moves an amount from the wallet, and creates the recipient's token account at the
// wallet's cost. A transfer of tokens always has a memo, because the receiving account may require
// a memo and the run's facts do not have the requirement.
func transfer(note solana.Instruction, from, to solana.PublicKey, coin Currency, amount uint64) (payout.Payload, error) {
	if coin.Asset.IsSOL() {
		return payout.Payload{Instructions: []solana.Instruction{
			systemprogram.Transfer{From: from, To: to, Lamports: amount}.Instruction(),
		}}, nil
	}
	source, err := token2022.AssociatedAddress(from, coin.Asset.Mint(), coin.Program)
	if err != nil {
		return payout.Payload{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	create, destination, err := token2022.CreateAssociatedIdempotent{
		Payer: from, Wallet: to, Mint: coin.Asset.Mint(), Program: coin.Program,
	}.Instruction()
	if err != nil {
		return payout.Payload{}, fmt.Errorf("find the creator's account: %w", err)
	}
	return payout.Payload{Instructions: []solana.Instruction{create, note, token2022.TransferChecked{
		Program: coin.Program, Source: source, Mint: coin.Asset.Mint(), Destination: destination, Owner: from,
		Amount: amount, Decimals: coin.Decimals,
	}.Instruction()}}, nil
}
