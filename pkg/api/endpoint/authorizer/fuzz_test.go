package authorizer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/apigw"
)

// FuzzAuthorization sends arbitrary headers: the caller has one of three descriptions, and a wallet
// only with the valid access token.
func FuzzAuthorization(f *testing.F) {
	for _, seed := range []string{"Bearer good", "good", "bearer  good", "Basic good", "Bearer", " ", "Bearer good,Bearer good", "\x00\xff"} {
		f.Add("authorization", seed)
	}
	f.Add("AUTHORIZATION", "Bearer good")
	f.Add("cookie", "Bearer good")
	f.Fuzz(func(t *testing.T, name, value string) {
		got, _ := handle(t, verifier{}, map[string]string{name: value})
		answer, err := json.Marshal(got)
		if err != nil || !got.IsAuthorized || len(got.Context) != 1 {
			t.Fatalf("Handle() = %s, %v; want authorized with one context value", answer, err)
		}
		described, isWallet := got.Context[apigw.AuthorizerWallet]
		fields := strings.Fields(value)
		sent := strings.EqualFold(name, "Authorization") && len(fields) > 0 && fields[len(fields)-1] == "good" &&
			(len(fields) == 1 || len(fields) == 2 && strings.EqualFold(fields[0], "Bearer"))
		if isWallet && (described != wallet || !sent) {
			t.Errorf("%q: %q is described as %v", name, value, described)
		}
		reason, ok := got.Context[apigw.AuthorizerReason]
		if ok && reason != apigw.ReasonMissingToken && reason != apigw.ReasonInvalidToken {
			t.Errorf("%q: %q is described as %v", name, value, reason)
		}
	})
}
