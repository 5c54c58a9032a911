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

// Version is the encoding of a phase's transactions. The plan of a phase fixes the version, because
// the version decides the size of a batch.
type Version uint8

// The versions.
const (
	Legacy Version = 0
	// V1 is version 1 (SIMD-0385): three times as many recipients for one base fee.
	V1 Version = 1
)

// ReadVersion parses the version of a setting: "legacy" or "1".
func ReadVersion(text string) (Version, error) {
	switch text {
	case "legacy":
		return Legacy, nil
	case "1":
		return V1, nil
	}
	return Legacy, fmt.Errorf("the version of payouts is %q: it must be legacy or 1", text)
}

// Batch returns the maximum number of payments of an asset in one transaction.
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

// accountsMargin is the number of bytes that a limit allows in addition to the bytes loaded by the
// simulation, because accounts may grow before the transaction lands. The margin costs 256 compute
// units in a validator's ranking. The limit of a void attempt, which loads no data, is the margin.
const accountsMargin = 1 << 20

// asked is the compute budget of a transaction: a limit of compute units, a limit of bytes of
// accounts (zero means the network's maximum), and the price of a unit in micro-lamports.
type asked struct {
	units, data uint32
	price       uint64
}

// dataFor returns the limit of bytes of accounts for a payment. loaded is the number of bytes that
// the simulation loaded; zero if the number is not known. Validators rank a transaction by the fee
// for a unit of cost, and count eight units for each 32 KiB that the transaction may load. The
// maximum costs 16,384 units, more than the transfers of a batch. Only a whole batch has a limit: if
// the limit is too small, the batch is split, and halves have no limit. So no node can leave a
// holder out by reporting a small number.
func (p Payment) dataFor(loaded uint32) uint32 {
	switch {
	case p.size() <= 1 || p.ID.Part != "":
		return 0
	case loaded == 0:
		return computebudget.MaxAccountsData
	}
	return min(loaded, computebudget.MaxAccountsData-accountsMargin) + accountsMargin
}

// CollectBatch returns the number of accounts that one transaction collects from. guarded reports
// whether a guardian signs, too.
func (v Version) CollectBatch(guarded bool) uint32 {
	switch {
	case v == V1 && guarded:
		return GuardedBatchV1
	case v == V1:
		return CollectBatchV1
	case guarded:
		return GuardedBatch
	}
	return CollectBatch
}

// version returns the encoding of a batch of the given size. A batch that fits into a legacy
// transaction costs the same in both encodings, so only larger batches use version 1. A rejected
// version 1 batch is halved until the halves are legacy, so no rejection of version 1 leaves a holder
// out.
func (p Phase) version(size uint32) Version {
	fits := Legacy.CollectBatch(p.Collector.Guarded())
	if p.Kind == Pay {
		fits = Legacy.Batch(p.Asset)
	}
	if p.Version == V1 && size > fits {
		return V1
	}
	return Legacy
}

// compose compiles a payment's transaction. receipt is nil for kinds without receipts.
func (v Version) compose(wallet solana.PublicKey, receipt *Receipt, rent uint64, recent solana.Hash, a asked, p Payload) (wire.Message, error) {
	if v == V1 {
		var list []solana.Instruction
		if receipt != nil {
			list = append(list, receipt.create(wallet, rent, p.Named...))
		}
		return wire.CompileV1(wallet, recent, a.config(), append(list, p.Instructions...))
	}
	m, err := wire.Compile(wallet, recent, legacy(wallet, receipt, rent, a, p))
	if errors.Is(err, wire.ErrTooLarge) { // perhaps only because of the eight bytes of the limit
		a.data = 0
		return wire.Compile(wallet, recent, legacy(wallet, receipt, rent, a, p))
	}
	return m, err
}

// config returns the compute budget of a version 1 message, which has no instructions for the
// budget. The priority fee of version 1 is a total, not a price, and the limit of bytes is required.
func (a asked) config() wire.Config {
	if a.data == 0 {
		a.data = computebudget.MaxAccountsData
	}
	return wire.Config{PriorityFeeLamports: computebudget.PriorityFee(a.units, a.price), UnitLimit: a.units, AccountsData: a.data}
}

// Takes reports whether the node executes version 1 transactions. It simulates a transfer of zero
// lamports.
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
