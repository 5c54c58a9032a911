// Deriver is the internal function that turns a wallet's id into its address. It asks the
// signer, which alone opens the keys.
package main

import (
	"github.com/aws/aws-lambda-go/lambda"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
)

type settings struct {
	Signer string `env:"SIGNER_FUNCTION,required,notEmpty"`
}

func main() {
	s, aws := start.Function[settings]()
	lambda.Start(deriver.Handler(lambdafn.NewSigner(awslambda.NewFromConfig(aws), s.Signer)))
}
