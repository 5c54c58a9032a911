package deployed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// Stack is the description of a running stack in stack.json.
type Stack struct {
	APIURL      string            `json:"apiUrl"`
	RPCURL      string            `json:"rpcUrl"`
	AWSEndpoint string            `json:"awsEndpoint"`
	Region      string            `json:"region"`
	Names       map[string]string `json:"functions"`
	Tables      map[string]string `json:"tables"`
	Market      string            `json:"market"`
	// Token is the mint of the token that make run launched; empty if there is no token.
	Token string `json:"token"`
}

// ErrNotRunning is returned if no local stack is running.
var ErrNotRunning = errors.New("no local stack is running: start it with `make run` in another terminal")

// ReadStack reads stack.json. It rejects a record with an endpoint outside this machine.
func ReadStack(file string) (Stack, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- the project's own
	if errors.Is(err, fs.ErrNotExist) {
		return Stack{}, ErrNotRunning
	}
	if err != nil {
		return Stack{}, fmt.Errorf("read the record of the local stack: %w", err)
	}
	var s Stack
	if err := json.Unmarshal(text, &s); err != nil {
		return Stack{}, fmt.Errorf("%s is not the record of a local stack: %w", file, err)
	}
	return s, CheckLocal(s.AWSEndpoint)
}

// checkTimeout bounds the check of the stack.
const checkTimeout = 5 * time.Second

// CheckRunning checks that the stack responds.
func (s Stack) CheckRunning(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.AWSEndpoint+"/_ministack/ready", http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%w (%s does not answer)", ErrNotRunning, s.AWSEndpoint)
	}
	return response.Body.Close()
}

// Config returns the configuration of the stack's AWS with the account's own credentials.
func (s Stack) Config() aws.Config {
	return aws.Config{
		Region: s.Region, BaseEndpoint: aws.String(s.AWSEndpoint),
		Credentials: credentials.StaticCredentialsProvider{Value: ministack.Credentials},
	}
}

// Function returns a function of the stack.
func (s Stack) Function(ctx context.Context, name string) (Function, error) {
	for construct, physical := range s.Names {
		if strings.EqualFold(construct, name) {
			all, err := Functions(ctx, s.Config(), map[string]string{construct: physical})
			return all[name], err
		}
	}
	return Function{}, fmt.Errorf("the running stack has no function %s, only %s: start it again",
		name, strings.Join(slices.Sorted(maps.Keys(s.Names)), " "))
}
