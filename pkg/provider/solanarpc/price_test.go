package solanarpc_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

func TestPriorityFee(t *testing.T) {
	fees := func(list ...int) string {
		var each []string
		for i, fee := range list {
			each = append(each, fmt.Sprintf(`{"slot":%d,"prioritizationFee":%d}`, 100+i, fee))
		}
		return "[" + strings.Join(each, ",") + "]"
	}
	for name, c := range map[string]struct {
		answer string
		want   uint64
	}{
		"nothing is known":   {"[]", 0},
		"nothing is offered": {fees(0, 0, 0), 0},
		"one":                {fees(0, 700, 0), 700},
		"two":                {fees(700, 100), 100},
		"four":               {fees(400, 100, 300, 0, 0, 200), 300},
		"five":               {fees(500, 400, 300, 200, 100), 400},
		"eight":              {fees(1, 2, 3, 4, 5, 6, 7, 8), 6},
		"one bids high":      {fees(5, 5, 5, 5, 5, 5, 5, 1_000_000_000), 5},
		"all there is":       {`[{"slot":1,"prioritizationFee":18446744073709551615}]`, 1<<64 - 1},
	} {
		if got, err := newNode(t, result(c.answer)).PriorityFee(t.Context(), solana.PublicKey{1}); err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", name, got, err, c.want)
		}
	}
	for _, answer := range []string{`{}`, `[{"prioritizationFee":-1}]`, `[{"prioritizationFee":1.5}]`} {
		if got, err := newNode(t, result(answer)).PriorityFee(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != 0 {
			t.Errorf("%s: %d, %v", answer, got, err)
		}
	}
	if _, err := newNode(t, result("[]")).PriorityFee(t.Context(), make([]solana.PublicKey, 129)...); err == nil {
		t.Error("it takes the fees of 129 accounts")
	}
}

func TestPriorityFeeIsThatOfTheAccounts(t *testing.T) {
	var asked []string
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, string(body))
		result("[]")(w, r)
	})
	a := solana.PublicKey{1}
	for _, writable := range [][]solana.PublicKey{{a, solana.TokenProgramID}, nil} {
		if _, err := n.PriorityFee(t.Context(), writable...); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{`[["` + a.String() + `","` + solana.TokenProgramID.String() + `"]]`, `[[]]`} {
		if !strings.Contains(asked[i], `"getRecentPrioritizationFees","params":`+want) {
			t.Errorf("asked %s, want %s", asked[i], want)
		}
	}
}

// A local chain takes the question.
func TestPriorityFeeOfTheChain(t *testing.T) {
	l := newLedger(t)
	if fee, err := l.PriorityFee(within(t), l.payer.PublicKey, solana.TokenProgramID); err != nil {
		t.Errorf("%d, %v", fee, err)
	}
}
