package auth_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"
	lib "github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/auth"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

const (
	issuer   = "http://localhost:8080"
	audience = "token-launch"
)

// counting counts how often public keys are fetched.
type counting struct {
	kms.API

	fetched atomic.Int64
}

func (c *counting) GetPublicKey(ctx context.Context, in *awskms.GetPublicKeyInput, opts ...func(*awskms.Options)) (*awskms.GetPublicKeyOutput, error) {
	c.fetched.Add(1)
	return c.API.GetPublicKey(ctx, in, opts...)
}

// function is the auth function on the local stack, as its main wires it, but
// for the clock.
type function struct {
	http.Handler

	kms    *counting
	keyIDs []string
	now    atomic.Pointer[time.Time]
}

func (f *function) clock() time.Time { return *f.now.Load() }

func (f *function) advance(d time.Duration) {
	later := f.clock().Add(d)
	f.now.Store(&later)
}

func (f *function) keys() *jwt.CachedKeys {
	return &jwt.CachedKeys{Fetch: kms.P256Keys{Client: f.kms, IDs: f.keyIDs}.PublicKeys}
}

func start(t *testing.T) *function {
	t.Helper()
	stack := localnet.AWS(t)
	f := &function{kms: &counting{API: awskms.NewFromConfig(stack.Config(t.Context()))}}
	now := time.Now()
	f.now.Store(&now)
	for range 2 {
		f.keyIDs = append(f.keyIDs, newKey(t, stack))
	}
	f.deploy(t, stack)
	return f
}

// newKey creates a key for tokens and returns its id.
func newKey(t *testing.T, stack *localnet.Stack) string {
	t.Helper()
	out, err := awskms.NewFromConfig(stack.Config(t.Context())).CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpecEccNistP256, KeyUsage: types.KeyUsageTypeSignVerify,
	})
	if err != nil {
		t.Fatal(err)
	}
	return *out.KeyMetadata.KeyId
}

// deploy wires the function with its keys as they are now.
func (f *function) deploy(t *testing.T, stack *localnet.Stack) {
	t.Helper()
	sites, err := auth.NewSites(issuer, "localnet")
	if err != nil {
		t.Fatal(err)
	}
	db, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Window)
	api := apigw.API{
		Limiter: windowtable.Limiter{Client: db, Table: table, Now: f.clock, Rand: mathrand.Int64N},
		Log:     slog.New(slog.DiscardHandler), Now: f.clock,
	}
	f.Handler, err = api.Handler(route.FunctionAuth, endpoint.Handlers(auth.Service{
		Store: windowtable.Challenges{Client: db, Table: table},
		Tokens: jwt.Issuer{
			Keys: f.keys(), Signer: kms.P256Signer{Client: f.kms, KeyID: f.keyIDs[0]},
			Issuer: issuer, Audience: audience, Now: f.clock, NewID: uuid.NewString,
		},
		Sites: sites, Now: f.clock, Rand: rand.Reader,
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// caller is a person with a wallet and an address.
type caller struct {
	wallet string
	ip     string
	key    ed25519.PrivateKey
}

var callers atomic.Int64

func newCaller(t *testing.T) caller {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return caller{solana.PublicKey(public).String(), fmt.Sprintf("198.51.100.%d", callers.Add(1)), key}
}

func (c caller) challenge(t *testing.T, f *function) string {
	t.Helper()
	answer := call(t, f, "/auth/challenge", fmt.Sprintf(`{"wallet":%q}`, c.wallet), c.ip)
	return decode[map[string]string](t, answer, 200)["challenge"]
}

func (c caller) sign(message string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(c.key, []byte(message)))
}

// verify sends a signed challenge and returns the status and the token, or the
// code of the problem.
func (c caller) verify(t *testing.T, f *function, challenge, signature string) (status int, tokenOrCode string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"wallet": c.wallet, "challenge": challenge, "signature": signature})
	if err != nil {
		t.Error(err)
	}
	answer := call(t, f, "/auth/verify", string(body), c.ip)
	var got struct{ Token, Code string }
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
		t.Errorf("%v in %s", err, answer.Body)
	}
	return answer.Code, got.Token + got.Code
}

func (c caller) expect(t *testing.T, f *function, challenge, signature string, status int, code string) {
	t.Helper()
	gotStatus, got := c.verify(t, f, challenge, signature)
	if gotStatus != status || (status != 200 && got != code) {
		t.Errorf("%d %s, want %d %s", gotStatus, got, status, code)
	}
}

