package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// node is a Solana node of which everything but its answers is left out: it waits for
// nothing and computes nothing.
type node struct{ desk }

// RoundTrip answers a call.
func (n node) RoundTrip(r *http.Request) (*http.Response, error) {
	call, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var body io.ReadCloser
	switch {
	case bytes.Contains(call, []byte(`"getProgramAccounts"`)):
		if body, err = os.Open(n.path(answerFile)); err != nil {
			return nil, err
		}
	case bytes.Contains(call, []byte(`"getAccountInfo"`)):
		body = text(`{"result":{"context":{"slot":9},"value":{"lamports":1,"owner":%q,"data":[%q,"base64"]}}}`,
			solana.Token2022ProgramID, base64.StdEncoding.EncodeToString(mintData(supplyOf(n.holders))))
	case bytes.Contains(call, []byte(`"getMultipleAccounts"`)):
		params := call[bytes.Index(call, []byte(`[[`)):]
		addresses := params[:bytes.IndexByte(params, ']')]
		body = text(`{"jsonrpc":"2.0","result":{"context":{"apiVersion":"3.0.0","slot":9},"value":[%s]},"id":1}`,
			strings.TrimSuffix(strings.Repeat(walletAccount+",", bytes.Count(addresses, []byte(`"`))/2), ","))
	default:
		return nil, fmt.Errorf("no answer to %s", call)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: body, Request: r}, nil
}

// walletAccount is what getMultipleAccounts says of a wallet, without its data.
const walletAccount = `{"data":["","base64"],"executable":false,"lamports":2039280,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0}`

func text(format string, values ...any) io.ReadCloser {
	return io.NopCloser(strings.NewReader(fmt.Sprintf(format, values...)))
}

// mintData is a mint without extensions.
func mintData(supply uint64) []byte {
	const length, supplyAt, decimalsAt, initializedAt, decimals = 82, 36, 44, 45, 6
	data := make([]byte, length)
	binary.LittleEndian.PutUint64(data[supplyAt:], supply)
	data[decimalsAt], data[initializedAt] = decimals, 1
	return data
}
