package payouttest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
)

// Final lets a node report confirmed transactions as finalized. The local chain reads the current
// accounts at any commitment, but finalizes a transaction only after 31 slots, and each slot is a
// transaction. So without Final every step of a test would need 31 more transactions. Confirmed
// transactions on the local chain are never undone. Tests of forks and of lagging nodes inject
// their faults above Final.
//
// On a validator, Final requests confirmed state in place of finalized state, because the accounts
// differ.
//
// A sent transaction that lands is on the chain when the call returns. The local chain needs some
// milliseconds to land a transaction. Without the wait, runs of a test would differ, because the
// clocks of tests do not move in between.
func Final(next fault.Send) fault.Send {
	return func(r *http.Request) (*http.Response, error) {
		call, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if _, real := agave.Asked(); real {
			call = bytes.ReplaceAll(call, []byte(`"finalized"`), []byte(`"confirmed"`)) // of the same length
		}
		r.Body = io.NopCloser(bytes.NewReader(call))
		response, err := next(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(response.Body)
		if closing := response.Body.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return nil, err
		}
		if bytes.Contains(call, []byte(`"`+fault.SendTransaction+`"`)) && !bytes.Contains(body, []byte(`"error"`)) {
			r.Body = io.NopCloser(bytes.NewReader(call))
			if id, _, err := fault.Sent(r); err == nil {
				await(r, next, id)
			}
		}
		body = bytes.ReplaceAll(body, []byte(`"confirmationStatus":"confirmed"`), []byte(`"confirmationStatus":"finalized"`))
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		response.Header.Del("Content-Length")
		return response, nil
	}
}

// await polls for a transaction until the chain has confirmed the transaction, or until the maximum
// time of a landing.
func await(sent *http.Request, next fault.Send, id solana.Signature) {
	most := lands
	if _, real := agave.Asked(); real {
		most = landsInSlots
	}
	ctx, cancel := context.WithTimeout(sent.Context(), most)
	defer cancel()
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"` + fault.GetSignatureStatus + `","params":[["` + id.String() + `"]]}`)
	for ctx.Err() == nil {
		r := sent.Clone(ctx)
		r.Body, r.GetBody, r.ContentLength = io.NopCloser(bytes.NewReader(body)), nil, int64(len(body))
		r.Header.Del("Content-Length")
		response, err := next(r)
		if err != nil {
			return
		}
		answer, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !bytes.Contains(answer, []byte(`"value":[null]`)) && !bytes.Contains(answer, []byte(`:"processed"`)) {
			return
		}
	}
}

// lands is the maximum time in which the local chain lands a transaction.
const lands = 500 * time.Millisecond

// landsInSlots is the same maximum on a validator, whose slots take time.
const landsInSlots = 5 * time.Second

// Transfer moves lamports.
func Transfer(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return systemprogram.Transfer{From: from, To: to, Lamports: lamports}.Instruction()
}
