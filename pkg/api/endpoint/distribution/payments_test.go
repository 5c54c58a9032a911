package distribution_test

import (
	"context"
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// paidOnce has one payment of a token with a symbol that a spreadsheet would run, and a next page
// after it.
type paidOnce struct{ asked []holder.PaymentsAsk }

func (p *paidOnce) Page(_ context.Context, ask holder.PaymentsAsk) (holder.PaidPage, error) {
	p.asked = append(p.asked, ask)
	if !ask.After.Slot.IsZero() {
		return holder.PaidPage{Complete: true}, nil
	}
	at := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)
	mint := solana.VoteProgramID
	return holder.PaidPage{
		Payments: []holder.Paid{{
			Token: token.Record{Mint: mint, Name: "Crane", Symbol: `=1+"1`}, Decimals: 9,
			Run: run.Run{
				ID: "6d2f6a1c-7b11-5b53-9d0e-5c0f6f0e3d0b", Mint: mint, Slot: at, End: &run.End{At: at.Add(time.Minute)},
				Closing: &run.Closing{Manifest: "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"},
			},
			Row: format.Found{Row: allocation.Row{Paid: 81_200_340, Received: 81_200_340, Signature: solana.Signature{1}}},
		}},
		Next: holder.Place{Slot: at, Mint: mint, Given: 1},
	}, nil
}

func newPaidOnce(t *testing.T) (*public, *paidOnce) {
	t.Helper()
	p, payments := &public{}, &paidOnce{}
	p.serve(t, route.FunctionDistribution, distribution.Endpoint{Payments: payments, Gateway: "https://ipfs.example", Now: time.Now}.Handlers())
	return p, payments
}

func (p *public) csv(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r"}), http.MethodGet, target, http.NoBody)
	r.Header.Set("Accept", "text/csv")
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	if err := docstest.Check("listHolderPayments", w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s: %v\n%s", target, err, w.Body)
	}
	return w
}

// TestPaymentsFollowCursor holds the JSON and the CSV file of a page against the document and against
// each other, and follows both to the next page.
func TestPaymentsFollowCursor(t *testing.T) {
	p, payments := newPaidOnce(t)
	wallet := solana.StakeProgramID.String()
	path := "/holders/" + wallet + "/payments"
	got := p.get(t, "listHolderPayments", path+"?limit=1", http.StatusOK)
	if part(t, got, "payments", 0, "amount") != "81200340" || part(t, got, "payments", 0, "kind") != "distribution" || got["complete"] != false {
		t.Errorf("the payments are %v", got)
	}
	p.get(t, "listHolderPayments", path+"?limit=1&cursor="+got["nextCursor"].(string), http.StatusOK)

	file := p.csv(t, path+"?limit=1")
	lines, err := csv.NewReader(file.Body).ReadAll()
	must.Do(t, err)
	if len(lines) != 2 || len(lines[0]) != len(lines[1]) || lines[1][2] != `'=1+"1` || lines[1][5] != "0.08120034" || lines[1][6] != "SOL" {
		t.Errorf("the file has %q", lines)
	}
	next, rel, _ := strings.Cut(strings.TrimPrefix(file.Header().Get("Link"), "<"), ">")
	if rel != `; rel="next"` || file.Header().Get("X-Complete") != "false" {
		t.Errorf("the headers are %v", file.Header())
	}
	if last := p.csv(t, next); last.Header().Get("Link") != "" || strings.Count(last.Body.String(), "\n") != 1 {
		t.Errorf("the last file is %v %s", last.Header(), last.Body)
	}
	for _, n := range []int{1, 3} {
		if after := payments.asked[n].After; after.Slot.Unix() != 1772449200 || after.Mint != solana.VoteProgramID || after.Given != 1 || payments.asked[n].Limit != 1 {
			t.Errorf("request %d got %+v", n, payments.asked[n])
		}
	}
}

// TestPaymentsRejectBadRequests names the field of each bad value.
func TestPaymentsRejectBadRequests(t *testing.T) {
	p, payments := newPaidOnce(t)
	path := "/holders/" + solana.StakeProgramID.String() + "/payments"
	for query, field := range map[string]string{"mint=0": "mint", "cursor=x": "cursor", "limit=101": "limit"} {
		if got := p.get(t, "listHolderPayments", path+"?"+query, http.StatusBadRequest); part(t, got, "errors", 0, "field") != field {
			t.Errorf("GET payments?%s = %v, want an error of %s", query, got, field)
		}
	}
	p.get(t, "listHolderPayments", "/holders/nonsense/payments", http.StatusNotFound)
	if len(payments.asked) > 0 {
		t.Errorf("bad requests were passed on: %+v", payments.asked)
	}
}
