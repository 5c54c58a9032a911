package walkthrough

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// onChain is a distribution on a new chain.
func onChain(t *testing.T) *Distribution {
	t.Helper()
	node, err := solanarpc.New(localnet.Chain(t, localnet.WithClock(20*time.Millisecond)).RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	return &Distribution{market: market{node: node}}
}

func TestLooksAtARunKeepTheLimit(t *testing.T) {
	const window, limit = 15 * time.Minute, 99 // the API's is 100
	d := onChain(t)
	looks := 0
	for waited := time.Duration(0); waited < window; looks++ {
		wait, err := d.pause(t.Context(), waited, nil)
		if err != nil {
			t.Fatal(err)
		}
		waited += wait
	}
	if looks > limit {
		t.Errorf("a run is checked %d times in %s", looks, window)
	}
}

func TestRejectedLookWaits(t *testing.T) {
	d := onChain(t)
	refused := &client.Problem{Status: http.StatusTooManyRequests, RetryAfter: 77}
	if wait, err := d.pause(t.Context(), time.Second, refused); err != nil || wait != 77*time.Second {
		t.Errorf("the pause is %s, %v; want 77 s", wait, err)
	}
	refused.Status = http.StatusForbidden
	if _, err := d.pause(t.Context(), time.Second, refused); !errors.Is(err, error(refused)) {
		t.Errorf("another refusal is answered as %v", err)
	}
}
