package payout

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Entry is one record of a phase's file: a holder with an amount, or an account with withheld tax.
type Entry struct {
	// Owner is the holder. For collections, Owner is the token account.
	Owner  solana.PublicKey
	Amount uint64
	// Hold is the fingerprint of an account that the last payment could not pay. Zero means
	// that the account was paid or not tried.
	Hold [8]byte
}

// Records reads a range of a phase's file. from and to count from 0, and to is excluded.
type Records interface {
	Records(ctx context.Context, phase Phase, from, to uint32) ([]Entry, error)
}

// batch binds and builds payments of a phase.
type batch struct {
	engine Engine
	phase  Phase
}

func (b batch) records(ctx context.Context, p Payment) ([]Entry, error) {
	list, err := b.engine.Records.Records(ctx, b.phase, p.From, p.To)
	if err != nil {
		return nil, fmt.Errorf("read records %d to %d: %w", p.From, p.To, err)
	}
	if len(list) != int(p.size()) {
		return nil, fmt.Errorf("read records %d to %d: there are %d", p.From, p.To, len(list))
	}
	return list, nil
}

// bind decides which records of a batch are paid, with the accounts and memos that the payments
// need.
func (b batch) bind(ctx context.Context, p Payment) (Payment, *own, error) {
	if b.phase.Kind == Collect {
		return p, nil, nil
	}
	list, err := b.records(ctx, p)
	if err != nil {
		return p, nil, err
	}
	recipients, has, err := b.recipients(ctx, list)
	if err != nil {
		return p, nil, err
	}
	p.Skips, p.Made, p.Memos, p.Amount = nil, nil, nil, 0
	for n, r := range recipients {
		record, amount := p.From+uint32(n), list[n].Amount
		if r.reason != "" {
			p.Skips = append(p.Skips, Skip{Record: record, Reason: r.reason, Hold: r.hold})
			continue
		}
		if r.missing {
			p.Made = append(p.Made, record)
			amount -= b.phase.AccountCharge
		}
		if r.memo {
			p.Memos = append(p.Memos, record)
		}
		if p.Amount+amount < p.Amount {
			return p, nil, fmt.Errorf("the amounts of records %d to %d add up to more than 64 bits", p.From, p.To)
		}
		p.Amount += amount
	}
	if len(p.Skips) == len(list) {
		return p, nil, &Refusal{Reason: ReasonNoRecipient, Detail: "None of the batch can be paid now."}
	}
	return p, has, nil
}

// build returns the instructions of a bound batch.
func (b batch) build(ctx context.Context, p Payment) (Payload, error) {
	list, err := b.records(ctx, p)
	if err != nil {
		return Payload{}, err
	}
	if b.phase.Kind == Collect {
		return b.collect(p, list)
	}
	return b.phase.Pays(p, list)
}

// hold returns the fingerprint that must change before a run tries the only record again. It
// returns zero for an account that requires a memo since the binding, because the next payment
// has a memo.
func (b batch) hold(ctx context.Context, p Payment) ([8]byte, error) {
	if b.phase.Kind != Pay {
		return [8]byte{}, nil
	}
	list, err := b.records(ctx, p)
	if err != nil {
		return [8]byte{}, err
	}
	recipients, _, err := b.recipients(ctx, list[:1])
	if err != nil {
		return [8]byte{}, err
	}
	if recipients[0].memo && !slices.Contains(p.Memos, p.From) {
		return [8]byte{}, nil
	}
	return recipients[0].fingerprint, nil
}

// collect moves withheld tax from accounts to the wallet. The program skips closed accounts and
// accounts of another mint or program. The program collects from frozen accounts, too. The mint is
// only read, because a transaction that writes the mint competes with every trade of the token for
// the same blocks. Only the first batch of a run writes the mint, to collect tax that third parties
// have harvested to the mint.
func (b batch) collect(payment Payment, list []Entry) (Payload, error) {
	sources := make([]solana.PublicKey, len(list))
	for n, p := range list {
		sources[n] = p.Owner
	}
	destination, err := token2022.AssociatedAddress(b.phase.Wallet.Address, b.phase.Mint, b.phase.Program)
	if err != nil {
		return Payload{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	mint, wallet, collector := b.phase.Mint, b.phase.Wallet.Address, b.phase.Collector
	if collector.Authority.IsZero() {
		collector.Authority = wallet
	}
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: mint, Destination: destination, Authority: collector.Authority, Signers: collector.Signers(wallet), Sources: sources,
	}.Instruction()
	if err != nil {
		return Payload{}, err
	}
	does := []solana.Instruction{withdraw}
	if payment.From == 0 {
		does = append(does, token2022.WithdrawWithheldFromMint{
			Mint: mint, Destination: destination, Authority: collector.Authority, Signers: collector.Signers(wallet),
		}.Instruction())
	}
	return Payload{Instructions: does}, nil
}

// Pays returns the instructions of a bound payment of the phase: a transfer for every record that
// the binding does not skip.
func (p Phase) Pays(payment Payment, list []Entry) (Payload, error) {
	wallet, asset := p.Wallet.Address, p.Asset
	var source solana.PublicKey
	if !asset.IsSOL() {
		var err error
		if source, err = token2022.AssociatedAddress(wallet, asset.Mint(), p.Program); err != nil {
			return Payload{}, fmt.Errorf("find the wallet's account: %w", err)
		}
	}
	var does []solana.Instruction
	for n, entry := range list {
		record := payment.From + uint32(n)
		if slices.ContainsFunc(payment.Skips, func(s Skip) bool { return s.Record == record }) {
			continue
		}
		if asset.IsSOL() {
			does = append(does, systemprogram.Transfer{From: wallet, To: entry.Owner, Lamports: entry.Amount}.Instruction())
			continue
		}
		create, destination, err := token2022.CreateAssociatedIdempotent{
			Payer: wallet, Wallet: entry.Owner, Mint: asset.Mint(), Program: p.Program,
		}.Instruction()
		if err != nil {
			return Payload{}, fmt.Errorf("find the account of %s: %w", entry.Owner, err)
		}
		amount := entry.Amount
		if slices.Contains(payment.Made, record) {
			does = append(does, create)
			amount -= p.AccountCharge
		}
		if slices.Contains(payment.Memos, record) {
			does = append(does, Note(p.Run))
		}
		does = append(does, p.transfer(source, destination, amount))
	}
	return Payload{Instructions: does}, nil
}

// Note returns the memo for a recipient whose account requires a memo. The token program checks
// only the instruction directly before the transfer (token-2022,
// check_previous_sibling_instruction_is_memo).
func Note(run string) solana.Instruction { return memo.Note("distribution " + run) }

// transfer moves tokens. If the token is taxed, the program withholds the tax of the epoch. A
// transfer that states the tax is nine bytes longer, which costs three payments of a transaction,
// and fails directly after a change of the tax.
func (p Phase) transfer(source, destination solana.PublicKey, amount uint64) solana.Instruction {
	return token2022.TransferChecked{
		Program: p.Program, Source: source, Mint: p.Asset.Mint(), Destination: destination, Owner: p.Wallet.Address,
		Amount: amount, Decimals: p.Decimals,
	}.Instruction()
}
