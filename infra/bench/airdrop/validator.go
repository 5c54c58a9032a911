package airdrop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// validatorPeople is the number of recipients of a single wallet on a validator.
const validatorPeople = 100_000

// ValidatorTables pays a crowd from a single wallet by the service's own payer, on Agave's
// validator in both consensus modes.
func ValidatorTables(ctx context.Context, folder project.Folder) ([]document.Table, error) {
	header := []string{"consensus", "recipients", "transactions", "slots", "first to last send", "sends a second", "done", "SOL lent", "SOL back"}
	return onValidator(ctx, folder, "bench:validator", header, func(consensus agave.Consensus) ([][]string, error) {
		row, err := payOnValidator(ctx, folder, consensus, validatorPeople)
		return [][]string{row}, err
	})
}

// onValidator returns the table of a measurement on Agave's validator in both consensus modes. If
// there is no validator, the table's text contains this fact.
func onValidator(ctx context.Context, folder project.Folder, name string, header []string, measure func(agave.Consensus) ([][]string, error)) ([]document.Table, error) {
	machine, err := report.Machine(ctx, folder, report.Agave)
	if err != nil {
		return nil, err
	}
	text := machine + "\n\nThe validator is not measured: there is no solana-test-validator."
	if _, err := agave.Find(); err == nil {
		rows := [][]string{header}
		for _, consensus := range []agave.Consensus{agave.Alpenglow, agave.Tower} {
			measured, err := measure(consensus)
			if err != nil {
				return nil, fmt.Errorf("measure a validator with %s: %w", consensus, err)
			}
			for _, row := range measured {
				rows = append(rows, append([]string{string(consensus)}, row...))
			}
		}
		text = machine + "\n\n" + document.Markdown(rows)
	}
	return []document.Table{{Name: name, Text: text}}, nil
}

// counted carries calls to a node, whatever their address, and records the times of sent
// transactions.
type counted struct {
	node        *url.URL
	next        http.RoundTripper
	mu          sync.Mutex
	sends       int
	first, last time.Time
}

func newCounted() *counted {
	return &counted{next: &http.Transport{MaxIdleConnsPerHost: payers * perPayer}}
}

func (w *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	call, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(call, []byte(`"sendTransaction"`)) {
		w.mu.Lock()
		w.sends++
		w.last = time.Now()
		if w.first.IsZero() {
			w.first = w.last
		}
		w.mu.Unlock()
	}
	out := r.Clone(r.Context())
	out.URL, out.Host, out.Body = w.node, w.node.Host, io.NopCloser(bytes.NewReader(call))
	return w.next.RoundTrip(out)
}

func payOnValidator(ctx context.Context, folder project.Folder, consensus agave.Consensus, count int) ([]string, error) {
	chain, err := agave.Start(ctx, folder, agave.Options{Consensus: consensus})
	if err != nil {
		return nil, err
	}
	defer chain.Stop()
	w := newCounted()
	if w.node, err = url.Parse(chain.RPCURL); err != nil {
		return nil, err
	}
	people := make([]payout.Entry, count)
	for i := range people {
		owner := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
		people[i] = payout.Entry{Owner: owner, Amount: amount(i)}
	}
	o, err := newOurs(ctx, w, people, payout.V1)
	if err != nil {
		return nil, err
	}
	if err := chain.Fund(ctx, o.phase.Wallet.Address.String(), wealth/10); err != nil {
		return nil, err
	}
	node, err := solanarpc.New(chain.RPCURL)
	if err != nil {
		return nil, err
	}
	// The payer uses finalized state.
	err = chain.Await(ctx, func() (bool, error) {
		account, _, found, err := node.FinalizedAccount(ctx, o.phase.Wallet.Address)
		return found && account.Lamports > 0, err
	})
	if err != nil {
		return nil, err
	}
	rent, err := node.MinimumBalance(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := o.pay(ctx); err != nil {
		return nil, err
	}
	done, sends, sending := time.Now(), w.sends, w.last.Sub(w.first)
	transactions, slots, err := o.landings(ctx)
	if err != nil {
		return nil, err
	}
	if err := paidOnce(ctx, node, people); err != nil {
		return nil, err
	}
	began := w.first
	if err := o.giveBack(ctx); err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprint(count), fmt.Sprint(transactions), slots,
		report.Seconds(sending), fmt.Sprintf("%.0f", float64(sends)/max(sending.Seconds(), 0.001)),
		report.Seconds(done.Sub(began)),
		fmt.Sprintf("%.3f", float64(transactions*rent)/float64(solana.LAMPORTS_PER_SOL)), report.Seconds(time.Since(began)),
	}, nil
}

// landings returns the number of the phase's transactions, and the share of slots with transactions
// from the first to the last landing. A payment that has not landed is an error.
func (o *ours) landings(ctx context.Context) (transactions uint64, inSlots string, err error) {
	slots, earliest, latest := map[uint64]bool{}, ^uint64(0), uint64(0)
	for p, err := range o.Memory.Payments(ctx, o.phase.Run, o.phase.Kind, 0) {
		if err != nil {
			return 0, "", err
		}
		if p.Split {
			continue
		}
		if p.Status() != payout.Landed {
			return 0, "", fmt.Errorf("payment %s is %s: %s %s", p.ID, p.Status(), p.Refused, p.Detail)
		}
		transactions++
		slots[p.Outcome.Slot] = true
		earliest, latest = min(earliest, p.Outcome.Slot), max(latest, p.Outcome.Slot)
	}
	return transactions, fmt.Sprintf("%d of %d", len(slots), latest-earliest+1), nil
}

// paidOnce fails unless every recipient has exactly the owed amount.
func paidOnce(ctx context.Context, node *solanarpc.Client, people []payout.Entry) error {
	for from := 0; from < len(people); from += solanarpc.MaxAccounts {
		part := people[from:min(from+solanarpc.MaxAccounts, len(people))]
		addresses := make([]solana.PublicKey, len(part))
		for i, p := range part {
			addresses[i] = p.Owner
		}
		accounts, err := node.Accounts(ctx, addresses...)
		if err != nil {
			return err
		}
		for i, a := range accounts {
			if a == nil || a.Lamports != part[i].Amount {
				return fmt.Errorf("%s has %+v, and not the %d lamports that it is owed", part[i].Owner, a, part[i].Amount)
			}
		}
	}
	return nil
}
