// Calls the service with the client that ogen writes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/generators/ogen/client"
)

type token string

// Bearer returns the access token.
func (t token) Bearer(context.Context, client.OperationName) (client.Bearer, error) {
	return client.Bearer{Token: string(t)}, nil
}

func main() {
	ctx := context.Background()
	c, err := client.NewClient(os.Getenv("API"), token(os.Getenv("TOKEN")))
	check(err)
	answer, err := c.ListTokens(ctx, client.ListTokensParams{})
	check(err)
	listed, _ := answer.(*client.TokenListHeaders)
	unknown, err := c.GetToken(ctx, client.GetTokenParams{MintAddress: client.Address(os.Getenv("UNKNOWN"))})
	check(err)
	missing, _ := unknown.(*client.GetTokenNotFoundHeaders)
	creation, err := c.CreateUnsignedToken(ctx, &client.TokenCreation{
		Name: "Generated", Symbol: "GEN", ImageUri: client.IPFSURI(os.Getenv("IMAGE")), WalletId: uuid.MustParse(os.Getenv("WALLET")),
		TransferFeePercent: 2.5, Decimals: client.TokenCreationDecimals6, Supply: "1000000000000",
	}, client.CreateUnsignedTokenParams{})
	check(err)
	created, _ := creation.(*client.UnsignedTokenHeaders)
	fmt.Println(listed.Response.Tokens[0].MintAddress, missing.Response.Code, uuid.UUID(created.Response.TransactionId))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
