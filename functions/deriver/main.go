// Deriver is the internal function that derives a wallet's address from its ID. Deriver calls the
// signer, the only function that opens the keys. The function in the Region of the key's replica,
// which has no signer, derives the address itself.
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
		return wallet.Derivation{MAC: kms.HMAC{Client: awskms.NewFromConfig(config), KeyID: s.WalletKeyID}}, nil
	}
	return nil, errors.New("set one of SIGNER_FUNCTION and WALLET_KEY_ID")
}
