package strangers_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestSeededFaultsAreFound tests that each of these is a fault: a response that does not match the
// document, a request that is accepted or rejected against the document, and a log line that is too
// long or has a secret.
func TestSeededFaultsAreFound(t *testing.T) {
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "99",
		"X-RateLimit-Reset": "1772447400", "X-RateLimit-Window": "900", "X-Request-Id": "r1",
	} {
		header.Set(name, value)
	}
	refused := header.Clone()
	refused.Set("Content-Type", "application/problem+json")
	const end = `,"expiresAt":"2026-03-02T10:05:00.000Z"}`
	const issued = `{"challenge":"c","nonce":"0123456789abcdef0123456789abcdef","issuedAt":"2026-03-02T10:00:00.000Z"` + end
	problem := func(code, status string) string {
		return `{"type":"/docs#` + code + `","title":"t","status":` + status + `,"detail":"d","code":"` + code + `","requestId":"r1"}`
	}
	invalid := strings.TrimSuffix(problem("validation_failed", "400"), "}") + `,"errors":[{"field":"wallet","code":"required","message":"m"}]}`
	for name, test := range map[string]struct {
		said   verdict
		status int
		body   string
		want   string // in the fault; without, there is none
	}{
		"as described":           {allowed, 200, issued, ""},
		"a refusal as described": {forbidden, 400, invalid, ""},
		"a field missing":        {allowed, 200, strings.TrimSuffix(issued, end) + "}", "expiresAt"},
		"an extra field":         {allowed, 200, strings.Replace(issued, "{", `{"seed":"s",`, 1), "seed"},
		"a code of others":       {forbidden, 400, strings.ReplaceAll(invalid, "validation_failed", "token_not_found"), "code"},
		"another status":         {unjudged, 418, invalid, "does not describe status 418"},
		"a fault":                {unjudged, 500, problem("internal", "500"), "a fault of the service"},
		"refused":                {allowed, 400, invalid, "the service refuses it"},
		"accepted":               {forbidden, 200, issued, "the service accepts it"},
		"a long refusal":         {forbidden, 400, invalid + strings.Repeat(" ", 64<<10), "the refusal has"},
	} {
		h := header
		if test.status >= 400 {
			h = refused
		}
		err := judge("createChallenge", test.said, test.status, h, []byte(test.body))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: judge() = %v, want %q", name, err, test.want)
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("x", maxLine-1) + "\nline\n":   "",
		"line\n" + strings.Repeat("x", maxLine+1):     "a line of 8193 bytes",
		"line\nkey=" + nodeKey + "\n":                 "a secret",
		"panic: key=" + secondNodeKey + " and more\n": "a secret",
	} {
		err := judgeLog(text, []string{nodeKey, secondNodeKey, ""})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("judgeLog(%.40q) = %v, want %q", text, err, want)
		}
	}
}
