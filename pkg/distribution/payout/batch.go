package payout

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// batch builds the transaction of a range of records.
type batch struct {
	engine   Engine
	phase    Phase
	from, to uint32
}

func (b batch) records(ctx context.Context) ([]Payment, error) {
	list, err := b.engine.Records.Records(ctx, b.phase, b.from, b.to)
	if err != nil {
		return nil, fmt.Errorf("read records %d to %d: %w", b.from, b.to, err)
	}
	if len(list) != int(b.to-b.from) {
		return nil, fmt.Errorf("read records %d to %d: there are %d", b.from, b.to, len(list))
	}
	return list, nil
}

// build is what a movement asks for.
func (b batch) build(ctx context.Context) (draft, error) {
	list, err := b.records(ctx)
	if err != nil {
		return draft{}, err
	}
	if b.phase.Kind == Collect {
		return b.collect(list)
	}
	recipients, has, err := b.recipients(ctx, list)
	if err != nil {
		return draft{}, err
	}
	d, err := b.pay(list, recipients)
	d.own = has
	return d, err
}

// hold gives the fingerprint of the account of the only record.
func (b batch) hold(ctx context.Context) ([8]byte, error) {
	if b.phase.Kind != Pay {
		return [8]byte{}, nil
	}
	list, err := b.records(ctx)
	if err != nil {
		return [8]byte{}, err
	}
	recipients, _, err := b.recipients(ctx, list[:1])
	if err != nil {
		return [8]byte{}, err
	}
	return recipients[0].fingerprint, nil
}

// collect moves what is withheld in accounts to the mint, and from there to the
// wallet. The program leaves out accounts that it cannot harvest.
func (b batch) collect(list []Payment) (draft, error) {
	sources := make([]solana.PublicKey, len(list))
	for n, p := range list {
		sources[n] = p.Owner
	}
	destination, err := token2022.AssociatedAddress(b.phase.Wallet.Address, b.phase.Mint, b.phase.Program)
	if err != nil {
		return draft{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	return draft{Payload: Payload{Instructions: []solana.Instruction{
		token2022.HarvestWithheldToMint{Mint: b.phase.Mint, Sources: sources}.Instruction(),
		token2022.WithdrawWithheldFromMint{Mint: b.phase.Mint, Destination: destination, Authority: b.phase.Wallet.Address}.Instruction(),
	}}}, nil
}

// pay pays those who can be paid.
func (b batch) pay(list []Payment, recipients []recipient) (draft, error) {
	var d draft
	wallet, asset := b.phase.Wallet.Address, b.phase.Asset
	var source solana.PublicKey
	if !asset.IsSOL() {
		var err error
		if source, err = token2022.AssociatedAddress(wallet, asset.Mint(), b.phase.Program); err != nil {
			return draft{}, fmt.Errorf("find the wallet's account: %w", err)
		}
	}
	for n, r := range recipients {
		record, amount := b.from+uint32(n), list[n].Amount
		if r.reason != "" {
			d.Skips = append(d.Skips, Skip{Record: record, Reason: r.reason, Hold: r.hold})
			continue
		}
		if asset.IsSOL() {
			d.Instructions = append(d.Instructions, systemprogram.Transfer{From: wallet, To: list[n].Owner, Lamports: amount}.Instruction())
		} else {
			if r.missing {
				in, _, err := token2022.CreateAssociatedIdempotent{
					Payer: wallet, Wallet: list[n].Owner, Mint: asset.Mint(), Program: b.phase.Program,
				}.Instruction()
				if err != nil {
					return draft{}, fmt.Errorf("make the account of %s: %w", list[n].Owner, err)
				}
				d.Instructions, d.made = append(d.Instructions, in), append(d.made, record)
				amount -= b.phase.AccountCharge
			}
			d.Instructions = append(d.Instructions, b.transfer(source, r.address, amount))
		}
		if d.amount+amount < d.amount {
			return draft{}, fmt.Errorf("the amounts of records %d to %d add up to more than 64 bits", b.from, b.to)
		}
		d.amount += amount
	}
	if len(d.Instructions) == 0 {
		return d, &Refusal{Reason: ReasonNobody, Detail: "None of the batch can be paid now."}
	}
	return d, nil
}

// transfer moves tokens. Of a taxed one the program withholds the tax of the epoch:
// naming it would take nine bytes more, three payments of a transaction, and fail
// where it has just changed.
func (b batch) transfer(source, destination solana.PublicKey, amount uint64) solana.Instruction {
	return token2022.TransferChecked{
		Program: b.phase.Program, Source: source, Mint: b.phase.Asset.Mint(), Destination: destination, Owner: b.phase.Wallet.Address,
		Amount: amount, Decimals: b.phase.Decimals,
	}.Instruction()
}
