package secretsmanager_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awssecrets "github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

const hidden = "https://node.example/?api-key=s3cr3t"

// fixture is Secrets Manager, a store that reads it, and a clock.
type fixture struct {
	secretsmanager.Store

	aws   *awssecrets.Client
	now   time.Time
	calls atomic.Int32
	away  atomic.Bool
	log   bytes.Buffer
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	config := localnet.AWS(t).Config(t.Context())
	g := &fixture{aws: awssecrets.NewFromConfig(config), now: time.Now()}
	watched := config.Copy()
	watched.RetryMaxAttempts = 1
	watched.HTTPClient = counted{g, config.HTTPClient}
	g.Store = secretsmanager.New(watched, slog.New(slog.NewJSONHandler(&g.log, nil)))
	g.Now = func() time.Time { return g.now }
	return g
}

// counted counts calls, and breaks them off while Secrets Manager is to be away.
type counted struct {
	g    *fixture
	next aws.HTTPClient
}

func (c counted) Do(r *http.Request) (*http.Response, error) {
	c.g.calls.Add(1)
	if c.g.away.Load() {
		return nil, errors.New("connection refused")
	}
	return c.next.Do(r)
}

func (g *fixture) create(t *testing.T, value string) (name, arn string) {
	t.Helper()
	name = "test/" + strings.ReplaceAll(t.Name(), "/", "-")
	out, err := g.aws.CreateSecret(t.Context(), &awssecrets.CreateSecretInput{Name: &name, SecretString: &value})
	if err != nil {
		t.Fatal(err)
	}
	return name, *out.ARN
}

func (g *fixture) rotate(t *testing.T, name, value string) {
	t.Helper()
	if _, err := g.aws.PutSecretValue(t.Context(), &awssecrets.PutSecretValueInput{SecretId: &name, SecretString: &value}); err != nil {
		t.Fatal(err)
	}
}

func (g *fixture) want(t *testing.T, source secret.Source, value string, calls int32) {
	t.Helper()
	got, err := source(t.Context())
	if err != nil || got != value || g.calls.Load() != calls {
		t.Fatalf("%q after %d calls, %v; want %q after %d", got, g.calls.Load(), err, value, calls)
	}
}

func (g *fixture) wantNone(t *testing.T, source secret.Source, words ...string) {
	t.Helper()
	got, err := source(t.Context())
	if got != "" || apperr.KindOf(err) != apperr.Unavailable {
		t.Fatalf("source() = %q, %v; want an error of kind Unavailable", got, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v does not say %q", err, word)
		}
	}
	if all := err.Error() + g.log.String(); strings.Contains(all, "s3cr3t") {
		t.Errorf("the value shows: %s", all)
	}
}

func TestRotation(t *testing.T) {
	g := newFixture(t)
	name, arn := g.create(t, hidden+"\n")
	source := g.Source(name, nil)
	if g.calls.Load() != 0 {
		t.Fatal("it is read before the first request")
	}
	g.want(t, source, hidden, 1)
	g.rotate(t, name, hidden+"-2")
	g.now = g.now.Add(secret.Lifetime - 1)
	g.want(t, source, hidden, 1)
	g.now = g.now.Add(1)
	g.want(t, source, hidden+"-2", 2)
	g.want(t, g.Source(arn, nil), hidden+"-2", 3)
}

func TestSecretsManagerIsAway(t *testing.T) {
	g := newFixture(t)
	name, _ := g.create(t, hidden)
	g.away.Store(true)
	source := g.Source(name, nil)
	g.wantNone(t, source, name, "connection refused")
	g.away.Store(false)
	if got, err := source(t.Context()); got != hidden || err != nil {
		t.Fatal(err)
	}
	g.away.Store(true)
	g.now = g.now.Add(secret.Lifetime)
	for range 2 {
		if got, err := source(t.Context()); got != hidden || err != nil {
			t.Fatalf("source() = %q, %v; want the stored secret", got, err)
		}
	}
	if log := g.log.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, `"name":"`+name+`"`) || strings.Contains(log, "s3cr3t") {
		t.Errorf("log: %s", log)
	}
	g.now = g.now.Add(secret.KeptFor)
	g.wantNone(t, source, name)
	g.away.Store(false)
	if got, err := source(t.Context()); got != hidden || err != nil {
		t.Fatal(err)
	}
}

