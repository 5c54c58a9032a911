package main_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// A lock is not signed without a node to send it to, nor where it would fail, nor where it is
// another transaction than was asked for.
func TestLockSignRejections(t *testing.T) {
	t.Setenv("TOKENLAUNCH_RPC", "")
	const mint = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"
	key := order(t, "key.json", keygen())
	arguments := []string{"--key", key, "lock", mint, "--amount", "1000000", "--first", "2027-03-02T00:00:00Z", "--releases", "12", "--period", "86400"}
	if got := say(t, "", arguments...); got.code != 2 || !strings.Contains(got.errs, "--rpc") {
		t.Errorf("without a node: %+v", got)
	}
	arguments = append(arguments, "--yes", "--rpc", taxing(t, 500, nil))
	if got := say(t, "", append(arguments, "--recipient", "me")...); got.code != 2 || !strings.Contains(got.errs, "recipient") {
		t.Errorf("for no wallet: %+v", got)
	}
	for want, more := range map[string]string{
		"--amount: must be at least 1":                     "--amount 0",
		"--releases: must be from 1 to 1000":               "--releases 1001",
		"--period: must be from 1 to 31536000":             "--period 31536001",
		"--period: leave it out with one release":          "--releases 1",
		"--period: the last release must be within ten ye": "--releases 12 --period 31536000",
		"--first: must be in the future":                   "--first 2020-01-01T00:00:00Z",
	} {
		if got := say(t, "", append(arguments, strings.Fields(more)...)...); got.code != 2 || !strings.Contains(got.errs, want) {
			t.Errorf("lock with %s = %+v, want 2 and %q", more, got, want)
		}
	}
	good := readAnswer(t, "lock")
	for want, simulation := range map[string]map[string]any{
		"the lock would fail: program_unavailable": {"ok": false, "reason": "program_unavailable", "detail": "This network has no program."},
		"not what was asked for":                   {"ok": true, "computeUnits": 1},
	} {
		good["simulation"] = simulation
		api := claiming(t, good)
		got := say(t, "", append([]string{"--api", api}, arguments...)...)
		if got.code != 1 || got.out != "" || !strings.Contains(got.errs, want) {
			t.Errorf("lock = %+v, want 1 and %q", got, want)
		}
	}
	if got := say(t, "", append([]string{"--api", answering(t, http.StatusNotFound, `{"code":"token_not_found"}`)}, arguments...)...); got.code != 1 {
		t.Errorf("no token: %+v", got)
	}
}

// taxing is a node that knows of one mint, with a tax, and takes transactions.
func taxing(t *testing.T, bps uint16, sent func()) string {
	t.Helper()
	const extension, size, newer = 166, 108, 64 + 8 + 18
	mint := make([]byte, extension+4+size)
	mint[45], mint[165], mint[extension], mint[extension+2] = 1, 1, byte(token2022.ExtensionTransferFeeConfig), size
	binary.LittleEndian.PutUint16(mint[extension+4+newer+16:], bps)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct{ Method string }
		check(t, json.NewDecoder(r.Body).Decode(&call))
		result := `{"epoch":8}`
		switch call.Method {
		case "getAccountInfo":
			result = fmt.Sprintf(`{"context":{"slot":1},"value":{"lamports":1,"owner":"%s","data":["%s","base64"],"executable":false}}`,
				solana.Token2022ProgramID, base64.StdEncoding.EncodeToString(mint))
		case "sendTransaction":
			result = `"` + solana.Signature{1}.String() + `"`
			sent()
		case "getSignatureStatuses":
			result = `{"context":{"slot":1},"value":[{"slot":1,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]}`
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A service that claims that a token has no tax would have more of it leave the wallet than was
// asked for: the program sends as much as needed for the locked amount to arrive. The chain has the real tax.
func TestLocksCountWithTheTaxOfTheChain(t *testing.T) {
	const amount, first = 1_000_000, "2027-03-02T00:00:00Z"
	key := order(t, "key.json", keygen())
	signer, _, err := client.LoadKey(key)
	check(t, err)
	wallet, mint, base := signer.PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	escrow, err := locker.EscrowAddress(base)
	check(t, err)
	own, err := token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID)
	check(t, err)
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: escrow, Mint: mint, Program: solana.Token2022ProgramID}.Instruction()
	check(t, err)
	at, err := time.Parse(time.RFC3339, first)
	check(t, err)
	for said, chain := range map[uint16]uint16{0: 500, 500: 500} {
		locked, _ := locker.Fit(token2022.TransferFee{BasisPoints: said, MaximumFee: 1<<64 - 1}, amount)
		message, err := wire.Compile(wallet, solana.Hash{1}, []solana.Instruction{
			computebudget.SetUnitLimit(1000), computebudget.SetUnitPrice(0), open, locker.CreateEscrow{
				Schedule: locker.Divide(locked, at, 1, 0), Base: base, Escrow: escrow, EscrowToken: account,
				Sender: wallet, SenderToken: own, Recipient: wallet, Mint: mint, TokenProgram: solana.Token2022ProgramID,
			}.Instruction(),
		})
		check(t, err)
		const fees = 2 * 5000
		api := claiming(t, map[string]any{
			"transaction": wire.NewTransaction(message).Base64(), "explanation": []string{"", "", "", ""}, "simulation": map[string]any{"ok": true},
			"cost":        client.Cost{NetworkFeeLamports: client.LamportsOf(fees), TotalLamports: client.LamportsOf(fees)},
			"baseAddress": base, "escrowAddress": escrow, "transferFeePercent": float64(said) / 100,
		})
		sent := false
		got := say(t, "", "--api", api, "--key", key, "lock", mint.String(), "--amount", fmt.Sprint(amount), "--first", first,
			"--yes", "--rpc", taxing(t, chain, func() { sent = true }))
		if honest := said == chain; sent != honest || (got.code == 0) != honest || !honest && !strings.Contains(got.errs, "not what was asked for") {
			t.Errorf("with a tax of %d, and %d by the service: sent %v, %+v", chain, said, sent, got)
		}
	}
}
