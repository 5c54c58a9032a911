package errorpage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/web/errorpage"
)

func TestErrorPageTexts(t *testing.T) {
	for _, test := range []struct {
		page errorpage.Page
		want []string
	}{
		{errorpage.Page{Status: http.StatusNotFound, Title: "Not found", Detail: "No."}, []string{"<h1>Page not found</h1>", "Check it for typos"}},
		{errorpage.Page{Status: http.StatusTooManyRequests, RetryAfter: 45 * time.Second}, []string{"<h1>Too many requests</h1>", "<strong>45 seconds</strong>"}},
		{errorpage.Page{Status: http.StatusTooManyRequests, RetryAfter: time.Second}, []string{"<strong>1 second</strong>"}},
		{errorpage.Page{Status: http.StatusTooManyRequests, RetryAfter: 13*time.Minute + time.Second}, []string{"<strong>14 minutes</strong>"}},
		{errorpage.Page{Status: http.StatusServiceUnavailable, RetryAfter: 5 * time.Second}, []string{"<h1>Not available right now</h1>", "<strong>5 seconds</strong>"}},
		{errorpage.Page{Status: http.StatusInternalServerError, RequestID: "request-1"}, []string{"<h1>Something went wrong</h1>", "Request request-1"}},
		{errorpage.Page{Status: http.StatusUnauthorized, Title: "Missing <token>", Detail: "a & b"}, []string{"<h1>Missing &lt;token&gt;</h1>", "a &amp; b"}},
	} {
		got := string(test.page.HTML())
		for _, want := range append(test.want, "<title>", " · "+errorpage.Name) {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: no %q in\n%s", test.page, want, got)
			}
		}
		if strings.Contains(got, "{{") || test.page.RetryAfter == 0 && strings.Contains(got, "Try again") {
			t.Errorf("%+v:\n%s", test.page, got)
		}
	}
}

// TestPolicyAllowsItsOwnStyle keeps the style and its hash together: a browser drops a style that
// the policy does not name.
func TestPolicyAllowsItsOwnStyle(t *testing.T) {
	got := string(errorpage.Page{Status: http.StatusNotFound}.HTML())
	_, style, _ := strings.Cut(got, "<style>")
	style, _, found := strings.Cut(style, "</style>")
	hash := sha256.Sum256([]byte(style))
	if !found || !strings.Contains(errorpage.Policy, "'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'") {
		t.Errorf("the policy %q does not allow the style", errorpage.Policy)
	}
	if strings.Contains(got, "<script") || strings.Contains(got, " style=") {
		t.Error("the page has a script or an inline style")
	}
}
