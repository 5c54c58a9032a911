package solanarpc_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

var _ payout.Chain = (*solanarpc.Gathered)(nil)

// desk is a node in memory. The first byte of an address is the account's balance in lamports; 0
// means that the account does not exist.
type desk struct {
	mu    sync.Mutex
	calls []string // "method from count"
	slot  uint64
	down  bool
}

func (d *desk) RoundTrip(r *http.Request) (*http.Response, error) {
	var call struct {
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.down {
		return nil, errors.New("away")
	}
	var result string
	switch call.Method {
	case "getEpochInfo":
		height := d.slot - 3
		if strings.Contains(string(call.Params[0]), "processed") {
			height = d.slot + 30
		}
		result = fmt.Sprintf(`{"absoluteSlot":%d,"blockHeight":%d}`, d.slot, height)
		d.calls = append(d.calls, call.Method)
	case "getMultipleAccounts":
		var addresses []solana.PublicKey
		var options struct{ MinContextSlot uint64 }
		if err := errors.Join(json.Unmarshal(call.Params[0], &addresses), json.Unmarshal(call.Params[1], &options)); err != nil {
			return nil, err
		}
		d.calls = append(d.calls, fmt.Sprint(call.Method, " ", options.MinContextSlot, " ", len(addresses)))
		var values []string
		for _, a := range addresses {
			value := "null"
			if a[0] > 0 {
				value = fmt.Sprintf(`{"lamports":%d,"owner":"%s","data":["%s","base64"]}`, a[0], solana.SystemProgramID, base64.StdEncoding.EncodeToString(nil))
			}
			values = append(values, value)
		}
		result = fmt.Sprintf(`{"context":{"slot":%d},"value":[%s]}`, d.slot, strings.Join(values, ","))
	}
	body := `{"jsonrpc":"2.0","id":1,"result":` + result + `}`
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body))), Request: r}, nil
}

// gathered runs a test in a bubble, with a client over a desk.
func gathered(t *testing.T, test func(t *testing.T, d *desk, g *solanarpc.Gathered)) {
	t.Helper()
	client, err := solanarpc.New("http://node.example")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		d := &desk{slot: 200}
		test(t, d, solanarpc.Gather(client.WithTransport(d)))
	})
}

func (d *desk) called(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(d.calls, ", "); got != strings.Join(want, ", ") {
		t.Errorf("called %s; want %s", got, strings.Join(want, ", "))
	}
	d.calls = nil
}

func TestTipReadOnceForAll(t *testing.T) {
	gathered(t, func(t *testing.T, d *desk, g *solanarpc.Gathered) {
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if tip, err := g.Finality(t.Context()); err != nil || tip != (onchain.Tip{Slot: 200, Height: 197}) {
					t.Errorf("Finality() = %+v, %v; want slot 200 at height 197", tip, err)
				}
			})
		}
		all.Wait()
		d.called(t, "getEpochInfo")
		for range 50 {
			all.Go(func() {
				if height, err := g.Height(t.Context()); err != nil || height != 230 {
					t.Errorf("Height() = %d, %v; want 230", height, err)
				}
			})
		}
		all.Wait()
		d.called(t, "getEpochInfo")
		// A later request gets a later response.
		d.slot = 201
		if tip, err := g.Finality(t.Context()); err != nil || tip.Slot != 201 {
			t.Errorf("Finality() = %+v, %v; want slot 201", tip, err)
		}
	})
}

func TestAccountsAreReadTogetherAtALateEnoughSlot(t *testing.T) {
	gathered(t, func(t *testing.T, d *desk, g *solanarpc.Gathered) {
		var all sync.WaitGroup
		for n := range byte(100) {
			all.Go(func() {
				accounts, slot, err := g.AccountsAt(t.Context(), 100+uint64(n), solana.PublicKey{n})
				if err != nil || slot != 200 || len(accounts) != 1 || (accounts[0] == nil) != (n == 0) || n > 0 && accounts[0].Lamports != uint64(n) {
					t.Errorf("account %d: %+v in slot %d, %v", n, accounts, slot, err)
				}
			})
		}
		all.Wait()
		d.called(t, "getMultipleAccounts 199 100")
		// Several accounts must be of one slot, so they are read in a separate call.
		accounts, _, err := g.AccountsAt(t.Context(), 150, solana.PublicKey{7}, solana.PublicKey{})
		if err != nil || len(accounts) != 2 || accounts[0].Lamports != 7 || accounts[1] != nil {
			t.Errorf("AccountsAt() = %+v, %v; want the first account and no second", accounts, err)
		}
		d.called(t, "getMultipleAccounts 150 2")
	})
}

func TestMoreThanACallTakesAreReadInTwo(t *testing.T) {
	gathered(t, func(t *testing.T, d *desk, g *solanarpc.Gathered) {
		var all sync.WaitGroup
		for range solanarpc.MaxAccounts + 1 {
			all.Go(func() {
				if _, _, err := g.AccountsAt(t.Context(), 5, solana.PublicKey{3}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(d.calls) != 2 {
			t.Errorf("called %q", d.calls)
		}
	})
}

func TestFailureReachesAllCallers(t *testing.T) {
	gathered(t, func(t *testing.T, d *desk, g *solanarpc.Gathered) {
		var all sync.WaitGroup
		for n := range uint64(4) { // one asks for a slot that the node has not come to
			all.Go(func() {
				if _, _, err := g.AccountsAt(t.Context(), 198+n, solana.PublicKey{1}); !errors.Is(err, onchain.ErrBehind) {
					t.Errorf("behind: %v", err)
				}
			})
		}
		all.Wait()
		d.down = true
		for range 4 {
			all.Go(func() {
				if tip, err := g.Finality(t.Context()); err == nil || tip != (onchain.Tip{}) {
					t.Errorf("away: %+v, %v", tip, err)
				}
				if height, err := g.Height(t.Context()); err == nil || height != 0 {
					t.Errorf("away: %d, %v", height, err)
				}
			})
		}
		all.Wait()
	})
}
