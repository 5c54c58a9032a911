// Calls the service with the client that oapi-codegen writes.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/generators/oapi-codegen/client"
)

func main() {
	ctx := context.Background()
	c, err := client.NewClientWithResponses(os.Getenv("API"), client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}))
	check(err)
	listed, err := c.ListTokensWithResponse(ctx, nil)
	check(err)
	missing, err := c.GetTokenWithResponse(ctx, os.Getenv("UNKNOWN"))
	check(err)
	created, err := c.CreateUnsignedTokenWithResponse(ctx, nil, client.TokenCreation{
		Name: "Generated", Symbol: "GEN", ImageUri: os.Getenv("IMAGE"), WalletId: uuid.MustParse(os.Getenv("WALLET")),
		TransferFeePercent: 2.5, Decimals: 6, Supply: "1000000000000",
	})
	check(err)
	// The conversion compiles only if the code is a text.
	fmt.Println(listed.JSON200.Tokens[0].MintAddress, string(missing.ApplicationproblemJSON404.Code), created.JSON200.TransactionId)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
