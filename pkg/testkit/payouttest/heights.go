package payouttest

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
)

// Heights produces block heights from a test's clock. A block of the local chain is a transaction,
// so a blockhash would not expire. With Heights, the heights that nodes report grow with the clock.
// A transaction on a blockhash that has expired at these heights does not reach the chain.
type Heights struct {
	Now func() time.Time
	// Slot is the duration of a block.
	Slot time.Duration
	// Block, if set, produces a block, so that blockhashes and slots differ after the clock has
	// moved.
	Block func()

	began  time.Time
	mu     sync.Mutex
	newest uint64                 // blocks by the clock at the last production of a block
	told   map[solana.Hash]uint64 // blocks by the clock at the report of a blockhash
}

// NewHeights starts at the clock's time.
func NewHeights(now func() time.Time, slot time.Duration) *Heights {
	return &Heights{Now: now, Slot: slot, began: now(), told: map[solana.Hash]uint64{}}
}

func (h *Heights) passed() uint64 { return uint64(h.Now().Sub(h.began) / h.Slot) } //nolint:gosec // not before it began

const lives = 150 // lifetime of a blockhash in blocks

// Over puts the heights in front of a node.
func (h *Heights) Over(next fault.Send) fault.Send {
	return func(r *http.Request) (*http.Response, error) {
		method, err := Method(r)
		if err != nil {
			return nil, err
		}
		switch method {
		case fault.SendTransaction:
			id, tx, err := Sent(r)
			if err != nil {
				return nil, err
			}
			if h.expired(tx) {
				return answer(r, id), nil
			}
		case "getMultipleAccounts":
			h.renew()
		case "getEpochInfo":
			return Edit(r, next, func(result map[string]any) { h.add(result, "blockHeight") })
		case "getLatestBlockhash":
			h.renew()
			return Edit(r, next, func(result map[string]any) {
				value, _ := result["value"].(map[string]any)
				h.add(value, "lastValidBlockHeight")
				text, _ := value["blockhash"].(string)
				if hash, err := solana.HashFromBase58(text); err == nil {
					h.mu.Lock()
					h.told[hash] = h.passed()
					h.mu.Unlock()
				}
			})
		case "getBlockHeight":
			response, err := next(r)
			if err != nil {
				return nil, err
			}
			var reply struct{ Result uint64 }
			err = json.NewDecoder(response.Body).Decode(&reply)
			_ = response.Body.Close()
			return answer(r, reply.Result+h.passed()), err
		}
		return next(r)
	}
}

// renew produces a block if the clock has moved since the last block.
func (h *Heights) renew() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if passed := h.passed(); h.Block != nil && passed != h.newest {
		h.newest = passed
		h.Block()
	}
}

// expired reports whether the blockhash of a transaction has expired.
func (h *Heights) expired(tx wire.Transaction) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	told, known := h.told[tx.Message().Recent()]
	return known && h.passed() > told+lives
}

func (h *Heights) add(object map[string]any, field string) {
	if number, ok := object[field].(json.Number); ok {
		height, _ := number.Int64()
		object[field] = uint64(height) + h.passed() //nolint:gosec // a height
	}
}

// Method returns the method of a call to a node. The call's body can be read again.
func Method(r *http.Request) (string, error) {
	body, err := bodyOf(r)
	if err != nil {
		return "", err
	}
	var call struct{ Method string }
	if !strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		return "", nil
	}
	err = json.Unmarshal(body, &call)
	return call.Method, err
}
