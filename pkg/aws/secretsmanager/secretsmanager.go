// Package secretsmanager reads secrets from AWS Secrets Manager.
//
// An operator's secret is one value as plain text, not the JSON of keys and values that the console
// proposes. Errors contain no value.
package secretsmanager

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"tokenlaunch.example/service/pkg/platform/secret"
)

// Store creates sources of secrets.
type Store struct {
	Client *secretsmanager.Client
	Now    func() time.Time
	Log    *slog.Logger
}

// New returns a store for the account and region of the configuration. It makes no connection.
func New(config aws.Config, log *slog.Logger) Store {
	return Store{Client: secretsmanager.NewFromConfig(config), Now: time.Now, Log: log}
}

// Source returns a source for the secret with the given name or ARN. The first use of the source
// fetches the value. check validates a value, and may be nil.
func (s Store) Source(name string, check func(value string) error) secret.Source {
	return s.cached(name, func(value string) error {
		if strings.HasPrefix(value, "{") {
			return errors.New("it is JSON: the value alone has to be there, as plain text")
		}
		if check == nil {
			return nil
		}
		return check(value)
	})
}

// JSON is Source for a secret that the stack created, whose value is JSON.
func (s Store) JSON(name string, check func(value string) error) secret.Source {
	return s.cached(name, check)
}

func (s Store) cached(name string, check func(value string) error) secret.Source {
	cached := &secret.Cached{
		Name: name, Check: check, Now: s.Now, Log: s.Log,
		Fetch: func(ctx context.Context) (string, error) { return s.read(ctx, name) },
	}
	return cached.Value
}

// read reads the current version without surrounding white space, because editors end a file with a
// new line.
func (s Store) read(ctx context.Context, name string) (string, error) {
	out, err := s.Client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return "", err
	}
	value := strings.TrimSpace(aws.ToString(out.SecretString))
	if value == "" {
		return "", errors.New("it is empty, or bytes and no text")
	}
	return value, nil
}
