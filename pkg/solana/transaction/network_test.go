package transaction_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// walletRent is the minimum balance of an account without data.
const walletRent = 890_880

var (
	caller = key(1)
	noon   = time.Date(2026, 11, 22, 12, 0, 0, 123_456_789, time.FixedZone("", 3600))
	recent = onchain.Blockhash{Hash: solana.Hash{7}, LastValid: 4_711, Slot: 9_000}
)

func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

// network responds with fixed facts. failing names the request that fails; requests and simulated
// transactions are recorded.
type network struct {
	lamports   uint64 // of the caller
	height     uint64
	slot       time.Duration
	offered    uint64 // for a compute unit
	writes     []solana.PublicKey
	missing    []solana.PublicKey
	simulation transaction.Simulation
	failing    string
	err        error

	mu        sync.Mutex
	asked     []string
	simulated []wire.Transaction
}

// rich has money, and lets every transaction succeed with 1,000 units.
func rich() *network {
	return &network{
		lamports: 1_000_000_000, height: 4_711 - 148, slot: 214 * time.Millisecond,
		simulation: transaction.Simulation{OK: true, ComputeUnits: 1_000},
	}
}

func (n *network) ask(question string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, question)
	if question == n.failing {
		return n.err
	}
	return nil
}

func (n *network) RecentBlockhash(context.Context) (onchain.Blockhash, error) {
	return recent, n.ask("recent")
}

func (n *network) Height(context.Context) (uint64, error) { return n.height, n.ask("height") }

func (n *network) SlotTime(context.Context) (time.Duration, error) { return n.slot, n.ask("slot") }

func (n *network) PriorityFee(_ context.Context, writable ...solana.PublicKey) (uint64, error) {
	n.mu.Lock()
	n.writes = writable
	n.mu.Unlock()
	return n.offered, n.ask("price")
}

func (n *network) Balance(_ context.Context, account solana.PublicKey) (uint64, error) {
	if account != caller {
		return 0, n.ask("balance of another account")
	}
	return n.lamports, n.ask("balance")
}

func (n *network) MinimumBalance(_ context.Context, bytes uint64) (uint64, error) {
	return walletRent + 6_960*bytes, n.ask("rent")
}

func (n *network) Missing(_ context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error) {
	var missing []solana.PublicKey
	for _, a := range addresses {
		if slices.Contains(n.missing, a) {
			missing = append(missing, a)
		}
	}
	return missing, n.ask("missing")
}

func (n *network) Simulate(_ context.Context, tx []byte) (transaction.Simulation, error) {
	parsed, err := wire.ParseTransaction(tx)
	if err != nil {
		return transaction.Simulation{}, err
	}
	n.mu.Lock()
	n.simulated = append(n.simulated, parsed)
	n.mu.Unlock()
	return n.simulation, n.ask("simulation")
}

// preparer offers from 10,000 to 50,000 millionths of a lamport for a unit.
func (n *network) preparer() transaction.Preparer {
	return transaction.Preparer{
		Chain: n, Price: computebudget.Bounds{Floor: 10_000, Cap: 50_000},
		Now: func() time.Time { return noon }, NewID: func() string { return "new" },
	}
}

func (n *network) prepare(t *testing.T, d transaction.Draft) transaction.Unsigned {
	t.Helper()
	u, err := n.preparer().Prepare(t.Context(), "", d)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// payment is a draft of one step.
func payment(lamports uint64) transaction.Draft {
	return transaction.Draft{
		Kind: transaction.KindPromotion, Caller: caller, Mint: key(2), MaxUnits: 5_000, DefaultUnits: 3_000,
		Steps: []transaction.Step{{
			Instruction: systemprogram.Transfer{From: caller, To: key(3), Lamports: lamports}.Instruction(),
			Explanation: "Pays.",
		}},
		Cost: transaction.Cost{Deposit: lamports},
	}
}

// message is that of an unsigned transaction.
func message(t *testing.T, u transaction.Unsigned) wire.Message {
	t.Helper()
	tx, err := wire.ParseTransaction(u.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	if got := tx.Message().Bytes(); string(got) != string(u.Message) {
		t.Errorf("the transaction has another message: %x, want %x", got, u.Message)
	}
	return tx.Message()
}
