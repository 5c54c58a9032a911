package strangers_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestNoSecretShowsInTheOutputOfAFunction calls every function while its neighbours fail in each
// way and repeat their requests, and while its secrets are malformed. Its output and responses
// contain no secret: no keys of providers, AWS, wallets or mints, and no access tokens or signed
// transactions.
func TestNoSecretShowsInTheOutputOfAFunction(t *testing.T) {
	w := newFixture(t)
	w.launch()
	names := w.names()
	for _, weather := range []struct {
		name                  string
		aws, spares, provider string
	}{
		{name: "providers refuse", provider: refuses},
		{name: "providers forbid", provider: forbids},
		{name: "providers babble", provider: babbles},
		{name: "providers hang up", provider: hangsUp},
		{name: "AWS forbids all but secrets", aws: forbids, spares: "secretsmanager"},
		{name: "AWS forbids KMS alone", aws: forbids, spares: "DynamoDB"},
		{name: "AWS forbids", aws: forbids},
		{name: "AWS babbles", aws: babbles},
		{name: "AWS hangs up", aws: hangsUp},
		{name: "all is well"}, // last, because this case leaves less to do
	} {
		t.Run(weather.name, func(t *testing.T) { w.outlast(t, names, weather.aws, weather.spares, weather.provider) })
	}
	for _, secret := range []string{nodeKey, exchangeKey, botToken} {
		if !w.provider.received(secret) {
			t.Errorf("%s was never used", secret)
		}
	}
	if len(w.aws.learnt()) == 0 {
		t.Error("no key was ever derived")
	}
	t.Run("malformed secrets", func(t *testing.T) {
		config := localnet.AWS(t).Config(t.Context())
		for name, value := range map[string]string{
			"RPC_SECRET": "ftp://node.example/" + nodeKey, "RPC_SECRET_2": secondNodeKey, "HELIUS_SECRET": "//" + heliusKey,
			"GUARDIAN_SECRET": guardianToken[:8],
			"EXCHANGE_SECRET": exchangeKey + "\n", "TELEGRAM_SECRET": "bot " + botToken,
		} {
			id := w.env[name]
			_, err := secretsmanager.NewFromConfig(config).PutSecretValue(t.Context(), &secretsmanager.PutSecretValueInput{SecretId: &id, SecretString: &value})
			must.Do(t, err)
		}
		w.outlast(t, names, serves, "", serves)
	})
}

// outlast starts each function again in some weather and sends it all that it answers.
func (w *fixture) outlast(t *testing.T, names []string, aws, spares, provider string) {
	t.Helper()
	w.stop()
	w.aws.set(aws, spares)
	w.provider.set(provider, "")
	t.Cleanup(func() { w.aws.set(serves, ""); w.provider.set(serves, "") })
	t.Run("functions", func(t *testing.T) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w.sendAll(t, name)
				w.checkLog(t, name, "its output")
			})
		}
	})
}

// sendAll sends a function good requests of all its routes, or the samples of its events.
func (w *fixture) sendAll(t *testing.T, name string) {
	t.Helper()
	document, err := docstest.Document()
	must.Do(t, err)
	for _, r := range route.OfFunction(name) {
		s := stranger{T: t, fixture: w, route: r, operation: docstest.Operation(document, r.Operation)}
		if r.NeedsToken() {
			must.Do(t, w.forget(t.Context(), r))
		}
		_, _, body, err := w.send(t.Context(), r, s.request(request{body: s.body(nil, "")}))
		if r.Operation == "createWebhook" || r.Operation == "rotateWebhookSecret" { // which show a secret to its owner, this once
			body = regexp.MustCompile(`"secret":"whsec_[^"]*"`).ReplaceAll(body, nil)
		}
		w.checkAnswer(t, r.Pattern(), body, err)
	}
	if len(route.OfFunction(name)) > 0 {
		return
	}
	if name == "guardian" {
		w.askGuardian(t)
		return
	}
	samples, err := filepath.Glob(w.folder.Path("events/" + name + "-*.json"))
	must.Do(t, err)
	for _, sample := range samples {
		text, err := os.ReadFile(sample)
		must.Do(t, err)
		event := strings.NewReplacer(
			"So11111111111111111111111111111111111111112", w.mint.String(), "2026-11-21T12:00:00Z", terms.EveryHour.Slot(time.Now()).UTC().Format(time.RFC3339),
			"0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21", w.unused, "5b1c0a52-1f35-5c0b-9d0e-0f4b8b6a7c11", w.run,
		).Replace(string(text))
		answer, err := w.invoke(t.Context(), name, []byte(event))
		w.checkAnswer(t, filepath.Base(sample), answer, err)
	}
}

