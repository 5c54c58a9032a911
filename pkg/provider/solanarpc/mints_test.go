package solanarpc_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// manyMints writes a response with the given number of accounts of as many mints, and counts those
// that were taken.
func manyMints(w io.Writer, accounts int) (taken int) {
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"4.1.2","slot":18},"value":[`)
	for n := range accounts {
		var mint solana.PublicKey
		binary.BigEndian.PutUint64(mint[:], uint64(accounts-n))
		text := entryOf(solana.VoteProgramID, mint[:])
		if n > 0 {
			text = "," + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return n
		}
	}
	_, _ = io.WriteString(w, `]},"id":1}`)
	return accounts
}

func TestMintsOf(t *testing.T) {
	var params []any
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params []any
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil || call.Method != "getTokenAccountsByOwner" {
			t.Errorf("request %s, %v; want getTokenAccountsByOwner", call.Method, err)
		}
		params = call.Params
		one, two := entryOf(solana.TokenProgramID, solana.VoteProgramID[:]), entryOf(solana.StakeProgramID, solana.ConfigProgramID[:])
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","result":{"context":{"slot":18},"value":[%s,%s,%s]},"id":1}`, one, two, one)
	})
	mints, complete, err := n.MintsOf(t.Context(), scannedMint)
	if err != nil || !complete || !slices.Equal(mints, []solana.PublicKey{solana.ConfigProgramID, solana.VoteProgramID}) {
		t.Errorf("MintsOf() = %v, %t, %v; want two mints, complete", mints, complete, err)
	}
	got, err := json.Marshal(params)
	want := `["` + scannedMint.String() + `",{"programId":"` + solana.Token2022ProgramID.String() + `"},{"commitment":"confirmed","dataSlice":{"length":32,"offset":0},"encoding":"base64"}]`
	if err != nil || string(got) != want {
		t.Errorf("requests %s, want %s", got, want)
	}
}

// A wallet with 100,000 accounts from third parties is read as far as MaxMints; the rest of the
// response is not received.
func TestWalletWithTooManyAccounts(t *testing.T) {
	var taken atomic.Int64
	done := make(chan bool, 1)
	n := newNode(t, func(w http.ResponseWriter, _ *http.Request) {
		taken.Store(int64(manyMints(w, 100_000)))
		done <- true
	})
	mints, complete, err := n.MintsOf(t.Context(), scannedMint)
	if err != nil || complete || len(mints) != solanarpc.MaxMints {
		t.Fatalf("%d mints, complete %v, %v", len(mints), complete, err)
	}
	if <-done; taken.Load() == 100_000 {
		t.Error("the whole response was received")
	}
	exactly := newNode(t, func(w http.ResponseWriter, _ *http.Request) { manyMints(w, solanarpc.MaxMints) })
	if mints, complete, err = exactly.MintsOf(t.Context(), scannedMint); err != nil || !complete || len(mints) != solanarpc.MaxMints {
		t.Errorf("as many as are read: %d mints, complete %v, %v", len(mints), complete, err)
	}
}

// TestMintsAreCompleteOrAnError tests that an invalid response is an error that does not show the
// node's address, and that a transient failure is retried once.
func TestMintsAreCompleteOrAnError(t *testing.T) {
	good := `{"jsonrpc":"2.0","result":{"context":{"slot":18},"value":[` + entryOf(solana.TokenProgramID, solana.VoteProgramID[:]) + `]},"id":1}`
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
	}
	for name, answer := range map[string]http.HandlerFunc{
		"hangs up":           hangUp,
		"cut off":            text(good[:len(good)-20]),
		"status 502":         status(http.StatusBadGateway),
		"busy":               status(http.StatusTooManyRequests),
		"a shorter mint":     text(strings.Replace(good, entryOf(solana.TokenProgramID, solana.VoteProgramID[:]), entryOf(solana.TokenProgramID, solana.VoteProgramID[:31]), 1)),
		"a longer mint":      text(strings.Replace(good, entryOf(solana.TokenProgramID, solana.VoteProgramID[:]), entryOf(solana.TokenProgramID, make([]byte, 33)), 1)),
		"megabytes of space": text(`{"result":` + strings.Repeat(" ", 2<<20) + `{"value":[]}}`),
		"no list":            text(`{"jsonrpc":"2.0","result":null,"id":1}`),
	} {
		n := newNode(t, answer, answer)
		mints, _, err := n.MintsOf(t.Context(), scannedMint)
		if apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("MintsOf(), %s = %v, %v; want an error of kind Unavailable", name, mints, err)
		}
		noSecret(t, err)
		again := newNode(t, answer, text(good))
		if mints, complete, err := again.MintsOf(t.Context(), scannedMint); err != nil || !complete || len(mints) != 1 {
			t.Errorf("%s, then well: %v, %v, %v", name, mints, complete, err)
		}
	}
	n := newNode(t, refusal(-32602, "Invalid params"))
	if _, _, err := n.MintsOf(t.Context(), scannedMint); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("rejected: %v", err)
	}
}
