package payout

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/token"
)

// receipt returns the receipt of a generation of a payment. The receipt is deterministic: two
// ledgers that decide the same payment derive the same receipt.
func (e Engine) receipt(ctx context.Context, wallet token.Wallet, id ID, generation int) (*Receipt, error) {
	if !id.Kind.Receipted() {
		return nil, nil
	}
	seed, err := e.Wallet.Seed(ctx, SeedOrder{Wallet: wallet, Payment: id, Generation: generation})
	if err != nil {
		return nil, fmt.Errorf("derive the receipt of payment %s: %w", id, err)
	}
	address, err := systemprogram.AddressWithSeed(wallet.Address, seed, solana.SystemProgramID)
	if err != nil {
		return nil, fmt.Errorf("derive the receipt of payment %s: %w", id, err)
	}
	return &Receipt{Address: address, Seed: seed, Generation: generation}, nil
}

// create returns the first instruction of a payment's attempts. The program ignores the additional
// accounts in named.
func (r Receipt) create(wallet solana.PublicKey, rent uint64, named ...solana.PublicKey) solana.Instruction {
	in := systemprogram.CreateAccountWithSeed{
		Payer: wallet, Account: r.Address, Base: wallet, Seed: r.Seed, Lamports: rent, Owner: solana.SystemProgramID,
	}.Instruction()
	if len(named) == 0 {
		return in
	}
	accounts := slices.Clone(in.Accounts())
	for _, key := range named {
		accounts = append(accounts, solana.Meta(key))
	}
	data, _ := in.Data() // never fails
	return solana.NewInstruction(in.ProgramID(), accounts, data)
}

// giveBack returns all lamports of a receipt to the wallet.
func (r Receipt) giveBack(wallet solana.PublicKey, lamports uint64) solana.Instruction {
	return systemprogram.TransferWithSeed{
		From: r.Address, Base: wallet, Seed: r.Seed, Owner: solana.SystemProgramID, To: wallet, Lamports: lamports,
	}.Instruction()
}
