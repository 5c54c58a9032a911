// Package signer handles the internal function that opens the keys of the distribution wallets.
// Only distributor, payer and deriver call the function. It returns signatures, seeds and
// addresses, and never a key, neither in a response nor in an error.
package signer

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Handler handles requests with core. An error fails the invocation.
func Handler(core signing.Core) func(context.Context, signing.Request) (signing.Answer, error) {
	return func(ctx context.Context, r signing.Request) (signing.Answer, error) {
		for n, id := range r.Addresses {
			lower, ok := wallet.ParseID(id)
			if !ok {
				return signing.Answer{}, fmt.Errorf("%.50q is not the id of a wallet", id)
			}
			r.Addresses[n] = lower
		}
		return core.Do(ctx, r)
	}
}
