package contract_test

import (
	"encoding/json"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

func TestUnsigned(t *testing.T) {
	unsigned := transaction.Unsigned{
		ID: "id", Transaction: []byte{1, 2, 3}, ExpiresAt: time.Date(2026, 11, 22, 1, 2, 3, 4_000_000, time.UTC),
		LastValid:   447_120_148,
		Cost:        transaction.Cost{NetworkFee: 1, Rent: 20, Protocol: 300, Deposit: 4000},
		Explanation: []string{"One."},
	}
	for name, c := range map[string]struct {
		simulation transaction.Simulation
		want       string
	}{
		"succeeds": {
			transaction.Simulation{OK: true, ComputeUnits: 450, Logs: []string{"log"}},
			`{"ok":true,"computeUnits":450,"logs":["log"]}`,
		},
		"lacks both": {
			transaction.Simulation{Reason: transaction.InsufficientFunds, Detail: "Poor.", MissingLamports: 7, MissingTokens: 8},
			`{"ok":false,"reason":"insufficient_funds","detail":"Poor.","missingLamports":"7","missingTokens":"8"}`,
		},
		"sufficient funds": {
			transaction.Simulation{Reason: transaction.ProgramError, Detail: "No."},
			`{"ok":false,"reason":"program_error","detail":"No."}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			unsigned.Simulation = c.simulation
			got, err := json.Marshal(struct {
				contract.UnsignedBody

				More string `json:"more"`
			}{contract.Unsigned(unsigned), "more"})
			want := `{"transaction":"AQID","transactionId":"id","expiresAt":"2026-11-22T01:02:03.004Z","lastValidBlockHeight":447120148,` +
				`"cost":{"networkFeeLamports":"1","rentLamports":"20","protocolFeeLamports":"300","depositLamports":"4000","totalLamports":"4321"},` +
				`"explanation":["One."],"simulation":` + c.want + `,"more":"more"}`
			if err != nil || string(got) != want {
				t.Errorf("%v, got\n%s, want\n%s", err, got, want)
			}
		})
	}
}
