// Package start starts the functions: it reads their settings and the AWS configuration. If a
// setting is missing, the process ends with an error that names the setting, so a faulty deployment
// is noticed immediately.
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

// Function reads the settings and the AWS configuration of a function that calls AWS itself,
// without opening connections.
func Function[S any]() (S, aws.Config) {
	return Settings[S](), Must(awsconfig.Config())
}

// Must returns the value, or ends the process with the error.
func Must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
