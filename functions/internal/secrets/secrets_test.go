package secrets_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
)

// store is never read: making clients sends no request.
func store() secretsmanager.Store {
	return secretsmanager.New(aws.Config{Region: "us-east-1", BaseEndpoint: aws.String("http://127.0.0.1:1")}, slog.New(slog.DiscardHandler))
}

func TestNodes(t *testing.T) {
	for _, test := range []struct {
		secrets.Node

		want string // of the error
	}{
		{secrets.Node{URL: "https://rpc.example"}, ""},
		{secrets.Node{Secret: "solana-rpc"}, ""},
		{secrets.Node{}, "neither RPC_URL nor RPC_SECRET is set"},
		{secrets.Node{URL: "https://rpc.example/key", Secret: "solana-rpc"}, "RPC_URL and RPC_SECRET are both set"},
		{secrets.Node{URL: "rpc.example/key"}, "not an http or https URL"},
	} {
		client, err := test.Client(store())
		switch {
		case test.want == "" && (err != nil || client == nil):
			t.Errorf("%+v: %v", test.Node, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "/key")):
			t.Errorf("%+v: %v, want %q", test.Node, err, test.want)
		}
	}
}
