package payout

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Version is how the transactions of a phase are encoded. It is decided when the phase
// is planned, for the sizes of its batches follow from it.
type Version uint8

// The versions.
const (
	Legacy Version = 0
	// V1 is version 1 (SIMD-0385): three times as many recipients for one base fee.
	V1 Version = 1
)

// ReadVersion reads how a setting names a version: legacy or 1.
func ReadVersion(text string) (Version, error) {
	switch text {
	case "legacy":
		return Legacy, nil
	case "1":
		return V1, nil
	}
	return Legacy, fmt.Errorf("the version of payouts is %q: it must be legacy or 1", text)
}

// Batch is how many payments in an asset one transaction takes.
func (v Version) Batch(asset terms.Asset) uint32 {
	switch {
	case v == V1 && asset.IsSOL():
		return SOLBatchV1
	case v == V1:
		return TokenBatchV1
	case asset.IsSOL():
		return SOLBatch
	}
	return TokenBatch
}

// accountsData is how many bytes of accounts a transaction may load: the most there is,
// which legacy ones may without asking. Owners whom a creator lists may have data.
const accountsData = 64 << 20

// version is how a batch of a phase is encoded. As many as a legacy transaction takes
// cost the same in one, so only more are of version 1: what it is refused for, for
// whatever reason, is halved until it is legacy, and no holder is left out on its word.
func (p Phase) version(size uint32) Version {
	if p.Kind == Pay && p.Version == V1 && size > Legacy.Batch(p.Asset) {
		return V1
	}
	return Legacy
}

// compose compiles a payment's transaction. receipt is nil for kinds that have none.
func (v Version) compose(wallet solana.PublicKey, receipt *Receipt, rent uint64, recent solana.Hash, units uint32, price uint64, p Payload) (wire.Message, error) {
	if v == V1 {
		var list []solana.Instruction
		if receipt != nil {
			list = append(list, receipt.create(wallet, rent, p.Named...))
		}
		return wire.CompileV1(wallet, recent, config(units, price), append(list, p.Instructions...))
	}
	return wire.Compile(wallet, recent, legacy(wallet, receipt, rent, units, price, p))
}

// config says in a message of version 1 what instructions of the compute budget say in
// a legacy one: there the fee is for a unit, here for all.
func config(units uint32, price uint64) wire.Config {
	return wire.Config{PriorityFeeLamports: computebudget.PriorityFee(units, price), UnitLimit: units, AccountsData: accountsData}
}

// Takes says whether the node carries out transactions of version 1: it simulates one
// that moves nothing.
func (e Engine) Takes(ctx context.Context, wallet token.Wallet) (bool, error) {
	recent, err := e.Chains[0].RecentBlockhash(ctx)
	if err != nil {
		return false, fmt.Errorf("try version 1: %w", err)
	}
	message, err := V1.compose(wallet.Address, nil, 0, recent.Hash, voidUnits, 0, Payload{Instructions: []solana.Instruction{
		systemprogram.Transfer{From: wallet.Address, To: wallet.Address}.Instruction(),
	}})
	if err != nil {
		return false, fmt.Errorf("compile a transaction of version 1: %w", err)
	}
	trial, err := e.Chains[0].Try(ctx, wire.NewTransaction(message).Bytes())
	if err != nil {
		return false, fmt.Errorf("try version 1: %w", err)
	}
	return trial.OK, nil
}
