// Package start is how every function begins: it reads its settings, and what AWS gives
// it. A function that lacks something ends there and says what, so that a deployment
// that forgot it is seen at once.
package start

import (
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
)

// Settings reads a struct with env tags from the environment.
func Settings[S any]() S {
	return Must(env.ParseAs[S]())
}

// Function reads the settings of a function that calls AWS itself, and how to. Nothing
// is connected to.
func Function[S any]() (S, aws.Config) {
	return Settings[S](), Must(awsconfig.Config())
}

// Must gives the value, or ends the function with the error.
func Must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
