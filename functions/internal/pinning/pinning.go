// Package pinning opens the service that pins files to IPFS, for the functions that do:
// the others are without its code.
package pinning

import (
	"errors"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// Settings say where files are pinned: Pinata goes before a node.
type Settings struct {
	// APIURL is the RPC API of a Kubo node.
	APIURL string `env:"IPFS_API_URL"`
	// Secret is the name or ARN of the secret that holds Pinata's token.
	Secret string `env:"PINATA_SECRET"`
}

// Pinner makes the adapter.
func (s Settings) Pinner(store secretsmanager.Store) (ipfs.Pinner, error) {
	var token secret.Source
	if s.Secret != "" {
		token = store.Source(s.Secret, ipfs.CheckToken)
	}
	pinner, err := ipfs.Open(s.APIURL, token)
	if err != nil {
		return nil, errors.Join(errors.New("IPFS_API_URL, PINATA_SECRET"), err)
	}
	return pinner, nil
}
