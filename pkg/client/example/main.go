// Command example launches a token in ten lines. docs/integrate.md shows it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"tokenlaunch.example/service/pkg/client"
)

func main() {
	wallet, _, err := client.LoadKey(os.Getenv("TOKENLAUNCH_KEY"))
	fatal(err)
	api, err := client.New(os.Getenv("TOKENLAUNCH_API"), client.WithSigner(wallet))
	fatal(err)
	picture, err := os.ReadFile("crane.png")
	fatal(err)
	crane := client.TokenCreation{Name: "Paper Crane", Symbol: "CRANE", Decimals: 6, Supply: client.MustTokens("1000000000", 6), TransferFeePercent: client.MustPercent("5")}
	token, err := api.Launch(context.Background(), client.Order{Token: crane, Picture: picture}, client.LaunchHooks{})
	fatal(err)
	fmt.Println(token.MintAddress)
}

func fatal(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
