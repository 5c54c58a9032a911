// Deriver is the internal function that turns a wallet's id into its address.
package main

import (
	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

type settings struct {
	WalletKeyID string `env:"WALLET_KEY_ID,required,notEmpty"`
}

func main() {
	s, aws := start.Function[settings]()
	mac := kms.HMAC{Client: awskms.NewFromConfig(aws), KeyID: s.WalletKeyID}
	lambda.Start(deriver.Handler(wallet.Derivation{MAC: mac}))
}
