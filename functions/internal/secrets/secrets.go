// Package secrets opens what several functions reach with a secret: the variables name
// secrets of AWS Secrets Manager and hold none. Nothing is read until it is needed.
package secrets

import (
	"errors"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Node says where the Solana nodes are: one of the two is set.
type Node struct {
	// URL is an address without a key, such as a public endpoint's.
	URL string `env:"RPC_URL"`
	// Secret is the name or ARN of the secret that holds the addresses.
	Secret string `env:"RPC_SECRET"`
}

// Client makes the client of the nodes, with the meter of the function.
func (n Node) Client(store secretsmanager.Store) (*solanarpc.Client, error) {
	client, err := n.client(store)
	if err != nil {
		return nil, err
	}
	client.Meter = &metric.Meter{}
	return client, nil
}

func (n Node) client(store secretsmanager.Store) (*solanarpc.Client, error) {
	switch {
	case n.URL != "" && n.Secret != "":
		return nil, errors.New("RPC_URL and RPC_SECRET are both set: set the one that holds")
	case n.Secret != "":
		return solanarpc.From(store.Source(n.Secret, solanarpc.CheckAddresses)), nil
	case n.URL != "":
		return solanarpc.New(n.URL)
	}
	return nil, errors.New("neither RPC_URL nor RPC_SECRET is set: give the address of a public node, or the name of the secret with the address of another")
}
