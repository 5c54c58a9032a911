// Package pinning opens the pinning services of IPFS. Functions that pin no files do not import the
// package, and so do not contain the code.
package pinning

import (
	"errors"
	"fmt"
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

// Settings are the places for storing and pinning files, and the queue for later pinning.
type Settings struct {
	Place

	Queue string `env:"PIN_QUEUE_URL,required,notEmpty"`
}

// Place is the bucket for storing files and the services for pinning files.
type Place struct {
	Bucket string `env:"ASSET_BUCKET,required,notEmpty"`
	// Pins are the services that pin each file: pinata and kubo. The default is pinata if there is
	// a secret, otherwise kubo.
	Pins []string `env:"PINS"`
	// APIURL is the RPC API of a Kubo node.
	APIURL string `env:"IPFS_API_URL"`
	// Secret is the name or ARN of the secret that holds Pinata's token.
	Secret string `env:"PINATA_SECRET"`
}

// Pinner returns the client of the pinning services.
func (s Place) Pinner(store secretsmanager.Store) (ipfs.Pinner, error) {
	var token secret.Source
	if s.Secret != "" {
		token = store.Source(s.Secret, ipfs.CheckToken)
	}
	pins := s.Pins
	switch {
	case len(pins) > 0:
	case token != nil:
		pins = []string{"pinata"}
	default:
		pins = []string{"kubo"}
	}
	var places ipfs.Places
	for _, name := range pins {
		var place ipfs.Pinner
		err := errors.New("it must be pinata or kubo")
		switch name {
		case "pinata":
			place, err = ipfs.NewPinata(ipfs.PinataAPI, token)
		case "kubo":
			place, err = ipfs.NewKubo(s.APIURL)
		}
		if err != nil {
			return nil, fmt.Errorf("IPFS_API_URL, PINATA_SECRET, PINS: the place %q: %w", name, err)
		}
		places = append(places, place)
	}
	return places, nil
}

// Files returns the store that stores and pins files.
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
