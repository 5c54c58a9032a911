package docstest_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/docstest"
)

func headers(contentType string) http.Header {
	h := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": contentType, "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "99",
		"X-RateLimit-Reset": "1772447400", "X-RateLimit-Window": "900", "X-Request-Id": "r1", "ETag": `"v1"`,
	} {
		h.Set(name, value)
	}
	return h
}

const (
	wallet = `{"walletId":"5c0f6f0e-3d0b-4b53-9d0e-6d2f6a1c7b11","address":"CfdBw7Wb1dUsdNDrHMk6UCPcYYpWSqea8BAgbHgc2hMH"}`
	image  = `{"success":true,"imageUri":"ipfs://` + cid + `","imageCid":"` + cid + `","width":512,"height":512,"bytes":48211}`
	cid    = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
)

func TestCheck(t *testing.T) {
	const missing = `{"type":"/docs#missing_token","title":"Missing token","status":401,"detail":"d","code":"missing_token","requestId":"r1"}`
	withChallenge := headers("application/problem+json")
	withChallenge.Set("WWW-Authenticate", "Bearer")
	noReset := headers("application/json")
	noReset.Del("X-RateLimit-Reset")
	badLimit := headers("application/json")
	badLimit.Set("X-RateLimit-Limit", "many")
	replayed, notReplayed := headers("application/json"), headers("application/json")
	replayed.Set("Idempotency-Replayed", "true")
	notReplayed.Set("Idempotency-Replayed", "yes")
	for _, test := range []struct {
		name, operation string
		status          int
		header          http.Header
		body            string
		want            string // in the error; none when empty
	}{
		{"as described", "generateDistributionWallet", 200, headers("application/json"), wallet, ""},
		{"a problem", "listMyTokens", 401, withChallenge, missing, ""},
		{"a page", "getDocs", 200, headers("text/html; charset=utf-8"), "<html>", ""},
		{"no body", "getDocs", 304, headers(""), "", ""},
		{"a body where none is", "getDocs", 304, headers(""), "<html>", "none is described"},
		{"an operation that is none", "fly", 200, headers("application/json"), "{}", "no operation"},
		{"a status that is not described", "getHealth", 201, headers("application/json"), "{}", "does not describe status 201"},
		{"a header too few", "generateDistributionWallet", 200, noReset, wallet, "X-RateLimit-Reset is missing"},
		{"a header that is no number", "generateDistributionWallet", 200, badLimit, wallet, "X-RateLimit-Limit"},
		{"a header that may be there", "uploadImage", 200, replayed, image, ""},
		{"a header with another value", "uploadImage", 200, notReplayed, image, "Idempotency-Replayed"},
		{"another media type", "generateDistributionWallet", 200, headers("text/html"), wallet, "text/html is not described"},
		{"a field too many", "generateDistributionWallet", 200, headers("application/json"), strings.Replace(wallet, "{", `{"seed":"s",`, 1), "seed"},
		{"a field too few", "generateDistributionWallet", 200, headers("application/json"), `{"walletId":"5c0f6f0e-3d0b-4b53-9d0e-6d2f6a1c7b11"}`, "address"},
		{"a form that is wrong", "generateDistributionWallet", 200, headers("application/json"), strings.Replace(wallet, "Cfd", "0fd", 1), "address"},
		{"an id that is none", "generateDistributionWallet", 200, headers("application/json"), strings.Replace(wallet, "5c0f6f0e-", "", 1), "walletId"},
		{"a code of another operation", "listMyTokens", 401, withChallenge, strings.Replace(missing, `"code":"missing_token"`, `"code":"challenge_expired"`, 1), "code"},
		{"a status of another answer", "listMyTokens", 401, withChallenge, strings.Replace(missing, `"status":401`, `"status":403`, 1), "the body has the status 403"},
		{"what is not JSON", "generateDistributionWallet", 200, headers("application/json"), "wallet", "not JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := docstest.Check(test.operation, test.status, maps.Clone(test.header), []byte(test.body))
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
