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

// Final lets a node call finalized what is confirmed. The local chain reads accounts
// as they are, whatever commitment it is asked for, but calls a transaction final
// only 31 slots later, and each of its slots is a transaction: without this every
// step of a test would need 31 transactions more. What is confirmed on the local
// chain is never undone. Tests of forks and of nodes that lag put their faults
// above it.
//
// A validator is asked for what is confirmed in place of what is finalized, for its accounts
// differ.
//
// What is sent is on the chain when the call is over, if it ever is. The local chain takes
// some milliseconds for that, which would be seen or not from run to run; clocks of tests
// do not pass meanwhile.
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

// await asks for a transaction until the chain has it, confirmed, or would have had it by now.
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

// lands bounds how long the local chain takes for a transaction that lands.
const lands = 500 * time.Millisecond

// landsInSlots bounds it on a validator, whose slots take their time.
const landsInSlots = 5 * time.Second

// Transfer moves lamports.
func Transfer(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return systemprogram.Transfer{From: from, To: to, Lamports: lamports}.Instruction()
}
