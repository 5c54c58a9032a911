// Package secretsmanager reads secrets from AWS Secrets Manager.
//
// A secret of an operator is one value as plain text, and not the JSON of keys and values
// that the console begins with. No error shows a value.
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

// Store makes sources of secrets.
type Store struct {
	Client *secretsmanager.Client
	Now    func() time.Time
	Log    *slog.Logger
}

// New makes a store of the account and region of the configuration. It does not
// connect.
func New(config aws.Config, log *slog.Logger) Store {
	return Store{Client: secretsmanager.NewFromConfig(config), Now: time.Now, Log: log}
}

// Source gives the value of a secret, named by its name or ARN, from the first time
// that it is asked for. What is wrong with a value is for check to say, which may
// be nil.
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

// JSON is Source for a secret that the stack made, whose value is JSON.
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

// read reads the current version. Space around the value is not part of it: editors
// end a file with a new line.
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
