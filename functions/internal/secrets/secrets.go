// Package secrets opens what several functions reach with a secret: the variables name
// secrets of AWS Secrets Manager and hold none. Nothing is read until it is needed.
package secrets

import (
	"errors"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Node says where the Solana nodes are: one of URL and Secret is set.
type Node struct {
	// Network is the one that they must be of: mainnet, devnet or testnet. On any other,
	// such as localnet, all of them must be of the same.
	Network string `env:"NETWORK,required,notEmpty"`
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
	client.Meter, client.Cluster = &metric.Meter{}, solanarpc.NewCluster(n.Network)
	return client, nil
}

// Second makes a client of another provider's nodes, whose addresses are in the secret of
// that name, beside the first: they must be of the same network, and are measured together.
func Second(first *solanarpc.Client, store secretsmanager.Store, secret string) *solanarpc.Client {
	second := solanarpc.From(store.Source(secret, solanarpc.CheckAddresses))
	second.Meter, second.Cluster, second.Label = first.Meter, first.Cluster, "second-"
	return second
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
