package million

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

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// node is a Solana node with fixed responses, without latency and computation.
type node struct{ desk }

// RoundTrip responds to a call.
func (n node) RoundTrip(r *http.Request) (*http.Response, error) {
	call, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	const method = 128 // the method is within the first bytes
	front := call[:min(len(call), method)]
	var body io.ReadCloser
	switch {
	case bytes.Contains(front, []byte(`"getProgramAccounts"`)):
		if body, err = os.Open(n.path(answerFile)); err != nil {
			return nil, err
		}
	case bytes.Contains(front, []byte(`"getAccountInfo"`)):
		body = text(`{"result":{"context":{"slot":9},"value":{"lamports":1,"owner":%q,"data":[%q,"base64"]}}}`,
			solana.Token2022ProgramID, base64.StdEncoding.EncodeToString(mintData(supplyOf(n.holders))))
	case bytes.Contains(front, []byte(`"getMultipleAccounts"`)):
		params := call[bytes.Index(call, []byte(`[[`)):]
		addresses := params[:bytes.IndexByte(params, ']')]
		n := bytes.Count(addresses, []byte(`"`)) / 2
		body = io.NopCloser(io.MultiReader(
			strings.NewReader(walletsBefore), strings.NewReader(listedWallets[:n*(len(walletAccount)+1)-1]), strings.NewReader(walletsBehind),
		))
	default:
		return nil, fmt.Errorf("no answer to %s", call)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: body, Request: r}, nil
}

// walletAccount is the account of a wallet in the response of getMultipleAccounts, without data.
const walletAccount = `{"data":["","base64"],"executable":false,"lamports":2039280,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0}`

// The parts of the response of getMultipleAccounts.
const (
	walletsBefore = `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"3.0.0","slot":9},"value":[`
	walletsBehind = `]},"id":1}`
)

var listedWallets = strings.Repeat(walletAccount+",", snapshot.MaxPrograms)

func text(format string, values ...any) io.ReadCloser {
	return io.NopCloser(strings.NewReader(fmt.Sprintf(format, values...)))
}

// mintData returns a mint without extensions.
func mintData(supply uint64) []byte {
	const length, supplyAt, decimalsAt, initializedAt, decimals = 82, 36, 44, 45, 6
	data := make([]byte, length)
	binary.LittleEndian.PutUint64(data[supplyAt:], supply)
	data[decimalsAt], data[initializedAt] = decimals, 1
	return data
}
