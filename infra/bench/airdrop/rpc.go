package airdrop

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// feeOf returns the network's fee for a transaction.
func feeOf(m wire.Message) uint64 { return max(payout.FeeOf(m), uint64(len(m.Signers()))*signature) }

type object map[string]any

// RoundTrip responds to a JSON-RPC call like a node, with the node's latency.
func (n *Node) RoundTrip(r *http.Request) (*http.Response, error) {
	var call struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	var result any
	var refusal object
	err := n.call(call.Method, func() { result, refusal = n.answer(call.Method, call.Params) })
	switch {
	case errors.Is(err, errBusy):
		return reply(r, http.StatusTooManyRequests, object{}), nil
	case err != nil:
		return reply(r, http.StatusServiceUnavailable, object{}), nil
	case refusal != nil:
		return reply(r, http.StatusOK, object{"jsonrpc": "2.0", "id": 1, "error": refusal}), nil
	}
	return reply(r, http.StatusOK, object{"jsonrpc": "2.0", "id": 1, "result": result}), nil
}

func reply(r *http.Request, status int, answer any) *http.Response {
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err) // of our own value
	}
	return &http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}

// options are the last parameter of many calls.
type options struct {
	Commitment     string `json:"commitment"`
	MinContextSlot uint64 `json:"minContextSlot"`
}

func read[T any](params []json.RawMessage, i int) (value T) {
	if i < len(params) {
		if err := json.Unmarshal(params[i], &value); err != nil {
			panic(fmt.Sprintf("parameter %d is %s: %v", i, params[i], err))
		}
	}
	return value
}

func (n *Node) slotOf(o options) uint64 {
	if o.Commitment == "finalized" {
		return n.slot - n.Pace.Final
	}
	return n.slot
}

func in(slot uint64, value any) object {
	return object{"context": object{"slot": slot}, "value": value}
}

// answer returns the result of a call, or the node's error.
func (n *Node) answer(method string, params []json.RawMessage) (result any, refusal object) {
	switch method {
	case "getMultipleAccounts":
		o := read[options](params, 1)
		slot := n.slotOf(o)
		if slot < o.MinContextSlot {
			return nil, object{"code": -32016, "message": "Minimum context slot has not been reached"}
		}
		var list []any
		for _, address := range read[[]solana.PublicKey](params, 0) {
			list = append(list, n.account(address, slot))
		}
		return in(slot, list), nil
	case "getSignatureStatuses":
		var list []any
		for _, id := range read[[]solana.Signature](params, 0) {
			list = append(list, n.status(id))
		}
		return in(n.slot, list), nil
	case "getTransaction":
		l, ok := n.landed[read[solana.Signature](params, 0)]
		if !ok || n.slot < l.slot+n.Pace.Final {
			return nil, nil
		}
		return object{
			"slot": l.slot, "transaction": []any{base64.StdEncoding.EncodeToString(l.raw), "base64"},
			"meta": object{"err": nil, "fee": l.fee, "preBalances": []uint64{l.pre}, "postBalances": []uint64{l.post}},
		}, nil
	case "simulateTransaction":
		raw, err := base64.StdEncoding.DecodeString(read[string](params, 0))
		if err != nil {
			return nil, object{"code": -32602, "message": err.Error()}
		}
		tx, err := wire.ParseOwn(raw)
		if err != nil {
			return nil, object{"code": -32602, "message": err.Error()}
		}
		const unitsEach = 150 // of an instruction of these programs
		return in(n.slot, object{"err": nil, "logs": []string{}, "unitsConsumed": unitsEach * len(tx.Message().Instructions())}), nil
	case "sendTransaction":
		raw, err := base64.StdEncoding.DecodeString(read[string](params, 0))
		if err != nil {
			return nil, object{"code": -32602, "message": err.Error()}
		}
		n.take(raw)
		tx, err := wire.ParseOwn(raw)
		if err != nil {
			return nil, object{"code": -32602, "message": err.Error()}
		}
		id, _ := tx.ID()
		return id, nil
	case "getLatestBlockhash":
		slot := n.slotOf(read[options](params, 0))
		return in(slot, object{"blockhash": blockhash(slot), "lastValidBlockHeight": slot + blockhashLife}), nil
	case "getEpochInfo":
		slot := n.slotOf(read[options](params, 0))
		return object{"absoluteSlot": slot, "blockHeight": slot}, nil
	case "getBlockHeight":
		return n.slotOf(read[options](params, 0)), nil
	case "getRecentPerformanceSamples":
		return []any{object{"numSlots": time.Minute / n.Pace.Slot, "samplePeriodSecs": 60}}, nil
	case "getRecentPrioritizationFees":
		return []any{}, nil
	case "getPriorityFeeEstimate":
		return nil, object{"code": -32601, "message": "Method not found"}
	case "getGenesisHash":
		return blockhash(0), nil
	case "getMinimumBalanceForRentExemption":
		return (rentBytes + read[uint64](params, 0)) * rentPerByte, nil
	case "getSignaturesForAddress":
		return []any{}, nil
	}
	panic("the scripted node does not know " + method)
}

func (n *Node) account(address solana.PublicKey, slot uint64) any {
	lamports := n.lamports[address]
	if lamports == 0 || n.made[address] > slot {
		return nil
	}
	return object{
		"lamports": lamports, "owner": solana.SystemProgramID, "executable": false,
		"data": []any{"", "base64"},
	}
}

func (n *Node) status(id solana.Signature) any {
	l, ok := n.landed[id]
	if !ok {
		return nil
	}
	commitment := "processed"
	switch {
	case n.slot >= l.slot+n.Pace.Final:
		commitment = "finalized"
	case n.slot >= l.slot+n.Pace.Confirm:
		commitment = "confirmed"
	}
	status := object{"slot": l.slot, "err": nil, "confirmationStatus": commitment}
	if l.failed {
		status["err"] = object{"InstructionError": []any{0, object{"Custom": 0}}}
	}
	return status
}
