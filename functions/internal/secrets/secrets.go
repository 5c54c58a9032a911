// Package secrets opens the services that several functions reach with a secret. The environment
// variables contain the names of secrets in AWS Secrets Manager, but no secrets. A secret is read
// at its first use.
package secrets

import (
	"errors"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Node has the addresses of the Solana nodes. Exactly one of URL and Secret is set.
type Node struct {
	// Network is the required network of the nodes: mainnet, devnet or testnet. For any other
	// value, such as localnet, all nodes must be on the same network.
	Network string `env:"NETWORK,required,notEmpty"`
	// URL is an address without a key, such as a public endpoint.
	URL string `env:"RPC_URL"`
	// Secret is the name or ARN of the secret that holds the addresses.
	Secret string `env:"RPC_SECRET"`
}

// Client returns the client of the nodes, with a new meter.
func (n Node) Client(store secretsmanager.Store) (*solanarpc.Client, error) {
	client, err := n.client(store)
	if err != nil {
		return nil, err
	}
	client.Meter, client.Cluster = &metric.Meter{}, solanarpc.NewCluster(n.Network)
	return client, nil
}

// Second returns the client of another provider's nodes, in addition to the first client. The named
// secret has the addresses. The nodes must be on the same network as first's nodes, and share its
// meter.
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
