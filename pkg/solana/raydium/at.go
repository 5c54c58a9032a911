package raydium

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// At gives the addresses of another pool of the same token and wrapped SOL: one under an
// account of its own.
func (a Addresses) At(n Network, pool solana.PublicKey) (Addresses, error) {
	var err error
	derive := func(seeds ...[]byte) (address solana.PublicKey) {
		if err == nil {
			address, _, err = solana.FindProgramAddress(seeds, n.Program)
		}
		return address
	}
	a.Pool = pool
	a.LPMint = derive([]byte(seedLPMint), pool[:])
	a.TokenVault = derive([]byte(seedVault), pool[:], a.Token[:])
	a.SOLVault = derive([]byte(seedVault), pool[:], solana.WrappedSol[:])
	a.Observation = derive([]byte(seedObservation), pool[:])
	if err != nil {
		return Addresses{}, fmt.Errorf("addresses of the pool %s: %w", pool, err)
	}
	return a, nil
}
