// Deriver is the internal function that derives the address of a wallet ID. Deriver calls the
// signer, because only the signer opens the keys. In the Region of the key's replica there is no
// signer, so Deriver derives the address from the replica.
package main

import (
	"errors"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/token/wallet"
)

type settings struct {
	// Exactly one of Signer and WalletKeyID is set.
	Signer      string `env:"SIGNER_FUNCTION"`
	WalletKeyID string `env:"WALLET_KEY_ID"`
	// WalletRoots are the keys of the wallets' further roots, oldest first.
	WalletRoots []string `env:"WALLET_ROOTS"`
}

func main() {
	s, aws := start.Function[settings]()
	lambda.Start(deriver.Handler(start.Must(s.deriver(aws))))
}

func (s settings) deriver(config aws.Config) (wallet.Deriver, error) {
	switch {
	case s.Signer != "" && s.WalletKeyID == "":
		return lambdafn.NewSigner(awslambda.NewFromConfig(config), s.Signer), nil
	case s.WalletKeyID != "" && s.Signer == "":
		return wallet.FromKeys(mac(config), s.WalletKeyID, s.WalletRoots...), nil
	}
	return nil, errors.New("set one of SIGNER_FUNCTION and WALLET_KEY_ID")
}

func mac(config aws.Config) func(keyID string) wallet.MAC {
	client := awskms.NewFromConfig(config)
	return func(keyID string) wallet.MAC { return kms.HMAC{Client: client, KeyID: keyID} }
}
