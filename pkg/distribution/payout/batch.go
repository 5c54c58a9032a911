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

// Entry is one record of a phase's file: whom to pay how much, or the account to
// collect from.
type Entry struct {
	// Owner is the holder; of a collection it is the token account.
	Owner  solana.PublicKey
	Amount uint64
	// Hold is the fingerprint of the account that could not be paid when it was tried
	// last; zero when it could, or was not tried.
	Hold [8]byte
}

// Records reads a part of a phase's file, from and to counted from 0, to excluded.
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

// bind decides who of a batch is paid, and what that takes.
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

// build gives the instructions of a bound batch.
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

// hold returns what has to change at the account of the only record before it is tried
// again. An account that has begun to require a memo since the payment was bound is paid with
// one next time, so nothing is held.
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

// collect moves what is withheld in accounts to the wallet. The program skips an account
// that it cannot take from: one that is closed, of another mint or of another program.
// Frozen accounts are no exception. The mint is only read, because a transaction that
// writes it keeps every trade of the token out of the blocks that have room for it. Only
// the first batch of a run writes it, to collect tax that third parties have harvested to the mint.
func (b batch) collect(payment Payment, list []Entry) (Payload, error) {
	sources := make([]solana.PublicKey, len(list))
	for n, p := range list {
		sources[n] = p.Owner
	}
	destination, err := token2022.AssociatedAddress(b.phase.Wallet.Address, b.phase.Mint, b.phase.Program)
	if err != nil {
		return Payload{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	mint, wallet := b.phase.Mint, b.phase.Wallet.Address
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: mint, Destination: destination, Authority: wallet, Sources: sources,
	}.Instruction()
	if err != nil {
		return Payload{}, err
	}
	does := []solana.Instruction{withdraw}
	if payment.From == 0 {
		does = append(does, token2022.WithdrawWithheldFromMint{Mint: mint, Destination: destination, Authority: wallet}.Instruction())
	}
	return Payload{Instructions: does}, nil
}

// Pays gives what a bound payment of the phase does: it pays those of its records whom the
// binding does not leave out.
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

// Note names the run to a recipient whose account requires a memo. The token program looks
// only at the instruction directly before the transfer (token-2022,
// check_previous_sibling_instruction_is_memo).
func Note(run string) solana.Instruction { return memo.Note("distribution " + run) }

// transfer moves tokens. Of a taxed one the program withholds the tax of the epoch:
// naming it would take nine bytes more, three payments of a transaction, and fail
// where it has just changed.
func (p Phase) transfer(source, destination solana.PublicKey, amount uint64) solana.Instruction {
	return token2022.TransferChecked{
		Program: p.Program, Source: source, Mint: p.Asset.Mint(), Destination: destination, Owner: p.Wallet.Address,
		Amount: amount, Decimals: p.Decimals,
	}.Instruction()
}
