// Package deriver handles the internal function that converts a wallet's ID to the wallet's
// address. The deriver isolates the functions that face the internet from the signer, because the
// signer can do more than derive addresses.
package deriver

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/token/wallet"
)

// Request is a request for the address of one wallet. WalletID is a wallet.Path.
type Request struct {
	WalletID string `json:"walletId"`
}

// Answer has the address in base58. WalletID is in lower case.
type Answer struct {
	WalletID string `json:"walletId"`
	Address  string `json:"address"`
}

// Handler handles requests with d. An error fails the invocation.
func Handler(d wallet.Deriver) func(context.Context, Request) (Answer, error) {
	return func(ctx context.Context, r Request) (Answer, error) {
		id, root, ok := wallet.ParsePath(r.WalletID)
		if !ok {
			return Answer{}, fmt.Errorf("walletId %.50q is not a UUID", r.WalletID)
		}
		id = wallet.Path(id, root)
		address, err := d.Address(ctx, id)
		if err != nil {
			return Answer{}, err
		}
		return Answer{WalletID: id, Address: address.String()}, nil
	}
}
