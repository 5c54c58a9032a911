package payout

import (
	"context"
	"errors"
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

// accountsMargin is the number of bytes that a limit allows beyond what a simulation
// loaded, because accounts may grow before the transaction lands. It costs 256 compute units
// in a validator's ranking. A void attempt, which loads no data, needs no more.
const accountsMargin = 1 << 20

// asked is the compute budget of a transaction: a limit of compute units, a limit of bytes
// of accounts (zero: none, so the network's maximum holds), and what it offers for a unit,
// in millionths of a lamport.
type asked struct {
	units, data uint32
	price       uint64
}

// dataFor returns the limit of bytes of accounts for a payment whose simulation loaded so
// many; zero: it is not known yet, or the node does not report it. Validators rank a
// transaction by its fee for a unit of cost, and count eight units for each 32 KiB that it
// may load: the maximum costs 16,384 units, more than a batch of transfers does otherwise.
// Only a whole batch is limited, because a limit that proves too small ends in halves of
// the batch, which have none. So no report of a node leaves a holder out.
func (p Payment) dataFor(loaded uint32) uint32 {
	switch {
	case p.size() <= 1 || p.ID.Part != "":
		return 0
	case loaded == 0:
		return computebudget.MaxAccountsData
	}
	return min(loaded, computebudget.MaxAccountsData-accountsMargin) + accountsMargin
}

// CollectBatch returns the number of accounts that one transaction collects from.
func (v Version) CollectBatch() uint32 {
	if v == V1 {
		return CollectBatchV1
	}
	return CollectBatch
}

// version is how a batch of a phase is encoded. As many as a legacy transaction takes
// cost the same in one, so only more are of version 1: what it is refused for, for
// whatever reason, is halved until it is legacy, and no holder is left out on its word.
func (p Phase) version(size uint32) Version {
	fits := Legacy.CollectBatch()
	if p.Kind == Pay {
		fits = Legacy.Batch(p.Asset)
	}
	if p.Version == V1 && size > fits {
		return V1
	}
	return Legacy
}

// compose compiles a payment's transaction. receipt is nil for kinds that have none.
func (v Version) compose(wallet solana.PublicKey, receipt *Receipt, rent uint64, recent solana.Hash, a asked, p Payload) (wire.Message, error) {
	if v == V1 {
		var list []solana.Instruction
		if receipt != nil {
			list = append(list, receipt.create(wallet, rent, p.Named...))
		}
		return wire.CompileV1(wallet, recent, a.config(), append(list, p.Instructions...))
	}
	m, err := wire.Compile(wallet, recent, legacy(wallet, receipt, rent, a, p))
	if errors.Is(err, wire.ErrTooLarge) { // by the eight bytes of the limit, perhaps
		a.data = 0
		return wire.Compile(wallet, recent, legacy(wallet, receipt, rent, a, p))
	}
	return m, err
}

// config returns the compute budget of a message of version 1, which has no instructions
// for it. There the fee is for all units, not for each, and a limit must be set.
func (a asked) config() wire.Config {
	if a.data == 0 {
		a.data = computebudget.MaxAccountsData
	}
	return wire.Config{PriorityFeeLamports: computebudget.PriorityFee(a.units, a.price), UnitLimit: a.units, AccountsData: a.data}
}

// Takes says whether the node carries out transactions of version 1: it simulates one
// that moves nothing.
func (e Engine) Takes(ctx context.Context, wallet token.Wallet) (bool, error) {
	recent, err := e.Chains[0].RecentBlockhash(ctx)
	if err != nil {
		return false, fmt.Errorf("try version 1: %w", err)
	}
	message, err := V1.compose(wallet.Address, nil, 0, recent.Hash, asked{units: voidUnits, data: accountsMargin}, Payload{Instructions: []solana.Instruction{
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
