package walkthrough

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// History is the history of a distribution wallet, from the chain.
type History struct {
	// Transactions is the number of transactions that name the wallet, including the launch.
	Transactions int
	// Nonces is the number of advances of durable nonces.
	Nonces int
	// Receipts are the accounts that the wallet's payments created. Open are the receipts that
	// still exist.
	Receipts, Open []solana.PublicKey
	// Returned is the number of receipts that returned their lamports.
	Returned int
}

func historyOf(ctx context.Context, node *solanarpc.Client, wallet solana.PublicKey) (h History, err error) {
	list, complete, err := node.History(ctx, wallet)
	if err != nil || !complete {
		return h, fmt.Errorf("read the history of %s, complete: %v: %w", wallet, complete, err)
	}
	for _, named := range list {
		landing, err := node.Landing(ctx, named.Signature)
		if err != nil {
			return h, fmt.Errorf("read transaction %s: %w", named.Signature, err)
		}
		if landing.Failed != "" {
			continue
		}
		h.Transactions++
		for _, in := range landing.Instructions {
			if in.Program != solana.SystemProgramID || !slices.Contains(in.Accounts, wallet) {
				continue
			}
			if systemprogram.IsAdvanceNonce(in.Program, in.Data) {
				h.Nonces++
			}
			if made, err := systemprogram.DecodeCreateAccountWithSeed(in.Accounts, in.Data); err == nil && made.Base == wallet {
				h.Receipts = append(h.Receipts, made.Account)
			}
			if back, err := systemprogram.DecodeTransferWithSeed(in.Accounts, in.Data); err == nil && back.Base == wallet && back.To == wallet {
				h.Returned++
			}
		}
	}
	for part := range slices.Chunk(h.Receipts, solanarpc.MaxAccounts) {
		accounts, err := node.Holders(ctx, part...)
		if err != nil {
			return h, err
		}
		for n, a := range accounts {
			if a != nil {
				h.Open = append(h.Open, part[n])
			}
		}
	}
	return h, nil
}

// history shows the wallet's history: each payment has a receipt, and all receipts except the
// newest proof's are closed.
func (d *Distribution) history(ctx context.Context) (err error) {
	if d.History, err = historyOf(ctx, d.market.node, d.Launch.Distribution.Address); err != nil {
		return err
	}
	h := d.History
	d.line("receipts", fmt.Sprintf("%d of %d transactions; %d are back, %d is lent; %d nonces advanced",
		len(h.Receipts), h.Transactions, h.Returned, len(h.Open), h.Nonces))
	return nil
}
