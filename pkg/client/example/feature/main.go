// Command feature buys a day on the first page for a token, sends the payment and waits until the
// network has decided. docs/integrate.md shows it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

func main() {
	ctx := context.Background()
	wallet, _, err := client.LoadKey(os.Getenv("TOKENLAUNCH_KEY"))
	fatal(err)
	api, err := client.New(os.Getenv("TOKENLAUNCH_API"), client.WithSigner(wallet))
	fatal(err)
	node, err := client.NodeAt(os.Getenv("RPC_URL"))
	fatal(err)
	day := client.PromotionPurchase{TokenMint: solana.MustPublicKeyFromBase58(os.Args[1]), DurationDays: 1}
	given, err := api.CreateUnsignedPromotion(ctx, day)
	fatal(err)
	fmt.Println("costs", given.Cost.TotalLamports, "paid to", given.Recipient)
	signed, err := api.SignPromotion(ctx, day, given) // signs exactly this payment, or nothing
	fatal(err)
	signature, err := client.Send(ctx, node, signed, given.LastValidBlockHeight)
	if unsure := (*client.UndecidedError)(nil); errors.As(err, &unsure) {
		// Store unsure.Signed and send these bytes again; a new transaction could pay twice.
		signature, err = client.Send(ctx, node, unsure.Signed, unsure.LastValidBlockHeight)
	}
	fatal(err)
	fmt.Println("confirmed", signature)
}

func fatal(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
