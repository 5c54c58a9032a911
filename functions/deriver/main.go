// Deriver is the internal function that turns a wallet's id into its address.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/endpoint/deriver"
	"tokenlaunch.example/service/pkg/kms"
	"tokenlaunch.example/service/pkg/wallet"
)

type settings struct {
	WalletKeyID string `env:"WALLET_KEY_ID,required,notEmpty"`
}

func main() {
	s, err := env.ParseAs[settings]()
	if err != nil {
		log.Fatal(err)
	}
	aws, err := awshttp.Config(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	mac := kms.HMAC{Client: awskms.NewFromConfig(aws), KeyID: s.WalletKeyID}
	lambda.Start(deriver.Handler(wallet.Derivation{MAC: mac}))
}