func TestSignIn(t *testing.T) {
	f := start(t)
	c := newCaller(t)
	challenge := c.challenge(t, f)
	status, token := c.verify(t, f, challenge, c.sign(challenge))
	if status != 200 {
		t.Fatalf("POST /auth/verify = %d %s, want 200", status, token)
	}

	t.Run("the token is right by the JWK Set and another library's eyes", func(t *testing.T) {
		keys, err := f.keys().Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		document, err := jwt.JWKSet(keys)
		if err != nil {
			t.Fatal(err)
		}
		var claims lib.RegisteredClaims
		_, err = lib.ParseWithClaims(token, &claims, keyFrom(t, document), lib.WithValidMethods([]string{"ES256"}),
			lib.WithIssuer(issuer), lib.WithAudience(audience), lib.WithTimeFunc(f.clock), lib.WithExpirationRequired())
		if err != nil || claims.Subject != c.wallet {
			t.Errorf("subject %q, %v; want %q", claims.Subject, err, c.wallet)
		}
	})
	t.Run("the authorizer knows the caller and asks KMS once", func(t *testing.T) {
		before := f.kms.fetched.Load()
		a := authorizer.Authorizer{
			Verifier: jwt.Verifier{Keys: f.keys(), Issuer: issuer, Audience: audience, Now: f.clock},
			Log:      slog.New(slog.DiscardHandler),
		}
		for range 5 {
			got, err := a.Handle(t.Context(), events.APIGatewayV2CustomAuthorizerV2Request{
				Headers: map[string]string{"authorization": "Bearer " + token},
			})
			if err != nil || got.Context["wallet"] != c.wallet {
				t.Errorf("%+v, %v; want wallet %s", got, err, c.wallet)
			}
		}
		if calls := f.kms.fetched.Load() - before; calls != int64(len(f.keyIDs)) {
			t.Errorf("%d calls of KMS, want one for each of %d keys", calls, len(f.keyIDs))
		}
	})
	t.Run("the challenge is used up", func(t *testing.T) {
		c.expect(t, f, challenge, c.sign(challenge), 401, "challenge_unknown")
	})
}

// TestSignInByATransaction signs in with a wallet that signs only transactions. The transaction is
// never sent, and the challenge is used up.
func TestSignInByATransaction(t *testing.T) {
	f := start(t)
	c := newCaller(t)
	challenge := c.challenge(t, f)
	message, err := wire.Compile(solana.MustPublicKeyFromBase58(c.wallet), solana.Hash{}, []solana.Instruction{memo.Note(challenge)})
	if err != nil {
		t.Fatal(err)
	}
	transaction := wire.NewTransaction(message)
	if err := transaction.Sign(c.key); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{"wallet": c.wallet, "challenge": challenge, "signedTransaction": transaction.Base64()})
	if err != nil {
		t.Fatal(err)
	}
	// A transaction's signature is not a signature of the text.
	signature, _ := transaction.ID()
	c.expect(t, f, challenge, signature.String(), 401, "invalid_signature")
	if got := decode[map[string]string](t, call(t, f, "/auth/verify", string(body), c.ip), 200); got["wallet"] != c.wallet {
		t.Errorf("POST /auth/verify = %v, want the wallet %s", got, c.wallet)
	}
	c.expect(t, f, challenge, c.sign(challenge), 401, "challenge_unknown")
}

func TestSignInRefuses(t *testing.T) {
	f := start(t)
	t.Run("a challenge after five minutes", func(t *testing.T) {
		c := newCaller(t)
		challenge := c.challenge(t, f)
		f.advance(5 * time.Minute)
		c.expect(t, f, challenge, c.sign(challenge), 401, "challenge_expired")
	})
	t.Run("an altered challenge", func(t *testing.T) {
		c := newCaller(t)
		challenge := strings.Replace(c.challenge(t, f), "Sign in to", "Sign in  to", 1)
		c.expect(t, f, challenge, c.sign(challenge), 401, "challenge_unknown")
	})
	t.Run("another wallet's challenge", func(t *testing.T) {
		owner, thief := newCaller(t), newCaller(t)
		challenge := owner.challenge(t, f)
		thief.expect(t, f, challenge, thief.sign(challenge), 401, "challenge_unknown")
		owner.expect(t, f, challenge, owner.sign(challenge), 200, "")
	})
	t.Run("a wrong signature, and then accepts the right one", func(t *testing.T) {
		c := newCaller(t)
		challenge := c.challenge(t, f)
		for range 3 {
			c.expect(t, f, challenge, newCaller(t).sign(challenge), 401, "invalid_signature")
		}
		c.expect(t, f, challenge, c.sign(challenge), 200, "")
	})
}

// TestConcurrentChallengeWorksOnce sends the right response from fifty addresses at the same time,
// so that no rate limit decides.
func TestConcurrentChallengeWorksOnce(t *testing.T) {
	f := start(t)
	c := newCaller(t)
	challenge := c.challenge(t, f)
	signature := c.sign(challenge)
	var accepted, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		racer := c
		racer.ip = fmt.Sprintf("192.0.2.%d", i+1)
		all.Go(func() {
			switch status, code := racer.verify(t, f, challenge, signature); {
			case status == 200:
				accepted.Add(1)
			case status == 401 && code == "challenge_unknown":
				refused.Add(1)
			default:
				t.Errorf("POST /auth/verify = %d %s, want 200 or 401 challenge_unknown", status, code)
			}
		})
	}
	all.Wait()
	if accepted.Load() != 1 || refused.Load() != 49 {
		t.Errorf("%d accepted and %d rejected, want 1 and 49", accepted.Load(), refused.Load())
	}
}

// keyFrom finds a token's key in a JWK Set, by kid, as another service would.
func keyFrom(t *testing.T, document []byte) lib.Keyfunc {
	t.Helper()
	var set struct{ Keys []struct{ Kid, X, Y string } }
	if err := json.Unmarshal(document, &set); err != nil {
		t.Fatal(err)
	}
	return func(token *lib.Token) (any, error) {
		for _, k := range set.Keys {
			if k.Kid != token.Header["kid"] {
				continue
			}
			x, err := base64.RawURLEncoding.DecodeString(k.X)
			if err != nil {
				return nil, err
			}
			y, err := base64.RawURLEncoding.DecodeString(k.Y)
			if err != nil {
				return nil, err
			}
			return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
		}
		return nil, errors.New("kid is not in the set")
	}
}
