package tokens_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// hostile are JSON values that a stranger sends where the document asks for something else.
func hostile() []string {
	quoted := func(text string) string { return `"` + text + `"` }
	values := []string{
		`""`, `" "`, `null`, `true`, `[]`, `{}`, `[["a"]]`, `0`, `-0`, `-1`, `1.5`, `1e400`, `-1e400`, `1e-400`, `1E999999999`,
		quoted(`\u0000`), quoted(`\u001b[31m`), quoted(`\r\nX-Header: 1`), quoted(`\u202eabc`), quoted(`\u200b`), quoted(`\ufeff`),
		quoted(`\ud800`), quoted(`\udc00\ud800`), quoted("\xff\xfe"), quoted(`${jndi:ldap://x}`), quoted(`../../etc/passwd`), quoted(`%00%ff`), quoted(`' OR 1=1 --`),
		quoted(strings.ToUpper(uuid.Nil.String())), quoted("{" + uuid.Nil.String() + "}"), quoted("urn:uuid:" + uuid.Nil.String()), quoted(strings.Repeat("1", 44)), quoted(strings.Repeat("z", 44)),
	}
	for _, n := range []int{1, 255, 256, 1025, 2049, 3000, 16 << 10, 60 << 10, 64 << 10} {
		values = append(values, quoted(strings.Repeat("1", n)), quoted(strings.Repeat("é", n/2)), strings.Repeat("9", n))
	}
	return values
}

// plain are those of the values that a path or a query can hold, within the gateway's limit.
func plain() []string {
	var list []string
	for _, value := range hostile() {
		var text string
		if json.Unmarshal([]byte(value), &text) != nil {
			text = value
		}
		if len(text) < 3<<10 {
			list = append(list, text)
		}
	}
	return append(list, strings.Repeat("1", 9<<10))
}

// operation is what the OpenAPI document says of a route.
type operation struct {
	Parameters []struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	RequestBody struct {
		Content map[string]struct{ Example map[string]json.RawMessage }
	}
}

// TestNoHostileStringIsAFault holds docs/security.md, "Launching": whatever stands in a field,
// a path or a query of these routes, over the real stores and chain, no answer is 5xx. The
// fields are those of the OpenAPI document, so a new one is tried without a change here.
func TestNoHostileStringIsAFault(t *testing.T) {
	var document struct {
		Paths      map[string]map[string]operation
		Components struct {
			Parameters map[string]struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(docs.Document(), &document); err != nil {
		t.Fatal(err)
	}
	world := launchtest.NewEnv(t).Fixture(t, "")
	service := world.Service(t, nil)
	endpoint := tokens.Endpoint{
		Wallets:  wallet.Service{Deriver: fixedDeriver{}, Store: world.Wallets, Now: time.Now, NewID: uuid.NewString},
		Launches: service, Records: world.Tokens, Gateway: "https://ipfs.example", Now: time.Now,
	}
	var log bytes.Buffer
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.NewJSONHandler(&log, nil)), Now: time.Now}
	handler, err := api.Handler(route.FunctionTokens, endpoint.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	call := func(what, method, target, body string) {
		t.Helper()
		calls++
		log.Reset()
		// Each is another caller, so that no limit answers in the route's place.
		caller := apigw.CallerContext{Wallet: solana.NewWallet().PublicKey().String(), SourceIP: launchtest.Address(), RequestID: "request"}
		r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), caller), method, "/", strings.NewReader(body))
		if r.URL, err = url.Parse(target); err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, r)
		if status := recorder.Code; status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("%s %s, %s: %d %.300s; log %.600s", method, target[:min(len(target), 120)], what, status, recorder.Body, log.String())
		}
	}
	for _, r := range route.OfFunction(route.FunctionTokens) {
		op := document.Paths[r.Path][strings.ToLower(r.Method)]
		example := op.RequestBody.Content["application/json"].Example
		body := func(field, value string) string {
			var fields []string
			for _, name := range slices.Sorted(maps.Keys(example)) {
				if name != field {
					fields = append(fields, strconv.Quote(name)+":"+string(example[name]))
				}
			}
			if field != "" {
				fields = append(fields, strconv.Quote(field)+":"+value)
			}
			return "{" + strings.Join(fields, ",") + "}"
		}
		there := strings.NewReplacer("{mintAddress}", solana.SystemProgramID.String(), "{transactionId}", uuid.NewString()).Replace(r.Path)
		for _, value := range hostile() {
			for name := range example {
				call("field "+name+" = "+value[:min(len(value), 40)], r.Method, there, body(name, value))
			}
			if r.MaxBody > 0 {
				call("the body is "+value[:min(len(value), 40)], r.Method, there, value)
			}
		}
		for _, p := range op.Parameters {
			if p.Ref != "" {
				p.Name, p.In = document.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]].Name, document.Components.Parameters[p.Ref[strings.LastIndex(p.Ref, "/")+1:]].In
			}
			for _, value := range plain() {
				switch p.In {
				case "path":
					call("path "+p.Name, r.Method, strings.ReplaceAll(r.Path, "{"+p.Name+"}", url.PathEscape(value)), body("", ""))
				case "query":
					call("query "+p.Name, r.Method, there+"?"+url.Values{p.Name: {value}}.Encode(), body("", ""))
				}
			}
		}
	}
	if calls < 1000 {
		t.Errorf("only %d calls were made", calls)
	}
}

// fixedDeriver gives every wallet the same address.
type fixedDeriver struct{}

// Address implements wallet.Deriver.
func (fixedDeriver) Address(context.Context, string) (solana.PublicKey, error) { return mint, nil }
