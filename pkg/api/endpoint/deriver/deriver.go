// Package deriver answers the internal function that turns a wallet's id into
// its address. It stands between the functions that face the internet and the signer,
// which does more than give addresses.
package deriver

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/token/wallet"
)

// Request asks for the address of one wallet.
type Request struct {
	WalletID string `json:"walletId"`
}

// Answer is the address, base58. WalletID is in lower case.
type Answer struct {
	WalletID string `json:"walletId"`
	Address  string `json:"address"`
}

// Handler answers requests with what d derives. An error of it fails the
// invocation.
func Handler(d wallet.Deriver) func(context.Context, Request) (Answer, error) {
	return func(ctx context.Context, r Request) (Answer, error) {
		id, ok := wallet.ParseID(r.WalletID)
		if !ok {
			return Answer{}, fmt.Errorf("walletId %.50q is not a UUID", r.WalletID)
		}
		address, err := d.Address(ctx, id)
		if err != nil {
			return Answer{}, err
		}
		return Answer{WalletID: id, Address: address.String()}, nil
	}
}
