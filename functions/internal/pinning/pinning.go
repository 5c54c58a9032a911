// Package pinning opens the service that pins files to IPFS, for the functions that do:
// the others are without its code.
package pinning

import (
	"errors"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
)

// Settings say where files are kept and pinned, and which queue has those that are pinned
// later.
type Settings struct {
	Place

	Queue string `env:"PIN_QUEUE_URL,required,notEmpty"`
}

// Place says where files are kept, and where they are pinned: Pinata goes before a node.
type Place struct {
	Bucket string `env:"ASSET_BUCKET,required,notEmpty"`
	// APIURL is the RPC API of a Kubo node.
	APIURL string `env:"IPFS_API_URL"`
	// Secret is the name or ARN of the secret that holds Pinata's token.
	Secret string `env:"PINATA_SECRET"`
}

// Pinner makes the adapter.
func (s Place) Pinner(store secretsmanager.Store) (ipfs.Pinner, error) {
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

// Files keeps files and pins them.
func (s Settings) Files(config aws.Config, log *slog.Logger) (content.Store, error) {
	pinner, err := s.Pinner(secretsmanager.New(config, log))
	if err != nil {
		return content.Store{}, err
	}
	return content.Store{
		Objects: s3store.Bucket{Client: s3.NewFromConfig(config), Name: s.Bucket},
		Pinner:  pinner, CID: ipfs.CID, Log: log,
		Queue: sqsqueue.Pins{Client: sqs.NewFromConfig(config), URL: s.Queue},
	}, nil
}
