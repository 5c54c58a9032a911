package solanarpc_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
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
		"no fees":        {"[]", 0},
		"only zero fees": {fees(0, 0, 0), 0},
		"one":            {fees(0, 700, 0), 700},
		"two":            {fees(700, 100), 100},
		"four":           {fees(400, 100, 300, 0, 0, 200), 300},
		"five":           {fees(500, 400, 300, 200, 100), 400},
		"eight":          {fees(1, 2, 3, 4, 5, 6, 7, 8), 6},
		"one bids high":  {fees(5, 5, 5, 5, 5, 5, 5, 1_000_000_000), 5},
		"all there is":   {`[{"slot":1,"prioritizationFee":18446744073709551615}]`, 1<<64 - 1},
	} {
		if got, err := newNode(t, result(c.answer)).PriorityFee(t.Context(), solana.PublicKey{1}); err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", name, got, err, c.want)
		}
	}
	for _, answer := range []string{`{}`, `[{"prioritizationFee":-1}]`, `[{"prioritizationFee":1.5}]`} {
		if got, err := newNode(t, result(answer)).PriorityFee(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != 0 {
			t.Errorf("PriorityFee() of %s = %d, %v; want an error of kind Unavailable", answer, got, err)
		}
	}
	if _, err := newNode(t, result("[]")).PriorityFee(t.Context(), make([]solana.PublicKey, 129)...); err == nil {
		t.Error("accepts the fees of 129 accounts")
	}
}

func TestPriorityFeeByAccounts(t *testing.T) {
	var asked []string
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "Estimate") || strings.Contains(string(body), "percentile") {
			refusal(-32601, "Method not found")(w, r)
			return
		}
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
			t.Errorf("requested %s, want %s", asked[i], want)
		}
	}
}

// pricing is a node that answers requests for fees by their content, and records them. A request
// without a response is rejected.
func pricing(t *testing.T, answers map[string]http.HandlerFunc) (n *node, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	var mu sync.Mutex
	return newNode(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		question := "minima"
		for _, other := range []string{"getPriorityFeeEstimate", "percentile"} {
			if strings.Contains(string(body), other) {
				question = other
			}
		}
		mu.Lock()
		*asked = append(*asked, question)
		mu.Unlock()
		if answers[question] == nil {
			refusal(-32601, "Method not found")(w, r)
			return
		}
		answers[question](w, r)
	}), asked
}

