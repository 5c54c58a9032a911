// Calls the service with the client that openapi-generator writes in Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"tokenlaunch.example/service/infra/generators/openapi-generator-go/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("API")}}
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("TOKEN"))
	c := client.NewAPIClient(configuration)
	listed, _, err := c.TokensAPI.ListTokens(ctx).Execute()
	check(err)
	_, _, err = c.TokensAPI.GetToken(ctx, os.Getenv("UNKNOWN")).Execute()
	var refused *client.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatalf("an unknown token: %v", err)
	}
	missing, _ := refused.Model().(client.GetToken404Response)
	creation := client.NewTokenCreation("Generated", "GEN", os.Getenv("IMAGE"), os.Getenv("WALLET"), 2.5, 6, "1000000000000")
	created, _, err := c.LaunchAPI.CreateUnsignedToken(ctx).TokenCreation(*creation).Execute()
	check(err)
	fmt.Println(listed.Tokens[0].MintAddress, missing.Code, created.TransactionId)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
