package million

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"os"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

var (
	mint      = accountAddress(-1)
	wallet    = accountAddress(-2)
	developer = accountAddress(-3)
)

const (
	// shared is the holders' total share, and worth the minimum amount of a payment, in lamports.
	// batchSize is the number of holders in a transaction.
	shared, worth, batchSize = 5_000_000_000_000, 20, 19
	sold                     = 10
	// cut is the slot of the transactions, at which the books are closed.
	cut = 9
)

// client returns a client of the desk's node.
func (d desk) client() (*solanarpc.Client, error) {
	client, err := solanarpc.New("http://node/")
	if err != nil {
		return nil, err
	}
	return client.WithTransport(node{d}), nil
}

func (d desk) bookkeeper() (books.Bookkeeper, *public, error) {
	client, err := d.client()
	if err != nil {
		return books.Bookkeeper{}, nil, err
	}
	kept := &public{}
	return books.Bookkeeper{
		Snapshotter: snapshot.Snapshotter{
			Sources: []snapshot.Source{client}, Chain: client, Store: d, Folder: d.folder, Pause: client.Pause,
		},
		Files: d, Proofs: kept, Public: kept, Payments: paid{d},
	}, kept, nil
}

// takeSnapshot lists the accounts, looks up the owners, and stores the snapshot.
func takeSnapshot(ctx context.Context, d desk) (facts, error) {
	bookkeeper, _, err := d.bookkeeper()
	if err != nil {
		return nil, err
	}
	r := runOf()
	taken, err := bookkeeper.Snapshot(ctx, r, snapshotFile)
	if err != nil {
		return nil, err
	}
	r.Snapshot = &taken
	return facts{"eligible": uint64(taken.Eligible)}, d.remember(r)
}

// plan writes the payments.
func plan(ctx context.Context, d desk) (facts, error) {
	bookkeeper, _, err := d.bookkeeper()
	if err != nil {
		return nil, err
	}
	r, err := d.recall()
	if err != nil {
		return nil, err
	}
	planned, err := bookkeeper.Plan(ctx, r, run.PlanOrder{Currency: r.Reward, Share: shared, Worth: worth, Room: math.MaxUint64, File: planFile})
	if err != nil {
		return nil, err
	}
	r.Payment = &run.Payment{Legs: []run.Leg{{Currency: r.Reward, Share: shared, Worth: worth, File: planFile, Payments: planned.Payments, Due: planned.Due, CreatorPaid: &run.Movement{}}}}
	return facts{"payments": uint64(planned.Payments)}, d.remember(r)
}

// closeBooks creates the proof of a run that paid all holders.
func closeBooks(ctx context.Context, d desk) (facts, error) {
	bookkeeper, kept, err := d.bookkeeper()
	if err != nil {
		return nil, err
	}
	r, err := d.recall()
	if err != nil {
		return nil, err
	}
	due := r.Payment.Legs[0].Due
	closed, err := bookkeeper.Close(ctx, r, run.CloseOrder{
		Totals:   run.Totals{Holders: map[terms.Asset]uint64{terms.SOL: due}},
		Balances: run.Balances{Lamports: shared - due, ChainSlot: cut},
	})
	if err != nil {
		return nil, err
	}
	return facts{
		"files": kept.files.Load(), "bytes": kept.bytes.Load(), "paid": uint64(closed.Legs[0].PaidHolders),
		"root": binary.BigEndian.Uint64([]byte(closed.Root)), // distinguishes proofs that differ
	}, nil
}

// runOf returns a run of the bench's token.
func runOf() run.Run {
	slot := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	const decimals, solDecimals = 6, 9
	return run.Run{
		ID: terms.RunID(mint, slot), Mint: mint, Slot: slot, SettingsVersion: terms.LaunchVersion,
		Token: run.Token{Decimals: decimals, Wallet: token.Wallet{Address: wallet}, Creator: developer},
		Settings: terms.Settings{
			Interval: "24h", RewardToken: "SOL", MinimumHolding: 1, SellBps: terms.FullBps, DeveloperWallet: developer,
		},
		Reward:  run.Currency{Asset: terms.SOL, Decimals: solDecimals},
		Opening: &run.Opening{}, Split: &run.Split{Spendable: sold, Slice: sold, Sell: sold},
		Burn: &run.Movement{}, Fuel: &run.Exchange{}, Exchange: &run.Exchange{Sold: sold, Proceeds: shared},
	}
}

// remember stores the run for the next part.
func (d desk) remember(r run.Run) error {
	content, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	return os.WriteFile(d.path("run.json"), content, 0o600)
}

func (d desk) recall() (r run.Run, err error) {
	content, err := os.ReadFile(d.path("run.json"))
	if err == nil {
		err = json.Unmarshal(content, &r)
	}
	return r, err
}

// paid is the ledger's payments: a transaction has paid every batch.
type paid struct{ desk }

// Payments returns the payments of the only leg.
func (p paid) Payments(_ context.Context, id string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		if kind != payout.Pay || leg != 0 {
			return
		}
		r, err := p.recall()
		if err != nil {
			yield(payout.Payment{}, err)
			return
		}
		for i, batch := range allocation.Batches(r.Payment.Legs[0].Payments, batchSize) {
			payment := payout.Payment{
				ID: payout.ID{Run: id, Kind: kind, Leg: leg, Batch: i}, From: batch.From, To: batch.To,
				Outcome: &payout.Outcome{Signature: signature(i), Slot: cut},
			}
			if !yield(payment, nil) {
				return
			}
		}
	}
}

// signature returns an invented signature of the n-th transaction.
func signature(n int) (s solana.Signature) {
	first, second := accountAddress(n), accountAddress(-n-4)
	copy(s[copy(s[:], first[:]):], second[:])
	return s
}
