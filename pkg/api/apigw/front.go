package apigw

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// CloudFront identifies itself and the caller by these headers. CloudFront replaces the headers of
// the caller's request.
const (
	SecretHeader  = "X-Origin-Secret"
	AddressHeader = "X-Viewer-Address"
)

// OriginSecretKey is the member of an origin secret that CloudFront sends.
const OriginSecretKey = "current"

// OriginSecret is the JSON value in Secrets Manager. Functions accept each of the values, so that a
// function and CloudFront need not learn of a rotation at the same moment.
type OriginSecret struct {
	Current  string `json:"current"`
	Next     string `json:"next,omitempty"`
	Previous string `json:"previous,omitempty"`
}

// ParseOriginSecret parses an origin secret. The error does not contain the secret.
func ParseOriginSecret(text string) (OriginSecret, error) {
	var s OriginSecret
	if err := json.Unmarshal([]byte(text), &s); err != nil || s.Current == "" {
		return OriginSecret{}, errors.New(`it is not JSON with the member "` + OriginSecretKey + `"`)
	}
	return s, nil
}

// is reports whether the value is one of the secret's values, in constant time for each value.
func (s OriginSecret) is(value string) bool {
	known := false
	for _, own := range []string{s.Current, s.Next, s.Previous} {
		if own != "" && hmac.Equal([]byte(own), []byte(value)) {
			known = true
		}
	}
	return known
}

var errDirect = apperr.New(apperr.CodeDirectCall, "The API is not called here, but at its public address.")

// enter sets the caller's address from CloudFront's headers, if there is a front, and rejects
// requests that did not come through the front. enter removes the headers from the request.
func (a API) enter(r *http.Request, caller CallerContext) (CallerContext, error) {
	if a.Front == nil {
		return caller, nil
	}
	sent, address := only(r.Header, SecretHeader), only(r.Header, AddressHeader)
	r.Header.Del(SecretHeader)
	r.Header.Del(AddressHeader)
	text, err := a.Front(r.Context())
	if err != nil {
		return caller, err
	}
	own, err := ParseOriginSecret(text)
	if err != nil {
		return caller, apperr.Upstream("The store of secrets", err)
	}
	if !own.is(sent) {
		return caller, errDirect
	}
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Zone() != "" {
		return caller, errDirect
	}
	caller.SourceIP, caller.fronted = ip.Unmap().String(), true
	return caller, nil
}

// only returns the value of a header that occurs exactly once.
func only(h http.Header, name string) string {
	if values := h.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}

// Blocked returns the response of the web ACL before CloudFront to an address with too many
// requests. The response has the format of this package, except that the text is constant: it has
// no reset time, and the same request ID for every caller.
func Blocked(limit int, window time.Duration) (header http.Header, body string) {
	const id = "blocked-before-the-service"
	out := problem(&apperr.Error{
		Code:       apperr.CodeRateLimitExceeded,
		Detail:     "Too many requests: one address may make " + strconv.Itoa(limit) + " per " + ratelimit.Rule{Window: window}.Period() + ".",
		RetryAfter: window,
	}, id, "")
	h := out.header
	h.Del("Content-Type") // the web ACL sets application/json
	h.Set("X-Request-Id", id)
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Window", strconv.Itoa(int(window/time.Second)))
	endpoint{}.setSecurity(h)
	return h, out.body.String()
}