// A provider's percentile is taken where there is one. A node that rejects a question is
// not asked it again, and one that fails is.
func TestPriorityFeeByPercentile(t *testing.T) {
	const minima, percentile, estimate = "minima", "percentile", "getPriorityFeeEstimate"
	fees := func(fee string) http.HandlerFunc { return result(`[{"slot":1,"prioritizationFee":` + fee + `}]`) }
	estimated := func(fee string) http.HandlerFunc { return result(`{"priorityFeeEstimate":` + fee + `}`) }
	all := []string{estimate, percentile, minima}
	for name, c := range map[string]struct {
		answers map[string]http.HandlerFunc
		want    uint64
		first   []string // asked
		then    []string
	}{
		"an estimate":                   {map[string]http.HandlerFunc{estimate: estimated("120000.75"), percentile: fees("2"), minima: fees("1")}, 120_000, all[:1], all[:1]},
		"an estimate of zero":           {map[string]http.HandlerFunc{estimate: estimated("0.0"), minima: fees("1")}, 0, all[:1], all[:1]},
		"a percentile":                  {map[string]http.HandlerFunc{percentile: fees("45000"), minima: fees("1")}, 45_000, all[:2], all[1:2]},
		"neither":                       {map[string]http.HandlerFunc{minima: fees("1")}, 1, all, all[2:]},
		"Agave's rejection":             {map[string]http.HandlerFunc{percentile: refusal(-32602, "Expected from 0 to 1 parameters"), minima: fees("1")}, 1, all, all[2:]},
		"no object":                     {map[string]http.HandlerFunc{estimate: result(`[]`), minima: fees("1")}, 1, all, all[2:]},
		"no estimate in it":             {map[string]http.HandlerFunc{estimate: result(`{}`), minima: fees("1")}, 1, all, all[2:]},
		"a negative one":                {map[string]http.HandlerFunc{estimate: estimated("-5"), minima: fees("1")}, 1, all, all[2:]},
		"one with an exponent":          {map[string]http.HandlerFunc{estimate: estimated("1e999999999"), minima: fees("1")}, 1, all, all[2:]},
		"one beyond 64 bits":            {map[string]http.HandlerFunc{estimate: estimated("18446744073709551616"), minima: fees("1")}, 1, all, all[2:]},
		"an estimate that fails now":    {map[string]http.HandlerFunc{estimate: status(http.StatusBadGateway), percentile: fees("2"), minima: fees("1")}, 1, []string{estimate, minima}, []string{estimate, minima}},
		"an estimate of no right":       {map[string]http.HandlerFunc{estimate: refusal(-32000, "not on this plan"), minima: fees("1")}, 1, []string{estimate, minima}, []string{estimate, minima}},
		"an estimate of a busy node":    {map[string]http.HandlerFunc{estimate: refusal(-32005, "behind"), minima: fees("1")}, 1, []string{estimate, minima}, []string{estimate, minima}},
		"a node that has had enough":    {map[string]http.HandlerFunc{estimate: status(http.StatusTooManyRequests), minima: fees("1")}, 1, []string{estimate, minima}, []string{estimate, minima}},
		"a percentile that fails now":   {map[string]http.HandlerFunc{percentile: hangUp, minima: fees("1")}, 1, all, []string{percentile, minima}},
		"one that hangs up on estimate": {map[string]http.HandlerFunc{estimate: hangUp, minima: fees("1")}, 1, []string{estimate, minima}, []string{estimate, minima}},
	} {
		t.Run(name, func(t *testing.T) {
			n, asked := pricing(t, c.answers)
			for _, want := range [][]string{c.first, c.then} {
				*asked = nil
				if got, err := n.PriorityFee(t.Context(), solana.PublicKey{1}); err != nil || got != c.want {
					t.Errorf("%d, %v, want %d", got, err, c.want)
				}
				if got := slices.Compact(*asked); !slices.Equal(got, want) { // a broken connection is tried twice
					t.Errorf("requested %v, want %v", got, want)
				}
			}
		})
	}
}

// Whatever a node estimates, the offer is at most the cap.
func TestPriorityFeeIsCapped(t *testing.T) {
	n, _ := pricing(t, map[string]http.HandlerFunc{"getPriorityFeeEstimate": result(`{"priorityFeeEstimate":18446744073709551615.0}`)})
	if got := (computebudget.Bounds{Floor: 10_000, Cap: 500_000}).Ask(t.Context(), n, solana.PublicKey{1}); got != 500_000 {
		t.Errorf("it offers %d, want the cap", got)
	}
}

// A percentile is taken from whichever node has one.
func TestPriorityFeeOfSecondNode(t *testing.T) {
	first, second := newPeer(t, refusal(-32601, "Method not found")), newPeer(t, result(`{"priorityFeeEstimate":7000.0}`))
	client, _ := among(t, first, second)
	for range 2 {
		if got, err := client.PriorityFee(t.Context(), solana.PublicKey{1}); err != nil || got != 7_000 {
			t.Errorf("%d, %v, want 7000", got, err)
		}
	}
	if first.calls.Load() != 2 || second.calls.Load() != 2 { // the first by both questions, once
		t.Errorf("%d and %d calls, want 2 and 2", first.calls.Load(), second.calls.Load())
	}
}

// A local chain rejects both questions about percentiles, and takes the third.
func TestPriorityFeeOfTheChain(t *testing.T) {
	l := newLedger(t)
	for range 2 {
		if fee, err := l.PriorityFee(within(t), l.payer.PublicKey, solana.TokenProgramID); err != nil {
			t.Errorf("PriorityFee() = %d, %v; want a fee", fee, err)
		}
	}
}
