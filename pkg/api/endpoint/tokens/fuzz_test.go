package tokens_test

import (
	"net/http"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/token/terms"
)

// FuzzListQuery sends arbitrary queries: each is a page within its bounds, or rejected, and none is
// an internal error.
func FuzzListQuery(f *testing.F) {
	for _, seed := range []string{"", "page=2&limit=5", "page=-1", "limit=101", "page=1e3", "page=9007199254740992", "creator=x", "page=1&page=x", "a=%zz;b", "limit=+5", "q=%F0%9F%8C%8A", "q=%00", "q=a&sort=paid", "sort=volume&limit=100"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		// Characters that a URL cannot contain are escaped before they reach the handler (apigw,
		// FuzzEvents).
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == '#' || r >= 0x7f }) {
			return
		}
		s := &service{}
		status, answer := call(t, s, http.MethodGet, "/tokens?"+query, "")
		switch status {
		case http.StatusOK:
			if page, limit := s.page[0], s.page[1]; page < 1 || page > 1<<53-1 || limit < 1 || limit > 100 {
				t.Errorf("page %d of %d", page, limit)
			}
		case http.StatusBadRequest:
			if s.page != [2]int64{} || answer["code"] != "validation_failed" {
				t.Errorf("%v after a look at page %v", answer, s.page)
			}
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}

// FuzzCreateBody sends arbitrary bodies: a creation reaches the service with percentages within
// their bounds, or every invalid field is named, and no body is an internal error.
func FuzzCreateBody(f *testing.F) {
	f.Add(`{"name":"Tidal","symbol":"TIDE","imageUri":"ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",` +
		`"walletId":"4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de","transferFeePercent":5.25,"burnPercent":50,"decimals":6,"supply":"1000000"}`)
	f.Add(`{"name":1,"supply":"18446744073709551616","distributionInterval":"2h","developerWallet":"x"}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		s := &service{}
		status, answer := call(t, s, http.MethodPost, "/tokens/create-unsigned", text)
		switch status {
		case http.StatusOK:
			d := s.draft
			for _, bps := range []int{d.TransferFeeBps, d.Settings.BurnBps, d.Settings.DeveloperFeeBps, d.Settings.SellBps} {
				if bps < 0 || bps > terms.FullBps {
					t.Errorf("%d basis points in %+v", bps, d)
				}
			}
		case http.StatusBadRequest:
			fields, _ := answer["errors"].([]any)
			if s.draft != nil || len(fields) == 0 {
				t.Errorf("rejected with %v", answer)
			}
		case http.StatusRequestEntityTooLarge:
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}