// askGuardian sends the guardian the requests of the service, with the guardian's token, and of
// creators.
func (w *fixture) askGuardian(t *testing.T) {
	t.Helper()
	mint, to := w.mint.String(), solana.NewWallet().PublicKey()
	signature := solana.Signature{1}
	guardian, err := (&kms.Ed25519Signer{Client: awskms.NewFromConfig(localnet.AWS(t).Config(t.Context())), KeyID: w.env["GUARDIAN_KEY_ID"]}).PublicKey(t.Context())
	must.Do(t, err)
	collection := token2022.WithdrawWithheldFromMint{Mint: w.mint, Destination: to, Authority: to, Signers: []solana.PublicKey{w.launched.Wallet.PublicKey(), guardian}}
	message, err := wire.Compile(w.launched.Wallet.PublicKey(), solana.Hash{1}, []solana.Instruction{collection.Instruction()})
	must.Do(t, err)
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, "/", ""},
		{http.MethodGet, "/orders/" + mint, ""},
		{http.MethodPost, "/sign", fmt.Sprintf(`{"mint":%q,"transaction":%q}`, mint, base64.StdEncoding.EncodeToString(wire.NewTransaction(message).Bytes()))},
		{http.MethodPost, "/sign", fmt.Sprintf(`{"mint":%q,"transaction":"no"}`, mint)},
		{http.MethodPost, "/orders", fmt.Sprintf(`{"mint":%q,"number":1,"newAuthority":%q,"effectiveAt":"2036-01-01T00:00:00Z","signature":%q}`, mint, to, signature)},
		{http.MethodPost, "/orders/cancel", fmt.Sprintf(`{"mint":%q,"number":1,"signature":%q}`, mint, signature)},
	} {
		event := events.APIGatewayV2HTTPRequest{
			Version: "2.0", RouteKey: "$default", RawPath: r.path, Body: r.body, Headers: map[string]string{"authorization": "Bearer " + guardianToken},
		}
		event.RequestContext.HTTP.Method, event.RequestContext.HTTP.Path = r.method, r.path
		status, _, body, err := w.serve(t.Context(), "guardian", event)
		w.checkAnswer(t, r.method+" "+r.path, body, err)
		if err == nil && status == http.StatusNotFound {
			t.Errorf("%s %s: the guardian has no such request", r.method, r.path)
		}
	}
}

// checkAnswer holds a response, or the error that a function reports, against the secrets. An
// authorizer, a deriver and a queue's function have a right to fail.
func (w *fixture) checkAnswer(t *testing.T, what string, answer []byte, err error) {
	t.Helper()
	var reported *runtimeapi.FunctionError
	var ended *runtimeapi.ExitError
	switch {
	case errors.As(err, &reported):
		answer = reported.Raw
	case errors.As(err, &ended):
		answer = []byte(ended.Said)
	case err != nil && !errors.Is(err, context.Canceled):
		t.Errorf("%s: %v, want an answer or the process's end", what, err)
	}
	for _, secret := range w.secrets() {
		if strings.Contains(string(answer), secret) {
			t.Errorf("%s: the response contains a secret (%.12s…): %.600s", what, secret, answer)
		}
	}
}
