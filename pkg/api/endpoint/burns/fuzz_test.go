package burns_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// FuzzCursor sends arbitrary cursors: each leads to a place in the list, or is rejected, and none
// is an internal error.
func FuzzCursor(f *testing.F) {
	for _, seed := range []string{"", "cursor=", "limit=100", "limit=+5", "cursor=MDAwMDAwMDAwMDAw", "cursor=SEVBRA==", "cursor=a&cursor=b", "limit=1e3;cursor=%zz"} {
		f.Add(seed)
	}
	place := regexp.MustCompile(`^([0-9]{12}#[0-9a-f-]{36})? (100|[1-9][0-9]?)$`)
	f.Fuzz(func(t *testing.T, query string) {
		// Characters that a URL cannot contain are escaped before they reach the handler (apigw,
		// FuzzEvents).
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == '#' || r >= 0x7f }) {
			return
		}
		h := &history{burns: 3}
		status, answer := call(t, h, "/burns/"+mint.String()+"?"+query)
		switch {
		case status == http.StatusOK && (len(h.asked) != 1 || !place.MatchString(h.asked[0])):
			t.Errorf("requested %q", h.asked)
		case status == http.StatusBadRequest && (len(h.asked) > 0 || answer["code"] != "validation_failed"):
			t.Errorf("%v after a look at %q", answer, h.asked)
		case status != http.StatusOK && status != http.StatusBadRequest:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}
