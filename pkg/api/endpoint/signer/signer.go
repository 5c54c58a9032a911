// Package signer answers the internal function that alone opens the keys of the distribution
// wallets: distributor, payer and deriver ask it. It gives signatures, seeds and addresses,
// and no key, neither in an answer nor in an error.
package signer

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Handler answers requests with what the core gives. An error fails the invocation.
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
