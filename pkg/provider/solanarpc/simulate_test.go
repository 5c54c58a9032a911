package solanarpc_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// A node's balances are complete or an error.
func TestSimulatedBalancesNodeError(t *testing.T) {
	const account = `{"lamports":5,"owner":"11111111111111111111111111111111","data":["","base64"],"executable":false,"rentEpoch":0}`
	at := func(slot int, value string) http.HandlerFunc {
		return result(fmt.Sprintf(`{"context":{"slot":%d},"value":%s}`, slot, value))
	}
	simulated := func(slot int, accounts string) http.HandlerFunc {
		return at(slot, `{"err":null,"logs":[],"unitsConsumed":450,"accounts":`+accounts+`}`)
	}
	tests := []struct {
		name    string
		answers []http.HandlerFunc
		good    bool
	}{
		{"two accounts, one of them closed", []http.HandlerFunc{at(7, "["+account+",null]"), simulated(7, "[null,"+account+"]")}, true},
		{"too few before", []http.HandlerFunc{at(7, "["+account+"]"), simulated(7, "["+account+",null]")}, false},
		{"too few after", []http.HandlerFunc{at(7, "["+account+",null]"), simulated(7, "["+account+"]")}, false},
		{"no balances after", []http.HandlerFunc{at(7, "["+account+",null]"), simulated(7, "null")}, false},
		{"simulated on an older slot", []http.HandlerFunc{at(7, "["+account+",null]"), simulated(6, "["+account+",null]")}, false},
		{"away", []http.HandlerFunc{status(http.StatusBadGateway)}, false},
		{"down for the simulation", []http.HandlerFunc{at(7, "["+account+",null]"), status(http.StatusBadGateway)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			accounts := []solana.PublicKey{{1}, {2}}
			sim, before, after, err := newNode(t, test.answers...).SimulateBalances(t.Context(), []byte{1}, accounts)
			if !test.good {
				if apperr.KindOf(err) != apperr.Unavailable || after != nil {
					t.Errorf("SimulatedBalances() = %v, %v; want an error of kind Unavailable", after, err)
				}
				return
			}
			if err != nil || !sim.OK || sim.ComputeUnits != 450 || before[0].Lamports != 5 || before[1].Lamports != 0 || after[0].Lamports != 0 ||
				after[1].Lamports != 5 || after[1].Address != accounts[1] || after[0].Address != accounts[0] {
				t.Errorf("%+v: %+v, then %+v: %v", sim, before, after, err)
			}
		})
	}
}

// The balances after a simulation are those that the transaction leaves.
func TestSimulatedBalances(t *testing.T) {
	l := newLedger(t)
	to := newWallet(t)
	recent, err := l.LatestBlockhash(within(t))
	if err != nil {
		t.Fatal(err)
	}
	simulate := func(lamports uint64) (ok bool, moved, arrived int64) {
		t.Helper()
		message, err := wire.Compile(l.payer.PublicKey, recent, []solana.Instruction{
			systemprogram.Transfer{From: l.payer.PublicKey, To: to.PublicKey, Lamports: lamports}.Instruction(),
		})
		if err != nil {
			t.Fatal(err)
		}
		sim, before, after, err := l.SimulateBalances(within(t), wire.NewTransaction(message).Bytes(), []solana.PublicKey{l.payer.PublicKey, to.PublicKey})
		if err != nil {
			t.Fatal(err)
		}
		if !sim.OK {
			return false, 0, int64(len(after))
		}
		return true, int64(before[0].Lamports - after[0].Lamports), int64(after[1].Lamports - before[1].Lamports)
	}
	ok, moved, arrived := simulate(lamportsPerSOL)
	if !ok || arrived != lamportsPerSOL || moved != lamportsPerSOL && moved != lamportsPerSOL+5_000 {
		t.Errorf("%d left and %d arrived, %v", moved, arrived, ok)
	}
	t.Logf("a fee of %d lamports is taken in simulations", moved-arrived)
	if ok, _, accounts := simulate(1000 * lamportsPerSOL); ok || accounts != 0 {
		t.Errorf("a transfer above the balance: %v, %d accounts", ok, accounts)
	}
}
