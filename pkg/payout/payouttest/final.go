package payouttest

import (
	"bytes"
	"io"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/fault"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// Final lets a node call finalized what is confirmed. The local chain reads accounts
// as they are, whatever commitment it is asked for, but calls a transaction final
// only 31 slots later, and each of its slots is a transaction: without this every
// step of a test would need 31 transactions more. What is confirmed on the local
// chain is never undone. Tests of forks and of nodes that lag put their faults
// above it.
func Final(next fault.Send) fault.Send {
	return func(r *http.Request) (*http.Response, error) {
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
		body = bytes.ReplaceAll(body, []byte(`"confirmationStatus":"confirmed"`), []byte(`"confirmationStatus":"finalized"`))
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		response.Header.Del("Content-Length")
		return response, nil
	}
}

// Transfer moves lamports.
func Transfer(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return systemprogram.Transfer{From: from, To: to, Lamports: lamports}.Instruction()
}
