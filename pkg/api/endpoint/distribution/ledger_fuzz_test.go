package distribution_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/holder"
)

// asked remembers what a ledger was asked.
type asked []holder.Ask

// Page returns an empty one.
func (a *asked) Page(_ context.Context, ask holder.Ask) (holder.Page, error) {
	*a = append(*a, ask)
	return holder.Page{Complete: true}, nil
}

// FuzzLedgerQuery sends arbitrary queries: each leads to a page of the ledger, or is rejected, and
// none is an internal error.
func FuzzLedgerQuery(f *testing.F) {
	for _, seed := range []string{
		"", "mints=", "mints=,", "mints=" + mint.String(), "mints=" + mint.String() + "," + reward.String() + "&limit=1", "mints=1,1&limit=0",
		"cursor=MDAwMA&mints=" + mint.String(), "cursor=" + strings.Repeat("MDAw", 21) + "MA", "mints=" + strings.Repeat("1", 32),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		// Characters that a URL cannot contain are escaped before they reach the handler (apigw,
		// FuzzEvents).
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == '#' || r >= 0x7f }) {
			return
		}
		var pages asked
		p := &public{}
		p.serve(t, route.FunctionDistribution, distribution.Endpoint{Ledger: &pages, Pages: &distribution.Pages{}, Now: time.Now}.Handlers())
		status, answer := p.ask(t, "/holders/"+reward.String()+"?"+query)
		switch {
		case status == http.StatusOK && len(pages) == 1:
			if ask := pages[0]; ask.Wallet != reward || ask.Limit < 1 || ask.Limit > holder.MaxPage || len(ask.Named) > holder.MaxPage {
				t.Errorf("requested %+v", ask)
			}
		case status == http.StatusBadRequest && len(pages) == 0 && answer["code"] == "validation_failed":
		default:
			t.Errorf("status %d: %v, after %+v", status, answer, pages)
		}
	})
}