func TestConcurrentFirstUseIsOneCall(t *testing.T) {
	g := newFixture(t)
	name, _ := g.create(t, hidden)
	source := g.Source(name, nil)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, err := source(t.Context()); got != hidden || err != nil {
				t.Errorf("source() = %q, %v; want the stored secret", got, err)
			}
		})
	}
	all.Wait()
	if g.calls.Load() != 1 {
		t.Errorf("%d calls", g.calls.Load())
	}
}

func TestSourceRejectsInvalidSecrets(t *testing.T) {
	g := newFixture(t)
	g.wantNone(t, g.Source("no-such-secret", nil), "no-such-secret", "ResourceNotFoundException")
	t.Run("of keys and values", func(t *testing.T) {
		name, _ := g.create(t, `{"url":"`+hidden+`"}`)
		g.wantNone(t, g.Source(name, nil), name, "JSON")
	})
	t.Run("of space", func(t *testing.T) {
		name, _ := g.create(t, " \n")
		g.wantNone(t, g.Source(name, nil), name, "empty")
	})
	t.Run("of bytes", func(t *testing.T) {
		name := "test/bytes"
		if _, err := g.aws.CreateSecret(t.Context(), &awssecrets.CreateSecretInput{Name: &name, SecretBinary: []byte(hidden)}); err != nil {
			t.Fatal(err)
		}
		g.wantNone(t, g.Source(name, nil), name, "bytes")
	})
	t.Run("that a check refuses", func(t *testing.T) {
		name, _ := g.create(t, hidden)
		g.wantNone(t, g.Source(name, func(string) error { return errors.New("no address") }), name, "no address")
	})
	t.Run("deleted since", func(t *testing.T) {
		name, _ := g.create(t, hidden)
		source := g.Source(name, nil)
		if got, err := source(t.Context()); got != hidden || err != nil {
			t.Fatal(err)
		}
		if _, err := g.aws.DeleteSecret(t.Context(), &awssecrets.DeleteSecretInput{SecretId: &name}); err != nil {
			t.Fatal(err)
		}
		g.now = g.now.Add(secret.Lifetime)
		if got, err := source(t.Context()); got != hidden || err != nil {
			t.Fatal(err)
		}
		g.wantNone(t, g.Source(name, nil), name, "InvalidRequestException")
	})
}

// A secret that the stack made is JSON, which its reader checks; an operator's is not.
func TestStackSecretIsJSON(t *testing.T) {
	g := newFixture(t)
	name, arn := g.create(t, `{"current":"s3cr3t"}`)
	source := g.JSON(arn, func(value string) error {
		if !strings.Contains(value, `"current"`) {
			return errors.New("it has no current value")
		}
		return nil
	})
	value, err := source(t.Context())
	if err != nil || value != `{"current":"s3cr3t"}` {
		t.Fatalf("source() = %q, %v; want the secret's JSON", value, err)
	}
	// An invalid secret is not accepted: the last value stays in use.
	g.rotate(t, name, `{"next":"s3cr3t"}`)
	g.now = g.now.Add(secret.Lifetime)
	if value, err := source(t.Context()); err != nil || value != `{"current":"s3cr3t"}` {
		t.Errorf("source() after a lifetime = %q, %v; want the unchanged secret", value, err)
	}
	g.rotate(t, name, `{"current":"other","previous":"s3cr3t"}`)
	g.now = g.now.Add(secret.Lifetime)
	if value, err := source(t.Context()); err != nil || !strings.Contains(value, "other") {
		t.Errorf("source() after the rotation = %q, %v; want the new secret", value, err)
	}
}
